#pragma once
// One chain of Hamiltonian trajectories for any density with derivatives: the No-U-Turn sampler with multinomial choice
// among the points of a trajectory and its step by dual averaging (Hoffman and Gelman 2014, JMLR 15; Betancourt 2017,
// arXiv 1701.02434). Momentum is standard normal in units y, z = A y.

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <functional>

#include "microslip/numerics/counter_random.hpp"

namespace microslip {

/// ln p(z) up to a constant, and its gradient; -infinity where there is none.
using LogDensity = std::function<double(const Eigen::VectorXd& z, Eigen::VectorXd& gradient)>;

class Trajectories {
 public:
  /// Begins at z; `units`: A. `random` is used up in a fixed order.
  Trajectories(LogDensity density, Eigen::VectorXd z, Eigen::MatrixXd units, double acceptance, int most_doublings,
               CounterRandom random);

  /// One trajectory; `adapts`: the step learns from it.
  void advance(bool adapts);
  /// Other units: the step starts to learn anew.
  void change_units(Eigen::MatrixXd units);
  /// The step that was learned, from now on.
  void settle_step() { step_ = std::exp(mean_log_step_); }

  [[nodiscard]] const Eigen::VectorXd& z() const { return at_.z; }
  [[nodiscard]] double log_density() const { return at_.log_density; }
  [[nodiscard]] const Eigen::MatrixXd& units() const { return units_; }
  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] bool diverged() const { return diverged_; }        ///< the last trajectory
  [[nodiscard]] bool met_nothing() const { return met_nothing_; }  ///< it ended where there is no density
  [[nodiscard]] bool cut_short() const { return cut_short_; }

 private:
  struct Point {
    Eigen::VectorXd z, momentum, gradient;
    double log_density = 0.0;
  };
  struct Part {
    Eigen::VectorXd first, last, sum;  ///< momenta: at its ends, and added up
    Point chosen;
    double log_weight = 0.0;
  };

  void begin_step();
  void leap(Point& point, double step);
  [[nodiscard]] double energy(const Point& point) const {
    return 0.5 * point.momentum.squaredNorm() - point.log_density;
  }
  bool grow(int doublings, double step, Point& edge, Part& part);

  LogDensity density_;
  Point at_;
  Eigen::MatrixXd units_;
  double acceptance_;
  int most_doublings_;
  CounterRandom random_;
  double step_ = 1.0, start_log_step_ = 0.0, mean_log_step_ = 0.0, shortfall_ = 0.0;  // of dual averaging
  int adapted_ = 0;
  double start_energy_ = 0.0, accepted_ = 0.0;
  std::size_t leaps_ = 0;
  bool diverged_ = false, met_nothing_ = false, cut_short_ = false;
};

}  // namespace microslip
