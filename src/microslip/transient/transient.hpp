#pragma once
// Transient response: M q'' + C q' + K q + B f(u, u') = p(t) from given initial conditions.
//
// In stuck modal coordinates every scheme is one linear recurrence a mode, and Newton solves for the joint forces only.
// See docs/theory.md, "Time integration".

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"
#include "microslip/system/sink.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

enum class Scheme {
  newmark,            ///< gamma, beta; average acceleration by default
  hht,                ///< Hilber-Hughes-Taylor, `alpha` in [0, 1/3]
  generalized_alpha,  ///< Chung-Hulbert, `rho_infinity` in [0, 1]
  modal_exact         ///< each mode exactly, total force linear over the step; needs diagonal modal damping
};

struct TransientOptions {
  Scheme scheme = Scheme::newmark;
  double duration = 0.0;      ///< [time]
  double step = 0.0;          ///< [time]; the last step ends at or just after the duration
  int modes = 0;              ///< stuck modes kept, 0: all; the others count statically
  double gamma = 0.5;         ///< newmark
  double beta = 0.25;         ///< newmark
  double alpha = 0.05;        ///< hht
  double rho_infinity = 0.9;  ///< generalized_alpha
  double tolerance = 1e-6;    ///< relative residual of the joint forces before the last Newton correction
  int max_iterations = 30;    ///< Newton iterations a step
  int max_halvings = 10;      ///< of a step that does not converge
};

/// Longest stable step of the linear structure with stuck joints, undamped: 1/(omega sqrt(gamma/2 - beta)) for a
/// newmark with 2 beta < gamma (Hughes 1987, 9.1), infinite otherwise.
[[nodiscard]] double stable_step(const System& system, const TransientOptions& options);

/// Steps that cover the duration.
[[nodiscard]] long step_count(const TransientOptions& options);

struct InitialConditions {
  Eigen::VectorXd q;                  ///< empty: zero
  Eigen::VectorXd v;                  ///< empty: zero
  std::optional<JointMemory> memory;  ///< empty: joints that have never moved, then loaded monotonically to B^T q
};

/// What goes to the sink: the columns time, q[..], v[..], a[..] of `dofs`, u[..], f[..] of the components of `joints`.
/// Truncated modes count in q; in v only their motion with the ground, in a not at all.
struct Record {
  std::vector<int> dofs;
  std::vector<int> joints;
  int every = 1;  ///< rows 0, every, 2 every, ...; the last step always
};
[[nodiscard]] Record record_everything(const System& system);

/// initial + input = stored + damping + sum(joints) + error * scale.
/// The joints count with their closed forms; input and damping are trapezoidal sums of powers: nothing closes by
/// construction, so the error falls with the step at the order of the scheme.
struct EnergyLedger {
  double initial = 0.0;        ///< kinetic and stored energy at the start
  double input = 0.0;          ///< work of the loads
  double stored = 0.0;         ///< kinetic and recoverable energy at the end
  double damping = 0.0;        ///< dissipated by the linear damping
  std::vector<double> joints;  ///< dissipated by each joint
  double error = 0.0;          ///< imbalance over the largest term
};

/// Sets `error` from the other terms.
void balance(EnergyLedger& energy);
/// A ledger over time has at most about so many rows.
inline constexpr long ledger_rows = 1000;

struct TransientResult {
  Ending ending = Ending::completed;
  std::string message;  ///< says when and which joint, if it did not complete
  long steps = 0;
  long newton_iterations = 0;  ///< evaluations of all joints
  long halved_steps = 0;
  double time = 0.0;  ///< reached; inside a step when only its first part converged
  EnergyLedger energy;
  Eigen::VectorXd q, v, a;  ///< at the end
  JointMemory memory;       ///< of the joints at the end
};

/// Never throws for lack of convergence: see `ending`. Throws std::invalid_argument for options out of range. `ledger`,
/// if any, gets the energies over time, the first row at the start and the last one at the end.
[[nodiscard]] TransientResult simulate(const System& system, std::span<const Load> loads,
                                       const InitialConditions& initial, const Record& record, Sink& sink,
                                       const TransientOptions& options, const Observer& observer = {},
                                       Sink* ledger = nullptr);

}  // namespace microslip
