#pragma once
// One run of averaging: what loaded stretches (averaging_loaded.cpp), free decay (averaging_free.cpp) and rows
// (averaging.cpp) share. Internal to simulate_by_averaging.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "microslip/numerics/dormand_prince.hpp"
#include "microslip/transient/averaging.hpp"
#include "microslip/transient/free_panel.hpp"
#include "microslip/transient/linear_step.hpp"
#include "microslip/transient/motion_table.hpp"

namespace microslip::averaging {

using Rates = AveragedMode::Rates;

/// sqrt(1 - zeta^2), where zeta is small; a tenth at least, so that X stays a number where averaging is about to give
/// up.
inline double damped_share(double zeta) {
  return std::sqrt(std::max(0.01, 1.0 - zeta * zeta));
}

/// A load in modal coordinates.
struct ModalLoad {
  const Signal* signal;
  double factor;
};

/// The motion of a mode at a moment, for a row.
struct Moment {
  double t = 0.0, x = 0.0, v = 0.0, a = 0.0;
  double amplitude = 0.0, omega = 0.0, zeta = 0.0;
};

/// Force of a joint on the first harmonic of its cycle at this moment of a mode.
[[nodiscard]] double joint_force(const AveragedMode& mode, int joint, AveragingForm form, const Moment& moment);

class Averaging {
 public:
  Averaging(const System& system, int mode, std::span<const Load> loads, const InitialConditions& initial,
            const Record& record, Sink& sink, const AveragingOptions& options, const Observer& observer);

  /// Keeps the moments of the rows, where `kept` is given, instead of writing them.
  AveragingResult run(std::vector<Moment>* kept = nullptr);
  [[nodiscard]] const AveragedMode& mode() const { return mode_; }

  // What a row tells.
  [[nodiscard]] double time() const { return moment_.t; }
  void displacements(double* values) const { show(moment_.x, values); }
  void velocities(double* values) const { show(moment_.v, values); }
  void accelerations(double* values) const { show(moment_.a, values); }
  void deflections(double* values) const;
  void joint_forces(double* values) const;

 private:
  struct Point {
    double amplitude = 0.0;
    Rates rates;
  };

  static long row_steps(const AveragingOptions& options) {
    TransientOptions same;
    same.duration = options.duration;
    same.step = options.step;
    return step_count(same);
  }

  [[nodiscard]] double force(double t) const {
    double sum = 0.0;
    for (const ModalLoad& load : active_) sum += load.factor * load.signal->value(t);
    return sum;
  }
  [[nodiscard]] double next_corner(double t, double end) const {
    for (const ModalLoad& load : active_) end = std::min(end, load.signal->next_corner(t));
    return end;
  }

  Rates rates(double amplitude) {
    result_.evaluations++;
    return mode_.rates(amplitude, options_.form);
  }
  double next_stretch();
  Point amplitude_under_load(double x, double v, double guess);
  void enter_free_motion();
  void leave_free_motion(double log_amplitude, const Rates& rates);

  bool fail_without_stiffness();
  [[nodiscard]] double error_of(const DormandPrinceStep<2>& step, double after) const;
  bool forced_to(double end);
  bool sampled_to(double end);
  void gather_block(double g, double end);
  void cross_block(const Rates& rates, bool write_rows, double& x, double& v);
  enum class PanelOutcome { made, stalled, failed };
  PanelOutcome next_panel(double y, FreePanel& panel);
  bool free_to(double end);
  bool hold_to(double end, const Rates& rates);

  void watch_macroslip(double t_before, double amplitude_before, double amplitude);
  bool carry_on();
  bool fail(Ending ending, std::string message) {
    result_.ending = ending;
    result_.message = std::move(message);
    return false;
  }

  [[nodiscard]] double row_time() const { return static_cast<double>(next_row_) * options_.step; }
  [[nodiscard]] bool row_due(double t) const {
    return recording_ && next_row_ <= total_steps_ && row_time() <= t * (1.0 + 1e-14);
  }
  void show(double modal, double* values) const;
  [[nodiscard]] Table<Averaging> history_table() const;
  void write_row(const Moment& moment);
  void write_forced_row(double t, double x, double v, const Point& point) {
    const Rates& r = point.rates;
    write_row({t, x, v, force(t) - 2.0 * r.zeta_forced * r.omega * v - r.omega * r.omega * x, point.amplitude, r.omega,
               r.zeta_forced});
  }
  void write_free_row(double t, double amplitude, double phase, double omega, double zeta);

  const System& system_;
  Eigen::VectorXd shape_;
  AveragedMode mode_;
  const Record& record_;
  Sink& sink_;
  const AveragingOptions& options_;
  const Observer& observer_;
  bool recording_;
  long total_steps_;
  double end_;
  std::vector<ModalLoad> loads_, active_;
  bool straight_ = true;  ///< all that act are straight lines
  Eigen::VectorXd shapes_;
  std::vector<double> log_corners_;

  double t_ = 0.0, x_ = 0.0, v_ = 0.0;
  double amplitude_ = 0.0, phase_ = 0.0;
  double step_ = 0.0;                              ///< of the adaptive integration, kept from one stretch to the next
  double panel_width_ = 1.0;                       ///< of the free decay, in ln X
  std::vector<double> block_times_, block_loads_;  ///< corners of the block of lines at hand
  double corner_ = 0.0;                            ///< the next one
  LinearStep line_{1.0, 0.0, 1.0};
  long next_row_ = 0;
  long calls_ = 0;
  Moment moment_;  ///< of the row at hand
  Table<Averaging> rows_;
  std::vector<Moment>* kept_ = nullptr;
  AveragingResult result_;
};

/// Modes one after the other, their motions added.
[[nodiscard]] AveragingResult superpose(const System& system, int modes, std::span<const Load> loads,
                                        const InitialConditions& initial, const Record& record, Sink& sink,
                                        const AveragingOptions& options, const Observer& observer);

}  // namespace microslip::averaging
