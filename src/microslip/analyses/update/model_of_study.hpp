#pragma once
// The structure and the joints of a study as a function of the parameters of an update.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/study_path.hpp"
#include "microslip/updating/update_model.hpp"
#include "microslip/updating/update_problem.hpp"

namespace microslip {

/// Immutable.
struct ModelOfStudy {
  std::shared_ptr<const UpdateModel> model;
  std::vector<UpdateParameter> parameters;
  std::vector<StudyPath> paths;  ///< of the model's numbers
  std::string file;              ///< of the study
  TomlValue tree;                ///< units, structure, joint, load
  std::vector<std::string> read_files;

  /// Links of a parameter: "joint.j1.KT, 2 joint.j5.KT".
  [[nodiscard]] std::string paths_of(std::size_t parameter) const;
};

/// `parameters`. Throws StudyError.
[[nodiscard]] ModelOfStudy read_model_of_study(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
