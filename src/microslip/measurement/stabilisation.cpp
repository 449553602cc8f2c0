#include "microslip/measurement/stabilisation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/measurement/measured_modes.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

double zeta_of(std::complex<double> pole) {
  return -pole.real() / std::abs(pole);
}

/// How a pole agrees with one of the order below.
PoleKind agreement(const LscfPole& a, const LscfPole& b, const StabilisationOptions& options) {
  const double frequency = std::abs(std::abs(a.pole) - std::abs(b.pole)) / std::abs(a.pole);
  const double zeta_a = zeta_of(a.pole), zeta_b = zeta_of(b.pole);
  if (!(frequency <= options.frequency) || !(zeta_a > 0.0) || !(zeta_b > 0.0)) return PoleKind::unstable;
  // Far apart for how sharp they are: other poles, however near in frequency.
  if (pole_distance(a.pole, b.pole) > near_poles) return PoleKind::frequency;
  if (!(std::abs(zeta_a - zeta_b) <= options.damping * zeta_a)) return PoleKind::frequency;
  if (!(shape_likeness(a.shape, b.shape) >= options.shape)) return PoleKind::damping;
  return PoleKind::stable;
}

/// Each pole takes the cluster whose last member, at most three orders below, is nearest; a cluster takes one pole an
/// order.
class Clusters {
 public:
  explicit Clusters(Stabilisation& diagram) : diagram_(diagram) {}

  void add(std::size_t place) {
    StabilisedPole& pole = diagram_.poles[place];
    std::size_t nearest = diagram_.clusters.size();
    double least = near_poles;
    for (std::size_t c = 0; c < diagram_.clusters.size(); ++c) {
      const LscfPole& last = diagram_.poles[diagram_.clusters[c].members.back()].pole;
      if (last.order == pole.pole.order || pole.pole.order - last.order > 3) continue;
      const double distance = pole_distance(last.pole, pole.pole.pole);
      if (!(distance < least) || shape_likeness(last.shape, pole.pole.shape) < same_shape) continue;
      least = distance;
      nearest = c;
    }
    if (nearest == diagram_.clusters.size()) diagram_.clusters.emplace_back();
    diagram_.clusters[nearest].members.push_back(place);
    pole.cluster = static_cast<int>(nearest);
  }

 private:
  Stabilisation& diagram_;
};

/// Medians of the upper half of the orders, and the shape of the member nearest to them.
void sum_up(const Stabilisation& diagram, PoleCluster& cluster) {
  const std::size_t from = cluster.members.size() / 2;
  std::vector<double> frequencies, decays;
  for (std::size_t i = from; i < cluster.members.size(); ++i) {
    const std::complex<double> pole = diagram.poles[cluster.members[i]].pole.pole;
    frequencies.push_back(pole.imag());
    decays.push_back(pole.real());
  }
  cluster.pole = {percentile(decays, 0.5), percentile(frequencies, 0.5)};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = from; i < cluster.members.size(); ++i) {
    const LscfPole& pole = diagram.poles[cluster.members[i]].pole;
    const double distance = std::abs(pole.pole - cluster.pole);
    if (distance >= least) continue;
    least = distance;
    cluster.shape = pole.shape;
  }
}

}  // namespace

double shape_likeness(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  return modal_assurance(a, b)(0, 0);
}

Stabilisation stabilise(const std::vector<LscfPole>& poles, std::pair<double, double> band,
                        const StabilisationOptions& options) {
  Stabilisation diagram;
  Clusters clusters(diagram);
  std::size_t below = 0, begin = 0;  // poles of the order below, and of this one
  int order = -1;
  for (const LscfPole& pole : poles) {
    const double frequency = std::abs(pole.pole) / two_pi;
    if (!(frequency >= band.first && frequency <= band.second)) continue;
    if (pole.order != order) {
      below = begin;
      begin = diagram.poles.size();
      if (pole.order != order + 1) below = begin;
      order = pole.order;
    }
    StabilisedPole row{pole, PoleKind::unstable, -1};
    for (std::size_t i = below; i < begin; ++i) {
      row.kind = std::max(row.kind, agreement(pole, diagram.poles[i].pole, options));
    }
    diagram.poles.push_back(std::move(row));
    const double zeta = zeta_of(pole.pole);
    if (zeta > 0.0 && zeta < options.largest_zeta) clusters.add(diagram.poles.size() - 1);
  }
  // By frequency; the poles are told of it.
  for (PoleCluster& cluster : diagram.clusters) sum_up(diagram, cluster);
  std::sort(diagram.clusters.begin(), diagram.clusters.end(),
            [](const PoleCluster& a, const PoleCluster& b) { return a.pole.imag() < b.pole.imag(); });
  for (std::size_t c = 0; c < diagram.clusters.size(); ++c) {
    for (const std::size_t place : diagram.clusters[c].members) diagram.poles[place].cluster = static_cast<int>(c);
  }
  return diagram;
}

std::vector<std::size_t> physical_clusters(const Stabilisation& diagram, std::pair<int, int> orders) {
  // Five, or half as many as there can be: a pole is stable beside one of the order below.
  const auto fewest = static_cast<std::size_t>(std::clamp((orders.second - orders.first) / 2, 1, 5));
  constexpr double share = 0.4;  // of the orders from the first one on
  const auto stable_members = [&](const PoleCluster& cluster) {
    return static_cast<std::size_t>(
        std::count_if(cluster.members.begin(), cluster.members.end(),
                      [&](std::size_t place) { return diagram.poles[place].kind == PoleKind::stable; }));
  };
  std::vector<std::size_t> chosen;
  for (std::size_t c = 0; c < diagram.clusters.size(); ++c) {
    const PoleCluster& cluster = diagram.clusters[c];
    const std::size_t stable = stable_members(cluster);
    const int first = diagram.poles[cluster.members.front()].pole.order;
    if (stable < fewest || static_cast<double>(stable) < share * static_cast<double>(orders.second - first)) continue;
    const auto twin = std::find_if(chosen.begin(), chosen.end(), [&](std::size_t other) {
      const PoleCluster& there = diagram.clusters[other];
      return pole_distance(there.pole, cluster.pole) < near_poles &&
             shape_likeness(there.shape, cluster.shape) > same_shape;
    });
    if (twin == chosen.end()) {
      chosen.push_back(c);
    } else if (stable_members(diagram.clusters[*twin]) < stable) {
      *twin = c;
    }
  }
  return chosen;
}

}  // namespace microslip
