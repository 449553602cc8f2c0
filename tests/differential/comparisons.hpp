#pragma once
// What is compared: two ways that know nothing of each other, or the same system in other words, on one drawn system.

#include <span>

#include "model.hpp"
#include "way.hpp"

namespace microslip::differential {

struct Comparison {
  const char* name;
  Model (*draw)(Random& random);
  void (*compare)(const Model& model, Runner& runner, Verdict& verdict);
  int cases;  ///< of the short run
};

[[nodiscard]] std::span<const Comparison> steady_comparisons();  ///< periodic motion under harmonic loads
[[nodiscard]] std::span<const Comparison> mode_comparisons();    ///< modes over amplitude
[[nodiscard]] std::span<const Comparison> same_comparisons();    ///< one system, written differently
[[nodiscard]] std::span<const Comparison> record_comparisons();  ///< records, energy and fits

}  // namespace microslip::differential
