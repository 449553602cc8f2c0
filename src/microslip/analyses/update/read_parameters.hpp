#pragma once
// The parameters of an update as the study writes them.

#include <string>
#include <vector>

#include "microslip/analyses/study_path.hpp"
#include "microslip/toml/table_reader.hpp"
#include "microslip/updating/update_problem.hpp"

namespace microslip {

/// A number of the study that a parameter moves: factor p, or factor/p.
struct ParameterPath {
  StudyPath path;
  double factor = 1.0;
  bool inverse = false;
};

struct WrittenParameter {
  UpdateParameter parameter;
  bool has_start = false;
  std::vector<ParameterPath> paths;
};

/// A reader of each table is needed for messages: `tables` are those of `parameters`, in the same order.
[[nodiscard]] std::vector<WrittenParameter> read_parameters(const std::vector<TableReader>& tables);

}  // namespace microslip
