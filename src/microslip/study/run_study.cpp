#include "microslip/study/run_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/io/matrix_market.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/report/report_page.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/results/mat_results.hpp"
#include "microslip/study/damping_remark.hpp"
#include "microslip/study/declared_report.hpp"
#include "microslip/trials/ranks.hpp"
#include "microslip/trials/run_trials.hpp"

namespace microslip {
namespace {

bool stopped(const RunOptions& options) {
  return options.stop != nullptr && options.stop->load();
}

/// The reduced model as matrices that another study can name.
constexpr const char* reduced_files[] = {"reduced-M.mtx", "reduced-K.mtx", "reduced-labels.txt"};

void write_reduced_model(const Study& study, const std::string& directory, const Results& results) {
  const LinearStructure& structure = study.system.structure();
  const auto path = [&](const char* file) { return file_in(directory, file); };
  const std::string comment = "Reduced from " + std::filesystem::path(study.file).filename().string();
  write_matrix_market(path(reduced_files[0]), structure.independent_mass(), comment + ": mass");
  write_matrix_market(path(reduced_files[1]), structure.independent_stiffness(), comment + ": stiffness");
  std::string labels;
  for (int i = 0; i < structure.independent(); ++i) labels += structure.labels()[static_cast<std::size_t>(i)] + "\n";
  results.text(reduced_files[2], labels);
}

std::vector<std::string> all_files(const Study& study) {
  std::vector<std::string> files(std::begin(reduced_files), std::end(reduced_files));
  for (const AnalysisPointer& analysis : study.analyses) {
    for (std::string& file : analysis->table_files()) files.push_back(std::move(file));
    for (std::string& file : analysis->other_files()) files.push_back(std::move(file));
  }
  return files;
}

/// Tables that an analysis further down asks for.
void keep_sources(const Study& study, Results& results) {
  for (const AnalysisPointer& analysis : study.analyses) {
    for (const std::string& name : analysis->sources()) results.keep(table_name(name, ""));
  }
}

std::vector<AnalysisSummary> not_started(const Study& study) {
  std::vector<AnalysisSummary> summaries;
  for (const AnalysisPointer& analysis : study.analyses) {
    AnalysisSummary summary;
    summary.kind = analysis->kind_word;
    summary.name = analysis->name;
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

/// Behind the message: what the shapes of the base motions strain, what is to be known of records.
void tell_of_loads(const Study& study, const Analysis& analysis, AnalysisSummary& summary) {
  const std::vector<std::string> names = analysis.load_names();
  for (const LoadDefinition& load : study.loads) {
    if (load.note.empty() || std::find(names.begin(), names.end(), load.name) == names.end()) continue;
    add_remark(fmt::format("{} \"{}\": {}", load.base ? "base motion" : "load", load.name, load.note), summary);
  }
}

AnalysisSummary run_one(const Study& study, std::size_t index, Results& results, const RunOptions& options) {
  const Analysis& analysis = *study.analyses[index];
  const auto observer = [&](double fraction) {
    if (options.progress) options.progress(index, fraction);
    return !stopped(options);
  };
  AnalysisRun with{study.system, results, observer, nullptr, &options.trials};
  const auto start = std::chrono::steady_clock::now();
  nlohmann::ordered_json settings = {{"kind", std::string(analysis.kind_word)}};
  settings.update(analysis.settings());
  results.settings(analysis.name, settings);
  AnalysisSummary summary = analysis.run(with);
  tell_of_loads(study, analysis, summary);
  if (index == 0) add_remark(damping_remark(study.system), summary);
  summary.kind = analysis.kind_word;
  summary.name = analysis.name;
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

std::string now_in_words() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc)};
}

constexpr const char* not_finished = "not finished";

/// Puts the reason where a killed run would say "not finished", as far as the disk takes it.
void tell_failure(const std::string& reason, const Results& results, const RunOptions& options,
                  std::vector<AnalysisSummary>& summaries) {
  for (AnalysisSummary& summary : summaries) {
    if (summary.message == not_finished) summary.message = "the results could not be written: " + reason;
  }
  try {
    results.write_summary(options.version, summaries);
  } catch (const OutputError&) {  // then the summary before it stays
  }
}

void run_all(const Study& study, Results& results, const RunOptions& options, std::vector<AnalysisSummary>& summaries) {
  const auto start = std::chrono::steady_clock::now();
  RunRecord record{options.version, options.command, now_in_words(), 0.0};
  results.study_text(study.text);
  results.write_summary(options.version, summaries);  // what a killed run leaves
  for (std::size_t i = 0; i < summaries.size() && !stopped(options); ++i) {
    summaries[i].message = not_finished;
    results.write_summary(options.version, summaries);
    summaries[i] = run_one(study, i, results, options);
    results.write_summary(options.version, summaries);
    if (options.finished) options.finished(summaries[i]);
  }
  results.close();
  if (options.mat) {
    std::vector<std::string> names;
    for (const AnalysisPointer& analysis : study.analyses) names.push_back(analysis->name);
    write_mat_results(results, names, options.version, study.text);
  }
  record.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  results.text("report.json", text_of(declared_report(study, results, summaries, record), 1) + "\n");
}

void finish(const RunOptions& options, RunOutcome& outcome) {
  const auto completed = [](const AnalysisSummary& summary) { return summary.ending == Ending::completed; };
  if (!std::all_of(outcome.analyses.begin(), outcome.analyses.end(), completed)) {
    outcome.exit_code = stopped(options) ? 130 : 1;
  }
  if (!outcome.failure.empty()) outcome.exit_code = 1;
}

/// Whether a process that makes no tables has to run an analysis: for its trials, or as a source of one that has.
std::vector<bool> with_trials(const Study& study) {
  std::vector<bool> needed(study.analyses.size(), false);
  for (std::size_t i = needed.size(); i-- > 0;) {
    const Analysis& analysis = *study.analyses[i];
    needed[i] = needed[i] || !analysis.trial_identity().empty();
    if (!needed[i]) continue;
    for (const std::string& source : analysis.sources()) {
      for (std::size_t k = 0; k < i; ++k) needed[k] = needed[k] || study.analyses[k]->name == source;
    }
  }
  return needed;
}

/// Of a process that makes no tables.
RunOutcome run_trials_only(const Study& study, const std::string& directory, const RunOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw OutputError(fmt::format("{}: the directory cannot be made: {}", directory, error.message()));
  Results results(Results::InMemory{});
  keep_sources(study, results);
  const std::vector<bool> needed = with_trials(study);
  RunOutcome outcome;
  try {
    for (std::size_t i = 0; i < study.analyses.size() && !stopped(options); ++i) {
      if (!needed[i]) continue;
      AnalysisSummary summary = run_one(study, i, results, options);
      if (study.analyses[i]->trial_identity().empty()) continue;
      outcome.analyses.push_back(std::move(summary));
      if (options.finished) options.finished(outcome.analyses.back());
    }
  } catch (const OutputError& wrong) {
    outcome.failure = wrong.what();
  }
  finish(options, outcome);
  return outcome;
}

/// Before anything is written.
void check_all_trials(const Study& study, const TrialSetting& setting) {
  for (const AnalysisPointer& analysis : study.analyses) {
    const std::string identity = analysis->trial_identity();
    if (identity.empty()) continue;
    check_trials(setting, analysis->name, fmt::format("{}: analysis \"{}\"", study.file, analysis->name), identity);
  }
}

RunOutcome run_with_tables(const Study& study, const std::string& directory, const RunOptions& options) {
  Results results(directory, study.units, all_files(study));
  keep_sources(study, results);
  RunOutcome outcome;
  outcome.analyses = not_started(study);
  try {
    if (study.facts.boundary > 0) write_reduced_model(study, directory, results);
    run_all(study, results, options, outcome.analyses);
  } catch (const OutputError& error) {
    outcome.failure = error.what();
    tell_failure(error.what(), results, options, outcome.analyses);
  }
  if (outcome.failure.empty() && options.report) {
    try {
      write_report(directory);
      outcome.report = file_in(directory, "report.html");
    } catch (const std::exception& error) {
      outcome.report_failure = error.what();
    }
  }
  finish(options, outcome);
  return outcome;
}

}  // namespace

RunOutcome run_study(const Study& study, const std::string& directory, const RunOptions& options) {
  RunOptions own = options;
  own.trials.directory = directory;
  const bool speaks = own.trials.ranks == nullptr || own.trials.ranks->rank() == 0;
  if (speaks) check_all_trials(study, own.trials);
  return own.trials.makes_tables() ? run_with_tables(study, directory, own) : run_trials_only(study, directory, own);
}

std::string default_results_directory(const std::string& study_file) {
  std::filesystem::path path(study_file);
  path.replace_extension();
  return path.string() + "-results";
}

}  // namespace microslip
