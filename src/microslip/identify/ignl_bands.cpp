#include "microslip/identify/ignl_bands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/identify/band_nodes.hpp"
#include "microslip/identify/cell_least_squares.hpp"
#include "microslip/identify/force_noise.hpp"
#include "microslip/identify/likely_set.hpp"

namespace microslip {
namespace {

constexpr double ignl_confidence = 0.95;
constexpr std::size_t most_amplitudes = 40;  // at which bands are found
constexpr double derivative_step = 1e-3;     // of the stiffness at rest
constexpr double period_tolerance = 1e-9;    // of the periods that derivatives are taken of
constexpr double least_noise = 1e-4;         // of the largest
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The unknowns: the spring as x T_j(x), x = u/end, T_j Chebyshev's polynomials; stiffness of the cells. A given k_1 is
/// no unknown.
class IgnlUnknowns {
 public:
  IgnlUnknowns(const IgnlFit& fit, int order, bool odd, std::optional<double> stiffness)
      : fit_(fit), given_(stiffness), edge_(slider_cells(fit.friction.u)) {
    end_ = fit.upper_end;
    std::vector<double> before, last = {1.0};  // T_(j-1), T_j by powers of x
    for (int j = 0; j < order; ++j) {
      if (!odd || j % 2 == 0) powers_.push_back(last);
      std::vector<double> next(last.size() + 1, 0.0);
      for (std::size_t i = 0; i < last.size(); ++i) next[i + 1] = (j == 0 ? 1.0 : 2.0) * last[i];
      for (std::size_t i = 0; i < before.size(); ++i) next[i] -= before[i];
      before = std::move(last);
      last = std::move(next);
    }
    if (!given_) return;
    // What is left of P is x^2 or x^3 times a polynomial.
    powers_.pop_back();
    for (std::vector<double>& power : powers_) power.insert(power.begin(), odd ? 2 : 1, 0.0);
  }

  [[nodiscard]] int free() const { return static_cast<int>(powers_.size()); }
  [[nodiscard]] Eigen::Index count() const { return free() + static_cast<Eigen::Index>(edge_.size()) - 1; }
  /// A step of an unknown that derivatives are taken with.
  [[nodiscard]] double step(Eigen::Index i) const {
    return derivative_step * fit_.model.stuck.front() * (i < free() ? end_ : 1.0);
  }

  /// Sliders have a stiffness >= 0.
  [[nodiscard]] bool admits(Eigen::Index i, double value) const { return i < free() || value >= 0.0; }

  /// Force at u > 0 on one side, without that of a given k_1.
  [[nodiscard]] Eigen::VectorXd force(double u, double sign, bool slips) const {
    Eigen::VectorXd row(count());
    const double x = sign * u / end_;
    for (int j = 0; j < free(); ++j) {
      double value = 0.0;
      for (std::size_t i = powers_[j].size(); i > 0; --i) value = (value + powers_[j][i - 1]) * x;
      row(j) = sign * value;
    }
    for (std::size_t j = 0; j + 1 < edge_.size(); ++j) {
      row(free() + static_cast<Eigen::Index>(j)) = slips ? spread_slider(u, edge_[j], edge_[j + 1]) - u : 0.0;
    }
    return row;
  }

  [[nodiscard]] IgnlModel model(const Eigen::VectorXd& x) const {
    IgnlModel model = fit_.model;
    model.friction.reset();
    model.friction_stiffness = 0.0;
    model.stuck.assign(1, given_.value_or(0.0));
    for (int j = 0; j < free(); ++j) {
      model.stuck.resize(std::max(model.stuck.size(), powers_[j].size()), 0.0);
      double unit = end_;
      for (std::size_t i = 0; i < powers_[j].size(); ++i, unit *= end_) model.stuck[i] += x(j) * powers_[j][i] / unit;
    }
    SliderDistribution sliders;
    sliders.edge = edge_;
    sliders.stiffness.assign(x.data() + free(), x.data() + x.size());
    sliders.phi_max = edge_.back();
    const SliderDistribution::Backbone points = sliders.backbone();
    if (points.u.size() < 2) return model;
    model.friction.emplace(points.u, points.f, sliders.interpolation());
    model.friction_stiffness = sliders.stiffness_at_rest();
    return model;
  }

