#pragma once
// The equations of a nonlinear mode at one number of harmonics, see nonlinear_mode.hpp. Internal to mode_curve.cpp.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "microslip/joints/law_traits.hpp"
#include "microslip/modal/decay_anchor.hpp"
#include "microslip/modal/joint_decay.hpp"
#include "microslip/modal/mode_lag.hpp"
#include "microslip/modal/nonlinear_mode.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/numerics/harmonic_amplitude.hpp"
#include "microslip/periodic/alternating_transform.hpp"

namespace microslip {

/// The equations at a number of harmonics. y = (U/scale component by component, omega/omega_r, zeta), scale the
/// deflection of the mode at the amplitude: its size hardly changes along a curve.
class ModeBalance {
 public:
  using Complex = std::complex<double>;

  ModeBalance(const System& system, int mode, int harmonics, int samples)
      : system_(&system),
        mode_(mode),
        harmonics_(harmonics),
        series_(series_size(harmonics)),
        components_(system.components()),
        size_(series_ * components_ + 2),
        psi_(system.stuck_modes().shapes.transpose() * system.directions()),
        stiffness_(system.stuck_modes().omega.cwiseAbs2()),
        damping_(system.modal_damping().diagonal()),
        anchor_(system, harmonics) {
    refuse_rigid_friction(system);
    for (const Joint& joint : system.joints()) {
      joints_.emplace_back(joint.law, joint.normal.static_value(), harmonics, samples);
    }
    // A user's law need not tell its energies: the work along the decay does.
    const bool apart = std::any_of(system.joints().begin(), system.joints().end(), [](const Joint& joint) {
      return remembers_decay(joint.law) || is_custom(joint.law);
    });
    for (const Joint& joint : system.joints()) {
      if (apart) decays_.emplace_back(joint.law, joint.normal.static_value(), harmonics, samples);
    }
    tangents_.resize(joints_.size());
    u_.resize(series_ * components_);
    force_ = x_ = u_;
    deflection_ = psi_.row(mode).cwiseAbs().maxCoeff();
    if (!(deflection_ > 0.0)) deflection_ = 1.0;
  }

  [[nodiscard]] int harmonics() const { return harmonics_; }
  [[nodiscard]] int size() const { return size_; }

  /// The stuck mode.
  [[nodiscard]] Eigen::VectorXd linear() const {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(size_);
    for (int c = 0; c < components_; ++c) y(c * series_ + 1) = psi_(mode_, c) / deflection_;
    const double omega = std::sqrt(stiffness_(mode_));
    y(size_ - 2) = 1.0;
    y(size_ - 1) = 0.5 * damping_(mode_) / omega;
    return y;
  }

  /// The same motion with more harmonics.
  [[nodiscard]] Eigen::VectorXd extended(const Eigen::VectorXd& y, int from) const {
    const int old = series_size(from);
    Eigen::VectorXd result = Eigen::VectorXd::Zero(size_);
    for (int c = 0; c < components_; ++c) {
      const int common = std::min(old, series_);
      result.segment(c * series_, common) = y.segment(c * old, common);
    }
    result.tail(2) = y.tail(2);
    return result;
  }

