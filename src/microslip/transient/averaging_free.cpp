// Averaging of free decay: time and phase are integrals over ln X, panel by panel.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "microslip/transient/averaging_run.hpp"

namespace microslip::averaging {

/// x = X cos(phase), v = -X (zeta omega cos + omega_d sin) with the rates of the free decay: both continuous.
void Averaging::enter_free_motion() {
  double amplitude = std::max(amplitude_, std::abs(x_));
  if (amplitude == 0.0) amplitude = std::hypot(x_, v_ / mode_.stuck_omega());
  Rates r;
  for (int i = 0; i < 100; ++i) {
    r = rates(amplitude);
    if (!(r.omega > 0.0)) break;
    const double damped = r.omega * damped_share(r.zeta);
    const double cross = r.zeta < 1.0 ? (v_ + r.zeta * r.omega * x_) / damped : v_ / r.omega;
    const double image = std::hypot(x_, cross);
    const double change = image - amplitude;
    amplitude = image;
    phase_ = std::atan2(-cross, x_);
    if (!(std::abs(change) > 1e-12 * image)) break;
  }
  amplitude_ = amplitude;
}

void Averaging::leave_free_motion(double log_amplitude, const Rates& r) {
  amplitude_ = std::exp(log_amplitude);
  const double damped = r.omega * std::sqrt(1.0 - r.zeta * r.zeta);
  x_ = amplitude_ * std::cos(phase_);
  v_ = -amplitude_ * (r.zeta * r.omega * std::cos(phase_) + damped * std::sin(phase_));
}

/// No decay worth speaking of: X stays.
bool Averaging::hold_to(double end, const Rates& rates) {
  Rates r = rates;
  if (amplitude_ == 0.0) r.zeta = std::min(r.zeta, 1.0);  // at rest, whatever the damping
  const double damped = r.omega * std::sqrt(1.0 - r.zeta * r.zeta);
  while (row_due(end)) {
    write_free_row(row_time(), amplitude_, phase_ + damped * (row_time() - t_), r.omega, r.zeta);
    if (!carry_on()) return false;
  }
  phase_ += damped * (end - t_);
  t_ = end;
  if (amplitude_ > 0.0) {
    leave_free_motion(std::log(amplitude_), r);
  } else {
    x_ = v_ = 0.0;
  }
  return true;
}

/// The panel below ln X = y: as wide as the tolerance allows, down to the next corner of the laws at most.
Averaging::PanelOutcome Averaging::next_panel(double y, FreePanel& panel) {
  constexpr double narrowest = 1e-9, widest = 8.0;
  const auto corner = std::lower_bound(log_corners_.begin(), log_corners_.end(), y - 1e-12);
  const double limit = corner == log_corners_.begin() ? -std::numeric_limits<double>::infinity() : *(corner - 1);
  while (panel_width_ >= narrowest) {
    panel.low = std::max(y - panel_width_, limit);
    panel.half = 0.5 * (y - panel.low);
    std::array<double, FreePanel::points> time_rate{}, phase_rate{};
    double fastest = 0.0;
    for (std::size_t j = 0; j < FreePanel::points; ++j) {
      const double amplitude = panel.amplitude(FreePanel::Series::point(j));
      const Rates r = rates(amplitude);
      if (!(r.zeta < 1.0) || !(r.omega > 0.0)) {
        fail(Ending::no_convergence,
             fmt::format("the damping ratio of a free cycle of X = {:.4g} is {:.3g} at t = {:.6g}: the amplitude does "
                         "not change slowly; take transient",
                         amplitude, r.zeta, t_));
        return PanelOutcome::failed;
      }
      time_rate[j] = 1.0 / (r.zeta * r.omega);
      phase_rate[j] = std::sqrt(1.0 - r.zeta * r.zeta) / r.zeta;
      fastest = std::max(fastest, r.omega);
    }
    panel.time = FreePanel::Series(time_rate, panel.half);
    panel.phase = FreePanel::Series(phase_rate, panel.half);
    const double error = std::max(panel.phase.error(), fastest * panel.time.error());
    if (error <= options_.tolerance) {
      if (error < 1e-4 * options_.tolerance) panel_width_ = std::min(2.0 * panel_width_, widest);
      return PanelOutcome::made;
    }
    panel_width_ = 0.5 * std::min(panel_width_, 2.0 * panel.half);
  }
  return PanelOutcome::stalled;
}

/// Panel after panel, with the rows that fall into each.
bool Averaging::free_to(double end) {
  enter_free_motion();
  watch_macroslip(t_, amplitude_, amplitude_);
  if (amplitude_ == 0.0) return hold_to(end, rates(0.0));
  double y = std::log(amplitude_);
  panel_width_ = 1.0;
  FreePanel panel;
  while (true) {
    if (!carry_on()) return false;
    amplitude_ = std::exp(y);
    const Rates here = rates(amplitude_);
    if (!(here.zeta >= 0.0) || !(here.omega > 0.0)) {
      return fail(
          Ending::no_convergence,
          fmt::format("a free cycle of X = {:.4g} at t = {:.6g} has no positive stiffness or damping: there is no "
                      "decay to follow",
                      amplitude_, t_));
    }
    if (here.zeta * here.omega * (end - t_) < 1e-13) return hold_to(end, here);
    const PanelOutcome outcome = next_panel(y, panel);
    if (outcome == PanelOutcome::failed) return false;
    // Friction alone, at the amplitude where it starts to slip: the decay ends here.
    if (outcome == PanelOutcome::stalled) return hold_to(end, here);
    result_.free_steps++;

    const double last = t_ + panel.time.whole();
    double s = 1.0;
    while (row_due(std::min(last, end))) {
      s = panel.find(std::max(0.0, row_time() - t_), s);
      const Rates r = panel.rates(s);
      write_free_row(row_time(), panel.amplitude(s), phase_ + panel.phase.from_top(s), r.omega, r.zeta);
      if (!carry_on()) return false;
    }
    s = last >= end ? panel.find(end - t_, s) : -1.0;
    phase_ += panel.phase.from_top(s);
    t_ = std::min(last, end);
    y = panel.low + panel.half * (1.0 + s);
    if (last >= end) {
      leave_free_motion(y, panel.rates(s));
      return true;
    }
  }
}

void Averaging::write_free_row(double t, double amplitude, double phase, double omega, double zeta) {
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  const double cosine = std::cos(phase), sine = std::sin(phase);
  const double x = amplitude * cosine, v = -amplitude * (zeta * omega * cosine + damped * sine);
  write_row({t, x, v, -2.0 * zeta * omega * v - omega * omega * x, amplitude, omega, zeta});
}

}  // namespace microslip::averaging
