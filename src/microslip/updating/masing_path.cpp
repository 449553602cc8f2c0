#include "microslip/updating/masing_path.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

/// The turning points that a joint remembers on its way.
class Remembered {
 public:
  void move_to(double u) {
    const double direction = u > at_ ? 1.0 : u < at_ ? -1.0 : 0.0;
    if (direction == 0.0) return;
    if (direction_ != 0.0 && direction != direction_) turns_.push_back(at_);
    direction_ = direction;
    at_ = u;
    while (closes(u)) {
      // Past the point opposite to the first turn the virgin curve goes on; past a turn before the last, its branch.
      turns_.resize(turns_.size() > 1 ? turns_.size() - 2 : 0);
    }
  }

  /// f at the present deflection: factors of F0.
  template <class Add>
  void each_term(const Add& add) const {
    if (turns_.empty()) {
      add(at_, 1.0);
      return;
    }
    add(turns_.front(), 1.0);
    for (std::size_t k = 1; k < turns_.size(); ++k) add(0.5 * (turns_[k] - turns_[k - 1]), 2.0);
    add(0.5 * (at_ - turns_.back()), 2.0);
  }

 private:
  [[nodiscard]] bool closes(double u) const {
    if (turns_.empty()) return false;
    const double way = std::abs(u - turns_.back());
    const double whole =
        turns_.size() > 1 ? std::abs(turns_[turns_.size() - 2] - turns_.back()) : 2.0 * std::abs(turns_.back());
    return way >= whole;
  }

  std::vector<double> turns_;
  double at_ = 0.0, direction_ = 0.0;
};

void add_row(const Remembered& joint, MasingPath& path) {
  auto& row = path.rows.emplace_back();
  joint.each_term([&](double u, double factor) {
    const double deflection = std::abs(u);
    if (!(deflection > 0.0)) return;
    const auto found =
        std::find(path.deflections.rbegin(), path.deflections.rend(), deflection);  // most often the last
    const std::size_t back = static_cast<std::size_t>(found - path.deflections.rbegin());
    std::size_t number = path.deflections.size();
    if (found == path.deflections.rend()) {
      path.deflections.push_back(deflection);
    } else {
      number -= back + 1;
    }
    row.emplace_back(number, u < 0.0 ? -factor : factor);
  });
}

}  // namespace

MasingPath masing_path(std::span<const double> u) {
  MasingPath path;
  Remembered joint;
  for (const double each : u) {
    joint.move_to(each);
    add_row(joint, path);
  }
  return path;
}

MasingPath settled_masing_path(std::span<const double> u) {
  MasingPath path;
  if (u.empty()) return path;
  const auto [low, high] = std::minmax_element(u.begin(), u.end());
  const double middle = 0.5 * (*low + *high);
  Remembered joint;
  for (const double each : u) joint.move_to(each - middle);  // once for the memory
  for (const double each : u) {
    joint.move_to(each - middle);
    add_row(joint, path);
  }
  return path;
}

}  // namespace microslip
