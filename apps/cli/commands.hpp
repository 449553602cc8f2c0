#pragma once
// The commands of the program, each in a file of its own with its options. It returns the exit code; exceptions are
// main's business.

#include <functional>
#include <string>

namespace CLI {
class App;
}

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
  bool fresh = false;
  std::string shard;  ///< "3/16" or "auto"; empty: all
};
int run_command(const RunArguments& arguments);

/// A command of the program: its options, and what it does with them.
struct Command {
  CLI::App* app;  ///< says whether it was called
  std::function<int()> run;
};

Command add_run(CLI::App& app);
Command add_trials(CLI::App& app);
Command add_merge(CLI::App& app);
Command add_check(CLI::App& app);
Command add_report(CLI::App& app);
Command add_plot(CLI::App& app);
Command add_gallery(CLI::App& app);
Command add_new(CLI::App& app);
Command add_laws(CLI::App& app);

}  // namespace microslip::cli
