#include "microslip/transient/piecewise_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "microslip/joints/law_traits.hpp"
#include "microslip/joints/make_law.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// Derivative of a force with one component.
ForceTerms derivative(const ForceTerms& of) {
  ForceTerms result(1);
  for (const HarmonicForce& term : of.harmonics) {
    HarmonicForce& out = result.at(term.omega);
    out.a += term.omega * i_unit * term.a + term.b;
    out.b += term.omega * i_unit * term.b;
  }
  result.constant = of.slope;
  return result;
}

/// Second derivative of a force with one component.
ForceTerms second_derivative(const ForceTerms& of) {
  ForceTerms result(1);
  for (const HarmonicForce& term : of.harmonics) {
    const double w = term.omega;
    HarmonicForce& out = result.at(w);
    out.a += -w * w * term.a + 2.0 * w * i_unit * term.b;
    out.b += -w * w * term.b;
  }
  return result;
}

void require_independent(const std::vector<Contact>& contacts) {
  std::vector<const Contact*> friction;
  for (const Contact& contact : contacts) {
    if (contact.kind == Contact::Kind::friction) friction.push_back(&contact);
  }
  if (friction.empty()) return;
  // Gram-Schmidt names the first that adds no direction of its own.
  std::vector<Eigen::VectorXd> basis;
  for (const Contact* contact : friction) {
    Eigen::VectorXd rest = contact->b;
    for (const Eigen::VectorXd& e : basis) rest -= e * e.dot(rest);
    if (!(rest.norm() > 1e-9 * contact->b.norm())) {
      throw std::invalid_argument("joint \"" + contact->name +
                                  "\": it slides along a direction that the friction joints before it already hold, or "
                                  "that no mode moves; make one joint of them");
    }
    basis.push_back(rest.normalized());
  }
}

/// Amplitudes of harmonics 0, 1, ... of a periodic signal; empty for another.
std::vector<Complex> harmonics_of(const Signal& signal) {
  if (const auto* constant = std::get_if<Constant>(&signal.kind())) return {constant->amplitude};
  if (const auto* sine = std::get_if<Sine>(&signal.kind())) {
    return {0.0, -i_unit * sine->amplitude * std::exp(i_unit * sine->phase)};
  }
  if (const auto* series = std::get_if<Fourier>(&signal.kind())) {
    std::vector<Complex> result(1 + std::max(series->cosines.size(), series->sines.size()));
    result[0] = series->mean;
    for (std::size_t h = 0; h < series->cosines.size(); ++h) result[h + 1] += series->cosines[h];
    for (std::size_t h = 0; h < series->sines.size(); ++h) result[h + 1] -= i_unit * series->sines[h];
    return result;
  }
  return {};
}

bool vibrates(const std::vector<Complex>& harmonics) {
  return std::any_of(harmonics.begin() + 1, harmonics.end(), [](const Complex& a) { return a != 0.0; });
}

/// Phase of the first harmonic of the first load that vibrates.
double first_phase(const std::vector<Load>& loads) {
  for (const Load& load : loads) {
    const std::vector<Complex> harmonics = harmonics_of(load.signal);
    if (!harmonics.empty() && vibrates(harmonics)) return harmonics[1] == 0.0 ? 0.0 : std::arg(harmonics[1]);
  }
  throw std::invalid_argument("a periodic response needs a load that vibrates: sine or fourier");
}

/// Harmonics of the same signal with time counted from where the phase of the first load is zero.
void shift(std::vector<Complex>& harmonics, double phase) {
  for (std::size_t h = 1; h < harmonics.size(); ++h) {
    harmonics[h] *= std::exp(-i_unit * (static_cast<double>(h) * phase));
  }
}

/// The signal at a frequency; `factor` scales all but its mean, which a ground that only vibrates has not.
Signal series_of(const Signal& signal, double phase, double omega, double factor, bool ground) {
  std::vector<Complex> harmonics = harmonics_of(signal);
  shift(harmonics, phase);
  Fourier series{omega, ground ? 0.0 : harmonics[0].real(), {}, {}};
  for (std::size_t h = 1; h < harmonics.size(); ++h) {
    series.cosines.push_back(factor * harmonics[h].real());
    series.sines.push_back(-factor * harmonics[h].imag());
  }
  return series.cosines.empty() ? Signal(Constant{series.mean}) : Signal(series);
}

}  // namespace

