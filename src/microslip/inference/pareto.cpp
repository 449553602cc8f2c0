#include "microslip/inference/pareto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "microslip/inference/misfits.hpp"
#include "microslip/inference/samples.hpp"
#include "microslip/inference/sobol.hpp"
#include "microslip/numerics/shared_progress.hpp"

namespace microslip {
namespace {

constexpr std::size_t starts_of_an_end = 4;  // best samples from which the minimum of one misfit is sought
constexpr double others_share = 1e-5;        // of the other misfits in it: of equal minima the one that is best there
constexpr double no_conflict = 1e-12;        // width of the front over the misfits themselves
constexpr double known_ends = 1e-6;          // of the width without the others: ten times tolerance over others_share
constexpr double a_little = 1e-5;            // F, by which points of the front are to be better than a sample
constexpr double least_tolerance = 1e-12;    // of the sum of F, and the rounding of a misfit in units of itself
constexpr double rounding = 1e-14;
constexpr double better = 1e-9;  // sum of F, in units of the front

/// Points of the simplex: multiples of 1/divisions, and who is next to whom.
struct Simplex {
  Simplex(std::size_t ends, std::size_t about) {
    std::size_t divisions = 1;
    while (count_of(ends, divisions + 1) <= about) ++divisions;
    std::vector<std::size_t> parts(ends, 0);
    add(parts, 0, divisions);
    for (std::size_t i = 0; i < all.size(); ++i) {
      next.emplace_back();
      for (std::size_t j = 0; j < all.size(); ++j) {
        std::size_t moved = 0;
        for (std::size_t k = 0; k < ends; ++k) moved += std::max(all[i][k], all[j][k]) - std::min(all[i][k], all[j][k]);
        if (moved == 2) next[i].push_back(j);
      }
    }
    for (const auto& point : all) {
      Eigen::VectorXd share(static_cast<Eigen::Index>(ends));
      for (std::size_t k = 0; k < ends; ++k) {
        share(static_cast<Eigen::Index>(k)) = static_cast<double>(point[k]) / static_cast<double>(divisions);
      }
      shares.push_back(share);
    }
  }
  std::vector<Eigen::VectorXd> shares;  ///< add up to 1
  std::vector<std::vector<std::size_t>> next;

 private:
  static std::size_t count_of(std::size_t ends, std::size_t divisions) {
    std::size_t count = 1;
    for (std::size_t k = 1; k < ends; ++k) count = count * (divisions + k) / k;
    return count;
  }
  void add(std::vector<std::size_t>& parts, std::size_t k, std::size_t left) {
    if (k + 1 == parts.size()) {
      parts[k] = left;
      all.push_back(parts);
      return;
    }
    for (parts[k] = 0; parts[k] <= left; ++parts[k]) add(parts, k + 1, left - parts[k]);
  }
  std::vector<std::vector<std::size_t>> all;
};

/// One search: what its steps share.
class FrontSearch {
 public:
  FrontSearch(const ResidualProblem& problem, const std::vector<ParetoObjective>& objectives,
              const ParetoOptions& options, SharedProgress& progress)
      : problem_(problem), objectives_(objectives), options_(options), progress_(progress) {
    box_ = box_of(problem.parameters());
    descent_.max_iterations = options.max_iterations;
    descent_.tolerance = least_tolerance;
    descent_.stopped = [this] { return !progress_.add(0.0); };
  }

  void sample() {
    const std::size_t given = options_.from.size();
    const bool sobol = box_.low.size() <= static_cast<Eigen::Index>(most_sobol_dimensions);
    const Samples samples(sobol ? SampleKind::sobol : SampleKind::latin_hypercube, problem_.parameters().size(),
                          std::max<std::size_t>(options_.samples, 1), options_.seed);
    std::vector<FrontState> all(given + options_.samples + 1);
    each(all.size(), 0.2, [&](std::size_t i) {
      Eigen::VectorXd x = box_.low;
      if (i < given) {
        x = options_.from[i];
      } else if (i < given + options_.samples) {
        x = samples.point(i - given, problem_.parameters());
      } else {
        for (Eigen::Index k = 0; k < x.size(); ++k) x(k) = problem_.parameters()[static_cast<std::size_t>(k)].start;
      }
      Misfits misfits = misfits_at(problem_, objectives_, x, false);
      all[i].evaluations = 1;
      if (misfits.why.empty()) all[i].x = x, all[i].misfits = std::move(misfits.values);
    });
    for (FrontState& state : all) {
      evaluations += state.evaluations;
      if (state.x.size() > 0) samples_.push_back(std::move(state));
    }
  }