 private:
  const IgnlFit& fit_;
  std::optional<double> given_;
  std::vector<double> edge_;
  double end_ = 1.0;
  std::vector<std::vector<double>> powers_;
};

/// What a curve gives the problem: all points but the origin, of slipping curves as far as friction is known.
struct CurveRows {
  double sign;
  bool slips;
  std::vector<double> u, f, noise;
};

/// `model`: of the side that the curve belongs to; noise is the distance from it.
CurveRows curve_rows(const ForceCurve& data, double sign, bool slips, const IgnlFit& fit, const IgnlModel& model) {
  CurveRows rows{sign, slips, {}, {}, {}};
  std::vector<double> residual, weight;
  const double reach = (slips ? fit.end : infinite) * (1.0 + 1e-12);
  for (std::size_t i = 0; i < data.size() && data.u[i] <= reach; ++i) {
    if (data.u[i] == 0.0) continue;
    const double u = sign * data.u[i], force = slips ? model.first_loading(u).force : model.stuck_force(u);
    rows.u.push_back(data.u[i]);
    rows.f.push_back(data.f[i]);
    residual.push_back(data.f[i] - sign * force);
    if (!data.weight.empty()) weight.push_back(data.weight[i]);
  }
  rows.noise = force_noise(rows.f, residual, weight);
  return rows;
}

double largest_noise(const std::vector<CurveRows>& curves) {
  double most = 0.0;
  for (const CurveRows& curve : curves) {
    for (const double noise : curve.noise) most = std::max(most, noise);
  }
  return most;
}

LikelySet likely_set(const IgnlUnknowns& unknowns, const IgnlFit& fit, const std::optional<double>& stiffness,
                     const std::vector<CurveRows>& curves) {
  const double most = largest_noise(curves);
  std::vector<Eigen::VectorXd> rows;
  std::vector<double> values;
  std::vector<std::size_t> counts;
  for (const CurveRows& curve : curves) {
    for (std::size_t i = 0; i < curve.u.size(); ++i) {
      const double u = curve.u[i], noise = std::max(curve.noise[i], least_noise * most);
      rows.push_back(unknowns.force(u, curve.sign, curve.slips) / noise);
      values.push_back((curve.f[i] - stiffness.value_or(0.0) * u) / noise);
    }
    counts.push_back(curve.u.size());
  }
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(rows.size()), unknowns.count());
  for (std::size_t i = 0; i < rows.size(); ++i) columns.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
  const Eigen::VectorXd data = Eigen::Map<const Eigen::VectorXd>(values.data(), columns.rows());
  const RowNoise noise{false, unknowns.free() + fit.slider_freedom};
  return {std::move(columns), data, unknowns.free(), ignl_confidence, counts, noise};
}

/// omega and zeta at one amplitude; nothing where there is no swing.
struct OmegaZeta {
  double omega = 0.0, zeta = 0.0;
};
std::optional<OmegaZeta> swing(const IgnlModel& model, double q) {
  const IgnlCurve curve = ignl_curve(model, std::span(&q, 1), period_tolerance);
  if (curve.points.empty()) return std::nullopt;
  return OmegaZeta{curve.points[0].omega, curve.points[0].zeta};
}

void hold(double value, std::size_t k, IgnlBand& band) {
  band.low[k] = std::min(band.low[k], value);
  band.high[k] = std::max(band.high[k], value);
}

/// Widens the bands by the ranges over the members of one set. `going`: told what share is done.
bool widen(const LikelySet& likely, const IgnlUnknowns& unknowns, std::span<const double> q, const Observer& going,
           IgnlBands& bands) {
  const double steps = static_cast<double>(unknowns.count()) + static_cast<double>(q.size());
  const IgnlModel nearest = unknowns.model(likely.nearest());
  const IgnlCurve at = ignl_curve(nearest, q, period_tolerance);
  const auto amplitudes = static_cast<Eigen::Index>(at.points.size());
  Eigen::MatrixXd omega = Eigen::MatrixXd::Zero(unknowns.count(), amplitudes), zeta = omega;
  std::vector<bool> open(q.size(), false);  // a derivative is not known
  for (Eigen::Index i = 0; i < unknowns.count(); ++i) {
    if (!going(static_cast<double>(i) / steps)) return false;
    std::size_t known = 0;  // amplitudes; where a step the one way leaves no swing, the other way
    for (const double step : {unknowns.step(i), -unknowns.step(i)}) {
      if (known == at.points.size()) break;
      Eigen::VectorXd x = likely.nearest();
      x(i) += step;
      if (!unknowns.admits(i, x(i))) continue;
      const IgnlCurve moved = ignl_curve(unknowns.model(x), q.first(at.points.size()), period_tolerance);
      for (; known < moved.points.size(); ++known) {
        const auto k = static_cast<Eigen::Index>(known);
        omega(i, k) = (moved.points[known].omega - at.points[known].omega) / step;
        zeta(i, k) = (moved.points[known].zeta - at.points[known].zeta) / step;
      }
    }
    std::fill(open.begin() + static_cast<std::ptrdiff_t>(known), open.end(), true);
  }
  const auto farthest_swing = [&](const Eigen::VectorXd& direction, double amplitude) -> std::optional<OmegaZeta> {
    const LikelySet::Farthest member = likely.farthest(direction);
    return member.found ? swing(unknowns.model(member.x), amplitude) : std::nullopt;
  };
  for (std::size_t k = 0; k < q.size(); ++k) {
    if (!going((static_cast<double>(unknowns.count()) + static_cast<double>(k)) / steps)) return false;
    const auto column = static_cast<Eigen::Index>(k);
    if (column >= amplitudes || open[k]) {
      for (IgnlBand* band : {&bands.omega, &bands.zeta}) band->low[k] = 0.0, band->high[k] = infinite;
      continue;
    }
    for (const double sign : {-1.0, 1.0}) {
      const auto faster = farthest_swing(sign * omega.col(column), q[k]);
      const auto damped = farthest_swing(sign * zeta.col(column), q[k]);
      const double none = sign > 0.0 ? infinite : 0.0;
      hold(faster ? faster->omega : none, k, bands.omega);
      hold(damped ? damped->zeta : none, k, bands.zeta);
    }
  }
  return true;
}

/// The band of all results from the ranges at some places.
IgnlBand whole_band(const std::vector<std::size_t>& places, const IgnlBand& range, std::span<const double> q,
                    const IgnlCurve& result, double IgnlPoint::*quantity) {
  IgnlBand band;
  band.low.assign(q.size(), 0.0);
  band.high.assign(q.size(), infinite);
  band.error.assign(q.size(), infinite);
  const auto node = [&](std::size_t k) {
    return BandNode{q[places[k]], result.points[places[k]].*quantity, {range.low[k], range.high[k]}};
  };
  std::size_t right = 0;
  for (std::size_t i = 0; i < result.points.size() && i < q.size(); ++i) {
    while (places[right] < i) ++right;
    const double value = result.points[i].*quantity;
    const BandEnds ends =
        places[right] == i ? node(right).ends : band_between(node(right - 1), node(right), q[i], value);
    band.low[i] = std::min(ends.low, value);
    band.high[i] = std::max(ends.high, value);
    if (!std::isfinite(ends.high)) continue;
    band.error[i] = std::hypot(value - 0.5 * (ends.low + ends.high), 0.25 * (ends.high - ends.low));
  }
  return band;
}

/// Widened to hold the results of a model.
void hold_results(const IgnlModel& model, std::span<const double> q, IgnlBands& bands) {
  const IgnlCurve curve = ignl_curve(model, q);
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    hold(curve.points[i].omega, i, bands.omega);
    hold(curve.points[i].zeta, i, bands.zeta);
  }
}

}  // namespace

