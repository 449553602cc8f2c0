#pragma once
// Joints with return-point memory beside a periodic motion: how their force and their energy change in a slow decay.
//
// The loop of a periodic motion has its outermost tip u_o on the virgin curve (periodic/masing_loop.hpp), so that along
// a family of such motions dF = F0'(|u_o|) du_o there, and all of the loop is shifted with it. A decay never goes along
// the virgin curve again. From tip to tip of a loop of half-range X the force changes by 2 F0(X); if the motion turns
// earlier by du, the tip lies on the branch that leads to it,
//
//   dF = F0'(X) du,
//
// at both ends. The force of a decay is therefore that of the periodic motions and, the same at all times,
//
//   [F0'(X) - F0'(|u_o|)] du_o .
//
// Nothing where the motion is symmetric, X = |u_o|: it is told where a spring is one-sided or preloaded.

#include <Eigen/Core>
#include <vector>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

/// All joints have one component. Motions: deflections, a series a joint, one after the other.
class DecayAnchor {
 public:
  /// The system must outlive it.
  DecayAnchor(const System& system, int harmonics);

  /// Decays begin from this motion. False: they pass through the periodic motions themselves.
  bool set(const Eigen::VectorXd& motion);
  void clear() { shifts_.clear(); }
  [[nodiscard]] bool is_set() const { return !shifts_.empty(); }

  /// What the motion of a joint beside the anchor adds to its force, a series, and to the derivative of that.
  void add(std::size_t joint, const double* motion, double* force, Eigen::MatrixXd* tangent) const;

  /// Recoverable, at tau = 0, in Masing elements and springs on their closed loops; and with `then`, once the motion
  /// has decayed to that one.
  [[nodiscard]] double stored_energy(const Eigen::VectorXd& motion, const Eigen::VectorXd* then = nullptr);

 private:
  struct Shift {
    double stiffness = 0.0;     ///< F0'(X) - F0'(|u_o|)
    double u = 0.0;             ///< u_o
    Eigen::RowVectorXd series;  ///< (1, cos tau_o, sin tau_o, ...): u_o of a motion
  };

  const System* system_;
  int harmonics_;
  Eigen::Index series_;
  SeriesScanner scanner_;
  std::vector<Shift> shifts_;  ///< one a joint, or none
};

}  // namespace microslip