HarmonicForce& ForceTerms::at(double omega) {
  const auto found = std::find_if(harmonics.begin(), harmonics.end(), [&](const auto& h) { return h.omega == omega; });
  if (found != harmonics.end()) return *found;
  const Eigen::VectorXcd zero = Eigen::VectorXcd::Zero(constant.size());
  harmonics.push_back({omega, zero, zero});
  return harmonics.back();
}

void ForceTerms::add(const Eigen::VectorXd& direction, double factor, const ForceTerms& scalar) {
  for (const HarmonicForce& term : scalar.harmonics) {
    HarmonicForce& out = at(term.omega);
    out.a += (factor * term.a(0)) * direction;
    out.b += (factor * term.b(0)) * direction;
  }
  constant += (factor * scalar.constant(0)) * direction;
  slope += (factor * scalar.slope(0)) * direction;
}

Eigen::VectorXd ForceTerms::value(double tau) const {
  Eigen::VectorXd result = constant + tau * slope;
  for (const HarmonicForce& term : harmonics) {
    result += ((term.a + tau * term.b) * std::exp(i_unit * (term.omega * tau))).real();
  }
  return result;
}

PiecewiseModel::PiecewiseModel(const System& system, std::span<const Load> loads, int modes)
    : joints_(system.joints().size()),
      absolute_damping_(system.absolute_mass_damping()),
      loads_(loads.begin(), loads.end()) {
  const Modes& stuck = system.stuck_modes();
  shapes_ = stuck.shapes;
  omega2_ = stuck.omega.cwiseAbs2();
  const Eigen::MatrixXd joints = transpose_times(system.directions(), shapes_);
  damping_ = system.modal_damping() + congruent(system.joint_damping(), joints);
  for (const Damper& damper : system.structure().dampers()) {
    const Eigen::VectorXd direction = transpose_times(shapes_, damper.direction);
    damping_ += damper.coefficient * direction * direction.transpose();
  }
  projection_ = (system.structure().mass() * shapes_).transpose();  // M is symmetric
  ground_ = Eigen::VectorXd::Zero(system.size());
  for (const Load& load : loads_) {
    if (load.base) {
      if (!ground_.isZero(0.0)) throw std::invalid_argument("load \"" + load.name + "\": the ground has one motion");
      ground_ = system.structure().made_consistent(load.direction);
      directions_.emplace_back(-projection_ * ground_);
    } else {
      directions_.emplace_back(transpose_times(shapes_, load.direction));
    }
  }
  read_contacts(system);
  if (modes > 0 && modes < size()) reduce(modes);
  require_independent(contacts_);
  Eigen::MatrixXd off = damping_;
  off.diagonal().setZero();
  proportional_ = off.cwiseAbs().maxCoeff() <= 1e-13 * std::max(damping_.cwiseAbs().maxCoeff(), 1e-300);
  if (size() > 0) {
    const Eigen::VectorXd values = symmetric_eigenvalues(damping_);
    if (!proportional_ && values(0) < -1e-9 * std::max(1e-300, values.tail(1)(0))) {
      throw std::invalid_argument("the damping matrix is not positive semidefinite: the structure feeds itself");
    }
    if (proportional_ && damping_.diagonal().minCoeff() < 0.0) {
      throw std::invalid_argument("a damping ratio is negative: the structure feeds itself");
    }
  }
}

