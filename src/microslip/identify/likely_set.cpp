#include "microslip/identify/likely_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/identify/residual_correlation.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/normal_quantile.hpp"

namespace microslip {
namespace {

constexpr double ridge_misfit = 1e-3;  // of sigma^2: a ridge keeps unknowns apart that no datum tells apart
constexpr double least_ridge = 1e-13, most_ridge = 1e-8;
constexpr double for_signs = 2.0;
constexpr double visible = 1e-6;     // of sigma: what an unknown of less adds to the data is nothing
constexpr double same_turn = 1e-10;  // relative: no exchange is taken back where it was made
constexpr int most_turns = 20;       // exchanges an unknown
constexpr int most_stalls = 20;      // exchanges without a step

}  // namespace

LikelySet::LikelySet(Eigen::MatrixXd columns, const Eigen::VectorXd& data, int free, double confidence,
                     std::span<const std::size_t> rows, bool known_noise)
    : free_(free) {
  scale_.resize(columns.cols());
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    const double length = columns.col(j).norm();
    scale_(j) = length > 0.0 ? 1.0 / length : 0.0;
    columns.col(j) *= scale_(j);
  }
  square_ = data.squaredNorm();
  h_ = transpose_times(columns, columns);
  const double ridge = std::clamp(ridge_misfit / square_, least_ridge, most_ridge);
  h_.diagonal().array() = 1.0 + ridge;
  b_ = transpose_times(columns, data);
  const NonnegativeSolution best = solve_nonnegative(h_, b_, {}, free_);
  converged_ = best.converged;
  nearest_ = scale_.cwiseProduct(best.x);
  const Eigen::VectorXd residual = columns * best.x - data;
  least_ = residual.squaredNorm();
  const double nothing = visible * std::sqrt(least_ / static_cast<double>(data.size()));
  for (const int i : best.positive) {
    if (i < free_ || best.x(i) > nothing) positive_.push_back(i);
  }
  double alike = 1.0;
  std::size_t first = 0;
  for (const std::size_t count : rows) {
    alike = std::max(alike, residuals_alike(std::span(residual.data() + first, count)));
    first += count;
  }
  // Unknowns that act alike count as one: d = trace of the map from data to fit.
  const Eigen::MatrixXd part = h_(positive_, positive_);
  const double d = static_cast<double>(positive_.size()) - ridge * inverse(part).trace();
  const double left = std::max(static_cast<double>(data.size()) - d, 1.0);
  const double t = known_noise ? normal_reach(confidence) : student_reach(confidence, left);
  rise_ = for_signs * t * t * (known_noise ? 1.0 : least_ / left) * alike;
}

Eigen::VectorXd LikelySet::farthest(const Eigen::VectorXd& c) const {
  const Eigen::VectorXd direction = scale_.cwiseProduct(c);
  const auto unknowns = static_cast<int>(direction.size());
  const double limit = least_ + rise_;
  std::vector<int> positive = positive_;
  std::vector<char> in(direction.size(), 0);
  for (const int i : positive) in[i] = 1;
  CholeskyFactors factor;
  Eigen::MatrixXd rows;
  Eigen::VectorXd start, slope, gradient, turn;  // x = start + s slope of the positive; gradient + s turn of all
  Eigen::VectorXd x = Eigen::VectorXd::Zero(unknowns);
  double s = 0.0, sum = least_;
  int last = -1;
  int stalls = 0;
  double jump = 0.01;
  for (int step = 0; step < most_turns * unknowns && !positive.empty(); ++step) {
    if (stalls > most_stalls) {  // exchanges go round at one place: a little further on the programme itself is solved
      s = s > 0.0 ? (1.0 + jump) * s : 1e-3 * std::sqrt(rise_) / direction.norm();
      jump *= 2.0;
      const NonnegativeSolution ahead = solve_nonnegative(h_, b_ + s * direction, positive, free_);
      if (!ahead.converged) break;
      positive = ahead.positive;
      std::fill(in.begin(), in.end(), 0);
      for (const int i : positive) in[i] = 1;
      sum = square_ - 2.0 * b_.dot(ahead.x) + ahead.x.dot(h_ * ahead.x);
      stalls = 0;
      last = -1;
    }
    rows = h_(Eigen::all, positive);
    if (!factor.compute(rows(positive, Eigen::all))) break;
    start = b_(positive);
    slope = direction(positive);
    factor.solve_in_place(start);
    factor.solve_in_place(slope);
    const double pace = slope.dot(direction(positive));
    gradient.noalias() = rows * start;
    gradient -= b_;
    turn.noalias() = rows * slope;
    turn -= direction;
    // Where the next unknown reaches 0, or a zero wants to grow.
    double next = std::numeric_limits<double>::infinity();
    int which = -1;
    const auto offer = [&](int i, double value, double rate) {
      if (!(rate < 0.0)) return;
      const double at = std::max(-value / rate, s);
      if (at < next && !(i == last && at <= s * (1.0 + same_turn))) next = at, which = i;
    };
    for (std::size_t k = 0; k < positive.size(); ++k) {
      if (positive[k] >= free_)
        offer(positive[k], start(static_cast<Eigen::Index>(k)), slope(static_cast<Eigen::Index>(k)));
    }
    for (int i = free_; i < unknowns; ++i) {
      if (!in[i]) offer(i, gradient(i), turn(i));
    }
    const double reach =
        pace > 0.0 ? std::sqrt(std::max(s * s + (limit - sum) / pace, 0.0)) : std::numeric_limits<double>::infinity();
    const bool there = reach <= next || which < 0;
    const double to = std::min(reach, next);
    stalls = to <= s * (1.0 + same_turn) ? stalls + 1 : 0;
    if (std::isfinite(to)) {
      sum += (to * to - s * s) * pace;
      s = to;
    }
    x.setZero();
    for (std::size_t k = 0; k < positive.size(); ++k) {
      const auto place = static_cast<Eigen::Index>(k);
      const double value = start(place) + s * slope(place);
      x(positive[k]) = positive[k] < free_ ? value : std::max(value, 0.0);
    }
    if (there) break;
    last = which;
    in[which] = in[which] ? 0 : 1;
    positive.clear();
    for (int i = 0; i < unknowns; ++i) {
      if (in[i]) positive.push_back(i);
    }
  }
  return scale_.cwiseProduct(x);
}

LikelySet::Range LikelySet::range(const Eigen::VectorXd& c) const {
  return {c.dot(farthest(-c)), c.dot(farthest(c))};
}

}  // namespace microslip
