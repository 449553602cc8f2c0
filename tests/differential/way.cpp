#include "way.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "microslip/study/run_study.hpp"

namespace microslip::differential {

const CsvTable& Way::table(const std::string& name) const {
  const auto found = tables.find(name);
  if (found == tables.end()) throw std::logic_error("no table \"" + name + "\"");
  return found->second;
}

Runner::~Runner() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

const std::filesystem::path& Runner::folder() {
  if (folder_.empty()) {
    std::string name = (std::filesystem::temp_directory_path() / "differential-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  return folder_;
}

void Runner::file(const std::string& name, const std::string& text) {
  std::ofstream(folder() / name) << text;
}

Way Runner::run(const std::string& text) {
  if (first_study_.empty()) first_study_ = text;
  Way way;
  Study study = [&] {
    try {
      return parse_study(text, (folder() / "study.toml").string());
    } catch (const StudyError& error) {
      throw std::runtime_error(fmt::format("refused: {}\n{}", error.what(), text));
    }
  }();
  std::atomic<bool> stop = false;
  const auto start = std::chrono::steady_clock::now();
  RunOptions options;
  options.report = false;
  options.stop = &stop;
  options.progress = [&](std::size_t, double) {
    stop = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds_;
  };
  const std::filesystem::path results = folder() / "results";
  const RunOutcome outcome = run_study(study, results.string(), options);
  way.silent = outcome.exit_code == 0;
  for (const AnalysisSummary& summary : outcome.analyses) {
    // That several motions answer a load is no doubt in the one that is told.
    if (summary.ending != Ending::completed || !(summary.message.empty() || summary.only_remarks)) {
      way.silent = false;
      way.said += fmt::format("{} {}: {}; ", summary.kind, to_string(summary.ending), summary.message);
    }
  }
  for (const AnalysisPointer& analysis : study.analyses) {
    for (const std::string& name : analysis->table_names()) {
      const std::filesystem::path file = results / (name + ".csv");
      if (std::filesystem::exists(file)) way.tables[name] = read_csv_table(file.string(), CsvGaps::allowed);
    }
  }
  return way;
}

void Verdict::agree(const std::string& what, double a, double b, double bound) {
  ++comparisons_;
  const double difference = std::abs(a - b);
  if (difference <= bound || a == b) return;
  wrong_.push_back(fmt::format("{}: {} and {}, {:.2g} apart, bound {:.2g}", what, a, b, difference, bound));
}

Bounds bounds_between(const std::vector<double>& x, const std::vector<double>& y, double from, double to) {
  auto first = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), from) - x.begin());
  auto last = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), to) - x.begin());
  first -= std::min<std::size_t>(first, 2);
  last = std::min(last + 2, x.size());
  Bounds bounds{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t i = first; i < last; ++i) {
    bounds.least = std::min(bounds.least, y[i]);
    bounds.largest = std::max(bounds.largest, y[i]);
  }
  const double between = 0.25 * (bounds.largest - bounds.least);
  bounds.least -= between;
  bounds.largest += between;
  return bounds;
}

}  // namespace microslip::differential
