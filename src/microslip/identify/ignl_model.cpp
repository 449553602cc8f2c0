#include "microslip/identify/ignl_model.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "microslip/joints/polynomial.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/polynomial_swing.hpp"
#include "microslip/numerics/rising_curve.hpp"

namespace microslip {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// theta and its integral at x >= 0.
struct Slip {
  double force = 0.0, slope = 0.0, integral = 0.0;
};

Slip slip(const IgnlModel& model, double x) {
  if (!model.friction) return {};
  const auto at = model.friction->at(x);
  return {at.value - model.friction_stiffness * x, at.slope - model.friction_stiffness,
          model.friction->integral(x) - 0.5 * model.friction_stiffness * x * x};
}

/// h(s), the part of friction in g: with F_0, and K_T taken off at the end (a spring gives its energy k q^2/2).
class SlipShape {
 public:
  SlipShape(const IgnlModel& model, double q) : curve_(model.friction ? &*model.friction : nullptr), q_(q) {
    if (curve_ == nullptr) return;
    whole_ = curve_->integral(q);
    end_ = q * curve_->at(q).value - whole_;
    stuck_ = 0.5 * model.friction_stiffness * q * q;
  }
  [[nodiscard]] double operator()(double s) const {
    if (curve_ == nullptr) return 0.0;
    if (s <= 0.0) return whole_ - stuck_;
    if (s >= 1.0) return end_ - stuck_;
    return (s * whole_ - curve_->integral(q_ * s)) / (s * (1.0 - s)) - stuck_;
  }

 private:
  const ConcaveCurve<double>* curve_;
  double q_, whole_ = 0.0, end_ = 0.0, stuck_ = 0.0;
};

/// Means of 1/sqrt(g) and sin^2 sqrt(g), both swings.
CosineMean<2> swing_means(const PolynomialSwing& swing, const SlipShape& friction, double tolerance) {
  const bool both = !swing.symmetric();
  return cosine_mean<2>(
      [&](double z) -> std::array<double, 2> {
        const double spring = swing.shape(z), sine = 1.0 - z * z;
        const double down = spring + friction(0.5 * (1.0 - z));
        if (!(down > 0.0)) return {no_number, no_number};
        const double root = std::sqrt(down);
        if (!both) return {1.0 / root, sine * root};
        // The swing up at z is the swing down of the mirrored spring at -z.
        const double up = swing.shape(-z) + friction(0.5 * (1.0 - z));
        if (!(up > 0.0)) return {no_number, no_number};
        const double other = std::sqrt(up);
        return {0.5 * (1.0 / root + 1.0 / other), 0.5 * sine * (root + other)};
      },
      tolerance);
}

}  // namespace

BackbonePoint<double> IgnlModel::stuck_point(double x) const {
  return Polynomial<double>(stuck).backbone(x);
}

double IgnlModel::stuck_force(double x) const {
  return stuck_point(x).force;
}

BackbonePoint<double> IgnlModel::first_loading(double x) const {
  BackbonePoint<double> point = stuck_point(x);
  const Slip lost = slip(*this, std::abs(x));
  point.force += x < 0.0 ? -lost.force : lost.force;
  point.slope += lost.slope;
  point.work += lost.integral;
  return point;
}

std::vector<double> IgnlModel::spring() const {
  std::vector<double> k = stuck;
  k.front() -= friction_stiffness;
  return k;
}

double IgnlModel::damping() const {
  return 2.0 * zeta0 * std::sqrt(stuck.front() * mass);
}

