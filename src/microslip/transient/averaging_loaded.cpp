// Averaging under loads: adaptive Runge-Kutta, or exactly line by line where the loads are straight lines.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/transient/averaging_run.hpp"

namespace microslip::averaging {

/// X = sqrt(x^2 + (v/omega)^2), omega of X: fixed-point iteration, a contraction by |d ln omega/d ln X|, sped up by
/// secants. (I-18) has the damped frequency.
Averaging::Point Averaging::amplitude_under_load(double x, double v, double guess) {
  const double accuracy = 1e-2 * options_.tolerance;
  Point point{guess, {}};
  double last = 0.0, last_change = 0.0;
  for (int i = 0; i < 100; ++i) {
    point.rates = rates(point.amplitude);
    double omega = point.rates.omega;
    if (!(omega > 0.0)) break;  // the caller tells
    if (options_.form == AveragingForm::secant) {
      omega *= damped_share(point.rates.zeta);
    }
    const double image = std::hypot(x, v / omega);
    const double change = image - point.amplitude;
    if (!(std::abs(change) > accuracy * image)) break;
    double next = image;
    if (i > 0) {
      const double secant = point.amplitude - change * (point.amplitude - last) / (change - last_change);
      if (secant > 0.5 * image && secant < 2.0 * image) next = secant;
    }
    last = point.amplitude;
    last_change = change;
    point.amplitude = next;
  }
  return point;
}

bool Averaging::fail_without_stiffness() {
  return fail(Ending::no_convergence,
              fmt::format("the stiffness of a cycle of X = {:.4g} is not positive at t = {:.6g}", amplitude_, t_));
}

/// Of a step of the integration that ends with the amplitude `after`, over what is allowed.
double Averaging::error_of(const DormandPrinceStep<2>& step, double after) const {
  const double scale = options_.tolerance * std::max({after, amplitude_, std::numeric_limits<double>::min()});
  return std::max(std::abs(step.error()[0]) / scale, std::abs(step.error()[1]) / (scale * mode_.stuck_omega()));
}

/// Adaptive Runge-Kutta on (x, v), from corner to corner of the loads.
bool Averaging::forced_to(double end) {
  using Vector = DormandPrinceStep<2>::Vector;
  DormandPrinceStep<2> step;
  Point point = amplitude_under_load(x_, v_, amplitude_);
  const auto rhs = [&](double t, const Vector& y) -> Vector {
    point = amplitude_under_load(y[0], y[1], point.amplitude);
    const Rates& r = point.rates;
    return {y[1], force(std::min(t, end)) - 2.0 * r.zeta_forced * r.omega * y[1] - r.omega * r.omega * y[0]};
  };
  Vector y{x_, v_};
  amplitude_ = point.amplitude;
  Vector slope = rhs(t_, y);
  if (step_ == 0.0) step_ = 0.05 / mode_.stuck_omega();
  double corner = next_corner(t_, end);
  const double shortest = 1e-12 * std::max(end_, 1.0 / mode_.stuck_omega());
  while (t_ < end) {
    if (!carry_on()) return false;
    const bool to_corner = t_ + 1.01 * step_ >= corner;
    const double h = to_corner ? corner - t_ : step_;
    step.attempt(rhs, t_, y, slope, h);
    const double after = point.amplitude;  // the last stage is the end of the step
    const double error = error_of(step, after);
    if (!std::isfinite(error) || !(point.rates.omega > 0.0)) {
      if (h < shortest) return fail_without_stiffness();
      step_ = 0.2 * h;
      point.amplitude = amplitude_;
      continue;
    }
    const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
    if (error > 1.0) {
      if (h < shortest)
        return fail(Ending::step_too_small, fmt::format("the steps become too short at t = {:.6g}", t_));
      step_ = h * std::min(factor, 0.9);
      point.amplitude = amplitude_;
      continue;
    }
    result_.forced_steps++;
    const double before = t_, amplitude_before = amplitude_;
    t_ = to_corner ? corner : t_ + h;
    y = step.end();
    amplitude_ = after;
    while (row_due(t_)) {
      const Vector inside = step.at(row_time());
      write_forced_row(row_time(), inside[0], inside[1], amplitude_under_load(inside[0], inside[1], after));
    }
    watch_macroslip(before, amplitude_before, amplitude_);
    point.amplitude = amplitude_;
    slope = step.end_slope();
    if (to_corner && t_ < end) {
      corner = next_corner(t_, end);
      slope = rhs(t_, y);  // the load's rate jumps, its value does not; a value that does starts a new stretch
    }
    step_ = to_corner ? std::max(step_, h * factor) : h * factor;
  }
  x_ = y[0];
  v_ = y[1];
  return true;
}

/// The lines that follow, up to the length of a block; a longer one is cut into equal pieces.
void Averaging::gather_block(double g, double end) {
  const double longest = 2.0 * std::numbers::pi / (mode_.stuck_omega() * options_.blocks_per_period);
  block_times_.assign(1, t_);
  block_loads_.assign(1, g);
  while (block_times_.back() < end) {
    const double from = block_times_.back();
    if (!(corner_ > from)) corner_ = next_corner(from, end);
    if (block_times_.size() > 1 && corner_ - t_ > longest) return;
    const double g_corner = force(corner_);
    if (corner_ - from > longest) {
      const double share = 1.0 / std::ceil((corner_ - from) / longest);
      block_times_.push_back(from + share * (corner_ - from));
      block_loads_.push_back(block_loads_.back() + share * (g_corner - block_loads_.back()));
      return;
    }
    block_times_.push_back(corner_);
    block_loads_.push_back(g_corner);
  }
}

/// Through the lines of the block; rows on the way if asked for.
void Averaging::cross_block(const Rates& r, bool write_rows, double& x, double& v) {
  const double k = r.omega * r.omega, c = 2.0 * r.zeta_forced * r.omega;
  double h = 0.0;
  for (std::size_t i = 1; i < block_times_.size(); ++i) {
    const double from = block_times_[i - 1], next = block_times_[i] - from;
    const double g0 = block_loads_[i - 1], g1 = block_loads_[i];
    if (std::abs(next - h) > 1e-9 * h) line_ = LinearStep(k, c, h = next);
    while (write_rows && row_due(block_times_[i])) {
      const double inside = std::clamp(row_time() - from, 0.0, h);
      double x_row = x, v_row = v;
      if (inside > 0.0) LinearStep(k, c, inside).apply(g0, g0 + (g1 - g0) * inside / h, x_row, v_row);
      write_forced_row(row_time(), x_row, v_row, {std::hypot(x_row, v_row / r.omega), r});
    }
    line_.apply(g0, g1, x, v);
  }
}

/// Loads of straight lines: the oscillator exactly, line by line. Stiffness and damping are those of the amplitude in
/// the middle of a block of lines, extrapolated from the two blocks before: second order in its change over a block.
bool Averaging::sampled_to(double end) {
  amplitude_ = amplitude_under_load(x_, v_, amplitude_).amplitude;
  corner_ = t_;
  double g = force(t_);
  double growth = 0.0;     // dX/dt over the block before
  double stiffness = 0.0;  // of the block before
  double length = 0.0;     // of the block before; 0: this is the first
  while (t_ < end) {
    if (!carry_on()) return false;
    gather_block(g, end);
    const double block = block_times_.back() - t_;
    const bool first = length == 0.0;
    double middle = std::max(0.0, amplitude_ + 0.5 * block * growth);
    double x = 0.0, v = 0.0, k = 0.0, after = 0.0;
    for (int pass = first ? 0 : 2; pass < 3; ++pass) {  // the first block has nothing to extrapolate: by iteration
      const Rates r = rates(middle);
      k = r.omega * r.omega;
      x = x_;
      v = v_;
      cross_block(r, pass == 2, x, v);
      // The amplitude takes the stiffness at the end of the block; that of the middle is known.
      double k_end = first ? k : k + (k - stiffness) * block / (block + length);
      if (options_.form == AveragingForm::secant) k_end *= std::pow(damped_share(r.zeta), 2);
      after = std::sqrt(x * x + v * v / k_end);
      if (first) middle = 0.5 * (amplitude_ + after);
    }
    if (!(k > 0.0) || !std::isfinite(x + v)) {
      return fail_without_stiffness();
    }
    result_.forced_steps++;
    const double before = t_, amplitude_before = amplitude_;
    t_ = block_times_.back();
    g = block_loads_.back();
    growth = (after - amplitude_) / block;
    stiffness = k;
    length = block;
    x_ = x;
    v_ = v;
    amplitude_ = after;
    watch_macroslip(before, amplitude_before, amplitude_);
  }
  return true;
}

}  // namespace microslip::averaging