  /// The minimum of each misfit, and the units of the front. False: some misfit does not differ there.
  bool find_ends() {
    const auto count = static_cast<Eigen::Index>(objectives_.size());
    FrontScale plain{Eigen::VectorXd::Zero(count), Eigen::VectorXd::Ones(count)};
    for (const FrontState& s : samples_) plain.range = plain.range.cwiseMin(s.misfits.cwiseMax(1e-300));
    ends_.resize(objectives_.size());
    Eigen::VectorXd least;  // widths that the ends can tell from none
    for (const bool finally : {false, true}) {
      // The first time each misfit by itself, then with a little of the others in units of the front.
      std::vector<FrontState> found(objectives_.size() * starts_of_an_end);
      const AcrossTheSimplex across(problem_, objectives_, finally ? scale : plain, box_, descent_);
      each(found.size(), 0.1, [&](std::size_t i) {
        const auto k = static_cast<Eigen::Index>(i / starts_of_an_end);
        const std::size_t rank = i % starts_of_an_end;
        if (rank >= samples_.size() || (finally && rank > 0)) return;
        Eigen::VectorXd weights = Eigen::VectorXd::Constant(count, finally ? others_share : 0.0);
        weights(k) = 1.0;
        found[i] = across.weighted(weights, finally ? ends_[static_cast<std::size_t>(k)].x : by_rank(k, rank).x);
      });
      for (std::size_t i = 0; i < found.size(); ++i) {
        FrontState& end = ends_[i / starts_of_an_end];
        const auto k = static_cast<Eigen::Index>(i / starts_of_an_end);
        evaluations += found[i].evaluations;
        if (found[i].x.size() == 0) continue;
        if (end.x.size() == 0 || finally || found[i].misfits(k) < end.misfits(k)) end = found[i];
      }
      if (std::any_of(ends_.begin(), ends_.end(), [](const FrontState& end) { return end.x.size() == 0; }))
        return false;
      scale.ideal = scale.range = ends_[0].misfits;
      for (const FrontState& end : ends_) {
        scale.ideal = scale.ideal.cwiseMin(end.misfits);
        scale.range = scale.range.cwiseMax(end.misfits);
      }
      scale.range -= scale.ideal;
      bool conflict = false;
      harmless.clear();
      if (!finally) least = known_ends * scale.range;
      for (Eigen::Index k = 0; k < count; ++k) {
        if (scale.range(k) > no_conflict * (scale.ideal(k) + scale.range(k)) && scale.range(k) > least(k)) {
          conflict = true;
        } else {
          harmless += (harmless.empty() ? "\"" : ", \"") + objectives_[static_cast<std::size_t>(k)].name + "\"";
        }
      }
      if (!conflict) harmless.clear();
      if (!conflict || !harmless.empty()) return false;
      descent_.tolerance = least_tolerance + rounding * (scale.ideal.cwiseQuotient(scale.range)).maxCoeff();
    }
    return true;
  }

