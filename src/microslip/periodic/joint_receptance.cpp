#include "microslip/periodic/joint_receptance.hpp"

#include <cmath>
#include <stdexcept>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

constexpr double detuning = 1e-8;         ///< of a stiffness; what it changes and what cancels are alike, 1e-8
constexpr double nearly_singular = 1e-5;  ///< of the diagonal: from there on Woodbury's difference loses digits

}  // namespace

HarmonicLoad harmonic_load(const System& system, std::span<const Load> loads) {
  HarmonicLoad result;
  result.force = Eigen::VectorXcd::Zero(system.size());
  bool has_sine = false;
  double first_phase = 0.0;
  for (const Load& load : loads) {
    if (const auto* sine = std::get_if<Sine>(&load.signal.kind())) {
      if (!has_sine) first_phase = sine->phase;
      has_sine = true;
      const Complex amplitude = sine->amplitude * std::exp(i_unit * (sine->phase - first_phase));
      if (load.base) {
        if (result.ground.size() == 0) result.ground = Eigen::VectorXcd::Zero(system.size());
        result.ground += amplitude * system.structure().made_consistent(load.direction).cast<Complex>();
      } else {
        result.force += amplitude * load.direction.cast<Complex>();
      }
    } else if (const auto* constant = std::get_if<Constant>(&load.signal.kind())) {
      if (load.base) {
        throw std::invalid_argument("load \"" + load.name + "\": a constant displacement of the ground moves nothing");
      }
      if (result.constant.size() == 0) result.constant = Eigen::VectorXd::Zero(system.size());
      result.constant += constant->amplitude * load.direction;
    } else if (std::holds_alternative<Fourier>(load.signal.kind())) {
      throw std::invalid_argument("load \"" + load.name +
                                  "\": a signal of kind fourier needs method = \"piecewise_linear\"; harmonic balance "
                                  "and shooting take sine and constant");
    } else {
      throw std::invalid_argument("load \"" + load.name +
                                  "\": a periodic response needs signals of kind sine or constant");
    }
  }
  if (!has_sine) throw std::invalid_argument("a periodic response needs a load with a signal of kind sine");
  return result;
}

void require_mean_position(const System& system, const HarmonicLoad& load) {
  std::vector<bool> idle;  // joints that never have a force
  for (const Joint& joint : system.joints()) {
    const int first = static_cast<int>(idle.size());
    idle.insert(idle.end(), static_cast<std::size_t>(joint.directions.cols()),
                is_straight(joint.law) && system.stuck_joint_stiffness()(first, first) == 0.0);
  }
  const Modes& modes = system.stuck_modes();
  for (Eigen::Index r = 0; r < modes.rigid; ++r) {
    const auto shape = modes.shapes.col(r);
    const double scale = shape.cwiseAbs().maxCoeff();
    for (int c = 0; c < system.components(); ++c) {
      const auto direction = system.directions().col(c);
      if (!idle[static_cast<std::size_t>(c)] &&
          std::abs(shape.dot(direction)) > 1e-8 * scale * direction.cwiseAbs().sum()) {
        throw std::invalid_argument(
            "joint \"" + system.component_name(c) + "\" moves rigid mode " + std::to_string(r + 1) +
            ": nothing says where its mean position is; hold the structure by a spring, however soft");
      }
    }
    if (load.constant.size() > 0 &&
        std::abs(shape.dot(load.constant)) > 1e-8 * scale * load.constant.cwiseAbs().sum()) {
      throw std::invalid_argument("a constant load moves rigid mode " + std::to_string(r + 1) +
                                  ": it has no periodic motion");
    }
  }
}

