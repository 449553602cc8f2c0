#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "commands.hpp"
#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "progress_bar.hpp"

namespace microslip::cli {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler needs it");

/// The first Ctrl-C asks the run to stop; the second one ends the program as usual.
void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested.store(true); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void print_summary(const AnalysisSummary& summary) {
  fmt::print("{} \"{}\": {}", summary.kind, summary.name, to_string(summary.ending));
  if (!summary.message.empty()) fmt::print(" ({})", summary.message);
  fmt::print(", {}\n", readable_seconds(summary.wall_seconds));
  if (summary.facts.contains("forced_steps")) {
    fmt::print("  {} steps under load, {} in free motion\n", summary.facts["forced_steps"].get<long>(),
               summary.facts["free_steps"].get<long>());
  }
  if (summary.facts.contains("energy") && summary.facts.contains("events")) {
    fmt::print("  {} events, energy error {:.2e}\n", summary.facts["events"].get<long>(),
               summary.facts["energy"]["error"].get<double>());
  } else if (summary.facts.contains("energy")) {
    fmt::print("  {} steps, {} Newton iterations, energy error {:.2e}\n", summary.facts["steps"].get<long>(),
               summary.facts["newton_iterations"].get<long>(), summary.facts["energy"]["error"].get<double>());
  }
  if (!summary.files.empty()) fmt::print("  {}\n", fmt::join(summary.files, ", "));
  std::fflush(stdout);
}

/// A word that a shell takes as it is.
std::string for_shell(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-/+=:,@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command_of(const RunArguments& arguments) {
  std::string command = "microslip run " + for_shell(arguments.study);
  if (!arguments.directory.empty()) command += " --out " + for_shell(arguments.directory);
  if (arguments.mat) command += " --mat";
  return command;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  const Study study = load_study(arguments.study);
  if (!arguments.quiet) {
    for (const std::string& line : in_lines(study.facts, study.units)) fmt::print("{}\n", line);
  }
  if (study.analyses.empty()) throw StudyError({study.file, 1, 1}, "there is no [[analysis]] to run");
  const std::string directory =
      arguments.directory.empty() ? default_results_directory(arguments.study) : arguments.directory;

  stop_on_signals();
  ProgressBar bar(!arguments.quiet);
  RunOptions options;
  options.version = MICROSLIP_VERSION;
  options.command = command_of(arguments);
  options.report = !arguments.no_report;
  options.mat = arguments.mat;
  options.stop = &stop_requested;
  options.progress = [&](std::size_t index, double fraction) { bar.show(name_of(study.analyses[index]), fraction); };
  options.finished = [&](const AnalysisSummary& summary) {
    bar.clear();
    if (!arguments.quiet) print_summary(summary);
  };
  const RunOutcome outcome = run_study(study, directory, options);
  bar.clear();
  if (!outcome.failure.empty()) fmt::print(stderr, "{}\n", outcome.failure);
  for (const AnalysisSummary& summary : outcome.analyses) {
    if (summary.ending == Ending::completed) continue;
    fmt::print(stderr, "{}: {} \"{}\": {}{}{}\n", study.file, summary.kind, summary.name, to_string(summary.ending),
               summary.message.empty() ? "" : ": ", summary.message);
  }
  if (!outcome.report_failure.empty()) fmt::print(stderr, "no report: {}\n", outcome.report_failure);
  if (!arguments.quiet) {
    fmt::print("results in {}\n", directory);
    if (!outcome.report.empty()) fmt::print("report {}\n", outcome.report);
  }
  return outcome.exit_code;
}

}  // namespace microslip::cli
