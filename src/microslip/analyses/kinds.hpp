#pragma once
// All kinds of analyses, and [[analysis]] -> analyses.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"

namespace microslip {

/// Which joints a kind takes. Rigid friction sticks and slides: only methods that find its events take it.
enum class JointsTaken { all, all_but_rigid_friction, those_its_reader_takes };

struct AnalysisKind {
  std::string_view name;  ///< kind = "name"
  /// Reads and checks every key of the table; throws StudyError. The name of the analysis is set by the caller.
  std::unique_ptr<Analysis> (*read)(const TableReader& reader, const StudyParts& parts);
  JointsTaken joints;
};

/// The table of kinds, in the order of the study-file reference.
[[nodiscard]] std::span<const AnalysisKind> analysis_kinds();

/// One analysis from its table, without a name. Parameter studies are refused.
[[nodiscard]] std::unique_ptr<Analysis> read_analysis(const TableReader& reader, const StudyParts& parts);

/// All of a study; later ones may name earlier ones.
[[nodiscard]] std::vector<AnalysisPointer> read_analyses(const TableReader& root, StudyParts parts);

}  // namespace microslip