JointReceptance::JointReceptance(const System& system, HarmonicLoad load, int harmonics)
    : system_(&system), load_(std::move(load)), harmonics_(harmonics) {
  require_mean_position(system, load_);
  const Modes& modes = system.stuck_modes();
  const Eigen::Index count = modes.omega.size();
  const Eigen::Index m = system.components();
  omega0_squared_ = modes.omega.cwiseAbs2();
  damping_diagonal_ = system.modal_damping().diagonal();
  joints_ = transpose_times(modes.shapes, system.directions());
  joint_ends_ = Eigen::MatrixXd::Zero(count, m);
  for (Eigen::Index c = 0; c < m; ++c) {
    for (Eigen::Index i = 0; i < system.size(); ++i) {
      const double part = std::abs(system.directions()(i, c));
      if (part > 0.0) joint_ends_.col(c) += part * modes.shapes.row(i).transpose().cwiseAbs();
    }
  }
  modal_force_ = transpose_times(modes.shapes, load_.force);
  if (load_.ground.size() > 0) {
    modal_ground_ = transpose_times(system.structure().mass() * modes.shapes, load_.ground);  // M is symmetric
  }
  modal_constant_ = Eigen::VectorXd::Zero(count);
  if (load_.constant.size() > 0) modal_constant_ = transpose_times(modes.shapes, load_.constant);

  const auto& dampers = system.structure().dampers();
  const bool joint_terms = system.joint_damping().cwiseAbs().maxCoeff() > 0.0;
  if (!system.modal_damping_is_diagonal()) {
    damping_ = Damping::full;
  } else if (!dampers.empty() || (m > 0 && joint_terms)) {
    damping_ = Damping::low_rank;
  }
  if (damping_ != Damping::diagonal) {
    const auto extra = static_cast<Eigen::Index>(dampers.size());
    Eigen::MatrixXd terms(count, m + extra), coefficients = Eigen::MatrixXd::Zero(m + extra, m + extra);
    terms.leftCols(m) = joints_;
    coefficients.topLeftCorner(m, m) = system.joint_damping();
    for (Eigen::Index k = 0; k < extra; ++k) {
      terms.col(m + k) = transpose_times(modes.shapes, dampers[static_cast<std::size_t>(k)].direction);
      coefficients(m + k, m + k) = dampers[static_cast<std::size_t>(k)].coefficient;
    }
    terms_ = terms.cast<Complex>();
    term_damping_ = coefficients.cast<Complex>();
    full_damping_ = (system.modal_damping() + congruent(coefficients, terms.transpose())).cast<Complex>();
  } else {
    pairs_.resize(m * (m + 1) / 2, count);
    for (Eigen::Index c = 0, row = 0; c < m; ++c) {
      for (Eigen::Index k = 0; k <= c; ++k, ++row) pairs_.row(row) = joints_.col(c).cwiseProduct(joints_.col(k));
    }
    columns_.resize(count, 4 * (harmonics + 1));
    products_.resize(pairs_.rows(), columns_.cols());
  }
  const auto all = static_cast<std::size_t>(harmonics) + 1;
  inverse_.assign(all, Eigen::VectorXcd::Zero(count));
  factors_.resize(damping_ == Damping::diagonal ? 0 : all);
  direct_.assign(all, damping_ == Damping::full);
  compliance_.assign(all, Eigen::MatrixXcd::Zero(m, m));
  compliance_slope_ = compliance_;
  loaded_ = loaded_slope_ = Eigen::VectorXcd::Zero(m);

  Eigen::VectorXd flexibility = Eigen::VectorXd::Zero(count);
  for (Eigen::Index r = modes.rigid; r < count; ++r) flexibility(r) = 1.0 / omega0_squared_(r);
  static_ = transpose_times(joints_, Eigen::VectorXd(flexibility.cwiseProduct(modal_constant_)));
  inverse_[0] = flexibility.cast<Complex>();
  compliance_[0] = transpose_times(joints_, Eigen::MatrixXd(flexibility.asDiagonal() * joints_)).cast<Complex>();
}

void JointReceptance::set_diagonal(int h) {
  const double s = h * omega_;
  for (Eigen::Index r = 0; r < omega0_squared_.size(); ++r) {
    double real = omega0_squared_(r) - s * s;
    const double imaginary = s * damping_diagonal_(r);
    if (std::hypot(real, imaginary) < detuning * s * s) real = detuning * s * s;
    const double size = 1.0 / (real * real + imaginary * imaginary);
    inverse_[static_cast<std::size_t>(h)](r) = {real * size, -imaginary * size};
  }
}

