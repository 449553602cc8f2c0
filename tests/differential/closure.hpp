#pragma once
// Is what a method calls a periodic motion one? A fine transient from a point of it comes back to that point.

#include <optional>
#include <string>

#include "model.hpp"
#include "way.hpp"

namespace microslip::differential {

/// May several motions answer the same load?
[[nodiscard]] bool may_fold(const Model& model);
/// Do the joints remember nothing, so that displacements and velocities are all of the state?
[[nodiscard]] bool forgets(const Model& model);
/// One that slips and one that pushes to one side only: where the sliders come to rest hangs on how the motion began.
[[nodiscard]] bool remembers_its_start(const Model& model);

/// A point of the motion that an `frf` method finds at that frequency, and the model whose loads have their phases
/// there. Joints that remember start with the memory of a first loading: it is where they are the farthest out.
struct OrbitStart {
  Model loaded;
  std::string initial;  ///< key of a transient
};
[[nodiscard]] std::optional<OrbitStart> start_on_orbit(const Model& model, const std::string& method, double omega,
                                                       Runner& runner);

/// How far a period leads from the motion that an `frf` method finds at that frequency, over its largest amplitude.
/// Infinite where there is none. The model must forget.
[[nodiscard]] double miss_after_period(const Model& model, const std::string& method, double omega, Runner& runner);

/// Two methods found different motions, a part `apart` of their size away from each other: both close on themselves,
/// ten times closer than that.
[[nodiscard]] bool two_motions(const Model& model, const std::string& one, const std::string& other, double omega,
                               double apart, Runner& runner);

}  // namespace microslip::differential
