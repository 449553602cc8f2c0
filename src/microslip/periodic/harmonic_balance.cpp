#include "microslip/periodic/harmonic_balance.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/numerics/harmonic_amplitude.hpp"
#include "microslip/periodic/curve_error.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// Amplitudes of harmonic h of all components, U_h = a - i b.
Eigen::VectorXcd amplitudes(const Eigen::VectorXd& series, int components, int size, int h) {
  Eigen::VectorXcd result(components);
  for (int c = 0; c < components; ++c) {
    result(c) = amplitude_of(series.data() + static_cast<std::ptrdiff_t>(c) * size, h);
  }
  return result;
}

void add_amplitudes(const Eigen::VectorXcd& amplitude, int h, int size, Eigen::VectorXd& series) {
  for (Eigen::Index c = 0; c < amplitude.size(); ++c) add_amplitude(amplitude(c), h, series.data() + c * size);
}

/// Rows of harmonic h, one column an amplitude.
void set_harmonic(const Eigen::VectorXcd& amplitude, int h, Eigen::MatrixXd& series) {
  series.row(std::max(2 * h - 1, 0)) = amplitude.real();
  if (h > 0) series.row(2 * h) = -amplitude.imag();
}

std::vector<AlternatingTransform> transforms(const System& system, int harmonics, int samples) {
  refuse_rigid_friction(system);
  std::vector<AlternatingTransform> result;
  for (const Joint& joint : system.joints()) {
    result.emplace_back(joint.law, joint.normal.static_value(), harmonics, samples);
  }
  return result;
}

/// A corner's force falls with h^2, and what it moves at a mode of damping zeta with h^2 once more: from here on 6e-10
/// of the first harmonic over 2 zeta, 3e-6 at zeta = 1e-4.
constexpr int most_checked_harmonics = 200;

/// Harmonics that a solution lacks, relative to it: all of them, or what they do to the largest and the least value of
/// a displacement, if that is more. There they may add up.
class MissingMotion {
 public:
  MissingMotion(const Eigen::MatrixXd& q, SeriesScanner& scanner)
      : size_(q.bottomRows(q.rows() - 1).norm()), half_range_(Eigen::VectorXcd::Zero(q.cols())) {
    for (Eigen::Index k = 0; k < q.cols(); ++k) {
      const HalfRange range = scanner.half_range(q.col(k).data());
      amplitude_ = std::max(amplitude_, range.value);
      for (const double tau : {range.tau_max, range.tau_min}) {
        turns_.push_back(std::polar(1.0, tau));
        phasors_.push_back(std::polar(1.0, scanner.harmonics() * tau));
      }
    }
  }
  /// The next one.
  void add(const Eigen::VectorXcd& q) {
    squares_ += q.squaredNorm();
    for (std::size_t i = 0; i < phasors_.size(); ++i) phasors_[i] *= turns_[i];
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      const auto i = static_cast<std::size_t>(2 * k);
      half_range_(k) += 0.5 * q(k) * (phasors_[i] - phasors_[i + 1]);
    }
  }
  [[nodiscard]] double relative() const {
    if (!(amplitude_ > 0.0)) return 0.0;
    return std::max(std::sqrt(squares_) / size_, half_range_.real().cwiseAbs().maxCoeff() / amplitude_);
  }

 private:
  double size_, amplitude_ = 0.0, squares_ = 0.0;
  std::vector<Complex> turns_, phasors_;  ///< e^(i tau) and e^(i h tau) of the largest and the least value
  Eigen::VectorXcd half_range_;           ///< what they add
};

/// The last one, `least` or above, behind which all of them together are no more than rounding: of what moves, however
/// far away its mean is, as far as the mean leaves digits.
int last_harmonic(const Eigen::Ref<const Eigen::MatrixXd>& series, int least) {
  constexpr double rounding = 1e-12;
  auto last = static_cast<int>(series.rows() - 1) / 2;
  const double enough = std::max(rounding * series.bottomRows(series.rows() - 1).norm(),
                                 std::numeric_limits<double>::epsilon() * series.norm());
  for (double behind = 0.0; last > least; --last) {
    behind += series.middleRows(2 * last - 1, 2).norm();
    if (behind > enough) break;
  }
  return last;
}

}  // namespace

