#pragma once
// A structure with rigid friction and piecewise-linear springs, ready for exact propagation.
//
// Displacements relative to the ground, y = q - r g(t), in stuck modes of unit mass, y = Phi eta:
//
//   eta'' + C eta' + diag(omega^2) eta + sum_j b_j f_j = F(t),   u_j = b_j^T eta
//
// f_j: force of contact j beyond what the stuck stiffness holds. Friction: |f| <= fs(t) at rest, f = fk(t) sign(u')
// while it slides. A spring on piece p: f = (slope_p - stuck) u + offset_p.
//
// With `modes = n` the basis is the first n modes and, for every contact and load, the static deflection that the
// modes left out add (residual attachment modes): static answers stay exact, and all methods see the same model.

#include <Eigen/Core>
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "microslip/system/system.hpp"

namespace microslip {

/// Re[(a + b tau) exp(i omega tau)] of each coordinate.
struct HarmonicForce {
  double omega = 0.0;
  Eigen::VectorXcd a, b;
};

/// A force on the coordinates over a time tau: harmonic terms and a straight line.
struct ForceTerms {
  std::vector<HarmonicForce> harmonics;
  Eigen::VectorXd constant, slope;

  explicit ForceTerms(Eigen::Index size = 0)
      : constant(Eigen::VectorXd::Zero(size)), slope(Eigen::VectorXd::Zero(size)) {}
  /// The term with this frequency, made if there is none.
  HarmonicForce& at(double omega);
  /// direction * factor * scalar, of a force with one component.
  void add(const Eigen::VectorXd& direction, double factor, const ForceTerms& scalar);
  [[nodiscard]] Eigen::VectorXd value(double tau) const;
};

/// One place where the motion is only piecewise linear.
struct Contact {
  enum class Kind { friction, spring };
  Kind kind = Kind::friction;
  int joint = 0;      ///< of the system
  std::string name;   ///< of the joint
  Eigen::VectorXd b;  ///< u = b^T eta
  // Friction.
  double static_level = 0.0, kinetic_level = 0.0;  ///< per unit of normal load
  Signal normal{Constant{1.0}};                    ///< load that presses the faces [force]
  // Spring: piece i between breaks i-1 and i, added stiffness and force at u = 0 there.
  std::vector<double> breaks, stiffness, offset;
};

/// Periodic loads for steady motions, harmonics of one frequency: p(t) = level Re sum_h force_h exp(i h omega t) +
/// constant.
struct PeriodicLoad {
  std::vector<Eigen::VectorXcd> force;     ///< h = 1, 2, ...; on the coordinates, per unit level
  std::vector<Eigen::VectorXcd> ground;    ///< displacement of the ground times -Phi^T M r, per unit level
  std::vector<std::complex<double>> base;  ///< displacement of the ground itself, per unit level
  double absolute_damping = 0.0;           ///< a, System::absolute_mass_damping
  Eigen::VectorXd constant;                ///< not scaled by the level
  std::vector<std::vector<std::complex<double>>> normal;  ///< each contact's normal load, h = 0, 1, ...
  /// x(t + T/2) = -x(t) is possible: odd harmonics only, no constant, normal loads of half the period, no springs.
  bool antisymmetric = false;

  /// Force by `ground` at the frequency s, for g'' + a g', and its derivative with respect to s.
  [[nodiscard]] std::complex<double> of_ground(double s) const { return {-s * s, s * absolute_damping}; }
  [[nodiscard]] std::complex<double> of_ground_slope(double s) const { return {-2.0 * s, absolute_damping}; }
};

/// Refers to nothing outside of it.
class PiecewiseModel {
 public:
  /// `modes`: stuck modes kept, 0: all. Throws std::invalid_argument for joints that are neither friction nor
  /// piecewise linear, dependent friction directions and negative damping.
  PiecewiseModel(const System& system, std::span<const Load> loads, int modes = 0);

  [[nodiscard]] int size() const { return static_cast<int>(omega2_.size()); }
  [[nodiscard]] const Eigen::VectorXd& omega_squared() const { return omega2_; }
  [[nodiscard]] const Eigen::MatrixXd& damping() const { return damping_; }
  /// C is diagonal.
  [[nodiscard]] bool proportional() const { return proportional_; }
  [[nodiscard]] bool has_springs() const;
  /// Friction alone, no stronger at rest than sliding: then no force falls with a rate, all motions under a load come
  /// together, and there is one steady vibration at each frequency.
  [[nodiscard]] bool settles_to_one_motion() const;
  /// C times rates.
  [[nodiscard]] Eigen::VectorXd damped(const Eigen::VectorXd& rate) const {
    if (proportional_) return damping_.diagonal().cwiseProduct(rate);
    return damping_ * rate;
  }
  [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
  [[nodiscard]] const Eigen::MatrixXd& shapes() const { return shapes_; }          ///< Phi, degrees of freedom x size
  [[nodiscard]] const Eigen::MatrixXd& projection() const { return projection_; }  ///< Phi^T M: eta of a displacement
  [[nodiscard]] const Eigen::VectorXd& ground_shape() const { return ground_; }    ///< r; zero without a base motion
  [[nodiscard]] std::size_t joints() const { return joints_; }                     ///< of the system: how many
  [[nodiscard]] std::span<const Load> loads() const { return loads_; }

  /// Loads and, for the moving ground, -Phi^T M r (g'' + a g') from t0 on, valid until the next corner of a signal.
  [[nodiscard]] ForceTerms force(double t0) const;
  /// A signal in the same form.
  [[nodiscard]] static ForceTerms terms_of(const Signal& signal, double t0);
  [[nodiscard]] double next_corner(double t) const;
  /// Displacement of the ground and its rates.
  [[nodiscard]] double ground(double t) const;
  [[nodiscard]] double ground_rate(double t) const;
  [[nodiscard]] double ground_acceleration(double t) const;

  /// Loads as harmonics of one frequency. Phases count from the first load that vibrates, whose first harmonic becomes
  /// a cosine. Throws std::invalid_argument for signals that are not sine, fourier or constant.
  [[nodiscard]] PeriodicLoad periodic() const;
  /// The same model with these loads as signals of a frequency and level: time counts as the phases do. Throws like
  /// periodic().
  [[nodiscard]] PiecewiseModel vibrating(double omega, double level) const;

 private:
  void read_contacts(const System& system);
  void reduce(int modes);

  std::size_t joints_;
  double absolute_damping_;  ///< a, System::absolute_mass_damping
  std::vector<Load> loads_;
  Eigen::VectorXd omega2_;
  Eigen::MatrixXd damping_, shapes_, projection_;
  Eigen::VectorXd ground_;
  std::vector<Eigen::VectorXd> directions_;  ///< Phi^T p of force loads, -Phi^T M r of base motions
  std::vector<Contact> contacts_;
  bool proportional_ = false;
};

}  // namespace microslip
