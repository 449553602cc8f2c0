#include "microslip/inference/profile.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/inference/descent.hpp"
#include "microslip/inference/half_squares.hpp"
#include "microslip/numerics/normal_quantile.hpp"

namespace microslip {
namespace {

constexpr double close_enough = 1e-4;  // of z
constexpr double first_share = 1e-3;   // of the range, where there is no error to begin with
constexpr int most_steps = 60;

/// One end: the root of sqrt(rise) - z, which is a straight line where the model is.
class ProfileEnd {
 public:
  ProfileEnd(const ResidualProblem& problem, const LeastSquares& fit, std::size_t parameter, double z,
             const std::function<bool()>& stopped)
      : function_(problem, fit.discrepancy),
        box_(box_of(problem.parameters())),
        fit_(&fit),
        place_(static_cast<Eigen::Index>(parameter)),
        z_(z) {
    options_.stopped = stopped;
    options_.tolerance = 1e-8;
  }

  /// Towards +1 or -1. False: not found.
  bool find(int side, double& end, bool& is_end) {
    const double centre = fit_->x(place_), limit = side > 0 ? box_.high(place_) : box_.low(place_);
    const double range = box_.high(place_) - box_.low(place_);
    const double error = fit_->information.errors.size() > place_ ? fit_->information.errors(place_) : 0.0;
    double step = std::isfinite(error) && error > 0.0 ? z_ * error : first_share * range;
    double inside = centre, inside_rise = 0.0, outside = centre, outside_rise = 0.0;
    Eigen::VectorXd x = fit_->x;
    // Outwards until the rise is too large; then the secant within the bracket, halved where it stalls (Illinois).
    bool bracketed = false;
    int last_side = 0;
    for (int i = 0; i < most_steps; ++i) {
      double at = inside + side * step;
      if (bracketed) {
        const double share = (z_ - inside_rise) / (outside_rise - inside_rise);
        at = inside + std::clamp(share, 0.01, 0.99) * (outside - inside);
      } else if ((limit - at) * side <= 0.0) {
        at = limit;
      }
      double rise = 0.0;
      if (!rise_at(at, x, rise)) return false;
      if (std::abs(rise - z_) < close_enough * z_) {
        end = at;
        return true;
      }
      if (rise < z_) {
        if (at == limit) {
          end = at;
          is_end = true;
          return true;
        }
        inside = at;
        inside_rise = rise;
        if (bracketed && last_side < 0) outside_rise = z_ + 0.5 * (outside_rise - z_);
        last_side = -1;
        step *= 2.0;
      } else {
        outside = at;
        outside_rise = rise;
        if (bracketed && last_side > 0) inside_rise = z_ + 0.5 * (inside_rise - z_);
        last_side = 1;
        bracketed = true;
      }
      if (bracketed && std::abs(outside - inside) < 1e-9 * range) {  // it rises by a jump
        end = inside;
        return true;
      }
    }
    return false;
  }
  std::size_t evaluations = 0;

 private:
  bool rise_at(double at, Eigen::VectorXd& x, double& rise) {
    Box held = box_;
    held.low(place_) = held.high(place_) = at;
    const Descent descent = descend(function_, held, x, options_);
    evaluations += descent.evaluations;
    if (!descent.converged) return false;
    x = descent.x;
    rise = std::sqrt(std::max(2.0 * descent.model.value - fit_->square, 0.0));
    return true;
  }

  HalfSquares function_;
  Box box_;
  const LeastSquares* fit_;
  Eigen::Index place_;
  double z_;
  DescentOptions options_;
};

}  // namespace

ProfileRange profile_range(const ResidualProblem& problem, const LeastSquares& fit, std::size_t parameter,
                           double confidence, const std::function<bool()>& stopped) {
  ProfileRange range;
  if (fit.x.size() == 0) return range;
  ProfileEnd end(problem, fit, parameter, normal_reach(confidence), stopped);
  range.found = end.find(-1, range.low, range.low_is_end) && end.find(1, range.high, range.high_is_end);
  range.evaluations = end.evaluations;
  return range;
}

}  // namespace microslip
