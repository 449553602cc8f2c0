#include "microslip/identify/distribution_bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "microslip/identify/band_nodes.hpp"
#include "microslip/identify/distribution_search.hpp"
#include "microslip/identify/force_noise.hpp"
#include "microslip/identify/likely_set.hpp"

namespace microslip {
namespace {

constexpr double open_end = std::numeric_limits<double>::infinity();
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// The unknowns: cells, S at phi_max, K_inf; in the user's units.
class Unknowns {
 public:
  Unknowns(const CellLeastSquares& problem, const DistributionFitOptions& options, const DistributionFit& fit)
      : phi_max_(fit.phi_max.value), spread_(options.spread), residual_free_(!options.residual) {
    const std::vector<double>& u = fit.data.u;
    const double last = fit.macroslip ? strongest_before_tail(u, options.residual.has_value()) : u.back();
    for (const double e : problem.edges()) {
      if (e * problem.length() >= last) break;
      edge_.push_back(e * problem.length());
    }
    edge_.push_back(std::max(last, phi_max_));
    end_ = fit.macroslip || options.residual;
  }

  [[nodiscard]] Eigen::Index count() const { return cells() + (end_ ? 1 : 0) + (residual_free_ ? 1 : 0); }

  [[nodiscard]] Eigen::VectorXd force(double u) const {
    return of_sliders([&](double a, double b) { return spread_ ? spread_slider(u, a, b) : std::min(u, 0.5 * (a + b)); },
                      std::min(u, phi_max_), u);
  }
  [[nodiscard]] Eigen::VectorXd slip_force() const {
    return of_sliders([](double a, double b) { return 0.5 * (a + b); }, phi_max_, 0.0);
  }
  [[nodiscard]] Eigen::VectorXd stiffness() const {
    return of_sliders([](double, double) { return 1.0; }, 1.0, 0.0);
  }
  [[nodiscard]] Eigen::VectorXd residual() const {
    return of_sliders([](double, double) { return 0.0; }, 0.0, 1.0);
  }
  [[nodiscard]] Eigen::VectorXd end_stiffness() const {
    return of_sliders([](double, double) { return 0.0; }, 1.0, 0.0);
  }
  [[nodiscard]] Eigen::VectorXd density(double phi) const {
    return of_sliders([&](double a, double b) { return a <= phi && phi < b ? 1.0 / (b - a) : 0.0; }, 0.0, 0.0);
  }
  /// `least`: no slider of the cell that x lies in or ends is weaker than x.
  [[nodiscard]] Eigen::VectorXd dissipation(double x, bool least) const {
    const auto single = [x](double phi) { return x > phi ? 4.0 * phi * (x - phi) : 0.0; };
    const auto of_cell = [&](double a, double b) {
      if (least && a <= x && x <= b) return 0.0;
      return spread_ ? spread_loss(x, a, b) : single(0.5 * (a + b));
    };
    return of_sliders(of_cell, single(phi_max_), 0.0);
  }
  /// Stiffness of the sliders stronger than edge number k.
  [[nodiscard]] Eigen::VectorXd stiffness_beyond(std::size_t k) const {
    const double from = edge_[k];
    return of_sliders([&](double a, double) { return a >= from ? 1.0 : 0.0; }, phi_max_ > from ? 1.0 : 0.0, 0.0);
  }
  [[nodiscard]] const std::vector<double>& edges() const { return edge_; }
  [[nodiscard]] bool has_residual() const { return residual_free_; }
  [[nodiscard]] bool has_end() const { return end_; }

 private:
  [[nodiscard]] Eigen::Index cells() const { return static_cast<Eigen::Index>(edge_.size()) - 1; }

  template <class OfCell>
  Eigen::VectorXd of_sliders(OfCell&& of_cell, double end, double residual) const {
    Eigen::VectorXd c(count());
    for (Eigen::Index j = 0; j < cells(); ++j) c(j) = of_cell(edge_[j], edge_[j + 1]);
    if (end_) c(cells()) = end;
    if (residual_free_) c(count() - 1) = residual;
    return c;
  }

  std::vector<double> edge_;
  double phi_max_;
  bool spread_, residual_free_, end_ = false;
};

/// Standard deviation of each point.
std::vector<double> deviations(const std::vector<double>& given, const DistributionFitOptions& options,
                               const DistributionFit& fit) {
  const std::size_t n = fit.data.size();
  std::vector<double> deviation(n);
  if (options.noise) {
    for (std::size_t i = 0; i < n; ++i) deviation[i] = *options.noise / std::sqrt(given.empty() ? 1.0 : given[i]);
    return deviation;
  }
  double most = 0.0;
  for (std::size_t c = 0; c < fit.curve_noise.size(); ++c) {
    std::vector<std::size_t> place;
    std::vector<double> f, residual, weight;
    for (std::size_t i = 0; i < n; ++i) {
      if (fit.curve_of_point[i] != static_cast<int>(c)) continue;
      place.push_back(i);
      f.push_back(fit.data.f[i]);
      residual.push_back(fit.data.f[i] - fit.distribution.force(fit.data.u[i]));
      if (!given.empty()) weight.push_back(given[i]);
    }
    const std::vector<double> own = force_noise(f, residual, weight);
    for (std::size_t k = 0; k < place.size(); ++k) {
      deviation[place[k]] = own[k];
      most = std::max(most, own[k]);
    }
  }
  for (double& d : deviation) d = std::max(d, 1e-4 * most);
  return deviation;
}

/// The smallest phi_max: the lower edge of the last cell that no likely sliders can do without; nothing if that was not
/// found.
std::optional<double> least_phi_max(const LikelySet& likely, const Unknowns& unknowns) {
  const std::vector<double>& edge = unknowns.edges();
  std::size_t low = 0, high = edge.size() - 1;  // sliders up to `high` suffice, up to `low` they do not
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    const Eigen::VectorXd c = unknowns.stiffness_beyond(middle);
    const LikelySet::Farthest least = likely.farthest(-c);
    if (!least.found) return std::nullopt;
    (c.dot(least.x) > 0.0 ? low : high) = middle;
  }
  return edge[low];
}

}  // namespace

