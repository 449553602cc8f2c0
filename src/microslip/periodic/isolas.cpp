#include "microslip/periodic/isolas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "microslip/periodic/curve_distance.hpp"
#include "microslip/periodic/steady_vibration.hpp"

namespace microslip {
namespace {

constexpr int even_sweeps = 12;   ///< over the range
constexpr int close_sweeps = 12;  ///< where the response bends, by its points
constexpr int narrowings = 10;    ///< of the frequencies around a least fold
constexpr double none = std::numeric_limits<double>::infinity();

/// What the curve over the level at one frequency tells.
struct LevelSweep {
  double omega = 0.0;
  std::vector<PeriodicOrbit> motions;  ///< at the level asked for, to the step of the curve
  std::vector<double> turns_forth;     ///< levels, over that asked for, at which the curve turns forth again
  bool whole = false;                  ///< up to the highest level

  /// Of these the one next to a level; infinite: there is none.
  [[nodiscard]] double fold_next_to(double level) const {
    double next = none;
    for (const double fold : turns_forth) {
      if (std::abs(fold - level) < std::abs(next - level)) next = fold;
    }
    return next;
  }
};

/// A fold of one sweep at the next: either is next to the other. Infinite: it is not there.
double same_fold(const LevelSweep& sweep, double fold, const LevelSweep& next) {
  const double there = next.fold_next_to(fold);
  return there < none && sweep.fold_next_to(there) == fold ? there : none;
}

/// Between two points of a curve, where it passes the level.
PeriodicOrbit between(const PeriodicOrbit& a, const PeriodicOrbit& b, double level) {
  const double part = (level - a.level) / (b.level - a.level);
  PeriodicOrbit result = a.harmonics > b.harmonics ? a : b;
  result.level = level;
  result.force.resize(0, 0);
  result.deflection.setZero();
  result.deflection.topRows(a.deflection.rows()) += (1.0 - part) * a.deflection;
  result.deflection.topRows(b.deflection.rows()) += part * b.deflection;
  return result;
}

class IsolaSearch {
 public:
  IsolaSearch(const System& system, const HarmonicLoad& load, const OverFrequency& asked, const ResponseRecord& record,
              const FrequencyResponseOptions& options, const Observer& observer, FrequencyResponse& result)
      : system_(&system),
        load_(&load),
        asked_(asked),
        record_(&record),
        options_(options),
        highest_(options.isolas),
        observer_(&observer),
        result_(&result) {
    options_.isolas = 0.0;
    options_.start.resize(0);
  }

  void run() {
    const std::vector<double> places = frequencies();
    std::vector<LevelSweep> sweeps;
    for (const double omega : places) {
      if (stopped(static_cast<double>(sweeps.size()) / static_cast<double>(places.size()))) break;
      sweeps.push_back(look(omega));
    }
    for (std::size_t i = 1; i + 1 < sweeps.size() && !interrupted_; ++i) {
      const LevelSweep &before = sweeps[i - 1], &here = sweeps[i], &after = sweeps[i + 1];
      for (const double fold : here.turns_forth) {
        if (fold > 1.0 && fold <= same_fold(here, fold, before) && fold <= same_fold(here, fold, after)) {
          narrow(before.omega, here, fold, after.omega);
        }
      }
    }
    tell();
  }

 private:
  bool stopped(double part) {
    part_ = part;
    interrupted_ = interrupted_ || !goes_on();
    return interrupted_;
  }
  [[nodiscard]] bool goes_on() const { return !*observer_ || (*observer_)(0.5 + 0.5 * part_); }
  FrequencyResponse respond(const SteadyRequest& request, const ResponseRecord& record,
                            const FrequencyResponseOptions& options) {
    FrequencyResponse curve =
        steady_vibration(*system_, *load_, request, record, options, [this](double /*part*/) { return goes_on(); });
    interrupted_ = interrupted_ || curve.ending == Ending::interrupted;
    return curve;
  }

  /// Evenly over the range, and evenly over the points of the response, which are close where it bends. Ascending.
  [[nodiscard]] std::vector<double> frequencies() const {
    std::vector<double> places;
    for (int i = 0; i < even_sweeps; ++i) {
      places.push_back(asked_.from + (asked_.to - asked_.from) * (i + 0.5) / even_sweeps);
    }
    const auto number = static_cast<int>(result_->points.size());
    const int close = std::min(close_sweeps, number);
    for (int i = 0; i < close; ++i) {
      const auto point = static_cast<std::size_t>((2 * i + 1) * number / (2 * close));
      const double omega = result_->points[point].orbit.omega;
      if ((omega - asked_.from) * (asked_.to - omega) > 0.0) places.push_back(omega);
    }
    std::ranges::sort(places);
    const double apart = 1e-6 * std::abs(asked_.to - asked_.from);
    const auto same = [apart](double a, double b) { return b - a < apart; };
    places.erase(std::unique(places.begin(), places.end(), same), places.end());
    return places;
  }

  /// A sweep of the level, and the curves through the motions that it passes.
  LevelSweep look(double omega) {
    LevelSweep sweep = swept(omega);
    ++sweeps_;
    if (!sweep.whole) ++lost_;
    for (const PeriodicOrbit& motion : sweep.motions) {
      if (!interrupted_ && !known(motion, 0.01)) follow(motion);
    }
    return sweep;
  }

