#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string_view>

#include "commands.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "microslip/trials/ranks.hpp"
#include "mpi_ranks.hpp"
#include "progress_bar.hpp"
#include "shard.hpp"

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
  const std::string facts = summary.facts ? summary.facts->in_a_line() : "";
  if (!facts.empty()) fmt::print("  {}\n", facts);
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

/// Of a shard: what there is to do next.
void print_next(const RunArguments& arguments, const TrialShare& share, const std::string& directory) {
  fmt::print("trials of shard {} of {} in {}\n", share.number, share.of, directory);
  fmt::print("when all shards are done: microslip merge {} && {}\n", for_shell(directory), command_of(arguments));
}

int run_here(const RunArguments& arguments, Ranks* ranks) {
  if (ranks != nullptr && ranks->rank() != 0) go_on_together(*ranks);
  const Study study = load_study(arguments.study);
  if (!arguments.quiet) {
    for (const std::string& line : in_lines(study.facts, study.units)) fmt::print("{}\n", line);
  }
  if (study.analyses.empty()) throw StudyError({study.file, 1, 1}, "there is no [[analysis]] to run");
  const std::string directory =
      arguments.directory.empty() ? default_results_directory(arguments.study) : arguments.directory;

  if (ranks != nullptr && ranks->rank() == 0) go_on_together(*ranks);

  stop_on_signals();
  RunOptions options;
  options.trials.fresh = arguments.fresh;
  options.trials.ranks = ranks;
  if (!arguments.shard.empty()) options.trials.share = parse_shard(arguments.shard);
  const bool any_trials =
      std::any_of(study.analyses.begin(), study.analyses.end(),
                  [](const AnalysisPointer& analysis) { return !analysis->trial_identity().empty(); });
  if (!options.trials.share.all() && !any_trials) {
    throw StudyError({study.file, 1, 1},
                     "--shard: no analysis here has trials to share, as a parameter study or an update by samples has");
  }
  ProgressBar bar(!arguments.quiet);
  options.version = MICROSLIP_VERSION;
  options.command = command_of(arguments);
  options.report = !arguments.no_report;
  options.mat = arguments.mat;
  options.stop = &stop_requested;
  options.progress = [&](std::size_t index, double fraction) { bar.show(study.analyses[index]->name, fraction); };
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
  if (!options.trials.share.all()) {
    if (!arguments.quiet) print_next(arguments, options.trials.share, directory);
  } else if (!arguments.quiet) {
    fmt::print("results in {}\n", directory);
    if (!outcome.report.empty()) fmt::print("report {}\n", outcome.report);
  }
  return outcome.exit_code;
}

int run_command(const RunArguments& arguments) {
  Ranks* ranks = join_ranks();
  if (ranks == nullptr) return run_here(arguments, nullptr);
  if (!arguments.shard.empty()) throw std::invalid_argument("--shard: ranks of MPI share the trials by themselves");
  RunArguments own = arguments;
  own.quiet = own.quiet || ranks->rank() != 0;  // one speaks for all
  const int code = run_here(own, ranks);
  leave_ranks();
  return code;
}

Command add_run(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  auto* command = app.add_subcommand("run", "Run every analysis of a study");
  command->add_option("STUDY", arguments->study, "TOML file")->required();
  command->add_option("--out", arguments->directory, "Directory of the results (default: <study>-results)");
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->add_flag("--mat", arguments->mat, "Write results.mat, for MATLAB, as well");
  command->add_flag("--no-report", arguments->no_report, "No report.html; `microslip report` makes it later");
  command->add_flag("--fresh", arguments->fresh, "Throw old trials away; without it, those of the same study are kept");
  command->add_option("--shard", arguments->shard,
                      "Do part K of N of the trials and no more, K/N; auto: of an array job");
  command->footer(
      "Examples:\n  microslip run study.toml --out results\n"
      "  microslip run study.toml --shard 3/16    # one of 16 machines; then microslip merge, and run\n"
      "  mpirun -n 16 microslip run study.toml    # or all of them at once\n\n"
      "Leaves <name>.csv for each analysis, results.h5, summary.json and report.html; with --mat results.mat, a "
      "struct\n"
      "for each table. A parameter study, or an update by samples, keeps its trials in <name>-trials.db:\n"
      "interrupted or killed, it goes on there.\n"
      "Exit codes: 0 completed, 1 an analysis did not complete, 2 the study is wrong (nothing written), 130 "
      "interrupted.");
  return {command, [arguments] { return run_command(*arguments); }};
}

}  // namespace microslip::cli