  /// `by_amplitude`: dR/d ln a, for which the Jacobian must be asked too.
  bool residual(const Eigen::VectorXd& y, double log_amplitude, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                Eigen::VectorXd* by_amplitude = nullptr) {
    const double a = std::exp(log_amplitude), scale = a * deflection_;
    set(y, a);
    if (!(omega_ > 0.0) || !forces(jacobian != nullptr)) return false;
    if (by_amplitude != nullptr) set_by_amplitude(a, *by_amplitude);
    r = y;
    if (jacobian != nullptr) {
      jacobian->setIdentity(size_, size_);
      jacobian->bottomRightCorner(2, 2).setZero();
    }
    const double omega_r = std::sqrt(stiffness_(mode_));
    for (int h = 0; h <= harmonics_; ++h) {
      set_compliance(h);
      for (int c = 0; c < components_; ++c) {
        Complex sum = 0.0, by_omega = 0.0, by_zeta = 0.0;
        for (int k = 0; k < components_; ++k) {
          const Complex x = amplitude_of(x_.data() + k * series_, h);
          sum += compliance_(c, k) * x;
          by_omega += compliance_by_omega_(c, k) * x;
          by_zeta += compliance_by_zeta_(c, k) * x;
        }
        sum /= scale;
        if (h == 1) sum -= psi_(mode_, c) / deflection_;
        add_amplitude(sum, h, r.data() + c * series_);
        if (jacobian == nullptr) continue;
        add_amplitude(by_omega * omega_r / scale, h, jacobian->col(size_ - 2).data() + c * series_);
        add_amplitude(by_zeta / scale, h, jacobian->col(size_ - 1).data() + c * series_);
        for (int k = 0; k < components_; ++k) add_product(compliance_(c, k), h, c, k, *jacobian);
      }
    }
    // Mode r, first harmonic, over a omega_r^2.
    const Complex own = dynamic_stiffness(mode_, 1);
    Complex pull = 0.0;
    for (int k = 0; k < components_; ++k) pull += psi_(mode_, k) * amplitude_of(x_.data() + k * series_, 1);
    const double unit = 1.0 / stiffness_(mode_);
    const Complex equation = (own + pull / a) * unit;
    r(size_ - 2) = equation.real();
    r(size_ - 1) = equation.imag();
    if (jacobian == nullptr) return r.allFinite();
    const Complex by_omega = Complex(-2.0 * omega_, damping_(mode_) - 4.0 * zeta_ * omega_) * omega_r * unit;
    const Complex by_zeta = Complex(0.0, -2.0 * omega_ * omega_) * unit;
    (*jacobian)(size_ - 2, size_ - 2) = by_omega.real();
    (*jacobian)(size_ - 1, size_ - 2) = by_omega.imag();
    (*jacobian)(size_ - 2, size_ - 1) = by_zeta.real();
    (*jacobian)(size_ - 1, size_ - 1) = by_zeta.imag();
    for (int k = 0; k < components_; ++k) {
      const Eigen::MatrixXd& tangent = tangents_[static_cast<std::size_t>(k)];
      const double weight = psi_(mode_, k) * deflection_ * unit;  // dU = scale dy
      jacobian->block(size_ - 2, k * series_, 1, series_) += weight * tangent.row(1);
      jacobian->block(size_ - 1, k * series_, 1, series_) -= weight * tangent.row(2);
    }
    return r.allFinite() && jacobian->allFinite();
  }

  /// With U = a d y, X/a changes by (dX/dU U - X)/a: the part of X in R, of that.
  void set_by_amplitude(double a, Eigen::VectorXd& result) {
    Eigen::VectorXd change(x_.size());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const auto at = static_cast<Eigen::Index>(j) * series_;
      change.segment(at, series_) = tangents_[j] * u_.segment(at, series_) - x_.segment(at, series_);
    }
    result.setZero(size_);
    for (int h = 0; h <= harmonics_; ++h) {
      set_compliance(h);
      for (int c = 0; c < components_; ++c) {
        Complex sum = 0.0;
        for (int k = 0; k < components_; ++k) sum += compliance_(c, k) * amplitude_of(change.data() + k * series_, h);
        add_amplitude(sum / (a * deflection_), h, result.data() + c * series_);
      }
    }
    Complex pull = 0.0;
    for (int k = 0; k < components_; ++k) pull += psi_(mode_, k) * amplitude_of(change.data() + k * series_, 1);
    pull /= a * stiffness_(mode_);
    result(size_ - 2) = pull.real();
    result(size_ - 1) = pull.imag();
  }

  [[nodiscard]] static double relative_size(const Eigen::VectorXd& r) { return r.norm(); }

  struct Truncation {
    double size = 0.0;
    int component = 0;  ///< with the largest
  };
  /// Deflections of harmonics up to 2 H + 1 that the forces would cause, relative: `finer` has so many.
  [[nodiscard]] Truncation truncation(ModeBalance& finer, const Eigen::VectorXd& y, double log_amplitude) const {
    const Eigen::VectorXd padded = finer.extended(y, harmonics_);
    Eigen::VectorXd r;
    if (!finer.residual(padded, log_amplitude, r, nullptr)) return {1.0, 0};
    Eigen::VectorXd left(components_);
    for (int c = 0; c < components_; ++c) {
      left(c) = r.segment(c * finer.series_ + series_, finer.series_ - series_).norm();
    }
    Truncation result;
    left.maxCoeff(&result.component);
    result.size = left.norm() / std::max(y.head(size_ - 2).norm(), 1e-300);
    return result;
  }

