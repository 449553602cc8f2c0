#include "microslip/measurement/mode_isolation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "microslip/measurement/modal_choice.hpp"
#include "microslip/measurement/stabilisation.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

constexpr double half_widths = 4.0;      // lines of a mode: as many half-power half-widths to either side
constexpr double fitted_together = 2.0;  // of two modes: so many half-widths apart at most
constexpr Eigen::Index least_lines = 4;

struct LineStretch {
  Eigen::Index from = 0, count = 0;
};

struct IsolatedMode {
  Complex pole;
  Eigen::MatrixXd unknowns;  ///< A, B of every function
  LineStretch lines;
  std::vector<std::size_t> group;  ///< places of the modes that are fitted together with it, and its own
};

/// A peak that was taken for what is not linear in a mode.
struct Shadow {
  double frequency = 0.0, of_mode = 0.0;  ///< [1/time]
};

class Isolator {
 public:
  Isolator(const ModalLines& lines, const ModalTerms& terms, const std::function<bool()>& carry_on)
      : lines_(lines), terms_(terms), carry_on_(carry_on) {
    now_.left = lines.values;
    now_.background = Eigen::MatrixXcd::Zero(lines.lines(), lines.functions());
  }

  /// A mode at a peak of what is left; `settle` fits it and all others until they rest. Whether it is one: if not, all
  /// is as before.
  [[nodiscard]] bool add_mode(Eigen::Index peak, bool may_be_shadow, const std::function<void()>& settle) {
    const std::optional<Complex> start = single_pole(around_peak(peak));
    if (!start) return false;
    const State before = now_;
    const double height = noise_composite()(peak), chi_squared = noise_composite().sum();
    now_.modes.push_back({*start, Eigen::MatrixXd::Zero(terms_.a_mode(), lines_.functions()), {}, {}});
    settle_lines();
    refit(now_.modes.back().group);
    if (is_mode(now_.modes.back())) {
      const std::optional<Complex> casts = may_be_shadow ? casts_shadow(now_.modes.back(), peak, height) : std::nullopt;
      if (casts) shadows_.push_back({lines_.frequency(peak), std::abs(*casts) / two_pi});
      if (!casts) settle();
      if (!casts && noise_composite().sum() < chi_squared) return true;
    }
    now_ = before;
    return false;
  }

  [[nodiscard]] const std::vector<IsolatedMode>& modes() const { return now_.modes; }
  [[nodiscard]] const std::vector<Shadow>& shadows() const { return shadows_; }
  [[nodiscard]] Eigen::VectorXcd poles() const {
    Eigen::VectorXcd result(static_cast<Eigen::Index>(now_.modes.size()));
    for (std::size_t i = 0; i < now_.modes.size(); ++i) result(static_cast<Eigen::Index>(i)) = now_.modes[i].pole;
    return result;
  }
  void begin_from(const Eigen::VectorXcd& poles) {
    for (const Complex pole : poles) {
      now_.modes.push_back({pole, Eigen::MatrixXd::Zero(terms_.a_mode(), lines_.functions()), {}, {}});
    }
  }

  /// Every mode once more with all others taken off, those nearer than their widths together; the largest step over a
  /// decay rate.
  double cycle() {
    double largest = 0.0;
    std::vector<bool> done(now_.modes.size(), false);
    for (std::size_t i = 0; i < now_.modes.size(); ++i) {
      if (done[i]) continue;
      const std::vector<std::size_t> group = now_.modes[i].group;
      for (const std::size_t member : group) done[member] = true;
      largest = std::max(largest, refit(group));
    }
    fit_background();
    return largest;
  }
  /// Lines of every mode from its pole; modes that are fitted together share theirs.
  void settle_lines() {
    for (IsolatedMode& mode : now_.modes) mode.lines = lines_around(mode.pole);
    for (std::size_t i = 0; i < now_.modes.size(); ++i) {
      const std::vector<std::size_t> group = group_of(i);
      Eigen::Index from = lines_.lines(), to = 0;
      for (const std::size_t member : group) {
        const LineStretch own = lines_around(now_.modes[member].pole);
        from = std::min(from, own.from);
        to = std::max(to, own.from + own.count);
      }
      now_.modes[i].lines = {from, to - from};
      now_.modes[i].group = group;
    }
  }