void forget_distribution_bands(const DistributionFitOptions& options, DistributionFit& fit) {
  const auto forget = [](Banded& band) { band.low = band.high = not_known; };
  for (Banded* band : {&fit.slip_force, &fit.stiffness}) forget(*band);
  if (fit.macroslip) forget(fit.phi_max);
  if (!options.residual) forget(fit.residual);
  if (fit.macroslip || options.residual) forget(fit.end_stiffness);
  for (std::vector<Banded>* bands : {&fit.density, &fit.dissipation})
    std::for_each(bands->begin(), bands->end(), forget);
}

bool set_distribution_bands(const CellLeastSquares& problem, const std::vector<double>& given,
                            const DistributionFitOptions& options, const Observer& observer, DistributionFit& fit) {
  const Unknowns unknowns(problem, options, fit);
  const std::size_t n = fit.data.size();
  const std::vector<double> deviation = deviations(given, options, fit);
  if (!(*std::max_element(deviation.begin(), deviation.end()) > 0.0)) return true;  // met exactly: nothing is open
  Eigen::MatrixXd columns(static_cast<Eigen::Index>(n), unknowns.count());
  Eigen::VectorXd data(columns.rows());
  for (std::size_t i = 0; i < n; ++i) {
    const double u = fit.data.u[i];
    const auto row = static_cast<Eigen::Index>(i);
    columns.row(row) = unknowns.force(u).transpose() / deviation[i];
    data(row) = (fit.data.f[i] - options.residual.value_or(0.0) * u) / deviation[i];
  }
  const RowNoise noise{options.noise.has_value(), fit.freedom};
  const LikelySet likely(std::move(columns), data, 0, options.confidence, std::span(&n, 1), noise);

  const std::vector<std::size_t> nodes = band_nodes(fit.data.u, options.loss_nodes);
  const double numbers = static_cast<double>(4 + fit.density.size() + nodes.size());
  double done = 0.0;
  bool stopped = false;
  int bands = 0, open = 0;
  forget_distribution_bands(options, fit);
  if (fit.macroslip) {
    const auto least = least_phi_max(likely, unknowns);
    fit.phi_max.low = std::min(fit.phi_max.value, least.value_or(0.0));
    fit.phi_max.high = unknowns.edges().back();
    ++bands;
    open += least ? 0 : 1;
  }
  const auto set_ends = [&](const Eigen::VectorXd& low, const Eigen::VectorXd& high, Banded& band) {
    if (stopped) return;
    const LikelySet::Farthest least = likely.farthest(-low), most = likely.farthest(high);
    band.low = least.found ? std::min(band.value, low.dot(least.x)) : 0.0;
    band.high = most.found ? std::max(band.value, high.dot(most.x)) : open_end;
    ++bands;
    open += least.found && most.found ? 0 : 1;
    stopped = observer && !observer(++done / numbers);
  };
  const auto set = [&](const Eigen::VectorXd& c, Banded& band) { set_ends(c, c, band); };
  set(unknowns.slip_force(), fit.slip_force);
  set(unknowns.stiffness(), fit.stiffness);
  if (unknowns.has_residual()) set(unknowns.residual(), fit.residual);
  if (unknowns.has_end()) set(unknowns.end_stiffness(), fit.end_stiffness);
  const auto node = [&](std::size_t i) {
    const Banded& band = fit.dissipation[i];
    return BandNode{fit.data.u[i], band.value, {band.low, band.high}};
  };
  for (std::size_t k = 0; k < nodes.size() && !stopped; ++k) {
    const std::size_t i = nodes[k], before = k > 0 ? nodes[k - 1] : i;
    const double x = fit.data.u[i];
    set_ends(unknowns.dissipation(x, true), unknowns.dissipation(x, false), fit.dissipation[i]);
    for (std::size_t j = before + 1; j < i; ++j) {
      Banded& between = fit.dissipation[j];
      const BandEnds ends = band_between(node(before), node(i), fit.data.u[j], between.value);
      between.low = std::min(between.value, ends.low);
      between.high = std::max(between.value, ends.high);
    }
  }
  for (std::size_t j = 0; j < fit.density.size() && !stopped; ++j) {
    set(unknowns.density(fit.distribution.centre(j)), fit.density[j]);
  }
  if (open > 0) add_note(fmt::format("{} of {} bands are open: an end was not found", open, bands), fit.message);
  return !stopped;
}

}  // namespace microslip
