#include "microslip/trials/trial_layouts.hpp"

#include <algorithm>

namespace microslip {
namespace {

bool same_columns(const std::vector<Column>& a, const std::vector<Column>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Column& x, const Column& y) {
    return x.name == y.name && x.unit == y.unit && x.description == y.description && x.scale == y.scale;
  });
}

}  // namespace

std::size_t TrialLayouts::number(const TrialColumns& columns) {
  if (!columns || columns->empty()) return 0;
  if (last_ > 0 && columns == sets_[last_ - 1]) return last_;
  const auto is_it = [&](const TrialColumns& set) { return set == columns || same_columns(*set, *columns); };
  const auto found = std::find_if(sets_.begin(), sets_.end(), is_it);
  last_ = static_cast<std::size_t>(found - sets_.begin()) + 1;
  if (found == sets_.end()) sets_.push_back(columns);
  return last_;
}

}  // namespace microslip
