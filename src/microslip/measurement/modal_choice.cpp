#include "microslip/measurement/modal_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "microslip/measurement/close_modes.hpp"
#include "microslip/measurement/modal_shapes.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// A pole to begin from.
struct Start {
  Complex pole;
  std::size_t cluster;
};

Eigen::VectorXcd poles_of(const std::vector<Start>& starts) {
  Eigen::VectorXcd poles(static_cast<Eigen::Index>(starts.size()));
  for (std::size_t i = 0; i < starts.size(); ++i) poles(static_cast<Eigen::Index>(i)) = starts[i].pole;
  return poles;
}

/// How a mode stands: what speaks against it.
struct Standing {
  bool lost = false;         ///< left the band or decays at once
  double decay_error = 0.0;  ///< over its decay rate; infinite where it has none
  double strength = 0.0;     ///< significance over what noise gives
  Eigen::VectorXcd constants;

  [[nodiscard]] bool undetermined() const { return !(decay_error < 0.5); }
};

/// Lines as if their errors were independent: enough for most of what goes, and cheap.
ModalLines uncorrelated(ModalLines lines) {
  lines.correlation.resize(0);
  return lines;
}

std::vector<Standing> standings(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                const Eigen::MatrixXd& lines_of_mode = {}) {
  const ModalErrors errors = modal_errors(lines, fit, terms, lines_of_mode);
  const double low = two_pi * lines.frequency(0), high = two_pi * lines.frequency(lines.lines() - 1);
  std::vector<Standing> result;
  for (Eigen::Index m = 0; m < fit.poles.size(); ++m) {
    Standing standing;
    const Complex pole = fit.poles(m);
    const double ratio = std::max(1.0, errors.noise_ratio(m));
    constexpr double largest_zeta = 0.5;
    standing.lost = !(pole.imag() > low && pole.imag() < high) || !(-pole.real() < largest_zeta * std::abs(pole)) ||
                    !(-pole.real() > 1e-9 * std::abs(pole));
    const double decay_error = std::sqrt(std::max(0.0, errors.poles(2 * m, 2 * m)) * ratio);
    standing.decay_error = decay_error / (lines.window_decay - pole.real());
    if (!std::isfinite(standing.decay_error)) standing.decay_error = std::numeric_limits<double>::infinity();
    const auto degrees = static_cast<double>(terms.a_mode() * lines.functions());
    standing.strength = mode_significance(fit, terms, errors, m) / (ratio * degrees);
    standing.constants = modal_constants(lines, fit, terms, m).reshaped();
    result.push_back(std::move(standing));
  }
  return result;
}

/// Of undetermined poles those that no worse one is near to: where one of a pair goes, the other may be known.
std::vector<std::size_t> worst_undetermined(const ModalPolish& fit, const std::vector<Standing>& standings) {
  constexpr double overlap = 2.0;  // half-widths
  const auto worse = [&](std::size_t a, std::size_t b) {
    return standings[a].decay_error > standings[b].decay_error ||
           (standings[a].decay_error == standings[b].decay_error && a > b);
  };
  std::vector<std::size_t> worst;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    bool stays = !standings[i].undetermined();
    for (std::size_t j = 0; j < standings.size() && !stays; ++j) {
      stays = j != i && worse(j, i) &&
              pole_distance(fit.poles(static_cast<Eigen::Index>(i)), fit.poles(static_cast<Eigen::Index>(j))) < overlap;
    }
    if (!stays) worst.push_back(i);
  }
  return worst;
}

