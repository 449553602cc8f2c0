// Newton for the phases of the events and the free motion of an orbit, whose sequence of regimes is given.

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/orbit_passage.hpp"
#include "microslip/periodic/piecewise_orbit.hpp"

namespace microslip {
namespace {

using orbit_passage::OrbitPassage;

/// Newton's equations at an orbit; with a tangent, frequency is the last unknown and the hyperplane normal to it
/// through the first point the last equation.
class OrbitEquations {
 public:
  OrbitEquations(OrbitPassage& passage, const PiecewiseOrbit& orbit, const OrbitTangent* along)
      : passage_(passage), along_(along), size_(passage.unknowns() + (along != nullptr ? 1 : 0)) {
    passage_.read(orbit, x);
    x_first_ = x;
    omega_first_ = orbit.omega;
  }

  [[nodiscard]] Eigen::Index size() const { return size_; }

  void factorise(const PiecewiseOrbit& orbit) {
    passage_.derivatives(orbit, jacobian_);
    Eigen::MatrixXd matrix = jacobian_.leftCols(passage_.unknowns());
    if (along_ != nullptr) {
      matrix.resize(size_, size_);
      matrix.topRows(size_ - 1) = jacobian_;
      matrix.bottomRows(1).setZero();
      matrix.row(size_ - 1).segment(passage_.free(), passage_.events()) = along_->theta.transpose();
      matrix(size_ - 1, size_ - 1) = along_->omega;
    }
    lu_.compute(matrix);
  }

  [[nodiscard]] Eigen::VectorXd step(double omega) const {
    Eigen::VectorXd right(size_);
    right.head(passage_.unknowns()) = residual;
    if (along_ != nullptr) {
      right(size_ - 1) = along_->theta.dot(x.segment(passage_.free(), passage_.events()) -
                                           x_first_.segment(passage_.free(), passage_.events())) +
                         along_->omega * (omega - omega_first_);
    }
    return -lu_.solve(right);
  }

  /// d(unknowns)/d(omega), about.
  [[nodiscard]] Eigen::VectorXd slope() const {
    return -lu_.solve(Eigen::VectorXd(jacobian_.col(passage_.unknowns())));
  }

  Eigen::VectorXd x, residual;

 private:
  OrbitPassage& passage_;
  const OrbitTangent* along_;
  Eigen::Index size_;
  Eigen::VectorXd x_first_;
  double omega_first_;
  Eigen::MatrixXd jacobian_;
  LuFactors<double> lu_;
};

/// The largest of each kind of unknown: phases [rad], and motion relative to its size.
struct StepSize {
  double phase = 0.0, motion = 0.0;
};

StepSize size_of(const Eigen::VectorXd& step, const OrbitPassage& passage) {
  StepSize size;
  for (Eigen::Index i = 0; i < passage.unknowns(); ++i) {
    double& largest = i >= passage.free() ? size.phase : size.motion;
    largest = std::max(largest, std::abs(step(i)) / passage.scale(i));
  }
  return size;
}

/// How much of a step to take: events keep their order, none passes another by more than most of the arc between them.
double share_of_step(const Eigen::VectorXd& step, double phase, const OrbitPassage& passage,
                     const PiecewiseOrbit& orbit) {
  double factor = phase > 0.5 ? 0.5 / phase : 1.0;
  for (std::size_t i = 0; passage.events() > 0 && i < orbit.arcs.size(); ++i) {
    const auto here = passage.free() + static_cast<Eigen::Index>(i);
    const bool wraps = i + 1 == orbit.arcs.size();
    const double shrink = step(here) - (wraps ? step(passage.free()) : step(here + 1));
    const double length = std::max(orbit.end_of(i) - orbit.arcs[i].theta, orbit_passage::same_instant);
    if (shrink > 0.8 * length) factor = std::min(factor, 0.8 * length / shrink);
  }
  return factor;
}

}  // namespace

bool PiecewiseOrbits::newton(PiecewiseOrbit& orbit, const OrbitTangent* along) {
  constexpr int most_iterations = 25;
  constexpr double small_phase = 2e-12;
  constexpr double small_motion = 2e-11;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  OrbitPassage passage(transitions_, load_, orbit);
  OrbitEquations equations(passage, orbit, along);
  orbit.iterations = 0;
  bool fresh = false;  // the factors belong to this point
  bool have = false;
  double last = infinite;
  while (orbit.iterations < most_iterations) {
    ++orbit.iterations;
    passage.evaluate(orbit, equations.residual, equations.size() == 0);
    if (equations.size() == 0) {
      passage.keep_states(orbit);
      orbit.error = 0.0;
      return true;
    }
    if (!equations.residual.allFinite()) return false;
    if (!have) {
      equations.factorise(orbit);
      ++factorisations_;
      have = true;
      fresh = true;
    }
    const Eigen::VectorXd step = equations.step(orbit.omega);
    if (!step.allFinite()) return false;
    const auto [phase, motion] = size_of(step, passage);
    const double length = std::max(phase, motion);
    if (!fresh && length > 0.1 * last) {  // the old factors lead nowhere
      have = false;
      --orbit.iterations;
      last = infinite;
      if (length > 10.0) return false;
      continue;
    }
    const double factor = share_of_step(step, phase, passage, orbit);
    if (factor < 1e-3) return false;
    equations.x += factor * step.head(passage.unknowns());
    if (along != nullptr && !set_omega(orbit.omega + factor * step(equations.size() - 1), orbit)) return false;
    passage.write(equations.x, orbit);
    orbit.error = phase;
    if (factor == 1.0 && phase < small_phase && motion < small_motion) {
      passage.evaluate(orbit, equations.residual, true);
      passage.keep_states(orbit);
      orbit.slope.resize(0);
      if (along == nullptr) orbit.slope = equations.slope();
      return true;
    }
    // Close by, the same factors serve again.
    have = factor == 1.0 && length < 1e-3;
    fresh = false;
    last = factor == 1.0 ? length : infinite;
  }
  return false;
}

bool PiecewiseOrbits::set_omega(double omega, PiecewiseOrbit& orbit) const {
  orbit.omega = omega;
  if (!(omega > 0.0)) return false;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, orbit.level);
  return true;
}

}  // namespace microslip
