#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "microslip/io/input_error.hpp"
#include "microslip/io/write_file.hpp"
#include "microslip/report/report_page.hpp"

namespace microslip::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> directories;
  std::string out;  ///< empty: beside the results, of several in the working directory
};

int report_command(const ReportArguments& arguments) {
  std::string out = arguments.out;
  if (out.empty()) {
    out = arguments.directories.size() > 1
              ? std::string("overlay.html")
              : (std::filesystem::path(arguments.directories.front()) / "report.html").string();
  }
  const std::string ending = std::filesystem::path(out).extension().string();
  if (ending != ".html" && ending != ".htm") {
    throw std::invalid_argument(fmt::format("--out must end in .html, got {}", in_quotes(out)));
  }
  const std::string html = report_page(arguments.directories);
  write_file(out, html);
  fmt::print("wrote {}\n", out);
  return exit_completed;
}

}  // namespace

Command add_report(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  auto* command = app.add_subcommand("report", "Rebuild the report of a run, or overlay several runs");
  command->add_option("DIR", arguments->directories, "Directory that `microslip run` wrote; several are overlaid")
      ->required();
  command->add_option("--out", arguments->out, "HTML file (default: DIR/report.html, of several overlay.html)");
  command->footer(
      "Examples:\n  microslip report study-results\n"
      "  microslip report before-results after-results --out comparison.html\n\n"
      "Figures of the same kind, name and title share their axes; the legend tells the runs apart.\n"
      "Exit code 2: not a directory of results.");
  return {command, [arguments] { return report_command(*arguments); }};
}

}  // namespace microslip::cli