/// Places that go: all that are lost, else the worst that are undetermined, else of each pair of twins the weaker, else
/// those that noise may have made.
std::vector<std::size_t> to_drop(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                 const std::vector<Standing>& standings, std::vector<std::string>& remarks) {
  std::vector<std::size_t> drop;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (standings[i].lost) drop.push_back(i);
  }
  if (drop.empty()) drop = worst_undetermined(fit, standings);
  if (!drop.empty()) return drop;
  for (std::size_t i = 0; i + 1 < standings.size(); ++i) {
    for (std::size_t j = i + 1; j < standings.size(); ++j) {
      const Complex a = fit.poles(static_cast<Eigen::Index>(i)), b = fit.poles(static_cast<Eigen::Index>(j));
      if (pole_distance(a, b) > near_poles) continue;
      if (shape_likeness(standings[i].constants, standings[j].constants) < same_shape) continue;
      const std::size_t weaker = standings[i].strength < standings[j].strength ? i : j;
      if (std::find(drop.begin(), drop.end(), weaker) != drop.end()) continue;
      drop.push_back(weaker);
      remarks.push_back(
          fmt::format("two poles at {:.6g} and {:.6g} Hz, of one shape at these channels and nearer than "
                      "their width, are taken as one mode: the data cannot tell them apart",
                      a.imag() / two_pi, b.imag() / two_pi));
    }
  }
  if (!drop.empty()) return drop;
  const double least = least_significance(terms.a_mode() * lines.functions());
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (standings[i].strength < least) drop.push_back(i);
  }
  return drop;
}

/// What goes, and how what was judged stands. Noise under a window is smooth over the lines, and has peaks as broad as
/// modes: that is taken into account once nothing goes without it.
struct Judgement {
  std::vector<std::size_t> drop;
  std::vector<Standing> standing;
};

Judgement judged(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                 const Eigen::MatrixXd& lines_of_mode, std::vector<std::string>& remarks) {
  Judgement result;
  result.standing = standings(uncorrelated(lines), fit, terms, lines_of_mode);
  result.drop = to_drop(lines, fit, terms, result.standing, remarks);
  if (!result.drop.empty() || lines.correlation.size() == 0) return result;
  result.standing = standings(lines, fit, terms, lines_of_mode);
  result.drop = to_drop(lines, fit, terms, result.standing, remarks);
  return result;
}

/// All but the `count` strongest.
std::vector<std::size_t> weakest(const std::vector<Standing>& standings, int count) {
  std::vector<std::size_t> order(standings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (count <= 0 || order.size() <= static_cast<std::size_t>(count)) return {};
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return standings[a].strength > standings[b].strength; });
  return {order.begin() + count, order.end()};
}

std::vector<Start> without(const ModalPolish& fit, const std::vector<Start>& starts,
                           const std::vector<std::size_t>& drop) {
  std::vector<Start> rest;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (std::find(drop.begin(), drop.end(), i) != drop.end()) continue;
    rest.push_back({fit.poles(static_cast<Eigen::Index>(i)), starts[i].cluster});
  }
  return rest;
}

/// Modes by frequency.
void sort_modes(const ModalLines& lines, const ModalTerms& terms, std::vector<Start> starts, ChosenModes& chosen) {
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i].pole = chosen.fit.poles(static_cast<Eigen::Index>(i));
  std::sort(starts.begin(), starts.end(),
            [](const Start& a, const Start& b) { return std::abs(a.pole) < std::abs(b.pole); });
  const bool converged = chosen.fit.converged;
  const int iterations = chosen.fit.iterations;
  const Eigen::VectorXcd poles = poles_of(starts);
  chosen.fit = residues_of(thinned(lines, poles), poles, terms);
  chosen.fit.converged = converged;
  chosen.fit.iterations = iterations;
  for (const Start& start : starts) chosen.clusters.push_back(start.cluster);
}

/// Polishes, and takes out what is no mode until all are.
void prune(const ModalLines& all, int count, const ModalTerms& terms, const std::function<bool()>& carry_on,
           std::vector<Start>& starts, ChosenModes& chosen) {
  const ModalLines lines = thinned(all, poles_of(starts));
  ModalPolishOptions rough;  // poles that are no modes wander on for ever
  rough.max_iterations = 8;
  chosen.fit = polish_modes(lines, poles_of(starts), terms, rough, carry_on);
  while (!starts.empty() && (!carry_on || carry_on())) {
    Judgement judgement = judged(lines, chosen.fit, terms, {}, chosen.remarks);
    if (judgement.drop.empty()) judgement.drop = weakest(judgement.standing, count);
    if (judgement.drop.empty()) break;
    starts = without(chosen.fit, starts, judgement.drop);
    chosen.fit = polish_modes(lines, poles_of(starts), terms, rough, carry_on);
  }
}

