#pragma once
// A joint in steady periodic motion: Fourier coefficients of its deflection -> those of its force, with the exact
// derivative (alternating frequency-time, without samples at equal distances).
//
//   F_0 = 1/(2 pi) int F d tau,   F_h = 1/pi int F (cos, sin)(h tau) d tau
//
// Laws with return-point memory (Masing) settle on a closed loop: the extremum of largest |u| lies on the virgin curve,
// and from there the period is walked once, reversal by reversal. Reversals, closures of minor loops and macroslip
// are found to rounding and the period is cut there; each piece is integrated by Gauss-Legendre with `samples`/2 nodes,
// tau - tau_r ~ sigma^2 behind a reversal, where the force goes with |tau - tau_r|^(2 chi + 4). Along a branch
//   dF = F0'(|u - u_r|/2) (du - du_r) + dF_r,   du_r and dF_r frozen at the reversal
// so that the derivative is  sum_i w_i e_i (k_i (e_i - e_r) + dF_r)^T:  a Toeplitz and a Hankel matrix of the harmonics
// of k(tau) and one matrix of rank two a branch.
//
// Other laws: springs without memory directly; Bouc-Wen by Newton for z(T) = z(0) from reversal to reversal,
// differentiated implicitly, pieces ending where z passes zero; iwan5 by periods from reversal to reversal until forces
// and energies there repeat, with dual numbers, pieces ending where sliders begin to slip and the force may jump.
// Custom laws with a state of their own repeat periods too; their derivative is that of the present step only, which is
// all they tell.
//
// Ref: docs/theory.md, "Harmonic balance".

#include <Eigen/Core>
#include <memory>

#include "microslip/joints/any_law.hpp"
#include "microslip/joints/joint_memory.hpp"

namespace microslip {

class JointTransform;

class AlternatingTransform {
 public:
  /// The law must outlive it. harmonics >= 1; samples >= 16: evaluations a period, at least.
  AlternatingTransform(const Law& law, double normal, int harmonics, int samples);
  ~AlternatingTransform();
  AlternatingTransform(AlternatingTransform&&) noexcept;
  AlternatingTransform& operator=(AlternatingTransform&&) noexcept;
  AlternatingTransform(const AlternatingTransform&) = delete;
  AlternatingTransform& operator=(const AlternatingTransform&) = delete;

  /// A law with sliders and no return-point memory starts from that of a joint instead of from rest, before the periods
  /// that it takes to repeat.
  void begin_with(const JointMemory& memory, int joint);

  [[nodiscard]] int components() const;
  [[nodiscard]] int harmonics() const;
  [[nodiscard]] int samples() const;

  /// `deflection` and `force`: components x (2 H + 1) numbers, component by component. `jacobian`, unless nullptr:
  /// d force/d deflection; `rate`, unless nullptr: d force/d omega (of laws that feel rates). Nothing is allocated for
  /// built-in laws with return-point memory. False when a law without return-point memory did not settle in 200
  /// periods, or the force is not finite.
  bool evaluate(const double* deflection, double omega, double* force, Eigen::MatrixXd* jacobian = nullptr,
                Eigen::VectorXd* rate = nullptr);

  /// Evaluations of the law so far.
  [[nodiscard]] long evaluations() const;

 private:
  std::unique_ptr<JointTransform> transform_;
};

/// Work of a force on a deflection over one period, int F du = pi sum_h h (F_c b - F_s a).
[[nodiscard]] double work_per_period(const double* force, const double* deflection, int harmonics);

}  // namespace microslip