HarmonicBalance::HarmonicBalance(const System& system, const HarmonicLoad& load, int harmonics, int samples)
    : system_(&system),
      load_(load),
      harmonics_(harmonics),
      samples_(samples),
      series_(series_size(harmonics)),
      size_(system.components() * series_),
      receptance_(system, load, harmonics),
      joints_(transforms(system, harmonics, samples)),
      scanner_(harmonics) {
  if (system.components() == 0) throw std::invalid_argument("harmonic balance: the system has no joints");
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    first_.push_back(system.offset(static_cast<int>(j)));
    const Eigen::Index block = joints_[j].components() * series_;
    tangents_.emplace_back(block, block);
    rates_.emplace_back(block);
  }
  force_.resize(size_);
  x_.resize(size_);
  real_.resize(series_);
  imaginary_.resize(series_);
}

void HarmonicBalance::begin_with(std::shared_ptr<const JointMemory> memory) {
  past_ = std::move(memory);
  for (std::size_t j = 0; j < joints_.size(); ++j) joints_[j].begin_with(*past_, static_cast<int>(j));
  evaluated_omega_ = std::numeric_limits<double>::quiet_NaN();
  check_receptance_.reset();
}

void HarmonicBalance::set_omega(double omega) {
  if (omega != receptance_.omega()) receptance_.set_omega(omega);
}

bool HarmonicBalance::evaluate_joints(const Eigen::VectorXd& y, double omega, bool with_jacobian,
                                      Eigen::VectorXd& force) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::Index at = static_cast<Eigen::Index>(first_[j]) * series_;
    if (!joints_[j].evaluate(y.data() + at, omega, force.data() + at, with_jacobian ? &tangents_[j] : nullptr,
                             with_jacobian ? &rates_[j] : nullptr)) {
      return false;
    }
  }
  return true;
}

bool HarmonicBalance::forces(const Eigen::VectorXd& y, double omega, bool with_jacobian) {
  if (evaluated(y, omega) && (has_tangents_ || !with_jacobian)) return true;
  evaluated_omega_ = std::numeric_limits<double>::quiet_NaN();
  if (!evaluate_joints(y, omega, with_jacobian, force_)) return false;
  x_ = force_;
  const Eigen::MatrixXd& stuck = system_->stuck_joint_stiffness();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const int d = joints_[j].components();
    for (int r = 0; r < d; ++r) {
      for (int c = 0; c < d; ++c) {
        const double k = stuck(first_[j] + r, first_[j] + c);
        if (k == 0.0) continue;
        x_.segment(static_cast<Eigen::Index>(first_[j] + r) * series_, series_) -=
            k * y.segment(static_cast<Eigen::Index>(first_[j] + c) * series_, series_);
        if (with_jacobian) tangents_[j].block(r * series_, c * series_, series_, series_).diagonal().array() -= k;
      }
    }
  }
  evaluated_ = y;
  evaluated_omega_ = omega;
  has_tangents_ = with_jacobian;
  return true;
}

