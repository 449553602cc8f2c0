#pragma once
// Friction and geometric nonlinearity of one mode from static curves of force over deflection: with everything stuck,
// and slipping.
//
//   P       polynomial of the stuck curve (sice_fit.hpp)
//   theta   slipping less stuck curve at equal deflection; between its points the stuck curve is P plus its residual,
//           linear in between. It ends where the stuck curve does.
//   F_0     theta + K_T u, concave and rising: the backbone of a Masing law. K_T, where it is not given, is the least
//           that makes it rise to the end of the data: beyond them the law slips as a whole.
//
// Points that are concave to 1e-6 of the largest |theta| are taken as they are (slopes pooled until they fall, then the
// spline of the law `masing`); from data with more scatter sliders are fitted (distribution_fit.hpp).
//
// Masing rules ask for the same theta on both sides. Where loading to the negative side is given, both are compared,
//   difference   = max |theta_+ - theta_-|/max |theta|
//   beyond noise = the largest |mean of theta_+ - theta_-| over 1, 2, 4, ... neighbours, less what their noise makes of
//                  it in all but one case of a thousand, over max |theta|; without noise it is the difference
// and the model has their mean; where that beyond noise exceeds the tolerance models of either side bound it (Shetty,
// Fig. 17).

#include <optional>
#include <string>
#include <vector>

#include "microslip/identify/force_curve.hpp"
#include "microslip/identify/ignl_model.hpp"
#include "microslip/identify/sice_fit.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

/// Loading from rest; of the negative side -u and -f.
struct IgnlCurves {
  ForceCurve stuck, slipping;
  std::optional<ForceCurve> stuck_negative, slipping_negative;
};

enum class FrictionFrom { best, points, sliders };

struct IgnlFitOptions {
  SiceOptions polynomial;
  std::optional<bool> odd;                   ///< odd powers only; else when there is no negative side
  std::optional<double> friction_stiffness;  ///< K_T [force/length]
  FrictionFrom friction = FrictionFrom::best;
  double masing_tolerance = 0.02;
  double mass = 1.0;
  double zeta0 = 0.0;
};

/// What slip takes away, at the deflections of the slipping curve.
struct FrictionCurve {
  std::vector<double> u, theta;  ///< both > 0 and <= 0 as a rule
};

struct IgnlFit {
  Ending ending = Ending::no_convergence;
  std::string message;
  SiceFit polynomial;
  FrictionCurve friction;                  ///< that the model has: of the positive side, or the mean of both
  std::vector<double> positive, negative;  ///< theta of both sides at the same u; negative may be empty
  IgnlModel model;
  std::optional<IgnlModel> positive_model, negative_model;  ///< where the Masing rules fail
  std::vector<double> backbone_u, backbone_f;               ///< F_0; empty: nothing slips
  Interpolation interpolation = Interpolation::smooth;
  bool sliders = false;                     ///< friction by sliders fitted
  double slider_freedom = 0.0;              ///< effective unknowns of theirs
  double masing_difference = 0.0;           ///< of both sides
  double masing_beyond_noise = 0.0;         ///< what noise cannot make of it
  bool masing = true;                       ///< the latter is within the tolerance, or there is one side only
  double end = 0.0;                         ///< of the friction curve [length]
  double upper_end = 0.0, lower_end = 0.0;  ///< of the stuck data, lower_end < 0 [length]
};

/// The first step alone: the polynomial of the stuck curves.
[[nodiscard]] SiceFit ignl_polynomial(const IgnlCurves& curves, const IgnlFitOptions& options);

inline constexpr std::size_t fewest_ignl_points = 8;

/// Throws std::invalid_argument for curves that are no first loading, or too short for the polynomial.
[[nodiscard]] IgnlFit fit_ignl(const IgnlCurves& curves, const IgnlFitOptions& options = {},
                               const Observer& observer = {});

}  // namespace microslip