  /// Across from each point of the simplex: from the sample that is best there, then from what neighbours have found.
  void follow() {
    const Simplex simplex(objectives_.size(), options_.points);
    const std::size_t count = simplex.shares.size();
    const AcrossTheSimplex across(problem_, objectives_, scale, box_, descent_);
    std::vector<Eigen::VectorXd> targets;
    for (const Eigen::VectorXd& share : simplex.shares) {
      Eigen::VectorXd target = Eigen::VectorXd::Zero(share.size());
      for (Eigen::Index k = 0; k < share.size(); ++k)
        target += share(k) * scale(ends_[static_cast<std::size_t>(k)].misfits);
      targets.push_back(target);
    }
    front_.resize(count);
    each(count, 0.3, [&](std::size_t i) { front_[i] = across.solve(targets[i], best_for(targets[i])); });
    std::vector<char> changed(count, 1);
    for (std::size_t sweep = 0; sweep < 2 * count && !progress_.stopped(); ++sweep) {
      std::vector<FrontState> now = front_;
      std::vector<char> changes(count, 0);
      each(count, sweep == 0 ? 0.15 : 0.0, [&](std::size_t i) {
        std::size_t more = 0;
        for (const std::size_t j : simplex.next[i]) {
          if (!changed[j] || !front_[j].at_rest) continue;
          FrontState state = across.solve(targets[i], front_[j]);
          more += state.evaluations;
          if (state.at_rest && (!now[i].at_rest || state.sum < now[i].sum - better)) {
            const std::size_t before = now[i].evaluations;
            now[i] = std::move(state);
            now[i].evaluations = before;
            changes[i] = 1;
          }
        }
        now[i].evaluations += more;
      });
      front_ = std::move(now);
      changed = changes;
      if (std::none_of(changed.begin(), changed.end(), [](char c) { return c != 0; })) break;
    }
    for (const FrontState& state : front_) {
      evaluations += state.evaluations;
      not_at_rest += state.at_rest ? 0 : 1;
    }
  }

  /// Samples that nothing dominates yet: to points of the front that dominate them.
  void improve_samples() {
    std::vector<FrontState> candidates = reached();
    candidates.insert(candidates.end(), samples_.begin(), samples_.end());
    std::vector<std::size_t> left;
    for (const std::size_t i : kept(candidates)) {
      if (!candidates[i].at_rest) left.push_back(i);
    }
    const AcrossTheSimplex across(problem_, objectives_, scale, box_, descent_);
    std::vector<FrontState> improved(left.size());
    each(left.size(), 0.1, [&](std::size_t i) {
      const FrontState& from = candidates[left[i]];
      FrontState start = from;
      start.multipliers.resize(0);
      improved[i] = across.below(scale(from.misfits).array() - a_little, start);
    });
    for (FrontState& state : improved) {
      evaluations += state.evaluations;
      if (state.at_rest) front_.push_back(std::move(state));
    }
  }

  void fill(ParetoFront& front) const {
    std::vector<FrontState> candidates = reached();
    candidates.insert(candidates.end(), samples_.begin(), samples_.end());
    for (const std::size_t i : kept(candidates)) {
      front.points.push_back({candidates[i].x, candidates[i].misfits, candidates[i].at_rest});
    }
    std::sort(front.points.begin(), front.points.end(), [](const ParetoPoint& a, const ParetoPoint& b) {
      return std::lexicographical_compare(a.misfits.begin(), a.misfits.end(), b.misfits.begin(), b.misfits.end());
    });
    front.evaluations = evaluations;
    front.not_at_rest = not_at_rest;
  }

  [[nodiscard]] bool empty() const { return samples_.empty(); }
  FrontScale scale;
  std::size_t evaluations = 0, not_at_rest = 0;
  std::string harmless;  ///< objectives that do not conflict with the others, where some of these do

