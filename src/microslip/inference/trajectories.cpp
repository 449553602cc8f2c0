#include "microslip/inference/trajectories.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace microslip {
namespace {

constexpr double left_level = 1000.0;  // energy off by so much: the step is far too long here
// Dual averaging, Hoffman and Gelman 3.2.
constexpr double shrinkage = 0.05, delay = 10.0, forgetting = 0.75;

double log_sum(double a, double b) {
  const double most = std::max(a, b);
  return most == -std::numeric_limits<double>::infinity() ? most : most + std::log1p(std::exp(std::min(a, b) - most));
}

/// Both ends still move away from each other.
bool goes_on(const Eigen::VectorXd& sum, const Eigen::VectorXd& first, const Eigen::VectorXd& last) {
  return sum.dot(first) > 0.0 && sum.dot(last) > 0.0;
}

}  // namespace

Trajectories::Trajectories(LogDensity density, Eigen::VectorXd z, Eigen::MatrixXd units, double acceptance,
                           int most_doublings, CounterRandom random)
    : density_(std::move(density)),
      units_(std::move(units)),
      acceptance_(acceptance),
      most_doublings_(most_doublings),
      random_(random) {
  at_.z = std::move(z);
  at_.gradient.resize(at_.z.size());
  at_.momentum = Eigen::VectorXd::Zero(at_.z.size());
  at_.log_density = density_(at_.z, at_.gradient);
  step_ = std::pow(static_cast<double>(std::max<Eigen::Index>(at_.z.size(), 1)), -0.25);
  begin_step();
}

void Trajectories::begin_step() {
  start_log_step_ = std::log(10.0 * step_);
  mean_log_step_ = std::log(step_);
  shortfall_ = 0.0;
  adapted_ = 0;
}

void Trajectories::change_units(Eigen::MatrixXd units) {
  units_ = std::move(units);
  settle_step();
  begin_step();
}

void Trajectories::leap(Point& point, double step) {
  point.momentum.noalias() += 0.5 * step * (units_.transpose() * point.gradient);
  point.z.noalias() += step * (units_ * point.momentum);
  point.log_density = density_(point.z, point.gradient);
  if (!(point.log_density > -std::numeric_limits<double>::infinity())) {
    point.log_density = -std::numeric_limits<double>::infinity();
    return;
  }
  point.momentum.noalias() += 0.5 * step * (units_.transpose() * point.gradient);
}

/// 2^doublings steps on from `edge`, which moves along. False: they turned back somewhere or left their level.
bool Trajectories::grow(int doublings, double step, Point& edge, Part& part) {
  if (doublings == 0) {
    leap(edge, step);
    ++leaps_;
    const double off = energy(edge) - start_energy_;
    if (!(off < left_level)) {
      (std::isfinite(edge.log_density) ? diverged_ : met_nothing_) = true;
      return false;
    }
    accepted_ += std::min(1.0, std::exp(-off));
    part = {edge.momentum, edge.momentum, edge.momentum, edge, -off};
    return true;
  }
  Part second;
  if (!grow(doublings - 1, step, edge, part) || !grow(doublings - 1, step, edge, second)) return false;
  const double both = log_sum(part.log_weight, second.log_weight);
  if (std::log(random_.uniform()) < second.log_weight - both) std::swap(part.chosen, second.chosen);
  part.log_weight = both;
  const bool first_goes_on = goes_on(part.sum + second.first, part.first, second.first);
  const bool second_goes_on = goes_on(second.sum + part.last, part.last, second.last);
  part.sum += second.sum;
  part.last = second.last;
  return first_goes_on && second_goes_on && goes_on(part.sum, part.first, part.last);
}

void Trajectories::advance(bool adapts) {
  for (double& p : at_.momentum) p = random_.normal();
  start_energy_ = energy(at_);
  accepted_ = 0.0;
  leaps_ = 0;
  diverged_ = met_nothing_ = cut_short_ = false;
  Point back = at_, forth = at_;
  Part whole{at_.momentum, at_.momentum, at_.momentum, at_, 0.0};
  for (int doublings = 0;; ++doublings) {
    if (doublings == most_doublings_) {
      cut_short_ = true;
      break;
    }
    const bool forwards = random_.uniform() < 0.5;
    Part part;
    if (!grow(doublings, forwards ? step_ : -step_, forwards ? forth : back, part)) break;
    if (std::log(random_.uniform()) < part.log_weight - whole.log_weight) std::swap(whole.chosen, part.chosen);
    whole.log_weight = log_sum(whole.log_weight, part.log_weight);
    // From here on `before` ends where `after` begins, in the order of time.
    if (!forwards) {
      std::swap(part.first, part.last);
      std::swap(whole.sum, part.sum);
      std::swap(whole.first, part.first);
      std::swap(whole.last, part.last);
    }
    const bool first_goes_on = goes_on(whole.sum + part.first, whole.first, part.first);
    const bool second_goes_on = goes_on(part.sum + whole.last, whole.last, part.last);
    whole.sum += part.sum;
    whole.last = part.last;
    if (!first_goes_on || !second_goes_on || !goes_on(whole.sum, whole.first, whole.last)) break;
  }
  at_ = std::move(whole.chosen);
  if (!adapts) return;
  ++adapted_;
  const double t = adapted_, mean = leaps_ > 0 ? accepted_ / static_cast<double>(leaps_) : 0.0;
  shortfall_ += (acceptance_ - mean - shortfall_) / (t + delay);
  const double log_step = start_log_step_ - shortfall_ * std::sqrt(t) / shrinkage;
  const double share = std::pow(t, -forgetting);
  mean_log_step_ = share * log_step + (1.0 - share) * mean_log_step_;
  step_ = std::exp(log_step);
}

}  // namespace microslip
