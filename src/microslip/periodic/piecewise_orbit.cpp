#include "microslip/periodic/piecewise_orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/orbit_passage.hpp"

namespace microslip {

double PiecewiseOrbit::span() const {
  return two_pi * periods * (antisymmetric ? 0.5 : 1.0);
}

double PiecewiseOrbit::end_of(std::size_t arc) const {
  return arc + 1 < arcs.size() ? arcs[arc + 1].theta : arcs.front().theta + span();
}

int PiecewiseOrbit::events() const {
  if (arcs.empty() || arcs.front().ended_by < 0) return 0;
  return static_cast<int>(arcs.size()) * (antisymmetric ? 2 : 1);
}

double PiecewiseOrbit::period() const {
  return two_pi * periods / omega;
}

std::size_t PiecewiseOrbit::longest_arc() const {
  std::size_t longest = 0;
  double length = -1.0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const double its = end_of(i) - arcs[i].theta;
    if (its <= length) continue;
    length = its;
    longest = i;
  }
  return longest;
}

Segment PiecewiseOrbit::segment(std::size_t arc) const {
  const OrbitArc& a = arcs[arc];
  double origin = 0.0;
  std::shared_ptr<const Drive> drive = excitation->drive(*a.regime, 0.0, origin);
  return Segment(*a.regime, std::move(drive), a.theta / omega, origin, a.start);
}

PiecewiseOrbits::PiecewiseOrbits(const PiecewiseModel& model, int periods)
    : model_(&model), periods_(periods), load_(model.periodic()), book_(model), transitions_(model) {
  if (periods % 2 == 0) load_.antisymmetric = false;
}

bool PiecewiseOrbits::settle(PiecewiseOrbit& orbit, double t, Eigen::VectorXd eta, Eigen::VectorXd rate,
                             int most_periods) {
  int done = 0;
  for (int count = 1; done < most_periods; count *= 2) {
    const bool simulated = simulate(t, eta, rate, count, orbit);
    done += count;
    if (simulated && newton(orbit, nullptr) && holds(orbit)) return true;
    if (!simulated && time_ <= t) return false;
    t = time_;
    eta = eta_;
    rate = rate_;
  }
  const std::string reason = settled_period(orbit, t, eta, rate);
  message_ = fmt::format("no periodic motion found at omega = {:.9g} within {} periods from the start: {}", orbit.omega,
                         done, reason);
  return false;
}

std::string PiecewiseOrbits::settled_period(PiecewiseOrbit& orbit, double t, Eigen::VectorXd eta,
                                            Eigen::VectorXd rate) {
  constexpr int longest = 12;
  constexpr double close = 1e-5;  // of the motion, so slowly does it still change
  const Eigen::VectorXd first = eta;
  double size = first.norm();
  for (int n = 1; n <= longest; ++n) {
    time_ = t;
    static_cast<void>(simulate(t, eta, rate, 1, orbit));
    if (time_ <= t) return message_;
    t = time_;
    eta = eta_;
    rate = rate_;
    size = std::max(size, eta.norm());
    if ((eta - first).norm() > close * size) continue;
    if (n == 1) return "it settles too slowly";
    return fmt::format("the motion repeats after {} periods of the load, ask for period = {}", n * periods_,
                       n * periods_);
  }
  return fmt::format("the motion does not repeat within {} periods", longest * periods_);
}

void PiecewiseOrbits::middle(const PiecewiseOrbit& orbit, double& t, Eigen::VectorXd& eta,
                             Eigen::VectorXd& rate) const {
  const std::size_t arc = orbit.longest_arc();
  const double half = 0.5 * (orbit.end_of(arc) - orbit.arcs[arc].theta);
  FlowState state;
  orbit.segment(arc).state(half / orbit.omega, state);
  orbit.arcs[arc].regime->flow().coordinates(state, eta, rate);
  t = (orbit.arcs[arc].theta + half) / orbit.omega;
}

PiecewiseOrbit PiecewiseOrbits::blank(double omega, double level) const {
  PiecewiseOrbit orbit;
  orbit.omega = omega;
  orbit.level = level;
  orbit.periods = periods_;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  return orbit;
}

OrbitSeed PiecewiseOrbits::seed(const PiecewiseOrbit& orbit) const {
  double t = 0.0;
  Eigen::VectorXd eta, rate;
  middle(orbit, t, eta, rate);
  return {t * orbit.omega, model_->shapes() * eta, model_->shapes() * rate};
}

bool PiecewiseOrbits::find_near(const OrbitSeed& seed, double omega, double level, PiecewiseOrbit& orbit) {
  orbit = blank(omega, level);
  if (seed.q.size() != model_->projection().cols()) return false;
  constexpr int most_periods = 63;
  return settle(orbit, seed.phase / omega, model_->projection() * seed.q, model_->projection() * seed.v, most_periods);
}