void PiecewiseModel::read_contacts(const System& system) {
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const Joint& joint = system.joints()[j];
    if (is_straight(joint.law)) continue;  // in the stuck stiffness
    Contact contact;
    contact.joint = static_cast<int>(j);
    contact.name = joint.name;
    contact.b = transpose_times(shapes_, Eigen::VectorXd(joint.directions.col(0)));
    const double stuck = system.stuck_joint_stiffness()(system.offset(contact.joint), system.offset(contact.joint));
    contact.breaks = corners_of(joint.law);
    const bool taken = std::visit(
        [&]<class L>(const L& law) {
          if constexpr (RigidFrictionLaw<L>) {
            contact.static_level = law.static_level();
            contact.kinetic_level = law.kinetic_level();
            contact.normal = joint.normal;
            return true;
          } else if constexpr (SpringLaw<L>) {
            contact.kind = Contact::Kind::spring;
            if constexpr (L::straight_pieces) {
              for (std::size_t i = 0; i <= contact.breaks.size(); ++i) {
                contact.stiffness.push_back(law.slope(i) - stuck);
                contact.offset.push_back(law.offset(i));
              }
            } else {
              contact.stiffness.push_back(law.stuck_stiffness() - stuck);
              contact.offset.push_back(0.0);
            }
            return L::straight_pieces || law.is_straight();
          } else {
            return false;
          }
        },
        joint.law);
    if (!taken) {
      throw std::invalid_argument("joint \"" + joint.name + "\": piecewise-linear motions take the laws " +
                                  laws_that(is_linear_between_events));
    }
    contacts_.push_back(std::move(contact));
  }
}

void PiecewiseModel::reduce(int modes) {
  const Eigen::Index all = size();
  const Eigen::Index kept = modes;
  const Eigen::Index rest = all - kept;
  if (omega2_.tail(rest).minCoeff() <= 0.0) throw std::invalid_argument("modes: every rigid mode must be kept");
  // Static deflections that the truncated modes add to those of contacts and loads, orthonormal.
  std::vector<Eigen::VectorXd> residual;
  const auto add = [&](const Eigen::VectorXd& direction) {
    Eigen::VectorXd a = direction.tail(rest).cwiseQuotient(omega2_.tail(rest));
    const double whole = a.norm();
    for (int pass = 0; pass < 2; ++pass) {
      for (const Eigen::VectorXd& e : residual) a -= e * e.dot(a);
    }
    if (a.norm() > 1e-8 * whole && whole > 0.0) residual.emplace_back(a.normalized());
  };
  for (const Contact& contact : contacts_) add(contact.b);
  for (const Eigen::VectorXd& direction : directions_) add(direction);
  const auto extra = static_cast<Eigen::Index>(residual.size());
  Eigen::MatrixXd v(rest, extra);
  for (Eigen::Index i = 0; i < extra; ++i) v.col(i) = residual[static_cast<std::size_t>(i)];
  const SymmetricEigen eigen = symmetric_eigen(times(v.transpose() * omega2_.tail(rest).asDiagonal(), v));
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(all, kept + extra);
  basis.topLeftCorner(kept, kept).setIdentity();
  basis.bottomRightCorner(rest, extra) = times(v, eigen.vectors);

  Eigen::VectorXd omega2(kept + extra);
  omega2 << omega2_.head(kept), eigen.values;
  omega2_ = std::move(omega2);
  damping_ = congruent(damping_, basis);
  shapes_ = (shapes_ * basis).eval();
  projection_ = transpose_times(basis, projection_);
  for (Contact& contact : contacts_) contact.b = transpose_times(basis, contact.b);
  for (Eigen::VectorXd& direction : directions_) direction = transpose_times(basis, direction);
}

ForceTerms PiecewiseModel::terms_of(const Signal& signal, double t0) {
  ForceTerms result(1);
  if (t0 >= signal.end()) return result;
  std::vector<SignalTerm> terms;
  signal.terms(t0, terms);
  for (const SignalTerm& term : terms) {
    if (term.omega == 0.0) {
      result.constant(0) += term.cos0;
      result.slope(0) += term.cos1;
    } else {
      HarmonicForce& out = result.at(term.omega);
      out.a(0) += Complex(term.cos0, -term.sin0);
      out.b(0) += Complex(term.cos1, -term.sin1);
    }
  }
  return result;
}

ForceTerms PiecewiseModel::force(double t0) const {
  ForceTerms result(size());
  for (std::size_t l = 0; l < loads_.size(); ++l) {
    const ForceTerms scalar = terms_of(loads_[l].signal, t0);
    result.add(directions_[l], 1.0, loads_[l].base ? second_derivative(scalar) : scalar);
    if (loads_[l].base && absolute_damping_ != 0.0) result.add(directions_[l], absolute_damping_, derivative(scalar));
  }
  return result;
}