  [[nodiscard]] NonlinearModePoint point(const Eigen::VectorXd& y, double log_amplitude) {
    NonlinearModePoint result;
    const double a = std::exp(log_amplitude);
    set(y, a);
    forces(false);
    const Eigen::Index modes = stiffness_.size();
    result.amplitude = a;
    result.omega = omega_;
    result.zeta_secant = zeta_;
    result.harmonics = harmonics_;
    result.modal = Eigen::MatrixXcd::Zero(modes, harmonics_ + 1);
    double largest = 0.0;
    for (int h = 0; h <= harmonics_; ++h) {
      for (Eigen::Index s = 0; s < modes; ++s) {
        if (h == 0 && stiffness_(s) == 0.0) continue;
        Complex pull = 0.0;
        for (int k = 0; k < components_; ++k) pull += psi_(s, k) * amplitude_of(x_.data() + k * series_, h);
        const bool own = s == mode_ && h == 1;
        result.modal(s, h) = own ? Complex(a, 0.0) : -pull / dynamic_stiffness(s, h);
        if (s != mode_) largest = std::max(largest, std::abs(result.modal(s, h)));
      }
    }
    result.coupling = largest / a;
    result.q = half_range_of_mode(result);
    for (int c = 0; c < components_; ++c) {
      result.dissipation += work_per_period(force_.data() + c * series_, u_.data() + c * series_, harmonics_);
    }
    result.energy = energy_of_structure(result, false);
    if (decays_.empty()) {
      if (!anchor_.is_set()) result.energy += anchor_.stored_energy(u_);
    } else {
      result.energy = 0.5 * (result.energy + energy_of_structure(result, true));
    }
    return result;
  }

  /// A joint does not obey the Masing rules: point() leaves the energy of the joints out, and has the mean of both
  /// turning points.
  [[nodiscard]] bool follows_decay() const { return !decays_.empty(); }

  /// From now on the motions beside this one are those of its decay, and point() leaves the energy of the joints out.
  /// False: they are what they were.
  bool begin_decay(const Eigen::VectorXd& y, double log_amplitude) { return anchor_.set(motion(y, log_amplitude)); }
  void end_decay() { anchor_.clear(); }

  /// dE/d ln a of Masing elements and springs as the motion decays.
  [[nodiscard]] double rise_of_joints(const Eigen::VectorXd& motion, const Eigen::VectorXd& by_log_amplitude) {
    constexpr double step = 1e-6;  // of ln a
    const Eigen::VectorXd later = motion - step * by_log_amplitude;
    return (anchor_.stored_energy(motion) - anchor_.stored_energy(motion, &later)) / step;
  }

  /// The deflections.
  [[nodiscard]] Eigen::VectorXd motion(const Eigen::VectorXd& y, double log_amplitude) const {
    return y.head(size_ - 2) * (std::exp(log_amplitude) * deflection_);
  }

  /// Largest mean deflection of a joint over half of its range.
  [[nodiscard]] double unevenness(const Eigen::VectorXd& motion) const {
    double largest = 0.0;
    SeriesScanner scanner(harmonics_);
    for (int c = 0; c < components_; ++c) {
      const double* series = motion.data() + c * series_;
      const double half_range = scanner.half_range(series).value;
      if (half_range > 0.0) largest = std::max(largest, std::abs(series[0]) / half_range);
    }
    return largest;
  }

  /// `point` at the amplitude; `by_log_amplitude`: derivative of its motion; `rise`: dE/d ln a, E of the structure;
  /// `power`: d ln d/d ln a, about.
  [[nodiscard]] Decay decay(const NonlinearModePoint& point, const Eigen::VectorXd& motion,
                            const Eigen::VectorXd& by_log_amplitude, double rise, double power) {
    for (std::size_t j = 0; j < decays_.size(); ++j) {
      const auto at = static_cast<Eigen::Index>(j) * series_;
      decays_[j].follow(motion.data() + at, by_log_amplitude.data() + at, point.omega);
    }
    return find_decay(decays_, {rise, viscous_loss(point)}, {point.zeta_secant, power});
  }

  [[nodiscard]] ModeLag lag(const NonlinearModePoint& point, const Eigen::MatrixXcd& by_log_amplitude) const {
    return largest_lag(point, by_log_amplitude, {mode_, stiffness_, damping_});
  }

  /// Lost to the linear damping in a period.
  [[nodiscard]] double viscous_loss(const NonlinearModePoint& point) const {
    double sum = 0.0;
    for (Eigen::Index s = 0; s < point.modal.rows(); ++s) {
      for (int h = 1; h <= harmonics_; ++h) sum += damping_(s) * h * h * std::norm(point.modal(s, h));
    }
    return pi * point.omega * sum;
  }

 private:
  void set(const Eigen::VectorXd& y, double a) {
    u_ = y.head(size_ - 2) * (a * deflection_);
    omega_ = y(size_ - 2) * std::sqrt(stiffness_(mode_));
    zeta_ = y(size_ - 1);
  }

