#pragma once
// The commands of the program. Each returns the exit code; exceptions are main's business.

#include <optional>
#include <string>
#include <vector>

namespace microslip::cli {

inline constexpr int exit_completed = 0;
inline constexpr int exit_incomplete = 1;
inline constexpr int exit_wrong_input = 2;

struct RunArguments {
  std::string study;
  std::string directory;  ///< empty: <study>-results
  bool quiet = false;
  bool no_report = false;
  bool mat = false;  ///< results.mat as well
};
int run_command(const RunArguments& arguments);

struct ReportArguments {
  std::vector<std::string> directories;
  std::string out;  ///< empty: beside the results, of several in the working directory
};
int report_command(const ReportArguments& arguments);

int check_command(const std::string& study);

int new_command(const std::string& directory, const std::string& example);
[[nodiscard]] std::vector<std::string> example_names();

struct LawsArguments {
  std::string law;                      ///< empty: list all
  std::vector<std::string> parameters;  ///< "--FS", "10", ... as typed
  std::optional<double> amplitude;
  int points = 200;
  std::string directory = ".";
};
int laws_command(const LawsArguments& arguments);

struct PlotArguments {
  std::vector<std::string> files;
  std::string x;
  std::vector<std::string> y, split, where;
  std::string map, log, title, x_label, y_label;
  int width = 640;
  int height = 400;
  double font_size = 13.0;
  bool dots = false;
  std::string out;  ///< empty: the first file with the ending .svg
};
int plot_command(const PlotArguments& arguments);

struct GalleryArguments {
  std::string examples;  ///< empty: ./examples, or those of the repository
  std::string directory;
  int jobs = 0;  ///< runs at a time; 0: one a core
  bool quiet = false;
};
int gallery_command(const GalleryArguments& arguments);

}  // namespace microslip::cli