bool HarmonicBalance::residual(const Eigen::VectorXd& y, double omega, double level, Eigen::VectorXd& r,
                               Eigen::MatrixXd* jacobian, Eigen::VectorXd* by_omega, Eigen::VectorXd* by_level) {
  set_omega(omega);
  if (!forces(y, omega, jacobian != nullptr || by_omega != nullptr)) return false;
  const int m = system_->components();
  r = y;
  if (by_omega != nullptr) by_omega->setZero(size_);
  if (by_level != nullptr) by_level->setZero(size_);
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::VectorXcd x = amplitudes(x_, m, series_, h);
    add_amplitudes(receptance_.compliance(h) * x, h, series_, r);
    if (by_omega != nullptr && h > 0) add_amplitudes(receptance_.compliance_slope(h) * x, h, series_, *by_omega);
  }
  add_amplitudes(-receptance_.loaded_statically().cast<Complex>(), 0, series_, r);
  add_amplitudes(-level * receptance_.loaded(), 1, series_, r);
  if (by_omega != nullptr) add_amplitudes(-level * receptance_.loaded_slope(), 1, series_, *by_omega);
  if (by_level != nullptr) add_amplitudes(-receptance_.loaded(), 1, series_, *by_level);
  if (jacobian == nullptr) return r.allFinite();

  jacobian->setIdentity(size_, size_);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const int d = joints_[j].components();
    const Eigen::MatrixXd& tangent = tangents_[j];
    turned_.resize(tangent.rows(), tangent.cols());
    for (Eigen::Index column = 0; column < tangent.cols(); ++column) {
      const double* from = tangent.data() + column * tangent.rows();
      double* to = turned_.data() + column * tangent.rows();
      for (int k = 0; k < d; ++k, from += series_, to += series_) {
        to[0] = 0.0;
        for (int i = 1; i < series_; i += 2) to[i] = from[i + 1], to[i + 1] = -from[i];
      }
    }
    for (int c = 0; c < m; ++c) {
      for (int k = 0; k < d; ++k) {
        for (int h = 0; h <= harmonics_; ++h) {
          const Complex value = receptance_.compliance(h)(c, first_[j] + k);
          const int row = h == 0 ? 0 : 2 * h - 1;
          real_(row) = value.real();
          imaginary_(row) = value.imag();
          if (h == 0) continue;
          real_(row + 1) = value.real();
          imaginary_(row + 1) = value.imag();
        }
        auto block = jacobian->block(static_cast<Eigen::Index>(c) * series_,
                                     static_cast<Eigen::Index>(first_[j]) * series_, series_, tangent.cols());
        block += real_.asDiagonal() * tangent.middleRows(k * series_, series_);
        block += imaginary_.asDiagonal() * turned_.middleRows(k * series_, series_);
      }
    }
    if (by_omega != nullptr && !rates_[j].isZero(0.0)) {  // D dF/d omega
      Eigen::VectorXd rate = Eigen::VectorXd::Zero(size_);
      rate.segment(static_cast<Eigen::Index>(first_[j]) * series_, rates_[j].size()) = rates_[j];
      for (int h = 0; h <= harmonics_; ++h) {
        add_amplitudes(receptance_.compliance(h) * amplitudes(rate, m, series_, h), h, series_, *by_omega);
      }
    }
  }
  return r.allFinite() && jacobian->allFinite();
}

double HarmonicBalance::relative_size(const Eigen::VectorXd& r, const Eigen::VectorXd& y, double level) const {
  // A component that symmetry keeps at rest moves by the rounding of what the others do: r never gets small beside
  // that.
  constexpr double at_rest = 1e-6;  // of the component that moves most
  const auto of = [this](const Eigen::VectorXd& series, int c) {
    return series.segment(static_cast<Eigen::Index>(c) * series_, series_).norm();
  };
  const auto size = [&](int c) {
    return of(y, c) + std::abs(level * receptance_.loaded()(c)) + std::abs(receptance_.loaded_statically()(c));
  };
  double most = 0.0, largest = 0.0;
  for (int c = 0; c < system_->components(); ++c) most = std::max(most, size(c));
  for (int c = 0; c < system_->components(); ++c) {
    const double part = of(r, c);
    if (part > 0.0) largest = std::max(largest, part / std::max(size(c), at_rest * most));
  }
  return largest;
}

Eigen::VectorXd HarmonicBalance::linear_solution(double omega, double level) {
  set_omega(omega);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size_);
  add_amplitudes(receptance_.loaded_statically().cast<Complex>(), 0, series_, y);
  add_amplitudes(level * receptance_.loaded(), 1, series_, y);
  return y;
}

Eigen::VectorXd HarmonicBalance::with_harmonics(const Eigen::VectorXd& y, int from) const {
  const int old = series_size(from);
  Eigen::VectorXd result = Eigen::VectorXd::Zero(size_);
  for (int c = 0; c < system_->components(); ++c) {
    const int common = std::min(old, series_);
    result.segment(static_cast<Eigen::Index>(c) * series_, common) =
        y.segment(static_cast<Eigen::Index>(c) * old, common);
  }
  return result;
}

PeriodicOrbit HarmonicBalance::orbit(const Eigen::VectorXd& y, double omega, double level) {
  Eigen::VectorXd force = force_;
  const bool known = evaluated(y, omega) || evaluate_joints(y, omega, false, force);
  PeriodicOrbit result;
  result.omega = omega;
  result.level = level;
  result.harmonics = harmonics_;
  result.deflection = Eigen::Map<const Eigen::MatrixXd>(y.data(), series_, system_->components());
  if (known) result.force = Eigen::Map<const Eigen::MatrixXd>(force.data(), series_, system_->components());
  return result;
}

