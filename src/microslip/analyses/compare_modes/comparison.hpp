#pragma once
// Measured shapes and those of the stuck modes at the same points: pairs, MAC, cross-orthogonality.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/measurement/measured_modes.hpp"
#include "microslip/measurement/mode_pairs.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

/// How the mass comes to the points.
enum class MassReduction {
  by_modes,   ///< SEREP: the points tell the paired modes' coordinates, which have unit mass
  by_statics  ///< Guyan: everything else follows the points statically
};

struct ComparisonOptions {
  PairingOptions pairing;
  int modes = 0;  ///< of the model, the lowest, rigid ones included; 0: up to twice the highest measured frequency
  MassReduction reduction = MassReduction::by_modes;
};

struct ModeComparison {
  std::vector<std::string> unknown;  ///< channels that are no point of the model
  std::vector<int> points;           ///< degrees of freedom of the channels that are
  MeasuredModes measured;            ///< at these, each with the name and the direction of its point
  std::vector<int> model;            ///< stuck modes that were looked at, from 0; rigid ones are not
  Eigen::VectorXd model_frequency;   ///< [1/time]
  Eigen::MatrixXd model_shapes;      ///< points x modes
  ModePairs pairs;                   ///< indices into `model`
  std::vector<int> paired;           ///< those of `model` that have a partner
  Eigen::MatrixXd orthogonality;     ///< measured modes x `paired`, signs as measured; empty: not known
  std::string no_orthogonality;      ///< why
  std::string fault;                 ///< why there is nothing at all
};

/// Frequencies of the measured modes must be > 0.
[[nodiscard]] ModeComparison compare_modes(const MeasuredModes& measured, const System& system,
                                           const ComparisonOptions& options);

}  // namespace microslip
