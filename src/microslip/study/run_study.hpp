#pragma once
// Runs the analyses of a study, in the order of the file, into a directory.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "microslip/results/analysis_summary.hpp"
#include "microslip/results/results.hpp"
#include "microslip/study/study.hpp"
#include "microslip/trials/trial_setting.hpp"

namespace microslip {

struct RunOptions {
  std::string version;  ///< for summary.json
  std::string command;  ///< that would do it again, for the report
  bool report = true;   ///< write report.html
  bool mat = false;     ///< write results.mat
  /// Called now and then with the number of the analysis (from 0) and the fraction of it that is done.
  std::function<void(std::size_t analysis, double fraction)> progress;
  /// Called when an analysis has ended.
  std::function<void(const AnalysisSummary& summary)> finished;
  const std::atomic<bool>* stop = nullptr;  ///< set it to stop after the current step
  /// Which trials are this process's, and whether those of an earlier run count. They are kept in the directory of the
  /// results, whatever is named here.
  TrialSetting trials;
};

struct RunOutcome {
  int exit_code = 0;    ///< 0: all completed; 1: some did not; 130: stopped
  std::string failure;  ///< why the results could not be written on, exit code 1
  std::vector<AnalysisSummary> analyses;
  std::string report;          ///< path of report.html; empty when there is none
  std::string report_failure;  ///< why; the run counts all the same
};

/// A process that makes no tables (TrialSetting) leaves trials in the directory and nothing else. Throws OutputError
/// when the directory cannot be made, InputError when it holds trials that are not to be thrown away; then nothing was
/// written.
RunOutcome run_study(const Study& study, const std::string& directory, const RunOptions& options);

/// "dir/beam.toml" -> "dir/beam-results".
[[nodiscard]] std::string default_results_directory(const std::string& study_file);

}  // namespace microslip
