#include "microslip/periodic/phase_equations.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"

namespace microslip {

void PhaseEquations::take(const PiecewiseOrbit& orbit) {
  constexpr double gone = orbit_passage::died_out - 8.0;  // some arcs may become shorter before that is too little
  work_ = orbit;
  work_.slope.resize(0);
  passage_.emplace(orbits_->transitions(), orbits_->load(), work_, gone);
  passage_->read(work_, start_);
  Eigen::VectorXd residual;
  passage_->evaluate(work_, residual);
  passage_->derivatives(work_, derivatives_, sweep_.over_level);
  unit_.setConstant(start_.size(), pi);
  constexpr double motion = 10.0;  // events say where the curve is, the motion that is left at one of them little
  for (Eigen::Index i = 0; i < passage_->free(); ++i) unit_(i) = motion * passage_->scale(i);
  const Eigen::MatrixXd scaled = derivatives_.leftCols(start_.size()) * unit_.asDiagonal();
  weight_ = scaled.cwiseAbs().rowwise().maxCoeff().unaryExpr([](double row) { return row > 0.0 ? 1.0 / row : 1.0; });
}

Eigen::VectorXd PhaseEquations::phases(const Eigen::VectorXd& y) const {
  return y.cwiseProduct(unit_).tail(passage_->events());
}

bool PhaseEquations::set(const Eigen::VectorXd& y, double lambda) {
  const double omega = sweep_.omega(lambda), level = sweep_.level(lambda);
  if (!(omega > 0.0)) return false;
  if (omega != work_.omega || level != work_.level) {
    work_.omega = omega;
    work_.level = level;
    work_.excitation = std::make_shared<Excitation>(orbits_->model(), orbits_->load(), omega, level);
  }
  passage_->write(start_ + y.cwiseProduct(unit_), work_);
  constexpr double turned = -0.05;  // [rad]; what holds in the end is checked by the orbits
  for (std::size_t i = 0; i < work_.arcs.size(); ++i) {
    if (!(work_.end_of(i) - work_.arcs[i].theta > turned)) return false;
  }
  return true;
}

Residual PhaseEquations::residual() {
  return [this](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                Eigen::VectorXd* by_lambda) {
    if (!set(y, lambda)) return false;
    passage_->evaluate(work_, r);
    r = r.cwiseProduct(weight_).eval();
    if (jacobian != nullptr || by_lambda != nullptr) passage_->derivatives(work_, derivatives_, sweep_.over_level);
    if (jacobian != nullptr) {
      *jacobian = weight_.asDiagonal() * derivatives_.leftCols(y.size()) * unit_.asDiagonal();
    }
    if (by_lambda != nullptr) *by_lambda = weight_.cwiseProduct(derivatives_.rightCols(1));
    return r.allFinite();
  };
}

bool PhaseEquations::orbit(const CurvePoint& solution, PiecewiseOrbit& out) {
  if (!set(solution.y, solution.lambda)) return false;
  Eigen::VectorXd residual;
  passage_->evaluate(work_, residual, true);
  passage_->keep_states(work_);
  out = work_;
  out.iterations = solution.iterations;
  out.error = 0.0;
  for (std::size_t i = 0; i < out.arcs.size(); ++i) {  // to first order, how far events are from their phases
    const double duration = (out.end_of(i) - out.arcs[i].theta) / out.omega;
    const auto [value, rate] = out.segment(i).event_value(out.arcs[i].ended_by, duration);
    if (rate != 0.0) out.error = std::max(out.error, std::abs(value / rate) * out.omega);
  }
  return residual.allFinite() && orbits_->holds(out);
}

}  // namespace microslip
