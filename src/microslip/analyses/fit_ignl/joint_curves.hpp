#pragma once
// Static curves of joints that act on one deflection, with friction stuck and slipping:
//
//   joints = { names = ["cubic", "lap"], stiffness = 1.3e5, to = 4e-3 }    or force = 5000: the deflection under it
//
// Stuck, a joint with friction is the spring of its tangent at rest; springs, polynomials and gaps stay what they are.
// Joints of a structure with one degree of freedom act on it as they do there, beside its own stiffness; elsewhere the
// deflection is that of each joint.

#include <string>
#include <string_view>

#include "microslip/identify/ignl_fit.hpp"
#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

struct JointCurves {
  std::string origin;  ///< for people
  IgnlCurves curves;
};

/// The table under a key. Throws StudyError; a force beyond a limit load is refused with the limit.
[[nodiscard]] JointCurves read_joint_curves(const TableReader& reader, std::string_view key, const System& system);

}  // namespace microslip
