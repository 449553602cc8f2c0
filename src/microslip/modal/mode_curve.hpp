#pragma once
// The way along a nonlinear mode, amplitude by amplitude: see nonlinear_mode.hpp. Internal to nonlinear_mode.cpp.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "microslip/modal/mode_balance.hpp"
#include "microslip/modal/nonlinear_mode.hpp"
#include "microslip/numerics/continuation.hpp"

namespace microslip {

class ModeCurve {
 public:
  /// The system must outlive it.
  ModeCurve(const System& system, int mode, const NonlinearModeOptions& options);

  /// To the motion at the next amplitude, with the harmonics that it needs: from the one before in halves where Newton
  /// does not get there at once, then along the curve wherever it leads, then from a motion with few harmonics, which
  /// may lie on another piece of it. False: none is found.
  bool go_to(double log_amplitude, int& iterations);

  [[nodiscard]] NonlinearModePoint point();

  /// Why the curve could not be followed.
  [[nodiscard]] const std::string& lost() const { return lost_; }
  /// What there is to tell of the way, a sentence each.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  struct Motion {
    Eigen::VectorXd y;
    double at = 0.0;  ///< ln a
    int harmonics = 0;
  };

  bool step_to(double log_amplitude, int& iterations);
  bool follow_to(double log_amplitude, int& iterations);
  bool jump_to(double log_amplitude, int& iterations);
  bool refine(int& iterations);
  /// A motion with other harmonics, at its own amplitude.
  bool take(const Motion& motion, int harmonics, int& iterations);
  void restore(const Motion& motion);
  bool solve(Eigen::VectorXd guess, double log_amplitude, int& iterations);
  SolveOutcome newton(Eigen::VectorXd& y, double log_amplitude);
  void rebuild(int harmonics);
  [[nodiscard]] Residual residual();
  /// " (harmonic 3 of mode 2 is 40 % of the amplitude there)", the largest that is not the mode's own first.
  [[nodiscard]] std::string strongest_answer(const CurvePoint& at) const;

  const System* system_;
  int mode_;
  const NonlinearModeOptions* options_;
  std::unique_ptr<ModeBalance> balance_, finer_;
  Motion now_;   ///< the present motion; empty: none yet
  Motion last_;  ///< at the amplitude before
  Eigen::VectorXd before_;
  double before_at_ = 0.0, truncation_ = 0.0;
  std::string lost_;
  struct Turns {
    int count = 0;
    double from = 0.0, to = 0.0;  ///< amplitudes of the first
  };
  Turns turns_;
  struct Jumps {
    int count = 0;
    double from = 0.0, to = 0.0;  ///< amplitudes of the first, and why
    std::string why;
  };
  Jumps jumps_;
  struct TooFew {
    int count = 0;
    double first = 0.0, error = 0.0;
  };
  TooFew too_few_;  ///< amplitudes where no motion is found with more harmonics
};

}  // namespace microslip