  /// Squared residuals over the noise, mean over the functions.
  [[nodiscard]] Eigen::VectorXd noise_composite() const {
    return now_.left.cwiseProduct(lines_.weight.cast<Complex>()).cwiseAbs2().rowwise().mean() * 0.5;
  }
  /// Lines down to a quarter of the peak.
  [[nodiscard]] LineStretch around_peak(Eigen::Index peak) const {
    const Eigen::VectorXd height = noise_composite();
    Eigen::Index from = peak, to = peak;
    constexpr double share = 1.0 / 16.0;  // of the square
    while (from > 0 && height(from - 1) > share * height(peak) && height(from - 1) <= height(peak)) --from;
    while (to + 1 < height.size() && height(to + 1) > share * height(peak) && height(to + 1) <= height(peak)) ++to;
    return widened(from, to);
  }
  /// Takes modes out, by their places in the result.
  void remove(const std::vector<std::size_t>& places) {
    const std::vector<std::size_t> order = by_frequency();
    std::vector<IsolatedMode> rest;
    for (std::size_t i = 0; i < order.size(); ++i) {
      IsolatedMode& mode = now_.modes[order[i]];
      if (std::find(places.begin(), places.end(), i) == places.end()) {
        rest.push_back(mode);
      } else {
        now_.left += contribution(mode);
      }
    }
    now_.modes = std::move(rest);
  }
  [[nodiscard]] Isolation result() const;

