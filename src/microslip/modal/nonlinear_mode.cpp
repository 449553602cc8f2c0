#include "microslip/modal/nonlinear_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <stdexcept>

#include "microslip/joints/law_traits.hpp"
#include "microslip/modal/decay_anchor.hpp"
#include "microslip/modal/joint_decay.hpp"
#include "microslip/modal/mode_lag.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/continuation.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/numerics/harmonic_amplitude.hpp"
#include "microslip/periodic/alternating_transform.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;
constexpr int first_harmonics = 5;
constexpr double energy_step = 1e-3;    ///< of ln a, for dE/dq
constexpr double farthest_mean = 0.02;  ///< of the energy in a decay that is followed
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// The equations at a number of harmonics. y = (U/scale component by component, omega/omega_r, zeta), scale the
/// deflection of the mode at the amplitude: its size hardly changes along a curve.
class ModeBalance {
 public:
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

  bool residual(const Eigen::VectorXd& y, double log_amplitude, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian) {
    const double a = std::exp(log_amplitude), scale = a * deflection_;
    set(y, a);
    if (!(omega_ > 0.0) || !forces(jacobian != nullptr)) return false;
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

  [[nodiscard]] static double relative_size(const Eigen::VectorXd& r) { return r.norm(); }

  /// Deflections of harmonics up to 2 H + 1 that the forces would cause, relative: `finer` has so many.
  [[nodiscard]] double truncation(ModeBalance& finer, const Eigen::VectorXd& y, double log_amplitude) const {
    const Eigen::VectorXd padded = finer.extended(y, harmonics_);
    Eigen::VectorXd r;
    if (!finer.residual(padded, log_amplitude, r, nullptr)) return 1.0;
    double left = 0.0;
    for (int c = 0; c < components_; ++c) {
      left += r.segment(c * finer.series_ + series_, finer.series_ - series_).squaredNorm();
    }
    return std::sqrt(left) / std::max(y.head(size_ - 2).norm(), 1e-300);
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

class ModeCurve {
 public:
  ModeCurve(const System& system, int mode, const NonlinearModeOptions& options)
      : system_(&system), mode_(mode), options_(&options) {
    rebuild(options.harmonics > 0 ? options.harmonics : first_harmonics);
  }

  /// From the point before to this amplitude, in halves where Newton does not get there at once.
  bool go_to(double log_amplitude, int& iterations) {
    constexpr int most_halvings = 10;
    if (y_.size() == 0) {  // the first point
      const Eigen::VectorXd start = balance_->linear();
      const bool found = solve(start, log_amplitude, iterations);
      before_.resize(0);
      return found;
    }
    int halvings = 0;
    while (at_ != log_amplitude) {
      const double step = std::ldexp(log_amplitude - at_, -halvings);
      const double to = halvings == 0 ? log_amplitude : at_ + step;
      Eigen::VectorXd guess = y_;
      if (before_.size() == y_.size()) guess += (y_ - before_) * ((to - at_) / (at_ - before_at_));
      if (!solve(guess, to, iterations)) {
        if (++halvings > most_halvings) return false;
        continue;
      }
      if (halvings > 0) --halvings;
    }
    return true;
  }

  /// More harmonics at the present point if it needs them; false: it does not converge with them.
  bool refine(int& iterations) {
    while (true) {
      truncation_ = balance_->truncation(*finer_, y_, at_);
      const int harmonics = balance_->harmonics();
      if (options_->harmonics > 0 || truncation_ <= options_->tolerance || harmonics >= options_->max_harmonics) {
        return true;
      }
      rebuild(std::min(options_->max_harmonics, harmonics + std::max(2, harmonics / 2)));
      y_ = balance_->extended(y_, harmonics);
      before_.resize(0);
      const double at = at_;
      if (!solve(y_, at, iterations)) return false;
    }
  }

  NonlinearModePoint point() {
    NonlinearModePoint result = balance_->point(y_, at_);
    result.truncation = truncation_;
    NonlinearModePoint beside[2];
    Eigen::VectorXd motion[2];
    const bool own_decay = balance_->begin_decay(y_, at_);
    bool found = true;
    for (const int side : {0, 1}) {
      const double at = at_ + (side == 0 ? -energy_step : energy_step);
      Eigen::VectorXd y = y_;
      found = found && newton(y, at).converged;
      beside[side] = balance_->point(y, at);
      motion[side] = balance_->motion(y, at);
    }
    balance_->end_decay();
    const double growth = std::log(beside[1].q / beside[0].q);
    const Eigen::VectorXd derivative = (motion[1] - motion[0]) / (2.0 * energy_step);
    const Eigen::MatrixXcd modal_derivative = (beside[1].modal - beside[0].modal) / (2.0 * energy_step);
    result.zeta = no_number;
    if (balance_->follows_decay()) {
      const double rise = (beside[1].energy - beside[0].energy) / (2.0 * energy_step);
      const double before = beside[0].zeta_secant, after = beside[1].zeta_secant;
      const double power = before > 0.0 && after > 0.0 ? std::log(after / before) / (2.0 * energy_step) : 0.0;
      auto decay =
          found ? balance_->decay(result, balance_->motion(y_, at_), derivative, rise, std::clamp(power, -2.0, 2.0))
                : Decay();
      // The energy of the structure goes with e^(2 s), but for that of the mean deflection, with e^s: wrong by that
      // much.
      if (pi * decay.rate * balance_->unevenness(balance_->motion(y_, at_)) > farthest_mean) decay.rate = no_number;
      result.zeta = decay.rate * growth / (2.0 * energy_step);
      result.energy = std::isfinite(decay.rate) ? result.energy + decay.stored : no_number;
      if (std::isfinite(result.zeta)) result.lag = balance_->lag(result, modal_derivative);
      return result;
    }
    double rise = beside[1].energy - beside[0].energy;
    if (own_decay && found) rise += 2.0 * energy_step * balance_->rise_of_joints(balance_->motion(y_, at_), derivative);
    const double lost = result.dissipation + balance_->viscous_loss(result);
    if (found && rise > 0.0) result.zeta = lost / (2.0 * pi * rise / growth);
    if (lost == 0.0) result.zeta = 0.0;
    if (std::isfinite(result.zeta)) result.lag = balance_->lag(result, modal_derivative);
    return result;
  }

 private:
  void rebuild(int harmonics) {
    const auto samples = [&](int h) { return std::max(options_->samples > 0 ? options_->samples : 64, 8 * h); };
    balance_ = std::make_unique<ModeBalance>(*system_, mode_, harmonics, samples(harmonics));
    finer_ = std::make_unique<ModeBalance>(*system_, mode_, 2 * harmonics + 1, samples(2 * harmonics + 1));
  }

  SolveOutcome newton(Eigen::VectorXd& y, double log_amplitude) {
    const Residual residual = [this](const Eigen::VectorXd& at, double lambda, Eigen::VectorXd& r,
                                     Eigen::MatrixXd* jacobian,
                                     Eigen::VectorXd*) { return balance_->residual(at, lambda, r, jacobian); };
    const RelativeSize size = [](const Eigen::VectorXd& r, const Eigen::VectorXd&) {
      return ModeBalance::relative_size(r);
    };
    return solve_at(residual, size, y, log_amplitude, 1e-8, options_->max_iterations);
  }

  bool solve(Eigen::VectorXd guess, double log_amplitude, int& iterations) {
    const SolveOutcome outcome = newton(guess, log_amplitude);
    iterations += outcome.iterations;
    if (!outcome.converged) return false;
    if (at_ != log_amplitude) {
      before_ = y_;
      before_at_ = at_;
    }
    y_ = std::move(guess);
    at_ = log_amplitude;
    return true;
  }

  const System* system_;
  int mode_;
  const NonlinearModeOptions* options_;
  std::unique_ptr<ModeBalance> balance_, finer_;
  Eigen::VectorXd y_, before_;
  double at_ = 0.0, before_at_ = 0.0, truncation_ = 0.0;
};

/// Without joints every amplitude has the stuck mode itself: omega_0, zeta_0, energy omega_0^2 a^2/2.
NonlinearModePoint linear_point(const System& system, int mode, double amplitude) {
  const double omega = system.stuck_modes().omega(mode);
  NonlinearModePoint point;
  point.amplitude = point.q = amplitude;
  point.omega = omega;
  point.zeta = point.zeta_secant = system.damping_ratios()(mode);
  point.energy = 0.5 * omega * omega * amplitude * amplitude;
  point.harmonics = 1;
  point.modal = Eigen::MatrixXcd::Zero(system.stuck_modes().omega.size(), 2);
  point.modal(mode, 1) = amplitude;
  return point;
}

}  // namespace

void check_nonlinear_mode(const System& system, int mode, const std::vector<double>& amplitudes) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument("nonlinear mode: " + what);
  };
  const Modes& modes = system.stuck_modes();
  const auto count = static_cast<int>(modes.omega.size());
  require(mode >= 0 && mode < count, fmt::format("there are modes 1 to {}, not {}", count, mode + 1));
  require(mode >= modes.rigid, fmt::format("mode {} is a rigid motion", mode + 1));
  require(
      system.modal_damping_is_diagonal() && system.structure().dampers().empty() && system.joint_damping().isZero(0.0),
      "the damping must be modal: one ratio a stuck mode");
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const Joint& joint = system.joints()[j];
    require(joint.directions.cols() == 1, "joint \"" + joint.name + "\" has several components");
    for (Eigen::Index r = 0; r < modes.rigid; ++r) {
      const double moved = std::abs(modes.shapes.col(r).dot(joint.directions.col(0)));
      require(moved <= 1e-8 * modes.shapes.col(r).cwiseAbs().maxCoeff() * joint.directions.cwiseAbs().sum(),
              "joint \"" + joint.name + "\" moves a rigid mode");
    }
  }
  require(!amplitudes.empty() && amplitudes.front() > 0.0, "amplitudes must be > 0");
  for (std::size_t i = 1; i < amplitudes.size(); ++i) {
    require(amplitudes[i] > amplitudes[i - 1], "amplitudes must grow");
  }
}

