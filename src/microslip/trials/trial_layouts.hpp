#pragma once
// The different sets of columns that rows of trials have, numbered.

#include <cstddef>
#include <vector>

#include "microslip/trials/trial_plan.hpp"

namespace microslip {

class TrialLayouts {
 public:
  /// From 1, in the order of first appearance; 0: no columns. A new set is taken in.
  [[nodiscard]] std::size_t number(const TrialColumns& columns);
  /// Sets so far.
  [[nodiscard]] std::size_t size() const { return sets_.size(); }
  /// The set of a number; null of 0.
  [[nodiscard]] TrialColumns columns(std::size_t number) const { return number == 0 ? nullptr : sets_.at(number - 1); }
  void add(TrialColumns columns) { sets_.push_back(std::move(columns)); }

 private:
  std::vector<TrialColumns> sets_;
  std::size_t last_ = 0;  ///< that was asked for
};

}  // namespace microslip
