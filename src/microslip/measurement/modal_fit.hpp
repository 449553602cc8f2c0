#pragma once
// Modes from frequency responses, with their errors: poles by rising orders or one peak after the other, all of them
// polished together, noise from the data or from the residual, the spread between parts of the data.

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "microslip/measurement/frequency_responses.hpp"
#include "microslip/measurement/measured_modes.hpp"
#include "microslip/measurement/modal_circles.hpp"
#include "microslip/measurement/modal_polish.hpp"
#include "microslip/measurement/modal_shapes.hpp"
#include "microslip/measurement/stabilisation.hpp"

namespace microslip {

enum class ModalMethod { lscf, isolation };

struct ModalFitOptions {
  ModalMethod method = ModalMethod::lscf;
  ModalTerms terms;
  std::pair<double, double> band = {0.0, std::numeric_limits<double>::infinity()};  ///< [1/time]
  std::vector<std::string> channels;                                                ///< to fit; empty: all
  int lowest_order = 2, highest_order = 0;                                          ///< 0: by the data
  std::vector<double> near;   ///< [1/time]: one mode within 2 % of each; empty: those that are stable
  int modes = 0;              ///< the strongest; 0: all that stand out
  std::string driving_point;  ///< channel at the point of the only reference; empty: see driving_channels
  StabilisationOptions stabilisation;
};

/// The same modes in a part of the data. Errors: of noise alone.
struct ModalPart {
  std::string name;
  bool of_all = false;  ///< see MeasuredResponses::Part
  double force_amplitude = 0.0;
  double noise_freedom = 0.0;  ///< see FrequencyResponses
  Eigen::VectorXd frequency_hz, frequency_error, zeta, zeta_error;
  Eigen::MatrixXd shapes, shape_error;  ///< channels x modes, real parts, in the sign and scale of the whole
};

struct ModalFit {
  MeasuredModes modes;                            ///< errors hold noise and spread
  Eigen::VectorXd frequency_noise, zeta_noise;    ///< standard errors of noise alone
  Eigen::VectorXd frequency_spread, zeta_spread;  ///< between parts of the data, beyond their noise
  Eigen::MatrixXd shape_spread;                   ///< the same of real parts of the shapes, channels x modes
  Eigen::VectorXd noise_ratio;                    ///< see ModalErrors; of the variance
  Eigen::VectorXd significance;                   ///< see mode_significance, over what noise alone would give
  Eigen::VectorXd collinearity, phase_deviation;
  Eigen::VectorXd scale_error;     ///< see ModalShapes
  std::vector<int> stable_orders;  ///< of a mode; 0: not from orders

  ModalLines lines;  ///< that were fitted
  ModalPolish fit;
  Eigen::MatrixXcd fitted;           ///< lines x functions
  std::vector<ModalCircle> circles;  ///< of the modes
  Stabilisation diagram;
  std::vector<int> mode_of_cluster;  ///< number of the mode, from 1; 0: none
  int highest_order = 0;
  std::vector<ModalPart> parts;
  double force_amplitude = 0.0;    ///< largest; 0: not known
  double chi_squared_ratio = 0.0;  ///< of all residuals to the stated noise; near 1
  bool converged = false, interrupted = false;
  std::vector<std::string> doubts;   ///< what puts numbers in doubt
  std::vector<std::string> remarks;  ///< what does not
};

/// For each reference the channel at its point: that of its name, or the opposite one, turned; `driving_point` instead
/// of the only one. Throws std::invalid_argument where it is named for several references.
[[nodiscard]] std::vector<SignedChannel> driving_channels(const std::vector<std::string>& channels,
                                                          const std::vector<std::string>& references,
                                                          const std::string& driving_point);

/// Throws std::invalid_argument where one of these frequencies [1/time] is outside of the lines.
void check_near(const std::vector<double>& near, const ModalLines& lines);

/// Throws std::invalid_argument for data that cannot be fitted.
[[nodiscard]] ModalFit fit_modes(const MeasuredResponses& data, const ModalFitOptions& options,
                                 const std::function<bool(double)>& observer = {});

}  // namespace microslip