/// Modes around which more than noise is left, and that two explain: two of them. Whether there were any.
bool split_modes(const ModalLines& lines, const ModalTerms& terms, std::vector<Start>& starts, const ModalPolish& fit) {
  const ModalLines some = thinned(lines, fit.poles);
  const ModalErrors errors = modal_errors(some, fit, terms);
  constexpr double more = 5.0;  // standard deviations
  bool any = false;
  for (std::size_t i = 0, count = starts.size(); i < count; ++i) {
    const auto mode = static_cast<Eigen::Index>(i);
    starts[i].pole = fit.poles(mode);
    if (!(errors.noise_ratio(mode) > 1.0 + more * errors.noise_ratio_error(mode))) continue;
    const auto two = two_for_one(lines, fit, terms, mode);
    if (!two) continue;
    starts[i].pole = two->first;
    starts.push_back({two->second, starts[i].cluster});
    any = true;
  }
  return any;
}

/// Where no pole is near: the highest line within 2 %, as sharp as a few lines.
Complex peak_start(const ModalLines& lines, double frequency) {
  const Eigen::VectorXd height = composite(lines.values.cwiseProduct(lines.weight.cast<Complex>()));
  Eigen::Index best = 0;
  (lines.frequency.array() - frequency).abs().minCoeff(&best);
  for (Eigen::Index k = 0; k < lines.lines(); ++k) {
    if (std::abs(lines.frequency(k) - frequency) < 0.02 * frequency && height(k) > height(best)) best = k;
  }
  const double spacing = two_pi * (lines.frequency(1) - lines.frequency(0));
  return {-2.0 * spacing, two_pi * lines.frequency(best)};
}

}  // namespace

std::vector<std::size_t> no_modes(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                  const Eigen::MatrixXd& lines_of_mode, std::vector<std::string>& remarks) {
  return judged(lines, fit, terms, lines_of_mode, remarks).drop;
}

double least_significance(Eigen::Index degrees) {
  return 1.0 + 10.0 / std::sqrt(static_cast<double>(degrees)) + 20.0 / static_cast<double>(degrees);
}

ChosenModes modes_near(const ModalLines& lines, const Stabilisation& diagram, const std::vector<double>& near,
                       const ModalTerms& terms, const std::function<bool()>& carry_on) {
  ChosenModes chosen;
  std::vector<Start> starts;
  for (const double frequency : near) {
    std::size_t best = diagram.clusters.size();
    double most = 0.0;
    for (std::size_t c = 0; c < diagram.clusters.size(); ++c) {
      const PoleCluster& cluster = diagram.clusters[c];
      const double off = std::abs(std::abs(cluster.pole) / two_pi - frequency) / frequency;
      const bool taken = std::any_of(starts.begin(), starts.end(), [&](const Start& s) { return s.cluster == c; });
      const double votes = static_cast<double>(cluster.members.size()) * (1.0 - off / 0.02);
      if (taken || off > 0.02 || !(votes > most)) continue;
      most = votes;
      best = c;
    }
    if (best < diagram.clusters.size()) {
      starts.push_back({diagram.clusters[best].pole, best});
    } else {
      starts.push_back({peak_start(lines, frequency), best});
      chosen.remarks.push_back(
          fmt::format("no pole comes again near {:.6g} Hz: the fit begins at the highest line there", frequency));
    }
  }
  chosen.fit = polish_modes(thinned(lines, poles_of(starts)), poles_of(starts), terms, {}, carry_on);
  sort_modes(lines, terms, std::move(starts), chosen);
  return chosen;
}

ChosenModes stable_modes(const ModalLines& lines, const Stabilisation& diagram, std::pair<int, int> orders, int count,
                         const ModalTerms& terms, const std::function<bool()>& carry_on) {
  ChosenModes chosen;
  std::vector<Start> starts;
  for (const std::size_t c : physical_clusters(diagram, orders)) starts.push_back({diagram.clusters[c].pole, c});
  prune(lines, count, terms, carry_on, starts, chosen);
  if (split_modes(lines, terms, starts, chosen.fit)) prune(lines, count, terms, carry_on, starts, chosen);
  if (!chosen.fit.converged) {
    chosen.fit = polish_modes(thinned(lines, chosen.fit.poles), chosen.fit.poles, terms, {}, carry_on);
  }
  sort_modes(lines, terms, std::move(starts), chosen);
  return chosen;
}

}  // namespace microslip