double PiecewiseModel::next_corner(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Load& load : loads_) next = std::min(next, load.signal.next_corner(t));
  for (const Contact& contact : contacts_) next = std::min(next, contact.normal.next_corner(t));
  return next;
}

double PiecewiseModel::ground(double t) const {
  for (const Load& load : loads_) {
    if (load.base) return load.signal.value(t);
  }
  return 0.0;
}

double PiecewiseModel::ground_rate(double t) const {
  for (const Load& load : loads_) {
    if (load.base) return load.signal.rate(t);
  }
  return 0.0;
}

double PiecewiseModel::ground_acceleration(double t) const {
  for (const Load& load : loads_) {
    if (load.base) return second_derivative(terms_of(load.signal, t)).value(0.0)(0);
  }
  return 0.0;
}

PiecewiseModel PiecewiseModel::vibrating(double omega, double level) const {
  const PeriodicLoad load = periodic();  // checks the signals
  const double phase = first_phase(loads_);
  PiecewiseModel result = *this;
  for (Load& its : result.loads_) its.signal = series_of(its.signal, phase, omega, level, its.base);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (load.normal[c].size() > 1)
      result.contacts_[c].normal = series_of(contacts_[c].normal, phase, omega, 1.0, false);
  }
  return result;
}

PeriodicLoad PiecewiseModel::periodic() const {
  PeriodicLoad result;
  result.constant = Eigen::VectorXd::Zero(size());
  result.antisymmetric = true;
  result.absolute_damping = absolute_damping_;
  std::vector<std::vector<Complex>> signals;
  std::size_t highest = 0;
  for (const Load& load : loads_) {
    signals.push_back(harmonics_of(load.signal));
    if (signals.back().empty()) {
      throw std::invalid_argument("load \"" + load.name +
                                  "\": a periodic response needs signals of kind sine, fourier or constant");
    }
    highest = std::max(highest, signals.back().size() - 1);
  }
  const double phase = first_phase(loads_);
  result.force.assign(highest, Eigen::VectorXcd::Zero(size()));
  result.ground.assign(highest, Eigen::VectorXcd::Zero(size()));
  result.base.assign(highest, 0.0);
  for (std::size_t l = 0; l < loads_.size(); ++l) {
    shift(signals[l], phase);
    if (!loads_[l].base) result.constant += signals[l][0].real() * directions_[l];
    for (std::size_t h = 1; h < signals[l].size(); ++h) {
      (loads_[l].base ? result.ground : result.force)[h - 1] += signals[l][h] * directions_[l];
      if (loads_[l].base) result.base[h - 1] += signals[l][h];
      if (h % 2 == 0 && signals[l][h] != 0.0) result.antisymmetric = false;
    }
  }
  if (!result.constant.isZero(0.0)) result.antisymmetric = false;
  for (const Contact& contact : contacts_) {
    result.normal.push_back(harmonics_of(contact.normal));
    std::vector<Complex>& normal = result.normal.back();
    if (normal.empty()) {
      throw std::invalid_argument("joint \"" + contact.name +
                                  "\": a periodic response needs a normal load of kind fourier or constant");
    }
    shift(normal, phase);
    for (std::size_t h = 1; h < normal.size(); h += 2) {
      if (normal[h] != 0.0) result.antisymmetric = false;
    }
    if (contact.kind == Contact::Kind::spring) result.antisymmetric = false;
  }
  return result;
}

bool PiecewiseModel::has_springs() const {
  return std::any_of(contacts_.begin(), contacts_.end(),
                     [](const Contact& contact) { return contact.kind == Contact::Kind::spring; });
}

bool PiecewiseModel::settles_to_one_motion() const {
  return !has_springs() && std::all_of(contacts_.begin(), contacts_.end(), [](const Contact& contact) {
    return contact.static_level <= contact.kinetic_level;
  });
}

}  // namespace microslip