 private:
  template <typename Work>
  void each(std::size_t count, double share, const Work& work) {
    share_work(count, options_.threads, [&](std::size_t i) {
      if (progress_.stopped()) return;
      work(i);
      progress_.add(share / static_cast<double>(count));
    });
  }
  [[nodiscard]] const FrontState& by_rank(Eigen::Index k, std::size_t rank) const {
    std::vector<std::size_t> order(samples_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto at = order.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(order.begin(), at, order.end(), [&](std::size_t a, std::size_t b) {
      const double x = samples_[a].misfits(k), y = samples_[b].misfits(k);
      return x < y || (x == y && a < b);
    });
    return samples_[*at];
  }
  /// Of samples and ends the one that comes closest to all goals at once.
  [[nodiscard]] FrontState best_for(const Eigen::VectorXd& target) const {
    const FrontState* best = nullptr;
    double least = 0.0;
    for (const std::vector<FrontState>* states : {&ends_, &samples_}) {
      for (const FrontState& s : *states) {
        const double worst = (scale(s.misfits) - target).maxCoeff();
        if (best == nullptr || worst < least) least = worst, best = &s;
      }
    }
    FrontState start = *best;
    start.multipliers.resize(0);
    return start;
  }
  [[nodiscard]] std::vector<FrontState> reached() const {
    std::vector<FrontState> states;
    for (const std::vector<FrontState>* all : {&ends_, &front_}) {
      for (const FrontState& state : *all) {
        if (state.at_rest) states.push_back(state);
      }
    }
    return states;
  }
  static std::vector<std::size_t> kept(const std::vector<FrontState>& states) {
    std::vector<Eigen::VectorXd> misfits;
    for (const FrontState& state : states) misfits.push_back(state.misfits);
    return not_dominated(misfits);
  }

  const ResidualProblem& problem_;
  const std::vector<ParetoObjective>& objectives_;
  const ParetoOptions& options_;
  SharedProgress& progress_;
  Box box_;
  DescentOptions descent_;
  std::vector<FrontState> samples_, ends_, front_;
};

}  // namespace

ParetoFront pareto_front(const ResidualProblem& problem, const std::vector<ParetoObjective>& objectives,
                         const ParetoOptions& options, const std::function<bool(double fraction)>& observer) {
  if (objectives.size() < 2) throw std::invalid_argument("a Pareto front has two objectives at least");
  for (const ParetoObjective& objective : objectives) {
    if (objective.groups.empty()) throw std::invalid_argument("objective \"" + objective.name + "\" has no rows");
  }
  ParetoFront front;
  SharedProgress progress(observer, 1.0);
  FrontSearch search(problem, objectives, options, progress);
  search.sample();
  if (search.empty()) {
    front.interrupted = progress.stopped();
    front.message = front.interrupted ? "Interrupted." : "No sample has an answer.";
    return front;
  }
  const bool conflict = search.find_ends();
  if (conflict && !progress.stopped()) {
    search.follow();
    search.improve_samples();
  }
  search.fill(front);
  front.interrupted = progress.stopped();
  if (search.scale.ideal.size() > 0) {
    front.ideal = search.scale.ideal;
    front.nadir = search.scale.ideal + search.scale.range;
  }
  const auto say = [&](const std::string& sentence) { front.message += (front.message.empty() ? "" : " ") + sentence; };
  if (front.interrupted) {
    say("Interrupted.");
  } else if (!conflict) {
    say(search.harmless.empty()
            ? "One point is best in all objectives."
            : fmt::format("No front was followed, since all minima are as good in {}: leave out what "
                          "has no conflict, or add its rows to another objective.",
                          search.harmless));
  }
  if (front.not_at_rest > 0 && !front.interrupted) {
    say(fmt::format("Across from {} points of the grid no point of the front was found.", front.not_at_rest));
  }
  return front;
}

std::vector<std::size_t> not_dominated(const std::vector<Eigen::VectorXd>& misfits) {
  // By their first misfit: only those before one can dominate it.
  std::vector<std::size_t> order(misfits.size()), kept;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Eigen::VectorXd &x = misfits[a], &y = misfits[b];
    if (std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end())) return true;
    if (std::lexicographical_compare(y.begin(), y.end(), x.begin(), x.end())) return false;
    return a < b;
  });
  for (const std::size_t i : order) {
    const bool dominated = std::any_of(kept.begin(), kept.end(),
                                       [&](std::size_t j) { return (misfits[j].array() <= misfits[i].array()).all(); });
    if (!dominated) kept.push_back(i);
  }
  return kept;
}

std::size_t knee_of(const ParetoFront& front) {
  if (front.points.empty()) return 0;
  Eigen::VectorXd low = front.points[0].misfits, high = low;
  for (const ParetoPoint& p : front.points) low = low.cwiseMin(p.misfits), high = high.cwiseMax(p.misfits);
  // A misfit that is the same everywhere has no part in it, one that differs by less than a square little: points of
  // which one is best in all, but for rounding, are not chosen by what is left.
  Eigen::VectorXd weights = (high - low).cwiseMax(1.0).cwiseInverse();
  for (Eigen::Index k = 0; k < weights.size(); ++k) {
    if (!(high(k) - low(k) > no_conflict * high(k))) weights(k) = 0.0;
  }
  return point_by_weight(front, weights);
}

std::size_t point_by_weight(const ParetoFront& front, const Eigen::VectorXd& weights) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < front.points.size(); ++i) {
    if (weights.dot(front.points[i].misfits) < weights.dot(front.points[best].misfits)) best = i;
  }
  return best;
}

}  // namespace microslip
