#pragma once
// What papers print about a study, and where our value stands in its results: the file `printed.toml` beside it.

#include <map>
#include <string>
#include <vector>

#include "microslip/report/result_selector.hpp"
#include "microslip/toml/study_error.hpp"

namespace microslip {

struct PrintedValue {
  FilePosition position;
  std::string study;  ///< file beside printed.toml
  std::string paper, where, what;
  double printed = 0.0;
  int digits = 0;  ///< that are printed; 0: not said
  std::string unit;
  enum class Relation { equal, at_most, at_least } relation = Relation::equal;
  double tolerance = 0.0;
  std::string reason;  ///< of the tolerance
  bool misprint = false;
  std::string note;
  std::map<std::string, ResultSelector> values;  ///< by their names in the formula
  std::string formula;
};

/// Throws StudyError with file, line and column of the first mistake.
[[nodiscard]] std::vector<PrintedValue> read_printed_values(const std::string& path);
[[nodiscard]] std::vector<PrintedValue> parse_printed_values(std::string text, const std::string& path);

/// Ours and what is to be said of it.
struct Comparison {
  double ours = 0.0;
  double difference = 0.0;  ///< (ours - printed) / |printed|, or ours - printed where that is 0
  enum class Verdict { agrees, differs, misprint, not_read } verdict = Verdict::not_read;
  std::string message;  ///< of not_read
};

[[nodiscard]] Comparison compare(const PrintedValue& value, ResultFiles& results);
/// "agrees", "differs by 3.3 %", "misprint in the paper, see note", "not read".
[[nodiscard]] std::string in_words(const Comparison& comparison);

}  // namespace microslip