 private:
  [[nodiscard]] std::vector<std::size_t> by_frequency() const {
    std::vector<std::size_t> order(now_.modes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(now_.modes[a].pole) < std::abs(now_.modes[b].pole);
    });
    return order;
  }
  [[nodiscard]] LineStretch widened(Eigen::Index from, Eigen::Index to) const {
    while (to - from < 2 * least_lines && (from > 0 || to + 1 < lines_.lines())) {
      from = std::max<Eigen::Index>(0, from - 1);
      to = std::min(lines_.lines() - 1, to + 1);
    }
    return {from, to - from + 1};
  }
  [[nodiscard]] LineStretch lines_around(Complex pole) const {
    const double reach = half_widths * (lines_.window_decay - pole.real()) / two_pi;
    const double* begin = lines_.frequency.data();
    const double* end = begin + lines_.lines();
    const double middle = pole.imag() / two_pi;
    const auto from = std::lower_bound(begin, end, middle - reach) - begin;
    const auto to = std::upper_bound(begin, end, middle + reach) - begin - 1;
    const Eigen::Index last = lines_.lines() - 1;
    return widened(std::clamp<Eigen::Index>(from, 0, last), std::clamp<Eigen::Index>(std::max(from, to), 0, last));
  }

  /// H = c/(s - p) + d near one pole: s H = p H + c' + d s, linear in p once c' and d are projected out.
  [[nodiscard]] std::optional<Complex> single_pole(const LineStretch& at) const {
    Eigen::VectorXcd s = lines_.s.segment(at.from, at.count);
    const Complex middle = s.mean();
    s.array() -= middle;
    const Eigen::VectorXcd line = s / s.norm();  // orthogonal to constants
    const auto without_line = [&](Eigen::VectorXcd v) {
      v.array() -= v.mean();
      v -= line * line.dot(v);
      return v;
    };
    Complex sum = 0.0;
    double norm = 0.0;
    for (Eigen::Index f = 0; f < lines_.functions(); ++f) {
      const Eigen::VectorXcd h = now_.left.col(f).segment(at.from, at.count) * lines_.weight(at.from + at.count / 2, f);
      const Eigen::VectorXcd plain = without_line(h), turned = without_line(s.cwiseProduct(h));
      sum += plain.dot(turned);
      norm += plain.squaredNorm();
    }
    if (!(norm > 0.0)) return std::nullopt;
    Complex pole = middle + sum / norm;
    const double spacing = two_pi * (lines_.frequency(1) - lines_.frequency(0));
    if (!(pole.real() < 0.0)) pole = {-0.1 * spacing, pole.imag()};
    return pole;
  }

  /// Modes that are fitted together with one: itself, and those that are near to it or to one of them.
  [[nodiscard]] std::vector<std::size_t> group_of(std::size_t mode) const {
    std::vector<std::size_t> group = {mode};
    for (std::size_t at = 0; at < group.size(); ++at) {
      for (std::size_t i = 0; i < now_.modes.size(); ++i) {
        if (std::find(group.begin(), group.end(), i) != group.end()) continue;
        const Complex a = now_.modes[group[at]].pole - lines_.window_decay,
                      b = now_.modes[i].pole - lines_.window_decay;
        if (pole_distance(a, b) < fitted_together) group.push_back(i);
      }
    }
    std::sort(group.begin(), group.end());
    return group;
  }

  /// Modes of a group over their lines, with their own share in what is left; the largest step over a decay rate.
  double refit(const std::vector<std::size_t>& group) {
    for (const std::size_t member : group) now_.left += contribution(now_.modes[member]);
    const LineStretch at = now_.modes[group.front()].lines;
    const ModalLines local = some_lines(lines_, now_.left, at.from, at.count);
    Eigen::VectorXcd poles(static_cast<Eigen::Index>(group.size()));
    for (std::size_t i = 0; i < group.size(); ++i) poles(static_cast<Eigen::Index>(i)) = now_.modes[group[i]].pole;
    const ModalPolish fit = polish_modes(local, poles, {terms_.normal, false, false}, {}, carry_on_);
    const bool numbers = fit.poles.allFinite() && fit.unknowns.allFinite();
    double largest = 0.0;
    for (std::size_t i = 0; i < group.size(); ++i) {
      IsolatedMode& mode = now_.modes[group[i]];
      const auto place = static_cast<Eigen::Index>(i);
      if (numbers) {
        largest = std::max(largest, std::abs(fit.poles(place) - mode.pole) / std::abs(mode.pole.real()));
        mode.pole = fit.poles(place);
        mode.unknowns = fit.unknowns.middleRows(place * terms_.a_mode(), terms_.a_mode());
      }
      now_.left -= contribution(mode);
    }
    return largest;
  }

  [[nodiscard]] Eigen::MatrixXcd contribution(const IsolatedMode& mode) const {
    return mode_contribution(lines_, mode.pole, mode.unknowns);
  }

  /// Upper and lower residuals, over all lines.
  void fit_background() {
    if (terms_.count(0) == 0) return;
    const ModalLines rest = some_lines(lines_, now_.left + now_.background, 0, lines_.lines());
    const ModalTerms only = terms_;
    const Eigen::VectorXcd none;
    now_.background_unknowns = residues_of(rest, none, only).unknowns;
    const Eigen::MatrixXd columns = FitBasis(rest, none, only).columns() * now_.background_unknowns;
    for (Eigen::Index f = 0; f < lines_.functions(); ++f) now_.background.col(f) = unstacked(columns.col(f));
    now_.left = rest.values - now_.background;
  }

  /// Within the band, and no shadow of a mode that is there.
  [[nodiscard]] bool is_mode(const IsolatedMode& mode) const {
    const double frequency = mode.pole.imag() / two_pi;
    if (!(frequency > lines_.frequency(0) && frequency < lines_.frequency(lines_.lines() - 1))) return false;
    constexpr double largest_zeta = 0.3;
    if (!(-mode.pole.real() < largest_zeta * std::abs(mode.pole))) return false;
    return std::none_of(now_.modes.begin(), now_.modes.end(), [&](const IsolatedMode& other) {
      return &other != &mode && pole_distance(other.pole, mode.pole) < near_poles &&
             shape_likeness(constants(other), constants(mode)) > same_shape;
    });
  }
  /// The mode that a peak is a shadow of: of its shape, small beside it and as large and as broad as what is not linear
  /// in it. A pole p that moves by delta leaves delta/|s - p| of its mode, a slope without features narrower than
  /// |s - p|. One function has no shape to tell by.
  [[nodiscard]] std::optional<Complex> casts_shadow(const IsolatedMode& mode, Eigen::Index peak, double height) const {
    if (lines_.functions() == 1) return std::nullopt;
    constexpr double small = 1.0 / 3.0;  // of the other mode there
    constexpr double most = 5.0;         // half-widths that its pole may move by
    constexpr double narrow = 0.5;       // half-width over the distance from its pole
    const auto half_width = [&](Complex pole) { return lines_.window_decay - pole.real(); };
    const auto casts = [&](const IsolatedMode& other) {
      if (&other == &mode) return false;
      const double there = contribution(other).row(peak).cwiseProduct(lines_.weight.row(peak)).squaredNorm() /
                           (2.0 * static_cast<double>(lines_.functions()));
      const double share = std::sqrt(height / there), distance = std::abs(lines_.s(peak) - other.pole);
      return share < small && share * distance < most * half_width(other.pole) &&
             half_width(mode.pole) > narrow * distance &&
             shape_likeness(constants(other), constants(mode)) > same_shape;
    };
    const auto caster = std::find_if(now_.modes.begin(), now_.modes.end(), casts);
    return caster == now_.modes.end() ? std::nullopt : std::optional(caster->pole);
  }
  [[nodiscard]] Eigen::VectorXcd constants(const IsolatedMode& mode) const {
    Eigen::VectorXcd result(lines_.functions());
    for (Eigen::Index f = 0; f < lines_.functions(); ++f) {
      result(f) = modal_constant(mode.unknowns.col(f), 0, mode.pole, terms_);
    }
    return result;
  }

  struct State {
    Eigen::MatrixXcd left, background;
    Eigen::MatrixXd background_unknowns;
    std::vector<IsolatedMode> modes;
  };

  const ModalLines& lines_;
  ModalTerms terms_;
  const std::function<bool()>& carry_on_;
  State now_;
  std::vector<Shadow> shadows_;
};

