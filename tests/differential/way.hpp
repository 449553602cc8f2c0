#pragma once
// Runs a study text in this process and gives its tables back; and what came of comparing two of them.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "microslip/io/csv_table.hpp"

namespace microslip::differential {

/// What an analysis left.
struct Way {
  bool silent = false;  ///< completed, and no number in doubt
  std::string said;     ///< else: how it ended, or what it told
  std::map<std::string, CsvTable> tables;

  /// The table of that name; fails the run where there is none.
  [[nodiscard]] const CsvTable& table(const std::string& name) const;
};

/// A folder of its own for files of a study and its results.
class Runner {
 public:
  explicit Runner(double seconds_a_run) : seconds_(seconds_a_run) {}
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Puts a file beside the study.
  void file(const std::string& name, const std::string& text);
  /// Runs all analyses; a run past its time is stopped, and not silent.
  [[nodiscard]] Way run(const std::string& text);
  /// The first study of a case.
  void begin_case() { first_study_.clear(); }
  [[nodiscard]] const std::string& first_study() const { return first_study_; }

 private:
  const std::filesystem::path& folder();

  double seconds_;
  std::filesystem::path folder_;
  std::string first_study_;
};

/// What came of a case.
class Verdict {
 public:
  /// |a - b| <= bound must hold.
  void agree(const std::string& what, double a, double b, double bound);
  /// Nothing to compare, and why.
  void leave(const std::string& why) { left_.push_back(why); }

  [[nodiscard]] int comparisons() const { return comparisons_; }
  [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }
  [[nodiscard]] const std::vector<std::string>& left() const { return left_; }

 private:
  int comparisons_ = 0;
  std::vector<std::string> wrong_, left_;
};

/// Least and largest y at the x between `from` and `to`, two x more on either side, and a quarter of their difference:
/// a corner may lie between two points.
struct Bounds {
  double least, largest;
};
[[nodiscard]] Bounds bounds_between(const std::vector<double>& x, const std::vector<double>& y, double from, double to);

}  // namespace microslip::differential