Eigen::MatrixXd HarmonicBalance::displacements(const Eigen::VectorXd& y, double omega, double level,
                                               const std::vector<int>& dofs) {
  set_omega(omega);
  forces(y, omega, false);
  return last_displacements(level, dofs);
}

Eigen::MatrixXd HarmonicBalance::last_displacements(double level, const std::vector<int>& dofs) const {
  const int m = system_->components();
  Eigen::MatrixXd result(series_, static_cast<Eigen::Index>(dofs.size()));
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::VectorXcd q =
        receptance_.displacement(h, receptance_.modal(h, amplitudes(x_, m, series_, h), level), dofs, level);
    set_harmonic(q, h, result);
  }
  return result;
}

Eigen::MatrixXd HarmonicBalance::displacement_changes(const Eigen::VectorXd& y, double omega, double level,
                                                      const Eigen::VectorXd& y_change, double omega_change,
                                                      double level_change, const std::vector<int>& dofs) {
  set_omega(omega);
  forces(y, omega, true);
  const int m = system_->components();
  Eigen::VectorXd x_change(size_);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::Index at = static_cast<Eigen::Index>(first_[j]) * series_;
    const Eigen::Index block = tangents_[j].rows();
    x_change.segment(at, block) = tangents_[j] * y_change.segment(at, block) + omega_change * rates_[j];
  }
  Eigen::MatrixXd result(series_, static_cast<Eigen::Index>(dofs.size()));
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::VectorXcd modal = receptance_.modal_change(
        h, amplitudes(x_, m, series_, h), level, amplitudes(x_change, m, series_, h), omega_change, level_change);
    const Eigen::VectorXcd q = receptance_.displacement(h, modal, dofs, level_change);
    set_harmonic(q, h, result);
  }
  return result;
}

HarmonicBalance::Gradient HarmonicBalance::displacement_gradient(int dof, const Eigen::VectorXd& weights,
                                                                 double level) const {
  const int m = system_->components();
  const std::vector<int> dofs = {dof};
  Eigen::VectorXd rates(size_);  // dX/d omega
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    rates.segment(static_cast<Eigen::Index>(first_[j]) * series_, rates_[j].size()) = rates_[j];
  }
  Gradient result{Eigen::VectorXd::Zero(size_), 0.0, 0.0};
  Eigen::VectorXd by_x = Eigen::VectorXd::Zero(size_);
  const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(m);
  for (int h = 0; h <= harmonics_; ++h) {
    // weights . series = Re(weight q_h), summed over h, and q_h = sum over c of T_c X_c.
    const Complex weight = std::conj(amplitude_of(weights.data(), h));
    const auto change = [&](const Eigen::VectorXcd& x_change, double omega_change, double level_change) {
      const Eigen::VectorXcd modal =
          receptance_.modal_change(h, amplitudes(x_, m, series_, h), level, x_change, omega_change, level_change);
      return weight * receptance_.displacement(h, modal, dofs, level_change)(0);
    };
    for (int c = 0; c < m; ++c) {
      const Complex term = change(Eigen::VectorXcd::Unit(m, c), 0.0, 0.0);
      add_amplitude(std::conj(term), h, by_x.data() + static_cast<std::ptrdiff_t>(c) * series_);
    }
    result.omega += change(amplitudes(rates, m, series_, h), 1.0, 0.0).real();
    result.level += change(none, 0.0, 1.0).real();
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Eigen::Index at = static_cast<Eigen::Index>(first_[j]) * series_, block = tangents_[j].rows();
    result.y.segment(at, block).noalias() = tangents_[j].transpose() * by_x.segment(at, block);
  }
  return result;
}

Eigen::VectorXd HarmonicBalance::deflection_under(const Eigen::VectorXd& force) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(size_);
  for (int h = 0; h <= harmonics_; ++h) {
    add_amplitudes(receptance_.compliance(h) * amplitudes(force, system_->components(), series_, h), h, series_,
                   result);
  }
  return result;
}

Eigen::MatrixXcd HarmonicBalance::mean_tangent() const {
  const int m = system_->components();
  Eigen::MatrixXcd mean = Eigen::MatrixXcd::Zero(m, m);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    for (int r = 0; r < joints_[j].components(); ++r) {
      for (int c = 0; c < joints_[j].components(); ++c) {  // cosine and sine of the highest harmonic
        const Eigen::Index row = (r + 1) * series_ - 1, column = (c + 1) * series_ - 1;
        mean(first_[j] + r, first_[j] + c) =
            0.5 * Complex(tangents_[j](row, column) + tangents_[j](row - 1, column - 1),
                          tangents_[j](row - 1, column) - tangents_[j](row, column - 1));
      }
    }
  }
  return mean;
}

