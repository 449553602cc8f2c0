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
constexpr double few_left = 5.0;     // rows more than unknowns: fewer tell no noise

}  // namespace

LikelySet::LikelySet(Eigen::MatrixXd columns, const Eigen::VectorXd& data, int free, double confidence,
                     std::span<const std::size_t> rows, RowNoise noise)
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
  nearest_ = scale_.cwiseProduct(best.x);
  const Eigen::VectorXd residual = columns * best.x - data;
  least_ = residual.squaredNorm();
  converged_ = best.converged && std::isfinite(square_) && std::isfinite(least_);
  if (!converged_) return;
  const auto n = static_cast<double>(data.size());
  const double nothing = visible * std::sqrt(least_ / n);
  for (const int i : best.positive) {
    if (i < free_ || best.x(i) > nothing) positive_.push_back(i);
  }
  // Unknowns that act alike count as one: d = trace of the map from data to fit.
  const Eigen::MatrixXd part = h_(positive_, positive_);
  const double d = static_cast<double>(positive_.size()) - ridge * inverse(part).trace(), left = n - d;
  double alike = 1.0;
  std::size_t first = 0;
  for (const std::size_t count : rows) {
    if (left < few_left) break;
    alike = std::max(alike, residuals_alike(std::span(residual.data() + first, count)));
    first += count;
  }
  const auto scattered = [&](double square, double freedom) {  // t^2 sigma^2
    const double of_these = std::max(freedom, 1.0);
    return std::pow(student_reach(confidence, of_these), 2) * square / of_these;
  };
  const double own = noise.known                       ? std::pow(normal_reach(confidence), 2)
                     : left < few_left && noise.fitted ? scattered(n, n - *noise.fitted)
                                                       : scattered(least_, left);
  rise_ = for_signs * own * alike;
}

LikelySet::Farthest LikelySet::farthest(const Eigen::VectorXd& c) const {
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
  bool there = !converged_;
  for (int step = 0; step < most_turns * unknowns && !there; ++step) {
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
    gradient = -b_;
    turn = -direction;
    double pace = 0.0;
    if (!positive.empty()) {
      rows = h_(Eigen::all, positive);
      if (!factor.compute(rows(positive, Eigen::all))) break;
      start = b_(positive);
      slope = direction(positive);
      factor.solve_in_place(start);
      factor.solve_in_place(slope);
      pace = slope.dot(direction(positive));
      gradient.noalias() += rows * start;
      turn.noalias() += rows * slope;
    }
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
    there = reach <= next || which < 0;
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
  return {scale_.cwiseProduct(x), there && converged_ && x.allFinite()};
}

LikelySet::Range LikelySet::range(const Eigen::VectorXd& c) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const Farthest low = farthest(-c), high = farthest(c);
  return {low.found ? c.dot(low.x) : -infinite, high.found ? c.dot(high.x) : infinite};
}

}  // namespace microslip
