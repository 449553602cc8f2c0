#pragma once
// The study with the parameters that were found, as a study that runs.

#include <string>

#include "microslip/analyses/update/model_of_study.hpp"

namespace microslip {

/// A quasi-static curve that the updated study computes.
struct StudyRamp {
  int mode = 0;                  ///< of the model, from 1
  double low = 0.0, high = 0.0;  ///< load
};

/// `directory`: where it will lie; names of files are written as seen from there.
[[nodiscard]] std::string updated_study(const ModelOfStudy& model, const Eigen::VectorXd& values,
                                        const std::vector<StudyRamp>& ramps, const std::string& directory,
                                        const std::string& origin);

}  // namespace microslip
