// Periodic motion: harmonic balance, shooting, piecewise-linear orbits, and what a transient settles to.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "closure.hpp"
#include "comparisons.hpp"

namespace microslip::differential {
namespace {

constexpr double pi = std::numbers::pi;

/// Errors are estimates: twice their sum is allowed, and the rounding of a long computation.
constexpr double trust = 2.0, rounding = 1e-9;

/// Named like its method.
std::string frf(const Model& model, const char* method, const std::vector<double>& omega) {
  std::string at;
  for (const double value : omega) at += (at.empty() ? "" : ", ") + number(value);
  return fmt::format("[[analysis]]\nkind = \"frf\"\nname = \"{}\"\nload = {}\nat = [{}]\nmethod = \"{}\"\n", method,
                     load_names(model), at, method);
}

double largest_amplitude(const Model& model, const CsvTable& table, std::size_t row) {
  double largest = 0.0;
  for (const std::string& label : model.labels)
    largest = std::max(largest, table.column("amplitude[" + label + "]")[row]);
  return largest;
}

/// The stated error; orbits of exact arcs have none but rounding.
double stated(const CsvTable& table, std::size_t row) {
  return table.has("events") ? 1e-9 : table.column("error")[row];
}

double multiplier_error(const CsvTable& table, std::size_t row) {
  if (table.has("multiplier_error")) return table.column("multiplier_error")[row];
  return 1e-6;  // what a number without an error claims
}

/// What the joints take from the motion; `energy`: of the size of that in the motion. Exact arcs have no error of it.
void compare_losses(const Model& model, const CsvTable& one, const CsvTable& other, std::size_t row,
                    const std::string& where, double energy, Verdict& verdict) {
  for (const DrawnJoint& joint : model.joints) {
    const std::string column = "dissipation[" + joint.name + "]", its_error = "dissipation_error[" + joint.name + "]";
    double error = rounding * energy;
    for (const CsvTable* table : {&one, &other}) {
      if (table->has(its_error)) error += trust * table->column(its_error)[row];
    }
    if (!std::isfinite(error)) return verdict.leave("the error of a loss is not told");
    verdict.agree(column + " of " + where, one.column(column)[row], other.column(column)[row], error);
  }
}

/// The two `frf` tables hold the same frequencies.
void compare_methods(const Model& model, const std::string& method, const std::string& second, const Way& way,
                     Runner& runner, Verdict& verdict) {
  const CsvTable &one = way.table(method), &other = way.table(second);
  const std::string names = method + " and " + second;
  for (std::size_t row = 0; row < std::min(one.rows(), other.rows()); ++row) {
    const double size = largest_amplitude(model, one, row);
    const double bound = (trust * (stated(one, row) + stated(other, row)) + rounding) * size;
    const std::string where = fmt::format("{} at omega = {}", names, number(one.column("omega")[row]));
    double apart = 0.0;
    for (const std::string& label : model.labels) {
      const std::string column = "amplitude[" + label + "]";
      apart = std::max(apart, std::abs(one.column(column)[row] - other.column(column)[row]));
    }
    const double omega = one.column("omega")[row];
    const bool memory_counts = remembers_its_start(model) && apart > 0.02 * size;
    if (apart > bound && may_fold(model) &&
        (memory_counts || two_motions(model, method, second, omega, apart / size, runner))) {
      verdict.leave("two motions");
      continue;
    }
    for (const std::string& label : model.labels) {
      const std::string column = "amplitude[" + label + "]";
      verdict.agree(column + " of " + where, one.column(column)[row], other.column(column)[row], bound);
    }
    const double energy = std::pow(omega * size, 2) * *std::max_element(model.masses.begin(), model.masses.end());
    compare_losses(model, one, other, row, where, energy, verdict);
    if (!one.has("multiplier") || !other.has("multiplier")) continue;
    const double a = one.column("multiplier")[row], b = other.column("multiplier")[row];
    if (std::isnan(a) || std::isnan(b)) continue;
    const double error = trust * (multiplier_error(one, row) + multiplier_error(other, row));
    verdict.agree("multiplier of " + where, a, b, error * std::max(1.0, std::max(a, b)));
    const double claimed = one.column("stable")[row], also = other.column("stable")[row];
    if (!std::isnan(claimed) && !std::isnan(also)) verdict.agree("stable of " + where, claimed, also, 0.0);
  }
}

std::vector<double> two_frequencies(const Model& model) {
  const double first = stuck_modes(model).omega[0];
  return {first * (0.3 + 0.7 * model.dice[0]), first * (0.8 + 0.5 * model.dice[1])};
}

// Harmonic balance and shooting.

Model draw_for_shooting(Random& random) {
  Range range;
  range.masses = 3;
  range.joints = 2;
  range.laws = all_laws();
  return draw(range, random);
}

void against_shooting(const Model& model, Runner& runner, Verdict& verdict) {
  const std::vector<double> omega = two_frequencies(model);
  const Way way = runner.run(study_text(model) + frf(model, "harmonic_balance", omega) + frf(model, "shooting", omega));
  if (!way.silent) return verdict.leave(way.said);
  compare_methods(model, "harmonic_balance", "shooting", way, runner, verdict);
}

// The stated error of shooting: one mass, at single frequencies, against harmonic balance to 1e-8.

Model draw_one_mass(Random& random) {
  Range range;
  range.masses = 1;
  range.joints = 1;
  range.laws = {"jenkins", "iwan4", "iwan6", "iwan_uniform", "masing"};
  range.level_from = -1.0;
  return draw(range, random);
}

void error_of_shooting(const Model& model, Runner& runner, Verdict& verdict) {
  const std::vector<double> omega = two_frequencies(model);
  const Way way = runner.run(study_text(model) + frf(model, "harmonic_balance", omega) + "tolerance = 1e-8\n" +
                             frf(model, "shooting", omega) + "stability = false\n");
  if (!way.silent) return verdict.leave(way.said);
  const CsvTable &exact = way.table("harmonic_balance"), &steps = way.table("shooting");
  const std::string column = "amplitude[" + model.labels[0] + "]";
  for (std::size_t row = 0; row < omega.size(); ++row) {
    const double a = exact.column(column)[row];
    verdict.agree(fmt::format("{} and what shooting states at omega = {}", column, number(omega[row])), a,
                  steps.column(column)[row], (3.0 * stated(steps, row) + trust * stated(exact, row)) * a);
  }
}

// Harmonic balance, shooting and exact arcs.

Model draw_of_lines(Random& random) {
  Range range;
  range.masses = 2;
  range.joints = 2;
  range.laws = {"gap", "piecewise_linear"};
  return draw(range, random);
}

void against_arcs(const Model& model, Runner& runner, Verdict& verdict) {
  // One only: the next would begin at the motion of this one.
  const std::vector<double> omega = {two_frequencies(model)[model.dice[2] < 0.5 ? 0 : 1]};
  const Way way =
      runner.run(study_text(model) + frf(model, "harmonic_balance", omega) + frf(model, "piecewise_linear", omega));
  if (!way.silent) return verdict.leave(way.said);
  compare_methods(model, "harmonic_balance", "piecewise_linear", way, runner, verdict);
}

// The tail of a transient.

constexpr int samples = 64;  // rows a period

/// First harmonics in the last period but `back`: over e^(i omega t), less the phase of the first sine.
std::vector<std::complex<double>> harmonics(const Model& model, const CsvTable& rows, std::size_t back) {
  std::vector<std::complex<double>> result;
  const std::size_t first = rows.rows() - 1 - (back + 1) * samples;
  for (const std::string& label : model.labels) {
    const std::vector<double>& q = rows.column("q[" + label + "]");
    std::complex<double> sum = 0.0;
    for (std::size_t k = 0; k < samples; ++k) {
      sum += q[first + k] * std::polar(2.0 / samples, 0.5 * pi - 2.0 * pi * static_cast<double>(k) / samples);
    }
    result.push_back(sum * std::polar(1.0, -model.forces[0].phase));
  }
  return result;
}

std::string transient(const Model& model, const char* name, double omega, int periods, int steps,
                      const std::string& initial = "") {
  return fmt::format(
      "[[analysis]]\nkind = \"transient\"\nname = \"{}\"\nload = {}\nduration = {}\nstep = {}\nmethod = "
      "\"newmark\"\n{}record = "
      "{{ every = {}, joints = [] }}\n",
      name, load_names(model), number(2.0 * pi / omega * periods), number(2.0 * pi / omega / steps), initial,
      steps / samples);
}

/// Largest distance of first harmonics.
double distance(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// What is left of a motion that settles: its change in the last period, or in that `between` periods before, less what
/// has decayed since, goes on falling as it did in between.
double left_to_go(double change, double change_before, int between) {
  const double ratio = std::clamp(std::pow(change / change_before, 1.0 / between), 0.5, 0.99);
  return std::max(change, change_before * std::pow(ratio, between)) * ratio / (1.0 - ratio);
}

/// What a transient settles to.
struct Tail {
  std::vector<std::complex<double>> harmonics;
  double moving = 0.0;  ///< left to go
  double steps = 0.0;   ///< change from a quarter of the steps
};

// Where corners fall into steps, the errors of two neighbouring lengths may be alike by chance (8.8e-7 and 6.3e-7 for a
// half): a quarter.
constexpr int coarse_steps = 256, fine_steps = 1024;

std::string transients(const Model& model, double omega, int periods, const std::string& initial = "") {
  return transient(model, "coarse", omega, periods, coarse_steps, initial) +
         transient(model, "fine", omega, periods, fine_steps, initial);
}

Tail tail_of(const Model& model, const Way& way) {
  constexpr int between = 10;
  const CsvTable& fine = way.table("fine");
  const auto last = harmonics(model, fine, 0);
  const double change = distance(last, harmonics(model, fine, 1)),
               change_before = distance(harmonics(model, fine, between), harmonics(model, fine, between + 1));
  return {last, change_before > 0.0 ? left_to_go(change, change_before, between) : 0.0,
          distance(last, harmonics(model, way.table("coarse"), 0))};
}

/// How far the series of harmonic balance may be from a tail.
double tail_bound(const Tail& tail, double stated_error, double size) {
  return trust * (tail.moving + tail.steps + stated_error) + 1e-7 * size;
}

/// A transient that starts at a point of the motion of harmonic balance settles to it, within the same bound as a
/// transient from rest should have, and nearer to it than to what that has settled to, `apart` from it: of one motion
/// both would settle to the same, with the same error of their steps.
bool is_another_motion(const Model& model, double omega, int periods, const std::vector<std::complex<double>>& series,
                       double stated_error, double size, double apart, Runner& runner) {
  const auto start = start_on_orbit(model, "harmonic_balance", omega, runner);
  if (!start) return false;
  const Way way =
      runner.run(study_text(start->loaded, omega) + transients(start->loaded, omega, periods, start->initial));
  if (way.table("coarse").rows() == 0 || way.table("fine").rows() != way.table("coarse").rows()) return false;
  const Tail tail = tail_of(start->loaded, way);  // what its steps leave is in the bound
  const double off = distance(tail.harmonics, series);
  return off <= tail_bound(tail, stated_error, size) && off + tail.moving < 0.5 * apart;
}

void tail_at(const Model& model, double omega, int periods, bool must_complete, Runner& runner, Verdict& verdict) {
  const Way way = runner.run(study_text(model, omega) + frf(model, "harmonic_balance", {omega}) +
                             transients(model, omega, periods));
  if (must_complete) {
    const bool completed = way.table("harmonic_balance").rows() == 1 && way.table("fine").rows() > 0;
    verdict.agree("completed with dampers: " + way.said, completed ? 1.0 : 0.0, 1.0, 0.0);
  }
  if (!way.silent) return verdict.leave(way.said);
  const CsvTable& row = way.table("harmonic_balance");
  if (row.has("stable") && row.column("stable")[0] != 1.0) return verdict.leave("not stable");
  const double size = largest_amplitude(model, row, 0);
  const Tail tail = tail_of(model, way);
  if (tail.moving > 1e-3 * size) return verdict.leave("the transient has not settled");
  std::vector<std::complex<double>> series;
  for (const std::string& label : model.labels) {
    series.push_back(std::polar(row.column("harmonic1[" + label + "]")[0], row.column("phase1[" + label + "]")[0]));
  }
  const double apart = distance(series, tail.harmonics), bound = tail_bound(tail, stated(row, 0) * size, size);
  if (apart > bound && may_fold(model) &&
      is_another_motion(model, omega, periods, series, stated(row, 0) * size, size, apart, runner)) {
    return verdict.leave("two motions");
  }
  for (std::size_t i = 0; i < series.size(); ++i) {
    verdict.agree(fmt::format("harmonic1[{}] of harmonic balance and a transient's tail at omega = {}", model.labels[i],
                              number(omega)),
                  std::abs(series[i] - tail.harmonics[i]), 0.0, bound);
  }
}

Model draw_for_tail(Random& random) {
  Range range;
  range.laws = all_laws();
  std::erase(range.laws, "iwan5");  // how it vibrates hangs on what went before: a transient overshoots
  range.forces = 2;
  range.free = true;
  range.zeta_from = -1.9;
  range.zeta_to = -1.2;
  return draw(range, random);
}

void against_tail(const Model& model, Runner& runner, Verdict& verdict) {
  const double first = stuck_modes(model).omega[0];
  const double omega = first * (0.5 + 0.7 * model.dice[0]);
  const double loss = 2.0 * pi * model.zeta * first / omega;  // of the slowest mode in a period
  tail_at(model, omega, static_cast<int>(std::ceil(14.0 / loss)), false, runner, verdict);
}

// The decay of a disturbance.

Model draw_to_disturb(Random& random) {
  Range range;
  range.masses = 1;  // of several motions the slowest need not be disturbed
  range.joints = 2;
  range.laws = {"polynomial", "gap", "piecewise_linear", "jenkins", "iwan4", "iwan_uniform"};
  range.zeta_from = -1.7;
  range.zeta_to = -1.2;
  return draw(range, random);
}

/// A disturbance of one mass at the ends of periods: displacement, and velocity over the frequency of its mode.
using Disturbance = std::vector<std::array<double, 2>>;

/// From the end of the kick until Newton's tolerance is seen. Of joints that remember, the change from one period to
/// the next: a kick may push sliders that do not slip afterwards, and what they hold stays.
Disturbance disturbance(const Model& model, double omega, const CsvTable& one, const CsvTable& two, std::size_t settled,
                        std::size_t every) {
  const std::string q = "q[" + model.labels[0] + "]", v = "v[" + model.labels[0] + "]";
  const auto at = [&](const std::string& name, std::size_t k) { return two.column(name)[k] - one.column(name)[k]; };
  const std::size_t next = forgets(model) ? 0 : every;
  Disturbance result;
  for (std::size_t k = every * (settled + 1); k + next < one.rows(); k += every) {
    const double dq = next > 0 ? at(q, k + next) - at(q, k) : at(q, k);
    const double dv = next > 0 ? at(v, k + next) - at(v, k) : at(v, k);
    result.push_back({dq, dv / omega});
    if (std::hypot(result.back()[0], result.back()[1]) < 1e-4 * std::hypot(result.front()[0], result.front()[1])) break;
  }
  return result;
}

/// ln of the larger eigenvalue of the map of two dimensions that leads from each to the next, by least squares of all
/// alike: a line through their logarithms would be bent for long where two eigenvalues are close.
double slowest_decay(const Disturbance& s, std::size_t from, std::size_t to) {
  double a[2][2] = {}, b[2][2] = {};  // sums of s s^T, and of what comes next, times s^T
  for (std::size_t k = from; k + 1 < to; ++k) {
    const double square = s[k][0] * s[k][0] + s[k][1] * s[k][1];
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        a[i][j] += s[k][i] * s[k][j] / square;
        b[i][j] += s[k + 1][i] * s[k][j] / square;
      }
    }
  }
  const double det_a = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  const double trace = (b[0][0] * a[1][1] - b[0][1] * a[1][0] + b[1][1] * a[0][0] - b[1][0] * a[0][1]) / det_a;
  const double det = (b[0][0] * b[1][1] - b[0][1] * b[1][0]) / det_a;
  const double root = 0.25 * trace * trace - det;
  return root < 0.0 ? 0.5 * std::log(det) : std::log(0.5 * std::abs(trace) + std::sqrt(root));
}

/// Half the range of the last period before the kick.
double range_before(const Model& model, const CsvTable& rows, std::size_t settled, std::size_t every) {
  const auto from =
      rows.column("q[" + model.labels[0] + "]").begin() + static_cast<std::ptrdiff_t>((settled - 1) * every);
  const auto [least, largest] = std::minmax_element(from, from + static_cast<std::ptrdiff_t>(every) + 1);
  return 0.5 * (*largest - *least);
}

void against_disturbance(const Model& model, Runner& runner, Verdict& verdict) {
  const StuckModes modes = stuck_modes(model);
  const double omega = modes.omega[0] * (0.5 + 0.8 * model.dice[0]), period = 2.0 * pi / omega;
  const int settled = static_cast<int>(std::ceil(20.0 / (2.0 * pi * model.zeta * modes.omega[0] / omega)));
  const int after = std::min(settled, 60);
  const double kick = 1e-4 * model.forces[0].amplitude;
  runner.file("kick.csv",
              fmt::format("time,value\n0,0\n{},0\n{},{}\n{},0\n", number(settled * period),
                          number((settled + 0.2) * period), number(kick), number((settled + 0.4) * period)));
  constexpr int every = 40;  // rows a period
  const auto motion = [&](const char* name, const char* loads, int steps) {
    return fmt::format(
        "[[analysis]]\nkind = \"transient\"\nname = \"{}\"\nload = {}\nduration = {}\nstep = {}\ntolerance = "
        "1e-12\nrecord = "
        "{{ every = {}, joints = [] }}\n",
        name, loads, number((settled + after) * period), number(period / steps), steps / every);
  };
  constexpr int coarse = 800, fine = 3200;
  const Way way = runner.run(
      study_text(model, omega) +
      fmt::format("[[load]]\nname = \"kick\"\nat = \"{}\"\nsignal = {{ kind = \"table\", file = \"kick.csv\" }}\n",
                  model.labels.back()) +
      frf(model, "harmonic_balance", {omega}) + motion("rough", "[\"l1\"]", coarse) +
      motion("rough_kicked", "[\"l1\", \"kick\"]", coarse) + motion("good", "[\"l1\"]", fine) +
      motion("good_kicked", "[\"l1\", \"kick\"]", fine));
  if (!way.silent) return verdict.leave(way.said);
  const CsvTable& row = way.table("harmonic_balance");
  const double multiplier = row.column("multiplier")[0];
  if (row.column("stable")[0] != 1.0) return verdict.leave("not stable");
  const double amplitude = row.column("amplitude[" + model.labels[0] + "]")[0];
  const auto start = static_cast<std::size_t>(settled);
  // Samples miss the turning points by (pi/40)^2/2 of the range at most.
  if (std::abs(range_before(model, way.table("good"), start, every) - amplitude) > 0.01 * amplitude) {
    return verdict.leave("the transient has settled to another motion");
  }
  const auto decaying = [&](const char* one, const char* two) {
    return disturbance(model, modes.omega[0], way.table(one), way.table(two), start, every);
  };
  const Disturbance rough = decaying("rough", "rough_kicked"), good = decaying("good", "good_kicked");
  const std::size_t n = std::min(rough.size(), good.size());
  if (n < 9) return verdict.leave("the disturbance is gone at once");
  const double slope = slowest_decay(good, 0, n), early = slowest_decay(good, 0, n / 2 + 1),
               late = slowest_decay(good, n / 2, n);
  // A step that holds a corner has one tangent: first order, so that a third of the difference is left. What is no map
  // of two dimensions shows in the halves.
  const double bound = std::abs(slope - slowest_decay(rough, 0, n)) + 2.0 * std::abs(early - late) +
                       5e-3 * std::abs(slope) + 2.0 * multiplier_error(row, 0) / multiplier;
  // Memory adds dimensions, whose slow decay a kick of the mass may hardly begin.
  const double told = std::log(multiplier);
  verdict.agree(fmt::format("ln of the multiplier and of a disturbance's decay at omega = {}", number(omega)), told,
                forgets(model) ? slope : std::max(slope, told), bound);
}

// Dampers alone, and multiples of the frequency on modes that would be undamped without them.

Model draw_with_dampers(Random& random) {
  Range range;
  range.masses = 2;
  range.joints = 1;
  range.laws = {"polynomial", "gap", "iwan4"};
  range.dampers = true;
  range.round = true;
  range.level_from = -1.5;
  range.level_to = -0.5;
  return draw(range, random);
}

void with_dampers(const Model& model, Runner& runner, Verdict& verdict) {
  const StuckModes modes = stuck_modes(model);
  const double mode = modes.omega[static_cast<std::size_t>(model.dice[0] * static_cast<double>(modes.omega.size()))];
  const double omega = mode / (1.0 + std::floor(3.0 * model.dice[1]));
  tail_at(model, omega, 200, true, runner, verdict);  // nothing is hard about them
}

constexpr Comparison all[] = {
    {"shooting", draw_for_shooting, against_shooting, 30},
    {"steps", draw_one_mass, error_of_shooting, 24},
    {"arcs", draw_of_lines, against_arcs, 20},
    {"tail", draw_for_tail, against_tail, 15},
    {"disturbance", draw_to_disturb, against_disturbance, 20},
    {"dampers", draw_with_dampers, with_dampers, 10},
};

}  // namespace

std::span<const Comparison> steady_comparisons() {
  return all;
}

}  // namespace microslip::differential
