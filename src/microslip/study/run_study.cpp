#include "microslip/study/run_study.hpp"

#include <chrono>
#include <filesystem>
#include <utility>

namespace microslip {
namespace {

bool stopped(const RunOptions& options) {
  return options.stop != nullptr && options.stop->load();
}

std::vector<std::string> all_tables(const Study& study) {
  std::vector<std::string> tables;
  for (const Analysis& analysis : study.analyses) {
    for (std::string& name : table_names(analysis)) tables.push_back(std::move(name));
  }
  return tables;
}

std::vector<AnalysisSummary> not_started(const Study& study) {
  std::vector<AnalysisSummary> summaries;
  for (const Analysis& analysis : study.analyses) {
    AnalysisSummary summary;
    summary.kind = kind_of(analysis);
    summary.name = name_of(analysis);
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

AnalysisSummary run_one(const Study& study, std::size_t index, Results& results, const RunOptions& options) {
  const Analysis& analysis = study.analyses[index];
  AnalysisRun with{study.system, results, [&](double fraction) {
                     if (options.progress) options.progress(index, fraction);
                     return !stopped(options);
                   }};
  const auto start = std::chrono::steady_clock::now();
  AnalysisSummary summary = std::visit([&](const auto& a) { return run(a, with); }, analysis);
  summary.kind = kind_of(analysis);
  summary.name = name_of(analysis);
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

}  // namespace

RunOutcome run_study(const Study& study, const std::string& directory, const RunOptions& options) {
  Results results(directory, study.units, all_tables(study));
  results.study_text(study.text);
  RunOutcome outcome{0, not_started(study)};
  results.write_summary(options.version, outcome.analyses);  // what a killed run leaves
  for (std::size_t i = 0; i < study.analyses.size() && !stopped(options); ++i) {
    outcome.analyses[i].message = "killed";
    results.write_summary(options.version, outcome.analyses);
    outcome.analyses[i] = run_one(study, i, results, options);
    results.write_summary(options.version, outcome.analyses);
    if (options.finished) options.finished(outcome.analyses[i]);
  }
  results.close();
  for (const AnalysisSummary& summary : outcome.analyses) {
    if (summary.ending != Ending::completed) outcome.exit_code = 1;
  }
  if (outcome.exit_code != 0 && stopped(options)) outcome.exit_code = 130;
  return outcome;
}

std::string default_results_directory(const std::string& study_file) {
  std::filesystem::path path(study_file);
  path.replace_extension();
  return path.string() + "-results";
}

}  // namespace microslip