Isolation Isolator::result() const {
  const std::vector<std::size_t> order = by_frequency();
  const auto count = static_cast<Eigen::Index>(now_.modes.size());
  Isolation result;
  result.fit.poles.resize(count);
  result.fit.unknowns = Eigen::MatrixXd::Zero(terms_.count(count), lines_.functions());
  result.lines_of_mode = Eigen::MatrixXd::Zero(lines_.lines(), count);
  for (Eigen::Index m = 0; m < count; ++m) {
    const IsolatedMode& mode = now_.modes[order[static_cast<std::size_t>(m)]];
    result.fit.poles(m) = mode.pole;
    result.fit.unknowns.middleRows(m * terms_.a_mode(), terms_.a_mode()) = mode.unknowns;
    result.lines_of_mode.col(m).segment(mode.lines.from, mode.lines.count).setOnes();
  }
  if (now_.background_unknowns.size() > 0)
    result.fit.unknowns.bottomRows(now_.background_unknowns.rows()) = now_.background_unknowns;
  result.fit.residuals.resize(2 * lines_.lines(), lines_.functions());
  for (Eigen::Index f = 0; f < lines_.functions(); ++f) {
    result.fit.residuals.col(f) = stacked(now_.left.col(f).cwiseProduct(lines_.weight.col(f).cast<Complex>()));
  }
  result.fit.chi_squared = result.fit.residuals.squaredNorm();
  return result;
}

/// The highest line that is not closed; nothing below `least`.
std::optional<Eigen::Index> highest(const Eigen::VectorXd& height, const std::vector<bool>& closed, double least) {
  std::optional<Eigen::Index> result;
  for (Eigen::Index k = 0; k < height.size(); ++k) {
    if (closed[static_cast<std::size_t>(k)] || !(height(k) > least)) continue;
    if (!result || height(k) > height(*result)) result = k;
  }
  return result;
}

/// The highest line within 2 % of a frequency.
Eigen::Index peak_near(const ModalLines& lines, const Eigen::VectorXd& height, double frequency) {
  Eigen::Index nearest = 0;
  (lines.frequency.array() - frequency).abs().minCoeff(&nearest);
  Eigen::Index best = nearest;
  for (Eigen::Index k = 0; k < lines.lines(); ++k) {
    if (std::abs(lines.frequency(k) - frequency) < 0.02 * frequency && height(k) > height(best)) best = k;
  }
  return best;
}