int HarmonicBalance::checked_harmonics(double omega) const {
  int number = std::max(2 * harmonics_ + 1, harmonics_ + 20);
  const double highest = system_->stuck_modes().omega.maxCoeff() / omega;
  while (number < most_checked_harmonics && number < highest) {
    number = std::min(number + number / 2, most_checked_harmonics);
  }
  return number;
}

HarmonicBalance::Errors HarmonicBalance::errors(const Eigen::VectorXd& y, double omega, double level,
                                                const std::vector<int>& dofs, const Along* along,
                                                PeriodicOrbit* better) {
  const int finer = checked_harmonics(omega);
  const int finer_size = series_size(finer);
  const int m = system_->components();
  if (check_receptance_ == nullptr || check_receptance_->harmonics() != finer) {
    check_joints_ = transforms(*system_, finer, std::max(2 * samples_, 4 * finer));
    check_receptance_ = std::make_unique<JointReceptance>(*system_, load_, finer);
    for (std::size_t j = 0; j < joints_.size() && past_; ++j) {
      check_joints_[j].begin_with(*past_, static_cast<int>(j));
    }
  }
  if (better != nullptr) {
    *better = {omega, level, harmonics_, Eigen::Map<const Eigen::MatrixXd>(y.data(), series_, m), {}};
  }
  Errors result;
  constexpr Errors cannot_tell{1.0, 1.0, 1.0};
  const double size = y.norm();
  if (!(size > 0.0)) {
    if (better != nullptr) better->force = better->deflection;  // nothing moves
    return result;
  }
  if (omega != check_receptance_->omega()) check_receptance_->set_omega(omega);
  Eigen::VectorXd r, by_lambda;
  Eigen::MatrixXd jacobian;
  const bool over_level = along != nullptr && along->over_level;
  const bool known = along != nullptr && along->factors != nullptr;
  if (!residual(y, omega, level, r, known ? nullptr : &jacobian,
                along != nullptr && !over_level && !known ? &by_lambda : nullptr,
                over_level && !known ? &by_lambda : nullptr)) {
    return cannot_tell;
  }
  CurvePoint here;
  here.y = y;
  here.lambda = over_level ? level : omega;
  if (along != nullptr) {
    here.y_tangent = along->y;
    here.lambda_tangent = along->lambda;
  }
  const CurveStep nearby = known ? CurveStep(*along->factors, here) : CurveStep(jacobian, by_lambda, here);

  Eigen::VectorXd padded = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m) * finer_size);
  Eigen::VectorXd force(padded.size()), more(padded.size());
  for (int c = 0; c < m; ++c) {
    padded.segment(static_cast<Eigen::Index>(c) * finer_size, series_) =
        y.segment(static_cast<Eigen::Index>(c) * series_, series_);
  }
  const auto evaluate = [&](Eigen::VectorXd& out, double frequency) {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const Eigen::Index at = static_cast<Eigen::Index>(first_[j]) * finer_size;
      if (!check_joints_[j].evaluate(padded.data() + at, frequency, out.data() + at)) return false;
    }
    return true;
  };
  const auto common = [&](const Eigen::VectorXd& fine) {
    Eigen::VectorXd part(size_);
    for (int c = 0; c < m; ++c) {
      part.segment(static_cast<Eigen::Index>(c) * series_, series_) =
          fine.segment(static_cast<Eigen::Index>(c) * finer_size, series_);
    }
    return part;
  };
  if (!evaluate(force, omega)) return cannot_tell;
  const Eigen::VectorXd integrated = r + deflection_under(common(force) - force_);
  result.quadrature = nearby.answer(integrated).norm();

  // Harmonics left out, X = F + K U with K the mean tangent of the joints: near a mode it is no small part.
  const Eigen::MatrixXcd mean = mean_tangent();
  const Eigen::MatrixXd q = displacements(y, omega, level, dofs);
  MissingMotion missing(q, scanner_);
  const auto joint_terms = [&](const Eigen::VectorXcd& forces, int h) -> Eigen::VectorXcd {
    const Eigen::MatrixXcd matrix =
        Eigen::MatrixXcd::Identity(m, m) + times(mean, Eigen::MatrixXcd(check_receptance_->compliance(h)));
    return LuFactors<Complex>(matrix).solve(forces);
  };
  for (int h = harmonics_ + 1; h <= finer; ++h) {
    const Eigen::VectorXcd x = joint_terms(amplitudes(force, m, finer_size, h), h);
    add_amplitudes(-check_receptance_->compliance(h) * x, h, finer_size, padded);
    missing.add(check_receptance_->displacement(h, check_receptance_->modal(h, x, level), dofs, level));
  }
  if (!evaluate(more, omega)) return cannot_tell;
  const Eigen::VectorXd truncated = deflection_under(common(more) - common(force));
  result.truncation = nearby.answer(truncated).norm();
  const double moving = moving_size(y, series_);  // a static deflection is no part of the motion
  if (moving > 0.0) {
    result.truncation *= size / moving;
    result.quadrature *= size / moving;
  }
  if (along != nullptr) result.steepness = nearby.steepness(nearby.answer(integrated + truncated));
  result.truncation = std::hypot(result.truncation, missing.relative());
  if (better == nullptr) return result;

  const Eigen::VectorXd correction = -nearby.answer(integrated + truncated);
  if (!correction.allFinite()) return cannot_tell;
  for (int h = harmonics_ + 1; h <= finer; ++h) {  // once more, with the forces of these harmonics
    const Eigen::VectorXcd u = amplitudes(padded, m, finer_size, h);
    const Eigen::VectorXcd beside = system_->stuck_joint_stiffness().cast<Complex>() * u + mean * u;  // F - X + K U
    const Eigen::VectorXcd x = joint_terms(amplitudes(more, m, finer_size, h) - beside, h);
    add_amplitudes(-u - check_receptance_->compliance(h) * x, h, finer_size, padded);
  }
  for (int c = 0; c < m; ++c) {
    padded.segment(static_cast<Eigen::Index>(c) * finer_size, series_) +=
        size * correction.segment(static_cast<Eigen::Index>(c) * series_, series_);
  }
  const Eigen::Map<const Eigen::MatrixXd> all(padded.data(), finer_size, m);
  better->harmonics = last_harmonic(all, harmonics_);
  better->deflection = all.topRows(series_size(better->harmonics));
  if (along != nullptr) (over_level ? better->level : better->omega) += nearby.dlambda(correction);
  if (evaluate(more, better->omega)) {
    better->force = Eigen::Map<const Eigen::MatrixXd>(more.data(), finer_size, m).topRows(better->deflection.rows());
  }
  return result;
}

