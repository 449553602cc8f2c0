#pragma once
// Free and forced motion of a piecewise-linear model while no contact changes its state: a linear system, propagated
// exactly.
//
// Stuck dampers hold u_j = d_j; what is left is split into blocks of two coordinates,
//   x' = J x + p F(t),  x = (q, v),  J = [0 1; -w2 2a],
// one a mode where damping is diagonal in the modes of this regime, one a pair of eigenvalues otherwise:
//   eta = Xq q + Xv v + H d,   eta' = Yq q + Yv v,   Yq = -w2 Xv,  Yv = Xq + 2a Xv
// (Xv = 0 for real modes). H: static shape of unit positions of the stuck dampers.

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "microslip/transient/piecewise_model.hpp"

namespace microslip {

/// What each contact does: friction -1, 0 (stuck) or 1, the sign of its rate; a spring: its piece, from 0.
using ContactStates = std::vector<int>;

/// Coordinates of a regime: the blocks and the positions of the stuck dampers.
struct FlowState {
  Eigen::ArrayXd q, v;
  Eigen::VectorXd d;
};

/// exp(J tau) of every block.
struct FlowStep {
  Eigen::ArrayXd e11, e12, e21, e22;
};

/// A steady answer to harmonic forces and straight lines: Re[(a + b tau) exp(i omega tau)] and a polynomial.
struct ForcedMotion {
  struct Term {
    double omega = 0.0;
    Eigen::ArrayXcd qa, qb, va, vb;
    bool grows = false;  ///< b is not zero
  };
  std::vector<Term> terms;
  Eigen::ArrayXd q[4], v[4];  ///< coefficients of tau^i
  int degree = 0;

  /// Value at `tau`; the harmonics count their time from `shift` before. Adds to q and v.
  void add(double tau, double shift, double factor, Eigen::ArrayXd& q_out, Eigen::ArrayXd& v_out) const;
  /// The same of its rate.
  void add_rate(double tau, double shift, double factor, Eigen::ArrayXd& q_out, Eigen::ArrayXd& v_out) const;
};

class LinearFlow {
 public:
  /// Slip directions in `states` do not matter.
  LinearFlow(const PiecewiseModel& model, const ContactStates& states);

  [[nodiscard]] Eigen::Index blocks() const { return a_.size(); }
  [[nodiscard]] bool real_modes() const { return real_modes_; }
  [[nodiscard]] const Eigen::ArrayXd& decay() const { return a_; }               ///< a: real part, <= 0 [1/time]
  [[nodiscard]] const Eigen::ArrayXd& omega_squared() const { return w2_; }      ///< w2 [1/time^2]
  [[nodiscard]] const Eigen::ArrayXd& beta_squared() const { return b2_; }       ///< w2 - a^2; negative: overdamped
  [[nodiscard]] const std::vector<int>& stuck() const { return stuck_; }         ///< contacts that are held
  [[nodiscard]] const Eigen::MatrixXd& stiffness() const { return stiffness_; }  ///< with the springs' pieces
  [[nodiscard]] const Eigen::MatrixXd& shape_q() const { return xq_; }
  [[nodiscard]] const Eigen::MatrixXd& shape_v() const { return xv_; }
  [[nodiscard]] const Eigen::MatrixXd& held() const { return held_; }  ///< H
  /// (B^T B)^-1 B^T of the stuck dampers: their reactions to a force on the coordinates.
  [[nodiscard]] const Eigen::MatrixXd& reaction() const { return reaction_; }

  void coordinates(const FlowState& state, Eigen::VectorXd& eta, Eigen::VectorXd& rate) const;
  /// Drops what the stuck dampers do not allow.
  void state(const Eigen::VectorXd& eta, const Eigen::VectorXd& rate, FlowState& state) const;

  void step(double tau, FlowStep& step) const;
  /// Of block k: c = exp(a tau) cos(beta tau), s = exp(a tau) sin(beta tau)/beta; beta may be imaginary, or near zero.
  void swing(Eigen::Index k, double tau, double& c, double& s) const {
    const double a = a_(k), beta = beta_(k), x = b2_(k) * tau * tau;
    if (std::abs(x) < 1e-3) {
      const double e = std::exp(a * tau);
      c = e * (1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0))));
      s = e * tau * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0))));
    } else if (x > 0.0) {
      const double e = std::exp(a * tau);
      c = e * std::cos(beta * tau);
      s = e * std::sin(beta * tau) / beta;
    } else {
      const double fast = a - beta;
      const double slow = w2_(k) / fast;  // a + beta without cancellation
      const double one = std::exp(slow * tau);
      const double two = std::exp(fast * tau);
      c = 0.5 * (one + two);
      s = 0.5 * (one - two) / beta;
    }
  }
  [[nodiscard]] ForcedMotion forced(const ForceTerms& force) const;
  /// Steady answer per unit of exp(i s tau) to an amplitude of the force, and its change with s.
  void harmonic(const Eigen::VectorXcd& force, double s, Eigen::ArrayXcd& q, Eigen::ArrayXcd& v) const;
  void harmonic_change(double s, const Eigen::ArrayXcd& q, const Eigen::ArrayXcd& v, Eigen::ArrayXcd& dq,
                       Eigen::ArrayXcd& dv) const;

  /// Weights in blocks of wu^T eta + wv^T eta'.
  void weights(const Eigen::VectorXd& wu, const Eigen::VectorXd& wv, Eigen::ArrayXd& on_q, Eigen::ArrayXd& on_v) const;
  /// J x.
  void rate(const Eigen::ArrayXd& q, const Eigen::ArrayXd& v, Eigen::ArrayXd& q_rate, Eigen::ArrayXd& v_rate) const {
    q_rate = v;
    v_rate = 2.0 * a_ * v - w2_ * q;
  }

 private:
  /// Real modes: their part of a force.
  [[nodiscard]] Eigen::ArrayXd modal(const Eigen::VectorXd& force) const;
  [[nodiscard]] Eigen::ArrayXcd modal(const Eigen::VectorXcd& force) const;
  bool set_contacts(const PiecewiseModel& model, const ContactStates& states);
  void hold(const Eigen::MatrixXd& modes, const Eigen::VectorXd& omega2, double largest);
  [[nodiscard]] ForcedMotion::Term forced_by(const HarmonicForce& term) const;
  void real_blocks(const Eigen::MatrixXd& free, const Eigen::VectorXd& omega2, const Eigen::MatrixXd& damping);
  void complex_blocks(const Eigen::MatrixXd& free, const Eigen::VectorXd& omega2, const Eigen::MatrixXd& damping);

  bool real_modes_ = true;
  bool identity_ = false;  ///< shapes are unit vectors
  Eigen::ArrayXd a_, w2_, b2_;
  Eigen::ArrayXd beta_;  ///< sqrt(|b2|)
  std::vector<int> stuck_;
  Eigen::MatrixXd stiffness_, stuck_directions_, reaction_;
  Eigen::MatrixXd xq_, xv_, yq_, yv_, held_;
  Eigen::MatrixXd lqu_, lqv_, lvu_, lvv_;  ///< inverse: blocks of (eta - H d, eta'); real modes use xq alone
};

}  // namespace microslip