/// One peak after the other, as long as it stands out: of noise, and of a 10^-4 of the highest.
void search(const ModalLines& lines, const IsolationOptions& options, const std::function<bool()>& carry_on,
            const std::function<void()>& settle, Isolator& isolator) {
  // Noise alone stays below: the largest of all lines, each the mean of 2 F squared normal numbers.
  const auto functions = static_cast<double>(lines.functions());
  const double noise = 1.0 + 6.0 / std::sqrt(functions) + std::log(static_cast<double>(lines.lines())) / functions;
  const double least = std::max(noise, 1e-8 * isolator.noise_composite().maxCoeff());
  const auto wanted = static_cast<std::size_t>(options.modes > 0 ? options.modes : options.most_modes);
  std::vector<bool> closed(static_cast<std::size_t>(lines.lines()), false);
  constexpr int most_in_vain = 8;
  for (int in_vain = 0; in_vain < most_in_vain && isolator.modes().size() < wanted && (!carry_on || carry_on());) {
    const auto peak = highest(isolator.noise_composite(), closed, least);
    if (!peak) break;
    if (isolator.add_mode(*peak, true, settle)) {
      in_vain = 0;
    } else {  // no mode: not to be looked at again
      const LineStretch stretch = isolator.around_peak(*peak);
      std::fill_n(closed.begin() + stretch.from, stretch.count, true);
      ++in_vain;
    }
  }
}

void tell_of_shadows(const std::vector<Shadow>& shadows, std::vector<std::string>& remarks) {
  std::vector<std::string> parts;
  for (const Shadow& each : shadows) parts.push_back(fmt::format("{:.6g} (of {:.6g})", each.frequency, each.of_mode));
  if (parts.empty()) return;
  remarks.push_back(fmt::format(
      "peaks on the flank of a mode and of its shape are taken for what is not linear in it, not for modes: at {} Hz; "
      "near_hz takes one for a mode",
      fmt::join(parts, ", ")));
}

}  // namespace

Isolation isolate_modes(const ModalLines& lines, const ModalTerms& terms, const IsolationOptions& options,
                        const std::function<bool()>& carry_on) {
  const auto settle = [&](Isolator& isolator, int cycles, double tolerance) {
    int cycle = 0;
    while (cycle < cycles && (!carry_on || carry_on())) {
      ++cycle;
      if (isolator.cycle() < tolerance) break;
    }
    return cycle;
  };
  std::vector<std::string> remarks;
  const Eigen::VectorXcd found = [&] {
    constexpr int cycles = 30;
    constexpr double tolerance = 1e-3;
    Isolator isolator(lines, terms, carry_on);
    const auto all = [&] { settle(isolator, cycles, tolerance); };
    for (const double frequency : options.near) {
      static_cast<void>(isolator.add_mode(peak_near(lines, isolator.noise_composite(), frequency), false, all));
    }
    if (options.near.empty()) search(lines, options, carry_on, all, isolator);
    tell_of_shadows(isolator.shadows(), remarks);
    return isolator.poles();
  }();
  const ModalLines some = thinned(lines, found);
  Isolator isolator(some, terms, carry_on);
  isolator.begin_from(found);
  Isolation result;
  while (true) {
    isolator.settle_lines();
    const int cycles = settle(isolator, options.max_cycles, options.tolerance);
    result = isolator.result();
    result.cycles = cycles;
    result.fit.converged = cycles < options.max_cycles;
    result.fit.iterations = cycles;
    if (result.fit.poles.size() == 0 || !options.near.empty() || (carry_on && !carry_on())) break;
    const std::vector<std::size_t> drop = no_modes(some, result.fit, terms, result.lines_of_mode, remarks);
    if (drop.empty()) break;
    isolator.remove(drop);
  }
  result.remarks = std::move(remarks);
  result.lines = some;
  return result;
}

}  // namespace microslip
