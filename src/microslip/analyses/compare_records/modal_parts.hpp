#pragma once
// Both motions of kind = "compare_records" at common times, as channels and as modal coordinates.
//
// Measured, and simulated with filter = "shapes":  q'' = pinv(Phi) u''       Lacayo (3.37)
// Simulated with filter = "mass":                  q'' = phi^T M q_all''     Lacayo (3.36)
// The component of a mode at a point is the shape there times q''; with "mass" the model's shape, whose mode is turned
// and scaled to the measured one, q''/scale.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/analyses/compare_records/analysis.hpp"

namespace microslip {

/// Of the channels of the analysis, at the common times.
struct RecordPair {
  MeasuredMotion measured, simulated;
  std::vector<SampledMotion>
      modal;                  ///< with filter = "mass": coordinates of the stuck modes of `model`, at these times
  std::vector<int> model;     ///< their numbers
  std::vector<double> scale;  ///< measured shape over that of the model
  std::vector<int> partner;   ///< number of the measured mode of each
  bool resampled = false;
  double resampling_error = 0.0;
};
/// Throws std::invalid_argument where they do not overlap.
[[nodiscard]] RecordPair record_pair(const CompareRecordsAnalysis& analysis, const AnalysisRun& with);

/// One signal a mode, in both.
struct ModalPair {
  MeasuredMotion measured, simulated;
  Eigen::VectorXd at_point;          ///< shapes at the point
  std::vector<double> frequency_hz;  ///< of the shapes
  std::vector<std::string> notes;
};
/// Throws std::invalid_argument where the shapes do not make them.
[[nodiscard]] ModalPair modal_pair(const CompareRecordsAnalysis& analysis, const RecordPair& pair, std::size_t point,
                                   const AnalysisRun& with);

}  // namespace microslip
