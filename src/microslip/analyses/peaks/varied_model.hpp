#pragma once
// The system and the load of a study with another value of one of its numbers, read by the same readers as the study
// itself, so that every check applies.

#include <memory>
#include <string>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/study_path.hpp"
#include "microslip/periodic/peak_curve.hpp"

namespace microslip {

/// Immutable.
class VariedModel {
 public:
  /// `over` and `values` of an analysis, with its loads. Reads every value; throws StudyError at the one to blame.
  VariedModel(const TableReader& reader, const StudyParts& parts, int idle_dof);

  [[nodiscard]] const std::string& path() const { return path_.path; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  /// `system` is that of the study. Throws StudyError where the value is none.
  [[nodiscard]] LoadedSystem at(double value, const System& system) const;

 private:
  [[nodiscard]] LoadedSystem read(const TomlValue& value, const System& system) const;
  [[nodiscard]] std::shared_ptr<const System> read_system(const TableReader& root, const System& system) const;
  void check_all(const TableReader& reader, const System& system) const;

  std::string file_;
  StudyPath path_;
  std::vector<double> values_;
  TomlValue tree_;      ///< structure, joint, load
  TomlValue analysis_;  ///< its own table, for the names of the loads
  int idle_dof_;        ///< where a structure without joints gets one
};

}  // namespace microslip
