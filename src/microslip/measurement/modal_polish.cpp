#include "microslip/measurement/modal_polish.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

/// At given poles: residuals, unknowns and, where asked for, what a step needs.
struct PolishState {
  ModalPolish at;
  Eigen::MatrixXd information;  ///< of alpha_1 beta_1 alpha_2 ...
  Eigen::VectorXd descent;      ///< minus the gradient
};

PolishState evaluate(const ModalLines& lines, const Eigen::VectorXcd& poles, const ModalTerms& terms, bool step) {
  const FitBasis basis(lines, poles, terms);
  const Eigen::Index parameters = 2 * poles.size(), unknowns = terms.count(poles.size());
  PolishState state;
  state.at.poles = poles;
  state.at.unknowns.resize(unknowns, lines.functions());
  state.at.residuals.resize(2 * lines.lines(), lines.functions());
  state.information = Eigen::MatrixXd::Zero(parameters, parameters);
  state.descent = Eigen::VectorXd::Zero(parameters);
  Eigen::MatrixXd phi(2 * lines.lines(), unknowns), d(2 * lines.lines(), step ? parameters : 0);
  for (Eigen::Index f = 0; f < lines.functions(); ++f) {
    const Eigen::VectorXd weight = lines.weight.col(f).replicate(2, 1);
    phi.noalias() = weight.asDiagonal() * basis.columns();
    const Eigen::VectorXd y = weight.cwiseProduct(stacked(lines.values.col(f)));
    const Eigen::MatrixXd gram = transpose_times(phi, phi);
    Eigen::VectorXd x = solve_scaled(gram, transpose_times(phi, y));
    Eigen::VectorXd r = y - phi * x;
    x += solve_scaled(gram, transpose_times(phi, r));  // what rounding left
    r.noalias() = y - phi * x;
    state.at.unknowns.col(f) = x;
    state.at.residuals.col(f) = r;
    state.at.chi_squared += r.squaredNorm();
    if (!step) continue;
    basis.derivatives(x, d);
    d.array().colwise() *= weight.array();
    const Eigen::MatrixXd cross = transpose_times(phi, d);
    state.information += transpose_times(d, d) - transpose_times(cross, solve_scaled(gram, cross));
    state.descent += transpose_times(d, r);
  }
  return state;
}

/// Poles after a step in (alpha, beta); a decay rate falls to a tenth at most, so that poles stay where they decay.
Eigen::VectorXcd moved(const Eigen::VectorXcd& poles, const Eigen::VectorXd& step) {
  Eigen::VectorXcd result = poles;
  for (Eigen::Index m = 0; m < poles.size(); ++m) {
    const double alpha = -poles(m).real();
    result(m) = {-std::max(alpha + step(2 * m), 0.1 * alpha), std::abs(poles(m).imag() + step(2 * m + 1))};
  }
  return result;
}

/// Largest step over the decay rates.
double step_size(const Eigen::VectorXcd& poles, const Eigen::VectorXd& step) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < step.size(); ++i) {
    largest = std::max(largest, std::abs(step(i)) / std::abs(poles(i / 2).real()));
  }
  return largest;
}

}  // namespace

Eigen::MatrixXd solve_scaled(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const Eigen::VectorXd scale = a.diagonal().unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 1.0; });
  const Eigen::MatrixXd scaled = scale.asDiagonal() * a * scale.asDiagonal();
  return scale.asDiagonal() * solve_symmetric(scaled, Eigen::MatrixXd(scale.asDiagonal() * b));
}

ModalPolish residues_of(const ModalLines& lines, const Eigen::VectorXcd& poles, const ModalTerms& terms) {
  return evaluate(lines, poles, terms, false).at;
}

ModalPolish polish_modes(const ModalLines& lines, const Eigen::VectorXcd& poles, const ModalTerms& terms,
                         const ModalPolishOptions& options, const std::function<bool()>& carry_on) {
  PolishState state = evaluate(lines, poles, terms, true);
  double damping = 1e-4;
  constexpr double most_damping = 1e12;
  int iteration = 0;
  for (; iteration < options.max_iterations && poles.size() > 0; ++iteration) {
    if (carry_on && !carry_on()) break;
    Eigen::MatrixXd damped = state.information;
    damped.diagonal() *= 1.0 + damping;
    const Eigen::VectorXd step = solve_scaled(damped, state.descent);
    const double size = step_size(state.at.poles, step);
    PolishState next = evaluate(lines, moved(state.at.poles, step), terms, true);
    const bool better = next.at.chi_squared <= state.at.chi_squared;
    if (better) {
      state = std::move(next);
      damping = std::max(0.1 * damping, 1e-12);
    } else {
      damping *= 10.0;
    }
    // A step that rounding alone keeps from being better is as good as none.
    if (size < options.tolerance || (better && state.at.chi_squared == 0.0)) {
      state.at.converged = true;
      break;
    }
    if (damping > most_damping) break;
  }
  state.at.converged = state.at.converged || poles.size() == 0;
  state.at.iterations = iteration;
  return state.at;
}

}  // namespace microslip