void JointReceptance::set_direct(int h) {
  constexpr double rounding = 1e-14;
  const auto at = static_cast<std::size_t>(h);
  const double s = h * omega_;
  Eigen::MatrixXcd matrix = i_unit * s * full_damping_;
  matrix.diagonal() += (omega0_squared_.array() - s * s).matrix().cast<Complex>();
  factors_[at].compute(matrix);
  if (!(factors_[at].smallest_pivot() > rounding * s * s)) {
    matrix.diagonal().array() += detuning * s * s;
    factors_[at].compute(matrix);
  }
}

void JointReceptance::set_low_rank(int h) {
  const auto at = static_cast<std::size_t>(h);
  const double s = h * omega_;
  direct_[at] = nearly_singular * s * s * inverse_[at].cwiseAbs().maxCoeff() > 1.0;
  if (direct_[at]) {
    set_direct(h);
    return;
  }
  Eigen::MatrixXcd matrix = times(term_damping_, transpose_times(terms_, inverse_[at].asDiagonal() * terms_));
  matrix *= i_unit * s;
  matrix.diagonal().array() += 1.0;
  factors_[at].compute(matrix);
}

void JointReceptance::set_omega(double omega) {
  omega_ = omega;
  const Eigen::Index m = joints_.cols();
  for (int h = 1; h <= harmonics_; ++h) {
    set_diagonal(h);
    if (damping_ == Damping::low_rank) set_low_rank(h);
    if (damping_ == Damping::full) set_direct(h);
  }
  if (damping_ == Damping::diagonal) {
    // Slope of g = 1/(w^2 - s^2 + i s c): h (2 s - i c) g^2.
    for (int h = 1; h <= harmonics_; ++h) {
      const auto& g = inverse_[static_cast<std::size_t>(h)];
      for (Eigen::Index r = 0; r < g.size(); ++r) {
        const Complex slope = static_cast<double>(h) * Complex(2.0 * h * omega, -damping_diagonal_(r)) * g(r) * g(r);
        columns_(r, 4 * h) = g(r).real();
        columns_(r, 4 * h + 1) = g(r).imag();
        columns_(r, 4 * h + 2) = slope.real();
        columns_(r, 4 * h + 3) = slope.imag();
      }
    }
    products_.rightCols(4 * harmonics_).noalias() = pairs_ * columns_.rightCols(4 * harmonics_);
    for (int h = 1; h <= harmonics_; ++h) {
      const auto at = static_cast<std::size_t>(h);
      for (Eigen::Index c = 0, row = 0; c < m; ++c) {
        for (Eigen::Index k = 0; k <= c; ++k, ++row) {
          compliance_[at](c, k) = compliance_[at](k, c) = {products_(row, 4 * h), products_(row, 4 * h + 1)};
          compliance_slope_[at](c, k) =
              compliance_slope_[at](k, c) = {products_(row, 4 * h + 2), products_(row, 4 * h + 3)};
        }
      }
    }
  } else {
    const Eigen::MatrixXcd joints = joints_.cast<Complex>();
    for (int h = 1; h <= harmonics_; ++h) {
      const auto at = static_cast<std::size_t>(h);
      const Eigen::MatrixXcd solved = solve(h, joints);
      compliance_[at] = transpose_times(joints, solved);
      compliance_slope_[at] = -transpose_times(solved, slope_times(h, solved));  // the matrix is symmetric
    }
  }
  const Eigen::VectorXcd alone = solve(1, load_of(1, 1.0));
  loaded_ = transpose_times(joints_, alone);
  const Eigen::VectorXcd change = solve(1, load_slope_of(1) - slope_times(1, alone));
  loaded_slope_ = transpose_times(joints_, change);
  keep_at_rest(alone);
}

