#include "microslip/periodic/curve_distance.hpp"

#include <algorithm>

namespace microslip {
namespace {

/// In scaled space: deflections over the size of the motion, frequency over the range.
class Place {
 public:
  Place(const PeriodicOrbit& orbit, Eigen::Index rows, double size, double range) : omega_(orbit.omega / range) {
    deflection_ = Eigen::MatrixXd::Zero(rows, orbit.deflection.cols());
    deflection_.topRows(orbit.deflection.rows()) = orbit.deflection / size;
  }
  [[nodiscard]] double dot(const Place& other) const {
    return deflection_.cwiseProduct(other.deflection_).sum() + omega_ * other.omega_;
  }
  void subtract(double times, const Place& other) {
    deflection_ -= times * other.deflection_;
    omega_ -= times * other.omega_;
  }

 private:
  Eigen::MatrixXd deflection_;
  double omega_;
};

/// Squared distance from the line between two places.
double squared_distance(const Place& motion, const Place& from, const Place& to) {
  Place line = to, off = motion;
  line.subtract(1.0, from);
  off.subtract(1.0, from);
  const double length2 = line.dot(line);
  off.subtract(length2 > 0.0 ? std::clamp(off.dot(line) / length2, 0.0, 1.0) : 0.0, line);
  return off.dot(off);
}

}  // namespace

bool on_curve(const std::vector<ResponsePoint>& points, const PeriodicOrbit& motion, double range, double within) {
  Eigen::Index rows = motion.deflection.rows();
  double largest = 0.0;
  for (const ResponsePoint& point : points) {
    rows = std::max(rows, point.orbit.deflection.rows());
    largest = std::max(largest, point.orbit.deflection.norm());
  }
  double size = motion.deflection.norm();
  if (!(size > 0.0)) size = largest > 0.0 ? largest : 1.0;  // no joint moves
  const Place here(motion, rows, size, range);
  std::vector<Place> places;
  for (const ResponsePoint& point : points) places.emplace_back(point.orbit, rows, size, range);
  const auto joined = [&](std::size_t i) {  // to the next one
    return i + 1 < points.size() && points[i].piece == points[i + 1].piece && !points[i + 1].behind_a_gap;
  };
  const auto bend2 = [&](std::size_t i) {
    return i > 0 && joined(i - 1) && joined(i) ? squared_distance(places[i], places[i - 1], places[i + 1]) : 0.0;
  };
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (!joined(i)) continue;
    const double near = std::sqrt(std::max(bend2(i), bend2(i + 1))) + within;
    if (squared_distance(here, places[i], places[i + 1]) <= near * near) return true;
  }
  return false;
}

}  // namespace microslip