NonlinearModeCurve nonlinear_mode(const System& system, int mode, const std::vector<double>& amplitudes,
                                  const NonlinearModeOptions& options, const Observer& observer) {
  check_nonlinear_mode(system, mode, amplitudes);
  NonlinearModeCurve curve;
  curve.mode = mode;
  if (system.components() == 0) {
    for (const double amplitude : amplitudes) curve.points.push_back(linear_point(system, mode, amplitude));
    return curve;
  }
  ModeCurve walk(system, mode, options);
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    if (observer && !observer(static_cast<double>(i) / static_cast<double>(amplitudes.size()))) {
      curve.ending = Ending::interrupted;
      curve.message = "interrupted";
      return curve;
    }
    int iterations = 0;
    if (!walk.go_to(std::log(amplitudes[i]), iterations) || !walk.refine(iterations)) {
      curve.ending = Ending::no_convergence;
      curve.message = fmt::format("mode {}: no motion found at amplitude {:.6g} near that of {:.6g}", mode + 1,
                                  amplitudes[i], i > 0 ? amplitudes[i - 1] : 0.0);
      return curve;
    }
    curve.points.push_back(walk.point());
    curve.points.back().iterations = iterations;
  }
  const auto missing = std::count_if(curve.points.begin(), curve.points.end(),
                                     [](const NonlinearModePoint& point) { return std::isnan(point.zeta); });
  if (missing > 0) {
    const bool energies = std::any_of(curve.points.begin(), curve.points.end(),
                                      [](const NonlinearModePoint& point) { return std::isnan(point.energy); });
    curve.message =
        fmt::format("mode {}: no ring-down, {}, at {} of {} amplitudes, where {} missing", mode + 1,
                    energies ? "no motion found beside it, or a mean deflection too large to follow its decay"
                             : "or no motion found beside it",
                    missing, curve.points.size(), energies ? "zeta and energy are" : "zeta is");
  }
  const std::string lags = lags_in_words(curve);
  add_note(lags, curve.message);
  return curve;
}

Eigen::VectorXcd first_harmonic_shape(const System& system, const NonlinearModePoint& point) {
  return times(system.stuck_modes().shapes, Eigen::VectorXcd(point.modal.col(1)));
}

std::vector<double> frequencies_under(const System& system, const NonlinearModePoint& point,
                                      const Eigen::VectorXcd& force) {
  const double a = point.amplitude, w2 = point.omega * point.omega, z = point.zeta_secant;
  const double modal_force = std::abs(first_harmonic_shape(system, point).dot(force)) / a;
  // W^4 - 2 w^2 (1 - 2 zeta^2) W^2 + w^4 - (p/a)^2 = 0.
  const double middle = w2 * (1.0 - 2.0 * z * z);
  const double root = middle * middle - w2 * w2 + std::pow(modal_force / a, 2);
  std::vector<double> result;
  if (root < 0.0) return result;
  for (const double sign : {-1.0, 1.0}) {
    const double square = middle + sign * std::sqrt(root);
    if (square > 0.0) result.push_back(std::sqrt(square));
  }
  return result;
}

}  // namespace microslip
