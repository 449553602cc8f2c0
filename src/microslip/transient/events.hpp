#pragma once
// Transient response with rigid friction and piecewise-linear springs, from event to event: between events the motion
// is exact, and each event is located to rounding. See docs/theory.md, "Rigid friction".

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "microslip/transient/contact_motion.hpp"
#include "microslip/transient/piecewise_model.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

struct EventsOptions {
  double duration = 0.0;  ///< [time]
  double step = 0.0;      ///< between rows of the history; the motion does not depend on it [time]
  int modes = 0;          ///< stuck modes kept, 0: all; the others count statically, see PiecewiseModel
  long max_events = 100'000'000;
};

struct EventsResult {
  /// The ledger counts energies of the motion relative to the ground. Work of the loads and of damping are integrals by
  /// Gauss's rule, friction is closed where the normal load is constant: what is left tells the error of everything.
  TransientResult motion;
  long events = 0;
  long evaluations = 0;  ///< of the event functions
};

/// Columns of `history`: those of a transient and regime[..] of each friction or piecewise-linear joint that is
/// recorded: -1, 0 (stuck), 1, or the number of the spring's piece from 0. Columns of `events`: time, joint (number
/// from 1), before, after (regime), u, f. Never throws for lack of convergence: see `motion.ending`. Throws
/// std::invalid_argument like PiecewiseModel. `ledger`, if any, gets the energies over time (ledger_table), the first
/// row at the start and the last one at the end.
[[nodiscard]] EventsResult simulate_events(const System& system, std::span<const Load> loads, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v, const Record& record, Sink& history, Sink& events,
                                           const EventsOptions& options, const Observer& observer = {},
                                           Sink* ledger = nullptr);
/// The same with a model of the system under its loads that is there already; its modes count, not those of the
/// options.
[[nodiscard]] EventsResult simulate_events(const System& system, const PiecewiseModel& model, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v, const Record& record, Sink& history, Sink& events,
                                           const EventsOptions& options, const Observer& observer = {},
                                           Sink* ledger = nullptr);

}  // namespace microslip