  bool forces(bool with_tangents) {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const auto at = static_cast<Eigen::Index>(j) * series_;
      if (!joints_[j].evaluate(u_.data() + at, omega_, force_.data() + at, with_tangents ? &tangents_[j] : nullptr)) {
        return false;
      }
      if (anchor_.is_set()) {
        anchor_.add(j, u_.data() + at, force_.data() + at, with_tangents ? &tangents_[j] : nullptr);
      }
      const auto c = static_cast<Eigen::Index>(j);
      const double k = system_->stuck_joint_stiffness()(c, c);
      x_.segment(at, series_) = force_.segment(at, series_) - k * u_.segment(at, series_);
      if (with_tangents) tangents_[j].diagonal().array() -= k;
    }
    return true;
  }

  [[nodiscard]] Complex dynamic_stiffness(Eigen::Index s, int h) const {
    const double w = h * omega_;
    return {stiffness_(s) - w * w, w * (damping_(s) - 2.0 * zeta_ * omega_)};
  }

  /// D_h with its derivatives.
  void set_compliance(int h) {
    compliance_.setZero(components_, components_);
    compliance_by_omega_ = compliance_by_zeta_ = compliance_;
    for (Eigen::Index s = 0; s < stiffness_.size(); ++s) {
      if ((s == mode_ && h == 1) || (h == 0 && stiffness_(s) == 0.0)) continue;
      const Complex inverse = 1.0 / dynamic_stiffness(s, h);
      const Complex by_omega(-2.0 * h * h * omega_, h * (damping_(s) - 4.0 * zeta_ * omega_));
      const Complex by_zeta(0.0, -2.0 * h * omega_ * omega_);
      for (int c = 0; c < components_; ++c) {
        for (int k = 0; k < components_; ++k) {
          const double weight = psi_(s, c) * psi_(s, k);
          compliance_(c, k) += weight * inverse;
          compliance_by_omega_(c, k) -= weight * inverse * inverse * by_omega;
          compliance_by_zeta_(c, k) -= weight * inverse * inverse * by_zeta;
        }
      }
    }
  }

  /// Rows of harmonic h, component c += D(c, k) dX_k/dU_k.
  void add_product(Complex d, int h, int c, int k, Eigen::MatrixXd& jacobian) const {
    const Eigen::MatrixXd& tangent = tangents_[static_cast<std::size_t>(k)];
    auto columns = jacobian.middleCols(k * series_, series_);
    if (h == 0) {
      columns.row(c * series_) += d.real() * tangent.row(0);
      return;
    }
    const int a = 2 * h - 1, b = 2 * h;  // (Dr + i Di)(Xa - i Xb)
    columns.row(c * series_ + a) += d.real() * tangent.row(a) + d.imag() * tangent.row(b);
    columns.row(c * series_ + b) += d.real() * tangent.row(b) - d.imag() * tangent.row(a);
  }

  [[nodiscard]] double half_range_of_mode(const NonlinearModePoint& point) const {
    std::vector<double> series(static_cast<std::size_t>(series_), 0.0);
    for (int h = 0; h <= harmonics_; ++h) add_amplitude(point.modal(mode_, h), h, series.data());
    return SeriesScanner(harmonics_).half_range(series.data()).value;
  }

  /// At tau = 0 or pi: kinetic, and elastic without the joints.
  [[nodiscard]] double energy_of_structure(const NonlinearModePoint& point, bool at_pi) const {
    double sum = 0.0;
    for (Eigen::Index s = 0; s < point.modal.rows(); ++s) {
      double eta = 0.0, rate = 0.0;
      for (int h = 0; h <= harmonics_; ++h) {
        const double sign = at_pi && h % 2 == 1 ? -1.0 : 1.0;
        eta += sign * point.modal(s, h).real();
        rate -= sign * h * point.omega * point.modal(s, h).imag();
      }
      sum += 0.5 * (stiffness_(s) * eta * eta + rate * rate);
    }
    for (int c = 0; c < components_; ++c) {
      const double u = series_at(u_.data() + c * series_, harmonics_, at_pi ? pi : 0.0).value;
      sum -= 0.5 * system_->stuck_joint_stiffness()(c, c) * u * u;
    }
    return sum;
  }

  const System* system_;
  int mode_, harmonics_, series_, components_, size_;
  Eigen::MatrixXd psi_;  ///< modes x components
  Eigen::VectorXd stiffness_, damping_;
  std::vector<AlternatingTransform> joints_;
  DecayAnchor anchor_;
  std::vector<JointDecay> decays_;         ///< of all joints, if one does not obey the Masing rules; else none
  std::vector<Eigen::MatrixXd> tangents_;  ///< dX/dU
  Eigen::VectorXd u_, force_, x_;
  double deflection_ = 1.0, omega_ = 0.0, zeta_ = 0.0;
  Eigen::MatrixXcd compliance_, compliance_by_omega_, compliance_by_zeta_;
};

}  // namespace microslip
