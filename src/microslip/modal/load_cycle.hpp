#pragma once
// Full cycles of the load, from +alpha down to -alpha and up again, for joints that do not obey the Masing rules: as
// many as it takes until the last one is steady. Where a spring is one-sided or preloaded, what slips in the first
// cycles need not slip again (shakedown).
//
// Steady: the tip of the load finds the joints where the tip before left them. Over a cycle joint i has moved by du_i,
// its force by df_i; with R_i and S_i the ranges of u_i and f_i within the cycle the loss of the next ones differs by
//
//   w = sum of 2 (S_i |du_i| + R_i |df_i|)                     (a Masing loop: dD = 4 (F0 - X F0') dX <= 2 S dX)
//
// at most, and all of them together by w r/(1 - r) if w falls by r from cycle to cycle. That must be below 1e-6 D or
// 1e-10 alpha Q, or w below what the tolerance of the forces leaves. A memory that fades (Bouc-Wen) takes many cycles
// of which the loss sees little, nothing of first order where the loop is symmetric: it is enough that D and Q
// themselves, which change by dD and dQ a cycle, have dD r/(1 - r) < 1e-5 D + 1e-8 alpha Q and dQ r/(1 - r) < 1e-6 Q
// to go.

#include "microslip/modal/driven_modes.hpp"
#include "microslip/modal/modal_equilibrium.hpp"

namespace microslip {

struct LoadCycle {
  bool converged = false;    ///< each load has its equilibrium
  bool steady = false;       ///< else these are numbers of the last cycle that was tried
  double half_range = 0.0;   ///< Q: half of the way between the tips
  double dissipation = 0.0;  ///< of all joints
  int cycles = 0;
};

class LoadCycler {
 public:
  /// The mode must outlive it. `steps`: of a leg.
  LoadCycler(const QuasiStaticMode& mode, double tolerance, int max_iterations, int steps);

  /// From what `tip` has committed, its load being alpha > 0; `tip` itself stays as it is.
  [[nodiscard]] LoadCycle run(const ModalEquilibrium& tip);
  /// The tip that the last cycle came back to.
  [[nodiscard]] const ModalEquilibrium& tip() const { return path_; }
  /// The last cycle.
  [[nodiscard]] const CycleTrace& trace() const { return trace_; }
  [[nodiscard]] long evaluations() const { return path_.evaluations(); }
  /// Of the joints with memory, the component that moved most, by w, over the last cycle.
  [[nodiscard]] std::string restless_component() const { return path_.component_name(restless_); }

  static constexpr int most_cycles = 200;

 private:
  struct Drift {
    double change = 0.0;  ///< w
    double noise = 0.0;   ///< of it, that the tolerance of the forces allows
  };
  /// Whether the cycles have come to rest.
  struct Settling {
    double change = 0.0, loss = 0.0, range = 0.0;  ///< w, |dD| and |dQ| of the last cycle
    bool settled(const LoadCycle& now, const LoadCycle& last, const Drift& drift, double alpha);
  };
  [[nodiscard]] Drift drift();
  /// One cycle from the tip, whose deflections and forces are in `u_` and `f_`.
  bool once(LoadCycle& cycle);
  bool leg(double from, double to);
  bool go_to(double alpha);
  void add_to_trace();

  ModalEquilibrium path_;
  double tolerance_;
  std::vector<double> u_, f_;            ///< at the tip before
  std::vector<double> u_turn_, f_turn_;  ///< at -alpha
  std::vector<bool> remembers_;          ///< a component: its joint is no spring
  int restless_ = 0;
  CycleTrace trace_;
  std::vector<double> cosine_;  ///< of psi from 0 to pi: alpha = a cos(psi) on each leg
};

}  // namespace microslip