void JointReceptance::keep_at_rest(const Eigen::VectorXcd& alone) {
  constexpr double rounding = 1e-13;  // of what the ends of a joint move, 450 epsilon
  const Eigen::VectorXd ends = transpose_times(joint_ends_, Eigen::VectorXd(alone.cwiseAbs()));
  for (Eigen::Index c = 0; c < loaded_.size(); ++c) {
    if (std::abs(loaded_(c)) <= rounding * ends(c)) loaded_(c) = loaded_slope_(c) = 0.0;
  }
}

Eigen::VectorXcd JointReceptance::load_of(int h, double level) const {
  if (h == 0) return modal_constant_.cast<Complex>();
  if (h > 1) return Eigen::VectorXcd::Zero(modal_force_.size());
  if (modal_ground_.size() == 0) return level * modal_force_;
  return level * (modal_force_ + Complex(omega_ * omega_, -omega_ * system_->absolute_mass_damping()) * modal_ground_);
}

Eigen::VectorXcd JointReceptance::load_slope_of(int h) const {
  if (h != 1 || modal_ground_.size() == 0) return Eigen::VectorXcd::Zero(modal_force_.size());
  return Complex(2.0 * omega_, -system_->absolute_mass_damping()) * modal_ground_;
}

Eigen::MatrixXcd JointReceptance::solve(int h, const Eigen::MatrixXcd& columns) const {
  const auto at = static_cast<std::size_t>(h);
  if (h > 0 && direct_[at]) return factors_[at].solve(columns);
  Eigen::MatrixXcd result = inverse_[at].asDiagonal() * columns;
  if (h > 0 && damping_ == Damping::low_rank) {
    Eigen::MatrixXcd rates = times(term_damping_, transpose_times(terms_, result));
    rates *= i_unit * (h * omega_);
    result -= inverse_[at].asDiagonal() * times(terms_, factors_[at].solve(rates));
  }
  return result;
}

Eigen::MatrixXcd JointReceptance::slope_times(int h, const Eigen::MatrixXcd& columns) const {
  Eigen::MatrixXcd result = -2.0 * h * h * omega_ * columns;
  if (damping_ == Damping::full) {
    result += i_unit * static_cast<double>(h) * times(system_->modal_damping().cast<Complex>(), columns);
  } else {
    result += i_unit * static_cast<double>(h) * (damping_diagonal_.cast<Complex>().asDiagonal() * columns);
  }
  if (damping_ != Damping::diagonal) {
    result += i_unit * static_cast<double>(h) * times(terms_, times(term_damping_, transpose_times(terms_, columns)));
  }
  return result;
}

Eigen::VectorXcd JointReceptance::modal(int h, const Eigen::VectorXcd& x, double level) const {
  Eigen::VectorXcd force = load_of(h, level);
  for (Eigen::Index c = 0; c < joints_.cols(); ++c) {
    for (Eigen::Index r = 0; r < joints_.rows(); ++r) force(r) -= joints_(r, c) * x(c);
  }
  return solve(h, force);
}

Eigen::VectorXcd JointReceptance::modal_change(int h, const Eigen::VectorXcd& x, double level,
                                               const Eigen::VectorXcd& x_change, double omega_change,
                                               double level_change) const {
  Eigen::VectorXcd right = -times(joints_, x_change);
  if (h > 0) {
    right += level_change * load_of(h, 1.0);
    right += omega_change * (level * load_slope_of(h) - slope_times(h, modal(h, x, level)));
  }
  return solve(h, right);
}

Eigen::VectorXcd JointReceptance::displacement(int h, const Eigen::VectorXcd& modal, const std::vector<int>& dofs,
                                               double level) const {
  Eigen::VectorXcd result(static_cast<Eigen::Index>(dofs.size()));
  const Eigen::MatrixXd& shapes = system_->stuck_modes().shapes;
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    Complex sum = shapes.row(dofs[k]).cast<Complex>() * modal;
    if (h == 1 && load_.ground.size() > 0) sum += level * load_.ground(dofs[k]);
    result(static_cast<Eigen::Index>(k)) = sum;
  }
  return result;
}

}  // namespace microslip