bool HarmonicBalance::fixed_point_step(Eigen::VectorXd& y, double omega, double level, double& change) {
  set_omega(omega);
  if (!forces(y, omega, false)) return false;
  const int m = system_->components();
  const Eigen::MatrixXcd stuck = system_->stuck_joint_stiffness().cast<Complex>();
  Eigen::VectorXd next = Eigen::VectorXd::Zero(size_);
  for (int h = 0; h <= harmonics_; ++h) {
    // D_K = (I - D k)^-1 D, L_K = (I - D k)^-1 L.
    const Eigen::MatrixXcd& d = receptance_.compliance(h);
    Eigen::VectorXcd right = -d * amplitudes(force_, m, series_, h);
    if (h == 0) right += receptance_.loaded_statically().cast<Complex>();
    if (h == 1) right += level * receptance_.loaded();
    const Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Identity(m, m) - d * stuck;
    add_amplitudes(LuFactors<Complex>(matrix).solve(right), h, series_, next);
  }
  change = (next - y).norm() / next.norm();
  y = next;
  return y.allFinite();
}

double HarmonicBalance::fixed_point_radius(int h, double omega) {
  set_omega(omega);
  const int m = system_->components();
  const Eigen::MatrixXcd stuck = system_->stuck_joint_stiffness().cast<Complex>();
  const Eigen::MatrixXcd& d = receptance_.compliance(h);
  const Eigen::MatrixXcd matrix =
      LuFactors<Complex>(Eigen::MatrixXcd::Identity(m, m) - d * stuck).solve(Eigen::MatrixXcd(d * stuck));
  return spectral_radius(matrix);
}

}  // namespace microslip
