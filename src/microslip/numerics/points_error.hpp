#pragma once
// Points (u, f) that make no curve.

#include <stdexcept>
#include <string>

namespace microslip {

/// Says which point, counted from 1.
class PointsError : public std::invalid_argument {
 public:
  PointsError(const std::string& message, bool in_u) : std::invalid_argument(message), in_u_(in_u) {}
  /// The abscissa is at fault, not the ordinate.
  [[nodiscard]] bool in_u() const { return in_u_; }

 private:
  bool in_u_;
};

}  // namespace microslip
