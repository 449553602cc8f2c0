#pragma once
// Which methods take the joints of a study.
//
// Rigid friction (coulomb) sticks and slides: between two events everything is linear, and only the methods that find
// the events take it: transient with method = "events", and frf, level_sweep and orbit with method =
// "piecewise_linear". These in turn need laws of straight lines without memory (linear, gap, piecewise_linear) beside
// it: a law with a smooth curve or a memory of its own has no linear stretches to go along.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

struct JointMethods {
  std::vector<std::string> rigid;   ///< names of joints that need the events
  std::vector<std::string> smooth;  ///< of joints that no method with events takes: hysteretic, polynomial, custom
};

[[nodiscard]] JointMethods joint_methods(const System& system);

/// Why `what` (`method = "newmark"`, `kind = "qsma"`), a method without events, cannot take the joints, and what can;
/// empty when it can.
[[nodiscard]] std::string rigid_friction_obstacle(const System& system, std::string_view what);

/// Why a method that moves every mode cannot take a structure whose mass matrix is singular; empty when it can. `what`
/// names the method.
[[nodiscard]] std::string massless_obstacle(const System& system, std::string_view what);

/// Why a method with events cannot take the joints; empty when it can.
[[nodiscard]] std::string smooth_law_obstacle(const System& system, std::string_view what);

/// Complains at the kind where a joint is rigid friction.
void refuse_rigid_friction(const TableReader& analysis, std::string_view kind, const System& system);

/// The methods of a kind of which one finds events.
struct EventMethod {
  std::string_view name;                     ///< method = "name" finds them
  std::string_view fallback;                 ///< the method without that key
  std::span<const std::string_view> others;  ///< all without events
};

/// Complains at the method of an analysis, or at its kind, where a joint is rigid friction and the method does not take
/// it. For the method with events only where no method takes all joints; what else it needs is its own to check.
void check_event_method(const TableReader& analysis, const EventMethod& event, const System& system);

}  // namespace microslip