int fuller_order(const SiceFit& polynomial) {
  const auto taken = std::find_if(polynomial.tried.begin(), polynomial.tried.end(),
                                  [&](const SiceOrder& tried) { return tried.order == polynomial.order; });
  const auto next = taken + 1;
  return next != polynomial.tried.end() && next->validation < taken->validation ? next->order : taken->order;
}

IgnlBands ignl_bands(const IgnlCurves& curves, const IgnlFitOptions& options, const IgnlFit& fit,
                     std::span<const double> amplitudes, const IgnlCurve& result, const Observer& observer) {
  const std::size_t swings = std::min(amplitudes.size(), result.points.size());
  const std::vector<std::size_t> places = band_nodes(amplitudes.first(swings), most_amplitudes);
  std::vector<double> q;
  IgnlBands ranges;
  const auto set_ranges = [&](double low, double high) {
    for (IgnlBand* range : {&ranges.omega, &ranges.zeta}) {
      range->low.assign(places.size(), low);
      range->high.assign(places.size(), high);
    }
  };
  set_ranges(infinite, 0.0);
  for (const std::size_t i : places) q.push_back(amplitudes[i]);
  const bool odd = options.odd.value_or(!curves.stuck_negative), both = curves.slipping_negative.has_value();
  const IgnlUnknowns unknowns(fit, fuller_order(fit.polynomial), odd, options.polynomial.stiffness);
  struct Sides {
    bool positive, negative;
  };
  const std::vector<Sides> sets =
      both && !fit.masing ? std::vector<Sides>{{true, false}, {false, true}} : std::vector<Sides>{{true, both}};
  bool whole = true;
  for (std::size_t k = 0; k < sets.size() && whole; ++k) {
    std::vector<CurveRows> rows = {curve_rows(curves.stuck, 1.0, false, fit, fit.model)};
    if (curves.stuck_negative) rows.push_back(curve_rows(*curves.stuck_negative, -1.0, false, fit, fit.model));
    if (sets[k].positive) {
      rows.push_back(curve_rows(curves.slipping, 1.0, true, fit, fit.positive_model.value_or(fit.model)));
    }
    if (sets[k].negative) {
      rows.push_back(curve_rows(*curves.slipping_negative, -1.0, true, fit, fit.negative_model.value_or(fit.model)));
    }
    if (!(largest_noise(rows) > 0.0)) {  // met exactly: nothing is open
      for (std::size_t i = 0; i < places.size(); ++i) {
        hold(result.points[places[i]].omega, i, ranges.omega);
        hold(result.points[places[i]].zeta, i, ranges.zeta);
      }
      continue;
    }
    const LikelySet likely = likely_set(unknowns, fit, options.polynomial.stiffness, rows);
    const auto going = [&](double share) {
      return !observer || observer((static_cast<double>(k) + share) / static_cast<double>(sets.size()));
    };
    whole = likely.converged() && widen(likely, unknowns, q, going, ranges);
  }
  if (!whole) set_ranges(0.0, infinite);
  IgnlBands bands = {whole_band(places, ranges.omega, amplitudes, result, &IgnlPoint::omega),
                     whole_band(places, ranges.zeta, amplitudes, result, &IgnlPoint::zeta)};
  for (const auto& side : {fit.positive_model, fit.negative_model}) {
    if (side) hold_results(*side, amplitudes.first(swings), bands);
  }
  return bands;
}

}  // namespace microslip
