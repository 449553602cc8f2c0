#pragma once
// What a transient settles to under a harmonic load that grows in steps: a start for equations of periodic motions that
// have found none by themselves, and the judge of whether there is one of the load's period.

#include <functional>
#include <string>

#include "microslip/joints/joint_memory.hpp"
#include "microslip/periodic/harmonic_balance.hpp"
#include "microslip/periodic/joint_receptance.hpp"

namespace microslip {

struct SettledMotion {
  bool settled = false;  ///< what is left to go is a hundredth of the motion or less
  PeriodicOrbit orbit;   ///< of the last period, deflections alone; empty: the transient did not come that far
  double change = 0.0;   ///< of the state over the last period, relative to the motion
  JointMemory memory;    ///< of the joints at the end of it
  int periods = 0;       ///< of the load, run so far
  /// For people, of a motion that has not settled: it repeats every so many periods, or changes by so much a period.
  [[nodiscard]] std::string in_words(double omega, double level) const;
  int repeats = 0;  ///< periods after which the state is the same again, 2 to 6; 0: none
  /// It repeats after several periods, or changes as much as it did ten looks before: not a slow decay to come.
  bool wanders = false;
};

/// The system at rest, or under the constant loads alone, then a tenth of the level, two tenths, ... for some periods
/// each, then all of it until the motion repeats, a limit of steps is met or `stopped`, where there is one, says so.
[[nodiscard]] SettledMotion settle(const System& system, const HarmonicLoad& load, double omega, double level,
                                   int harmonics, const std::function<bool()>& stopped = {});

}  // namespace microslip