namespace {

/// Mean of the friction force over a loop of half-range q about c: the farther tip lies on the curve of first loading.
PolynomialSwing::MeanForce mean_friction(const IgnlModel& model, double q, double theta, double c) {
  const Slip tip = slip(model, q + std::abs(c));
  return {c < 0.0 ? theta - tip.force : tip.force - theta, tip.slope};
}

/// From the last swing to the half-range q. The centre moves with q^2: a few steps keep Newton in the well.
bool follow(PolynomialSwing& swing, const IgnlModel* friction, double last, double q) {
  const int steps = swing.symmetric() || q <= 1.5 * last ? 1 : 16;
  for (int i = 1; i <= steps; ++i) {
    const double to = last + (q - last) * i / steps;
    if (friction == nullptr) {
      if (!swing.move_to(to)) return false;
      continue;
    }
    const double theta = slip(*friction, to).force;
    if (!swing.move_to(to, [&](double c) { return mean_friction(*friction, to, theta, c); })) return false;
  }
  return true;
}

}  // namespace

IgnlCurve ignl_curve(const IgnlModel& model, std::span<const double> amplitudes, double tolerance) {
  IgnlCurve curve;
  curve.points.reserve(amplitudes.size());
  PolynomialSwing swing(model.stuck), without_friction(model.stuck);
  // About the same centre friction does nothing to the spring's part.
  const PolynomialSwing& alone = swing.symmetric() ? swing : without_friction;
  const double c = model.damping(), m = model.mass;
  const auto stop = [&](double q) {
    curve.ending = Ending::limit_load;
    curve.message = fmt::format("there is no free swing of half-range {:g}: the restoring force does not hold it", q);
  };
  double last = 0.0;
  for (const double q : amplitudes) {
    if (!follow(swing, &model, last, q) || (!swing.symmetric() && !follow(without_friction, nullptr, last, q))) {
      stop(q);
      return curve;
    }
    last = q;
    const Slip lost = slip(model, q);
    const CosineMean<2> mean = swing_means(swing, SlipShape(model, q), tolerance);
    const PolynomialPeriod gnl = polynomial_period(alone, q, m, tolerance);
    const double restoring = 2.0 / (1.0 / swing.upper_force() + 1.0 / swing.lower_force());
    const double energy = restoring + q * lost.slope;
    if (!std::isfinite(mean.value[0]) || !(swing.upper_force() > 0.0 && swing.lower_force() > 0.0 && energy > 0.0)) {
      stop(q);
      return curve;
    }
    if (!mean.converged || !gnl.converged) {
      curve.ending = Ending::no_convergence;
      curve.message = fmt::format(
          "the swing time at half-range {:g} did not converge in {} intervals: near a summit of "
          "the potential it grows without bound",
          q, mean.intervals);
      return curve;
    }
    IgnlPoint point;
    point.q = q;
    point.upper = swing.centre() + q;
    point.lower = swing.centre() - q;
    point.intervals = mean.intervals;
    point.theta = lost.force;
    point.dissipation = model.friction ? model.friction->dissipation(q) : 0.0;
    const double undamped = 1.0 / (q * std::sqrt(0.5 * m) * mean.value[0]);
    const double decay = 0.5 * c / m;
    point.omega = std::sqrt(std::max(undamped * undamped - decay * decay, 0.0));
    const double viscous = 2.0 * c * q * std::sqrt(2.0 / m) * pi * mean.value[1];
    point.zeta = (point.dissipation + viscous) / (2.0 * pi * q * energy);
    point.omega_gnl = gnl.omega;
    const double square = gnl.omega * gnl.omega + lost.force / (m * q);
    point.omega_paper = square > 0.0 ? std::sqrt(square) : no_number;
    point.zeta_secant = point.dissipation / (2.0 * pi * m * square * q * q) + model.zeta0;
    curve.points.push_back(point);
  }
  return curve;
}

std::optional<LimitLoad> limit_load(const IgnlModel& model, double end, bool slipping, int steps) {
  const auto point = [&](double x) { return slipping ? model.first_loading(x) : model.stuck_point(x); };
  const auto x = first_summit([&](double at) { return point(at).slope; }, end, steps);
  if (!x) return std::nullopt;
  return LimitLoad{*x, point(*x).force};
}

}  // namespace microslip
