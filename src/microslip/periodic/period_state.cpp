#include "microslip/periodic/period_state.hpp"

namespace microslip {

Eigen::Index PeriodState::size() const {
  Eigen::Index count = d.size() + v.size() + static_cast<Eigen::Index>(z.size());
  for (const auto& list : reversals) count += static_cast<Eigen::Index>(list.size());
  return count;
}

bool PeriodState::alike(const PeriodState& other) const {
  if (reversals.size() != other.reversals.size()) return false;
  for (std::size_t j = 0; j < reversals.size(); ++j) {
    if (reversals[j].size() != other.reversals[j].size()) return false;
    for (std::size_t i = 0; i + 1 < reversals[j].size(); ++i) {  // minima and maxima at the same places
      if ((reversals[j][i] < reversals[j][i + 1]) != (other.reversals[j][i] < other.reversals[j][i + 1])) return false;
    }
  }
  return true;
}

Eigen::VectorXd PeriodState::unknowns() const {
  Eigen::VectorXd y(size());
  y.head(d.size()) = d;
  y.segment(d.size(), v.size()) = v;
  Eigen::Index at = d.size() + v.size();
  for (const double value : z) y(at++) = value;
  for (const auto& list : reversals) {
    for (const double u : list) y(at++) = u;
  }
  return y;
}

void PeriodState::set_unknowns(const Eigen::VectorXd& y) {
  d = y.head(d.size());
  v = y.segment(d.size(), v.size());
  Eigen::Index at = d.size() + v.size();
  for (double& value : z) value = y(at++);
  for (auto& list : reversals) {
    for (double& u : list) u = y(at++);
  }
}

}  // namespace microslip
