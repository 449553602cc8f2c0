#include "microslip/periodic/shooting.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/numerics/harmonic_amplitude.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// Largest of |dd|/|d|, |dv|/|v|, |dz|/|z| and |du|/|u| over each kind of unknown.
double relative_change(const PeriodState& from, const PeriodState& to) {
  const auto ratio = [](double change, double size) { return size > 0.0 ? change / size : change; };
  double worst = std::max(ratio((to.d - from.d).norm(), to.d.norm()), ratio((to.v - from.v).norm(), to.v.norm()));
  double change = 0.0, size = 0.0;
  for (std::size_t i = 0; i < from.z.size(); ++i) {
    change = std::max(change, std::abs(to.z[i] - from.z[i]));
    size = std::max(size, std::abs(to.z[i]));
  }
  worst = std::max(worst, ratio(change, size));
  for (std::size_t j = 0; j < from.reversals.size(); ++j) {
    change = size = 0.0;
    for (std::size_t i = 0; i < from.reversals[j].size(); ++i) {
      change = std::max(change, std::abs(to.reversals[j][i] - from.reversals[j][i]));
      size = std::max(size, std::abs(to.reversals[j][i]));
    }
    worst = std::max(worst, ratio(change, size));
  }
  return worst;
}

/// Where nothing holds the mean position (all joints in macroslip) every one will do: the nearest is taken, velocities
/// over omega.
Eigen::VectorXd least_step(LeastNormLu& lu, Eigen::MatrixXd matrix, Eigen::VectorXd right, const PeriodState& state,
                           double omega) {
  const Eigen::Index n = state.d.size();
  matrix.middleRows(n, n) /= omega;
  matrix.middleCols(n, n) *= omega;
  right.segment(n, n) /= omega;
  lu.compute(matrix);
  Eigen::VectorXd step = lu.solve(right);
  step.segment(n, n) *= omega;
  return step;
}

/// The memory follows the motion; the motion takes its own Newton step with the memory frozen.
void follow_memory(const Eigen::MatrixXd& motion, const PeriodState& end, double omega, LeastNormLu& lu,
                   PeriodState& state) {
  const Eigen::Index moving = motion.rows();
  const Eigen::MatrixXd matrix = motion.leftCols(moving) - Eigen::MatrixXd::Identity(moving, moving);
  const Eigen::VectorXd from = state.unknowns().head(moving);
  const Eigen::VectorXd newton = least_step(lu, matrix, from - end.unknowns().head(moving), state, omega);
  state.reversals = end.reversals;
  Eigen::VectorXd y = state.unknowns();
  y.head(moving) = from + newton;
  state.set_unknowns(y);
}

}  // namespace

ShootingSolution shoot(PeriodMap& map, PeriodState start, double omega, double level, double tolerance,
                       int max_iterations) {
  ShootingSolution result;
  result.state = std::move(start);
  PeriodState end;
  Eigen::VectorXd step;
  LeastNormLu lu(map_rounding);
  double last = 0.0;
  int halvings = 0;
  while (result.iterations < max_iterations) {
    ++result.iterations;
    if (!map.run(result.state, omega, level, end, &result.derivative)) {
      if (step.size() != result.state.size() || halvings++ > 6) {
        result.message = map.failure();
        return result;
      }
      step *= 0.5;
      result.state.set_unknowns(result.state.unknowns() - step);
      continue;
    }
    if (!result.state.alike(end)) {
      follow_memory(result.derivative.motion, end, omega, lu, result.state);
      step.resize(0);
      last = 0.0;
      continue;
    }
    result.residual = relative_change(result.state, end);
    if (result.residual <= tolerance) {
      result.converged = true;
      return result;
    }
    if (step.size() == result.state.size() && last > 0.0 && !(result.residual < 2.0 * last) && halvings < 6) {
      ++halvings;
      step *= 0.5;
      result.state.set_unknowns(result.state.unknowns() - step);
      continue;
    }
    halvings = 0;
    last = result.residual;
    const Eigen::Index n = result.state.size();
    const Eigen::VectorXd y = result.state.unknowns();
    step = least_step(lu, result.derivative.monodromy - Eigen::MatrixXd::Identity(n, n), y - end.unknowns(),
                      result.state, omega);
    if (!step.allFinite()) {
      result.message = "the derivative of the period map is singular";
      return result;
    }
    result.state.set_unknowns(y + step);
  }
  result.message = "the period map has not closed";
  return result;
}

bool settle(PeriodMap& map, PeriodState& state, double omega, double level, int periods) {
  PeriodState end;
  for (int i = 0; i < periods; ++i) {
    if (!map.run(state, omega, level, end)) return false;
    state = end;
  }
  return true;
}

std::complex<double> largest_multiplier(const Eigen::MatrixXd& monodromy) {
  std::complex<double> largest = 0.0;
  if (monodromy.size() == 0) return largest;
  const Eigen::VectorXcd values = complex_eigenvalues(monodromy);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::abs(values(i)) > std::abs(largest)) largest = values(i);
  }
  return largest;
}

PeriodState period_start(const PeriodMap& map, const HarmonicLoad& load, const PeriodicOrbit& orbit) {
  const System& system = map.system();
  JointReceptance receptance(system, load, orbit.harmonics);
  receptance.set_omega(orbit.omega);
  const Eigen::MatrixXd x = orbit.force - orbit.deflection * system.stuck_joint_stiffness();
  PeriodState state = map.rest();
  for (int h = 0; h <= orbit.harmonics; ++h) {
    Eigen::VectorXcd amplitude(x.cols());
    for (Eigen::Index c = 0; c < x.cols(); ++c) amplitude(c) = amplitude_of(x.col(c).data(), h);
    const Eigen::VectorXcd modal = receptance.modal(h, amplitude, orbit.level).tail(state.d.size());
    state.d += modal.real();
    state.v += (Complex(0.0, h * orbit.omega) * modal).real();
  }
  SeriesScanner scanner(orbit.harmonics);
  std::size_t z = 0;
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    for (const auto& extremum : scanner.extrema(orbit.deflection.col(column).data())) {
      state.reversals[j].push_back(extremum.value);
    }
    std::visit(
        [&]<class L>(const L& law) {
          if constexpr (FadingLaw<L>) {
            double u = 0.0, f = 0.0;
            for (int h = 0; h <= orbit.harmonics; ++h) {
              u += orbit.deflection(h == 0 ? 0 : 2 * h - 1, column);
              f += orbit.force(h == 0 ? 0 : 2 * h - 1, column);
            }
            if (law.z_stiffness() > 0.0) state.z[z] = (f - law.slipped_stiffness() * u) / law.z_stiffness();
            ++z;
          }
        },
        system.joints()[j].law);
  }
  return state;
}

}  // namespace microslip
