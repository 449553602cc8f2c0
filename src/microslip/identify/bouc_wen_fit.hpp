#pragma once
// Bouc-Wen parameters from hysteresis data,
//   F = alpha k_0 u + (1-alpha) k_0 z,   dz = A du - beta |du| |z|^(n-1) z - gamma du |z|^n
//
// 1  For each n, linear least squares of Shetty, (II-9), with |du| in the first column and z = (F - alpha k_0 u)/((1 -
//    alpha) k_0) in the middle of each step. beta and gamma are linear; so is the stiffness of the hysteretic part
//    where it is free; alpha, where it is free, is searched for. No motion of the model is computed: the misfit of
//    this equation of slopes is not that of the loop, and noise in F biases it.
// 2  Nonlinear least squares on the forces themselves (Ceres): the law runs through every history from rest and every
//    loop in its own steady state, with derivatives by dual numbers, for each n and with n free.
//
// k_0 and A say the same where both are free (z may be scaled): one of them has to be given.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/identify/bouc_wen_cycle.hpp"
#include "microslip/identify/hysteresis_record.hpp"
#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

struct BoucWenFitOptions {
  std::optional<double> k0;       ///< given; else free
  std::optional<double> alpha;    ///< given, in [0, 1); else free
  std::optional<double> a = 1.0;  ///< A; free, if none, where k_0 is given
  std::optional<double> n;        ///< given; else searched for within the range
  double n_low = 0.2;
  double n_high = 6.0;
  int n_points = 17;                                ///< of the range, geometrically spaced
  bool polish = true;                               ///< step 2
  std::vector<BoucWen<double>::Parameters> starts;  ///< more of them for step 2
  int max_iterations = 200;                         ///< of each minimisation
};

enum class BoucWenStage {
  start = 0,          ///< given by the caller, as it is
  least_squares = 1,  ///< step 1
  polished = 2,       ///< step 2 with n held
  free = 3,           ///< step 2 with n free
};

struct BoucWenCandidate {
  BoucWenStage stage = BoucWenStage::least_squares;
  BoucWen<double>::Parameters parameters;
  double equation = 0.0;    ///< rms residual of the slopes over their rms departure from a constant
  double misfit = 0.0;      ///< rms of F_model - F over the nonlinear part of F, mean square over the records; nan: the
                            ///< law does not take the parameters
  double work_error = 0.0;  ///< largest |W_model/W - 1| of the records, W the loop's area or the history's work
  bool converged = true;
};

/// The best candidate on one record.
struct BoucWenRecordFit {
  std::vector<double> f;           ///< of the model, at the points of the data
  double misfit = 0.0;             ///< rms of F_model - F over the nonlinear part
  double work = 0.0;               ///< of the data, trapezoidal
  double work_model = 0.0;         ///< by the same rule
  double dissipation = 0.0;        ///< of the model's steady cycle of the record's half-range [energy]
  double dissipation_force = 0.0;  ///< of its steady cycle between the record's forces; nan: no such cycle
};

/// k0, alpha, A, beta, gamma, n.
using BoucWenEstimates = std::array<double, 6>;
inline constexpr std::array<std::string_view, 6> bouc_wen_names = {"k0", "alpha", "A", "beta", "gamma", "n"};

struct BoucWenFit {
  Ending ending = Ending::no_convergence;
  std::string message;
  std::vector<BoucWenCandidate> candidates;
  BoucWenCandidate best;
  std::optional<std::size_t> chosen;  ///< its place among the candidates
  std::vector<BoucWenRecordFit> records;
  bool n_at_bound = false;
  /// Misfit that a unit step of the best candidate makes in the direction that the data feel least: of unit length in
  /// ln k_0, alpha, ln A, ln beta, ln(beta+gamma), n, as far as they are free. 0.01: a tenth of a parameter is a
  /// thousandth of the nonlinear part of the force. nan without step 2.
  double sensitivity = 0.0;
  std::vector<std::string> weakest;  ///< what stands in that direction with more than 0.3
  /// Standard errors of the best candidate from what it leaves of the data (bouc_wen_errors.hpp). 0: given; infinite:
  /// undetermined, not less than the parameter itself (alpha: not less than a half; gamma: than beta + |gamma|). nan
  /// without step 2.
  BoucWenEstimates errors{};
  std::vector<std::string> undetermined;  ///< these
  std::vector<std::string> poor;          ///< those with an error above half of that
  double independent = 0.0;               ///< residuals that are not alike
  double offset = 0.0;                    ///< mean force of a loop that the law has not, over its nonlinear part
  int iterations = 0;
};

/// beta and gamma (and what else is free) for one n, by step 1 alone.
[[nodiscard]] BoucWenCandidate bouc_wen_least_squares(const std::vector<HysteresisRecord>& records, double n,
                                                      const BoucWenFitOptions& options);

/// Forces of the law along a record; empty when it has no steady state there.
[[nodiscard]] std::vector<double> bouc_wen_forces(const BoucWen<double>& law, const HysteresisRecord& record);

/// Throws std::invalid_argument for options out of range or without records.
[[nodiscard]] BoucWenFit fit_bouc_wen(const std::vector<HysteresisRecord>& records, const BoucWenFitOptions& options,
                                      const Observer& observer = {});

}  // namespace microslip