bool PiecewiseOrbits::find(double omega, double level, PiecewiseOrbit& orbit) {
  orbit = blank(omega, level);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model_->size());
  if (!model_->has_springs()) {
    // Vibration without friction.
    Eigen::VectorXcd eta = Eigen::VectorXcd::Zero(model_->size());
    Eigen::VectorXcd rate = eta;
    for (std::size_t h = 1; h <= load_.force.size(); ++h) {
      const double s = static_cast<double>(h) * omega;
      const Eigen::VectorXcd force = level * (load_.force[h - 1] + load_.of_ground(s) * load_.ground[h - 1]);
      Eigen::VectorXcd x;
      if (model_->proportional()) {
        x = force.cwiseQuotient(
            (model_->omega_squared().array() - s * s + i_unit * s * model_->damping().diagonal().array()).matrix());
      } else {
        Eigen::MatrixXcd z = (i_unit * s * model_->damping()).eval();
        z.diagonal() += (model_->omega_squared().array() - s * s).matrix().cast<std::complex<double>>();
        x = LuFactors<std::complex<double>>(z).solve(force);
      }
      eta += x;
      rate += i_unit * s * x;
    }
    if (eta.allFinite() && settle(orbit, 0.0, eta.real(), rate.real(), 31)) return true;
  }
  return settle(orbit, 0.0, rest, rest, 4095);
}

bool PiecewiseOrbits::follow(double omega, double level, PiecewiseOrbit& orbit) {
  if (orbit.arcs.empty()) return find(omega, level, orbit);
  const PiecewiseOrbit old = orbit;
  orbit.omega = omega;
  orbit.level = level;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  if (level == old.level && orbit.slope.size() > 0) {
    const orbit_passage::OrbitPassage passage(transitions_, load_, orbit);
    if (passage.events() > 0 && passage.unknowns() == orbit.slope.size()) {
      Eigen::VectorXd x;
      passage.read(orbit, x);
      // Not where arcs would turn over.
      const double turn = (omega - old.omega) * orbit.slope.tail(passage.events()).cwiseAbs().maxCoeff();
      if (std::abs(turn) < 0.2) {
        x += (omega - old.omega) * orbit.slope;
        passage.write(x, orbit);
      }
    }
  }
  if (newton(orbit, nullptr) && holds(orbit)) return true;
  double t = 0.0;
  Eigen::VectorXd eta, rate;
  middle(old, t, eta, rate);
  orbit = old;
  orbit.omega = omega;
  orbit.level = level;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  if (settle(orbit, t * old.omega / omega, eta, rate, 255)) return true;
  return find(omega, level, orbit);
}

bool PiecewiseOrbits::correct(const OrbitTangent& tangent, PiecewiseOrbit& orbit) {
  return newton(orbit, &tangent) && holds(orbit);
}

bool PiecewiseOrbits::adopt(double omega, double level, const Regime& regime, double phase, const FlowState& state,
                            PiecewiseOrbit& orbit) {
  orbit = blank(omega, level);
  ContactMotion motion(book_, *orbit.excitation);
  Eigen::VectorXd eta, rate;
  regime.flow().coordinates(state, eta, rate);
  const double t = phase / omega;
  if (!motion.start_in(t, eta, rate, regime.states())) {
    message_ = motion.message();
    return false;
  }
  if (!simulate(motion, t, 1, false, orbit)) return false;
  orbit_passage::OrbitPassage passage(transitions_, load_, orbit);
  Eigen::VectorXd residual;
  passage.evaluate(orbit, residual, true);
  passage.keep_states(orbit);
  orbit.error = 0.0;  // what does not close, relative
  for (Eigen::Index i = 0; i < passage.free(); ++i) {
    orbit.error = std::max(orbit.error, std::abs(residual(i)) / passage.scale(i));
  }
  return residual.allFinite();
}

bool PiecewiseOrbits::tangent(const PiecewiseOrbit& orbit, OrbitTangent& tangent) {
  orbit_passage::OrbitPassage passage(transitions_, load_, orbit);
  Eigen::VectorXd residual;
  passage.evaluate(orbit, residual);
  if (passage.unknowns() == 0) {
    tangent.theta.resize(0);
    tangent.omega = 1.0;
    return true;
  }
  Eigen::MatrixXd jacobian;
  passage.derivatives(orbit, jacobian);
  const Eigen::VectorXd slope = -LuFactors<double>(jacobian.leftCols(passage.unknowns()))
                                     .solve(Eigen::VectorXd(jacobian.col(passage.unknowns())));
  tangent.theta = slope.segment(passage.free(), passage.events());
  tangent.omega = 1.0;
  return slope.allFinite();
}

Eigen::VectorXcd PiecewiseOrbits::multipliers(const PiecewiseOrbit& orbit) {
  orbit_passage::OrbitPassage passage(transitions_, load_, orbit);
  Eigen::VectorXd residual;
  passage.evaluate(orbit, residual, true);
  if (passage.free() == 0) return Eigen::VectorXcd::Zero(1);
  Eigen::VectorXcd result = complex_eigenvalues(passage.monodromy(orbit));
  if (orbit.antisymmetric) result = result.cwiseProduct(result).eval();
  return result;
}

}  // namespace microslip
