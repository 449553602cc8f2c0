#include "microslip/periodic/orbit_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/numerics/harmonic_amplitude.hpp"

namespace microslip {
namespace {

bool settles_at_once(const System& system) {
  return std::all_of(system.joints().begin(), system.joints().end(),
                     [](const Joint& joint) { return closes_at_once(joint.law); });
}

std::vector<SliderTrace> make_sliders(const System& system, int count) {
  std::vector<SliderTrace> result;
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    for (const double strength : slider_strengths(system.joints()[j].law, count)) {
      result.push_back({static_cast<int>(j), strength, {}});
    }
  }
  return result;
}

}  // namespace

bool SliderTrace::slips() const {
  const auto [low, high] = std::minmax_element(position.begin(), position.end());
  return !position.empty() && *high - *low > 1e-9 * strength;
}

Eigen::MatrixXd orbit_series(const System& system, const HarmonicLoad& load, const PeriodicOrbit& orbit,
                             const std::vector<int>& dofs) {
  JointReceptance receptance(system, load, orbit.harmonics);
  receptance.set_omega(orbit.omega);
  const Eigen::MatrixXd x = orbit.force - orbit.deflection * system.stuck_joint_stiffness();
  Eigen::MatrixXd series = Eigen::MatrixXd::Zero(series_size(orbit.harmonics), static_cast<Eigen::Index>(dofs.size()));
  for (int h = 0; h <= orbit.harmonics; ++h) {
    Eigen::VectorXcd amplitude(x.cols());
    for (Eigen::Index c = 0; c < x.cols(); ++c) amplitude(c) = amplitude_of(x.col(c).data(), h);
    const Eigen::VectorXcd q =
        receptance.displacement(h, receptance.modal(h, amplitude, orbit.level), dofs, orbit.level);
    for (Eigen::Index d = 0; d < q.size(); ++d) add_amplitude(q(d), h, series.col(d).data());
  }
  return series;
}

namespace {

/// Forces, tangents, slipped shares and sliders of the joints at time n.
void store_joints(const System& system, const JointMemory& memory, const JointResponse& response, Eigen::Index n,
                  OrbitHistory& history) {
  std::size_t block = 0;
  for (int j = 0; j < memory.joints(); ++j) {
    const int width = memory.components(j);
    for (int k = 0; k < width; ++k) {
      const int c = system.offset(j) + k;
      history.f(c, n) = response.force[static_cast<std::size_t>(c)];
      history.tangent(c, n) = response.stiffness[block + static_cast<std::size_t>(k * width + k)];
    }
    block += static_cast<std::size_t>(width * width);
    history.slipped(j, n) = memory.visit(j, []<class L>(const L& law, const auto& state) -> double {
      if constexpr (L::sliders != SliderCount::none) return law.slipped_fraction(state);
      return std::numeric_limits<double>::quiet_NaN();
    });
  }
  for (SliderTrace& slider : history.sliders) {
    slider.position.push_back(memory.visit(slider.joint, [&]<class L>(const L& law, const auto& state) -> double {
      if constexpr (L::sliders != SliderCount::none) {
        return law.slider_position(state, slider.strength);
      }
      return 0.0;
    }));
  }
}

}  // namespace

OrbitHistory orbit_history(const System& system, const HarmonicLoad& load, const PeriodicOrbit& orbit,
                           const std::vector<int>& dofs, int intervals, int sliders) {
  const Eigen::MatrixXd series = orbit_series(system, load, orbit, dofs);
  const int components = system.components(), harmonics = orbit.harmonics;
  const Eigen::Index times = intervals + 1;
  OrbitHistory history;
  history.q.resize(series.cols(), times);
  history.v.resize(series.cols(), times);
  history.u.resize(components, times);
  history.f.resize(components, times);
  history.tangent.resize(components, times);
  history.slipped.setConstant(static_cast<Eigen::Index>(system.joints().size()), times,
                              std::numeric_limits<double>::quiet_NaN());
  Eigen::MatrixXd rate(components, times);
  for (Eigen::Index n = 0; n < times; ++n) {
    const double tau = 2.0 * std::numbers::pi * static_cast<double>(n % intervals) / intervals;
    history.time.push_back(2.0 * std::numbers::pi * static_cast<double>(n) / (intervals * orbit.omega));
    for (Eigen::Index i = 0; i < series.cols(); ++i) {
      const SeriesPoint point = series_at(series.col(i).data(), harmonics, tau);
      history.q(i, n) = point.value;
      history.v(i, n) = orbit.omega * point.slope;
    }
    for (int c = 0; c < components; ++c) {
      const SeriesPoint point = series_at(orbit.deflection.col(c).data(), harmonics, tau);
      history.u(c, n) = point.value;
      rate(c, n) = orbit.omega * point.slope;
    }
  }

  history.sliders = make_sliders(system, sliders);
  JointMemory memory = system.initial_memory();
  JointResponse response = memory.make_response();
  const int periods = settles_at_once(system) ? 2 : 40;
  for (int period = 0; period <= periods; ++period) {
    for (Eigen::Index n = 0; n < times; ++n) {
      memory.evaluate(history.u.col(n).data(), rate.col(n).data(), history.time[static_cast<std::size_t>(n)], response);
      memory.commit();
      if (period < periods) continue;
      store_joints(system, memory, response, n, history);
    }
  }
  return history;
}

}  // namespace microslip
