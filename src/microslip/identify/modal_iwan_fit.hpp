#pragma once
// Modal Iwan oscillator fitted to curves of frequency and damping over amplitude: least squares with exact
// derivatives, bounds, several starts, covariance.
//
//   minimise  sum over i of w_i [ ((omega(q_i)/omega_i - 1)/e_omega)^2 + (ln(zeta(q_i)/zeta_i)/e_zeta)^2 ]
//
// w_i: the stretch of ln q that point i stands for, with mean 1 (a ring-down spends most of its cycles at small
// amplitudes), or 1. Covariance of the estimate, for relative errors of variance s^2 that are alike over a number of
// neighbouring rows, both from the residuals (modal_iwan_evidence.hpp):
//
//   H^-1 [sum of w_i s_i w_k s_k c^|i-k|/e^4 j_i j_k^T] H^-1,   H = sum of w_i/e^2 j j^T,   j: gradient of a residual
//
// Parameters are undetermined, without standard error and named in `message`, that
//   - have a part in a combination that does not move the curves at all (singular values of the Jacobian below 1e-7 of
//     the largest), at a bound or not: rounding may lead there;
//   - differ by more than two errors in another minimum that fits as well;
//   - can be moved by two errors at a tenth of the cost that the errors imply: their profile is flat.
// So are derived quantities that such parameters move.
//
// Where the damping neither falls nor rises faster than q anywhere, or the data are fitted as well without it, they
// have no macroslip in them, and phi_max is kept beyond the largest amplitude.
//
// Ref: Lacayo thesis, 2.2.3, Procedure I, step d; docs/theory.md, "Fitting a modal Iwan model".

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/identify/modal_iwan_model.hpp"
#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

/// In the order of ModalIwanParameters.
inline constexpr int modal_iwan_size = 6;
inline constexpr std::array<std::string_view, modal_iwan_size> modal_iwan_names = {"Kinf", "zeta0", "FS",
                                                                                   "KT",   "chi",   "beta"};

template <class T>
[[nodiscard]] std::array<T, modal_iwan_size> as_array(const ModalIwanParameters<T>& p) {
  return {p.k_inf, p.zeta0, p.f_s, p.k_t, p.chi, p.beta};
}
template <class T>
[[nodiscard]] ModalIwanParameters<T> from_array(const std::array<T, modal_iwan_size>& a) {
  return {a[0], a[1], a[2], a[3], a[4], a[5]};
}

/// One amplitude of a measured curve.
struct AmplitudePoint {
  double q = 0.0;            ///< modal displacement, > 0
  double omega = 0.0;        ///< [rad/time], > 0
  double zeta = 0.0;         ///< ratio; points <= 0 do not count
  double omega_error = 0.0;  ///< standard error from noise, if known
  double zeta_error = 0.0;   ///< likewise
  double span = 0.0;         ///< it is a mean over ln q from -span to span about q
};

/// Span of a row that was computed from so many half-cycles; infinite for |zeta| >= 1.
[[nodiscard]] inline double ring_down_span(double half_cycles, double zeta) {
  if (!(half_cycles > 1.0)) return 0.0;
  if (!(std::abs(zeta) < 1.0)) return std::numeric_limits<double>::infinity();
  return 0.5 * (half_cycles - 1.0) * pi * std::abs(zeta) / std::sqrt(1.0 - zeta * zeta);
}

struct ParameterBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct ModalIwanFitOptions {
  OmegaForm omega_form = OmegaForm::first_harmonic;
  ZetaForm zeta_form = ZetaForm::decrement;
  bool weigh_by_log_q = true;  ///< false: every point alike
  double omega_error = 0.0;    ///< e_omega, relative; 0: a tenth of the range, omega_max/omega_min - 1
  double zeta_error = 1.0;     ///< e_zeta, relative
  std::array<std::optional<double>, modal_iwan_size> fixed;
  /// Within K_inf, F_S, K_T > 0; zeta0, beta >= 0; chi > -1 (by default chi <= 0).
  std::array<ParameterBounds, modal_iwan_size> bounds;
  int max_iterations = 300;  ///< of each start
};

/// A number and its standard error: 0 when fixed or held by a bound, infinity when the data do not determine it.
struct Estimate {
  double value = 0.0;
  double error = 0.0;
};

struct ModalIwanFit {
  Ending ending = Ending::no_convergence;  ///< completed when a minimum was found, determined or not
  std::string message;                     ///< what went wrong, or what the data do not determine
  ModalIwanParameters<double> parameters;
  std::array<double, modal_iwan_size> errors{};  ///< standard errors, see Estimate
  /// Correlation of the parameters; NaN where one has no standard error.
  std::array<std::array<double, modal_iwan_size>, modal_iwan_size> correlation{};
  Estimate omega0, phi_max, r, s;         ///< derived; what the data determine of them may be more
  std::vector<std::string> undetermined;  ///< names of parameters
  std::vector<std::string> at_bound;
  double omega_residual = 0.0;  ///< root mean square of omega/data - 1, weighted
  double zeta_residual = 0.0;   ///< root mean square of ln(zeta/data), weighted
  /// Correlation of each residual with the next along q: near 0 for independent errors of the data, near 1 where they
  /// are not or the model is wrong.
  double omega_serial = 0.0;
  double zeta_serial = 0.0;
  double independent = 0.0;  ///< of the 2 x points residuals
  int points = 0;            ///< used
  int dropped = 0;           ///< of the data, for zeta <= 0
  int macroslip_points = 0;  ///< beyond phi_max
  int iterations = 0;        ///< of all starts
};

/// Deterministic: the same numbers on every run. Never throws for lack of convergence. Throws std::invalid_argument for
/// points that are not finite or <= 0, or options out of range.
[[nodiscard]] ModalIwanFit fit_modal_iwan(const std::vector<AmplitudePoint>& points,
                                          const ModalIwanFitOptions& options = {}, const Observer& observer = {});

}  // namespace microslip