  LevelSweep swept(double omega) {
    constexpr double lowest = 0.02, rough = 1e-3;
    FrequencyResponseOptions options = options_;
    options.method = SteadyMethod::harmonic_balance;
    options.stability = false;
    options.tolerance = std::max(options.tolerance, rough);
    options.max_harmonics = std::min(options.max_harmonics, 15);
    options.max_step = std::min(options.max_step, 0.1);
    options.max_points = 2000;
    const double level = asked_.level, highest = highest_ * level;
    const FrequencyResponse curve =
        respond(OverLevel{.omega = omega, .from = lowest * level, .to = highest}, {}, options);
    LevelSweep result{.omega = omega, .motions = {}, .turns_forth = {}, .whole = curve.ending == Ending::completed};
    for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
      const PeriodicOrbit &a = curve.points[i].orbit, &b = curve.points[i + 1].orbit;
      if (curve.points[i + 1].behind_a_gap) continue;
      if ((a.level - level) * (b.level - level) <= 0.0 && b.level != level) {
        result.motions.push_back(between(a, b, level));
      }
    }
    int folds = 0;
    for (const SpecialPoint& special : curve.special) {
      if (special.kind == SpecialKind::jump) folds = 0;                     // behind it the curve grows again
      if (special.kind != SpecialKind::fold || ++folds % 2 == 1) continue;  // at every second one it turns forth
      result.turns_forth.push_back(special.point.orbit.level / level);
    }
    return result;
  }

  /// Where a fold between three frequencies is least, until the level is above it.
  void narrow(double low, LevelSweep middle, double fold, double high) {
    for (int i = 0; i < narrowings && fold > 1.0 && !stopped(1.0); ++i) {
      const bool above = high - middle.omega > middle.omega - low;
      LevelSweep sweep = look(0.5 * (middle.omega + (above ? high : low)));
      const double there = same_fold(middle, fold, sweep);
      if (there < fold) {
        (above ? low : high) = middle.omega;
        middle = std::move(sweep);
        fold = there;
      } else {
        (above ? high : low) = sweep.omega;
      }
    }
  }

  [[nodiscard]] bool known(const PeriodicOrbit& motion, double within) const {
    return on_curve(result_->points, motion, std::abs(asked_.to - asked_.from), within);
  }

  void follow(const PeriodicOrbit& motion) {
    FrequencyResponseOptions options = options_;
    options.near = motion;
    const ThroughFrequency through{.level = asked_.level, .omega = motion.omega, .from = asked_.from, .to = asked_.to};
    FrequencyResponse curve = respond(through, *record_, options);
    if (curve.points.size() < 3) {
      if (!interrupted_) ++not_followed_;
      return;
    }
    const auto seen = [&](std::size_t i) { return known(curve.points[i].orbit, 10.0 * options.tolerance); };
    const std::size_t last = curve.points.size() - 1;
    if (seen(last / 4) && seen(last / 2) && seen(last - last / 4)) return;
    add(std::move(curve));
  }

  void add(FrequencyResponse&& curve) {
    DetachedCurve detached{
        .piece = static_cast<int>(result_->detached.size()) + 1, .from = none, .closed = curve.closed};
    for (ResponsePoint& point : curve.points) {
      detached.from = std::min(detached.from, point.orbit.omega);
      detached.to = std::max(detached.to, point.orbit.omega);
      point.piece = detached.piece;
      result_->points.push_back(std::move(point));
    }
    for (SpecialPoint& special : curve.special) {
      if (special.kind == SpecialKind::fold) {
        detached.from = std::min(detached.from, special.point.orbit.omega);
        detached.to = std::max(detached.to, special.point.orbit.omega);
      }
      special.point.piece = detached.piece;
      result_->special.push_back(std::move(special));
    }
    if (!curve.message.empty()) {
      add_note(fmt::format("detached curve {}: {}", detached.piece, curve.message), result_->message);
    }
    result_->ending = worse(result_->ending, curve.ending);
    result_->detached.push_back(detached);
  }

  void tell() {
    for (const DetachedCurve& curve : result_->detached) {
      add_note(fmt::format("detached curve {}: {}omega = {:.6g} to {:.6g}", curve.piece,
                           curve.closed ? "closed (an isola), " : "", curve.from, curve.to),
               result_->remark);
    }
    if (result_->detached.empty()) {
      add_note(fmt::format("no curve detached from this one was found by {} sweeps of the level up to {:g} times",
                           sweeps_, highest_),
               result_->remark);
    }
    if (lost_ > 0) {
      add_note(fmt::format("{} of {} sweeps of the level for detached curves did not reach {:g} times the level", lost_,
                           sweeps_, highest_),
               result_->remark);
    }
    if (not_followed_ > 0) {
      add_note(fmt::format("{} motions of these sweeps were not found again at the level", not_followed_),
               result_->remark);
    }
    if (interrupted_) {
      result_->ending = Ending::interrupted;
      add_note("interrupted: not all detached curves were looked for", result_->message);
    }
  }

  const System* system_;
  const HarmonicLoad* load_;
  OverFrequency asked_;
  const ResponseRecord* record_;
  FrequencyResponseOptions options_;
  double highest_;  ///< level of the sweeps, over that asked for
  const Observer* observer_;
  FrequencyResponse* result_;
  double part_ = 0.0;  ///< of the search that is done
  bool interrupted_ = false;
  int sweeps_ = 0, lost_ = 0, not_followed_ = 0;
};

}  // namespace

void add_isolas(const System& system, const HarmonicLoad& load, const OverFrequency& asked,
                const ResponseRecord& record, const FrequencyResponseOptions& options, const Observer& observer,
                FrequencyResponse& result) {
  if (result.ending == Ending::interrupted) return;
  IsolaSearch(system, load, asked, record, options, observer, result).run();
}

}  // namespace microslip
