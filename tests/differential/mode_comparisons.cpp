// Modes over amplitude: quasi-static analysis against slow cycles of the load, and with nonlinear modes against the
// ring-down of one mass.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "closure.hpp"
#include "comparisons.hpp"

namespace microslip::differential {
namespace {

constexpr double pi = std::numbers::pi;

// Slow cycles.

struct Cycle {
  double half_range, loss;
};

/// Of the last of the load's periods: the modal displacement, and what the joints take.
/// The one that ends `steps_before` the end.
Cycle last_cycle(const Model& model, const std::vector<double>& shape, const CsvTable& rows, std::size_t steps,
                 std::size_t steps_before = 0) {
  const std::size_t last = rows.rows() - 1 - steps_before, first = last - steps;
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (std::size_t row = first; row <= last; ++row) {
    double q = 0.0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      q += model.masses[i] * shape[i] * rows.column("q[" + model.labels[i] + "]")[row];
    }
    least = std::min(least, q);
    largest = std::max(largest, q);
  }
  double loss = 0.0;
  for (const DrawnJoint& joint : model.joints) {
    const auto &u = rows.column("u[" + joint.name + "]"), &f = rows.column("f[" + joint.name + "]");
    for (std::size_t row = first; row < last; ++row) loss += 0.5 * (f[row] + f[row + 1]) * (u[row + 1] - u[row]);
  }
  return {0.5 * (largest - least), loss};
}

Model draw_for_slow_cycles(Random& random) {
  Range range;
  range.masses = 3;
  range.joints = 4;
  range.laws = masing_laws();
  if (random.chance(0.6)) range.laws = {"jenkins"};
  if (random.chance(0.4)) range.laws.push_back("gap");
  Model model = draw(range, random);
  model.zeta = 0.2;  // no part of the cycle, but ends what its corners excite
  return model;
}

void against_slow_cycles(const Model& model, Runner& runner, Verdict& verdict) {
  const StuckModes modes = stuck_modes(model);
  double tip = 0.0;
  for (const double phi : modes.shapes[0]) tip = std::max(tip, std::abs(phi));
  const double alpha =
      modes.omega[0] * modes.omega[0] * model.deflection / tip * std::pow(10.0, 1.6 * model.dice[2] - 0.5);
  const auto slow = [&](const char* name, double omega, int steps) {
    return fmt::format(
        "[[load]]\nname = \"{0}\"\nmode = 1\nsignal = {{ kind = \"sine\", amplitude = {1}, omega = {2} }}\n"
        "[[analysis]]\nkind = \"transient\"\nname = \"{0}\"\nload = \"{0}\"\nduration = {3}\nstep = {4}\n",
        name, number(alpha), number(omega), number(5.25 * 2.0 * pi / omega), number(2.0 * pi / omega / steps));
  };
  constexpr int coarse = 1000, fine = 2000;
  const Way way =
      runner.run(structure_text(model) + joints_text(model) + slow("slow", modes.omega[0] / 400.0, coarse) +
                 slow("slower", modes.omega[0] / 800.0, fine) +
                 fmt::format("[[analysis]]\nkind = \"qsma\"\nname = \"curve\"\nmode = 1\nalpha = [{}, {}]\n",
                             number(0.1 * alpha), number(alpha)));
  if (!way.silent) return verdict.leave(way.said);
  const CsvTable& curve = way.table("curve");
  const Cycle rough = last_cycle(model, modes.shapes[0], way.table("slow"), coarse),
              good = last_cycle(model, modes.shapes[0], way.table("slower"), fine),
              before = last_cycle(model, modes.shapes[0], way.table("slower"), fine, fine);  // not yet steady
  const double q = curve.column("q").back(), loss = curve.column("dissipation").back();
  verdict.agree(
      "q of qsma and slow cycles", q, good.half_range,
      2.0 * std::abs(good.half_range - rough.half_range) + std::abs(good.half_range - before.half_range) + 1e-4 * q);
  // alpha q, the scale of the energies: a loss that is a small difference of paths may not be better than 1e-5 of it.
  verdict.agree(
      "dissipation of qsma and slow cycles", loss, good.loss,
      2.0 * std::abs(good.loss - rough.loss) + std::abs(good.loss - before.loss) + 1e-3 * good.loss + 1e-5 * alpha * q);
}

// The ring-down of one mass.

Model draw_one_mass(Random& random) {
  Range range;
  range.masses = 1;
  range.joints = 2;
  range.laws = all_laws();
  range.sliders = true;
  std::erase(range.laws, "gap");  // swings about another place at each amplitude
  range.zeta_from = -4.0;
  range.zeta_to = -2.0;
  range.level_from = -0.5;
  return draw(range, random);
}

/// What a decay brings along.
struct Past {
  double begin = 1.0;       ///< part of the first amplitude below which the start is forgotten
  double drift = 0.0;       ///< of the frequency against that of a periodic motion, over zeta
  bool remembered = false;  ///< the loop hangs on how it was begun, by what a half swing takes
  double middle = 0.0;      ///< q about which friction lets elastic springs swing, at most
  double step_error = 0.0;  ///< of zeta
};

/// Steps of 1/400 of the stuck period. One of length h that holds a corner of k changes the energy by k h^2/(4 m) of it
/// at most, what a swing out gains a swing back loses, and three half cycles of energy are 6 pi zeta of it:
/// k h^2/(8 pi m), with k no more than the stuck stiffness for friction and the change of slope of a spring.
double zeta_by_steps(const Model& model, double stuck_omega) {
  double change = stuck_omega * stuck_omega;
  for (const DrawnJoint& joint : model.joints) {
    if (joint.law != "piecewise_linear") continue;
    const std::vector<double>&u = joint.parameters[0].values, &f = joint.parameters[1].values;
    double least = std::numeric_limits<double>::infinity(), largest = 0.0;
    for (std::size_t i = 0; i + 1 < u.size(); ++i) {
      const double slope = (f[i + 1] - f[i]) / (u[i + 1] - u[i]);
      least = std::min(least, slope);
      largest = std::max(largest, slope);
    }
    change += (largest - least) / model.masses[0];
  }
  const double step = 2.0 * pi / stuck_omega / 400.0;
  return change * step * step / (8.0 * pi);
}

/// y at a place between the first and the last x, along straight lines.
double value_at(const std::vector<double>& x, const std::vector<double>& y, double at) {
  const auto after = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), at) - x.begin());
  if (after == 0) return y.front();
  return y[after - 1] + (y[after] - y[after - 1]) * (at - x[after - 1]) / (x[after] - x[after - 1]);
}

/// Friction that has slipped once on the way down holds the mass off the springs' middle: by no more than half of what
/// the first swings lose beyond the later decay.
double middle_left(const CsvTable& decay, double released) {
  if (decay.rows() == 0) return 0.0;
  const double later =
      decay.column("q")[0] * std::exp(decay.column("zeta")[0] * decay.column("omega")[0] * decay.column("time")[0]);
  return 0.5 * std::max(released - later, 0.0);
}

/// Rows of a ring-down are means over their half cycles: they lie between the least and the largest value of the curve
/// over the amplitudes passed, but for (2 pi zeta)^2, zeta the largest so far (a heavy decay leaves joints off their
/// middle), and for the steps. About a middle m springs, which all harden, reach as far as those of amplitudes larger
/// by 2 m do: the frequency may be as high as there (k + 3 k3 (m^2 + A^2/4) <= k + 3/4 k3 (A + 2 m)^2).
void compare_decay(const CsvTable& decay, const CsvTable& curve, const char* omega_column, const char* name,
                   const Past& past, Verdict& verdict) {
  const std::vector<double>& q = curve.column("q");
  const auto &omega = curve.column(omega_column), &zeta = curve.column("zeta");
  double largest = 0.0;
  bool any = false;
  for (std::size_t row = 0; row < decay.rows(); ++row) {
    const double at = decay.column("q")[row], damping = decay.column("zeta")[row];
    largest = std::max(largest, damping);
    if (at > past.begin * decay.column("q")[0]) continue;
    const double width = pi * damping * 0.5 * (decay.column("half_cycles")[row] + 1.0);
    const double from = at * std::exp(-width), to = at * std::exp(width), reach = to + 2.0 * past.middle;
    if (from < q.front() || reach > q.back()) continue;
    any = true;
    Bounds of_omega = bounds_between(q, omega, from, to);
    const Bounds of_zeta = bounds_between(q, zeta, from, to);
    if (past.middle > 0.0) of_omega.largest = std::max(of_omega.largest, bounds_between(q, omega, from, reach).largest);
    const double w = decay.column("omega")[row];
    const double w_bound = w * (3.0 * largest * largest + past.drift * damping + 1e-4), cycle = 2.0 * pi * largest,
                 z_bound = damping * ((past.remembered ? cycle : cycle * cycle) + 5e-3) + past.step_error;
    verdict.agree(fmt::format("frequency of a ring-down and {} at q = {}", name, number(at)), w,
                  std::clamp(w, of_omega.least, of_omega.largest), w_bound);
    verdict.agree(fmt::format("damping of a ring-down and {} at q = {}", name, number(at)), damping,
                  std::clamp(damping, of_zeta.least, of_zeta.largest), z_bound);
  }
  if (!any) verdict.leave(fmt::format("no row of the ring-down within the curve of {}", name));
}

void against_ringdown(const Model& model, Runner& runner, Verdict& verdict) {
  const double omega = stuck_modes(model).omega[0], root = std::sqrt(model.masses[0]);
  const double alpha = model.forces[0].amplitude / root;
  const std::string system = structure_text(model) + joints_text(model);
  const Way decay = runner.run(
      system +
      fmt::format("[[load]]\nname = \"push\"\nat = \"{}\"\nsignal = {{ kind = \"constant\", amplitude = {} }}\n"
                  "[[analysis]]\nkind = \"ringdown\"\nname = \"decay\"\nduration = {}\nstep = {}\ninitial = {{ "
                  "static = \"push\" }}\nmode = 1\nhalf_cycles = 3\n",
                  model.labels[0], number(model.forces[0].amplitude), number(60.0 * 2.0 * pi / omega),
                  number(2.0 * pi / omega / 400.0)));
  if (!decay.silent) return verdict.leave(decay.said);
  Past past;
  past.step_error = zeta_by_steps(model, omega);
  for (const DrawnJoint& joint : model.joints) {
    past.remembered = past.remembered || joint.law == "bouc_wen" || joint.law == "iwan5";
    for (const Parameter& p : joint.parameters) {  // sliders of iwan5 that the push has not moved slip below this only
      if (p.name == "theta") past.begin = std::min(past.begin, 0.48 * (1.0 + p.values[0]));
    }
  }
  const Way curve =
      runner.run(system + fmt::format("[[analysis]]\nkind = \"qsma\"\nname = \"curve\"\nmode = 1\nalpha = [{}, "
                                      "{}]\npoints = 100\n",
                                      number(1e-3 * alpha), number(1.2 * alpha)));
  const bool springs = std::any_of(model.joints.begin(), model.joints.end(), [](const DrawnJoint& joint) {
    const auto& elastic = elastic_laws();
    return std::find(elastic.begin(), elastic.end(), joint.law) != elastic.end();
  });
  const bool off_middle = springs && !forgets(model);  // friction may hold it there
  if (off_middle && curve.silent) {
    const CsvTable& rows = curve.table("curve");
    past.middle = middle_left(decay.table("decay"), value_at(rows.column("alpha"), rows.column("q"), alpha));
  }
  if (curve.silent) {
    compare_decay(decay.table("decay"), curve.table("curve"), "omega_ringdown", "qsma", past, verdict);
  } else {
    verdict.leave(curve.said);
  }
  if (off_middle && !curve.silent) return;  // where it swings is not known
  const double q = decay.table("decay").rows() > 0 ? decay.table("decay").column("q")[0] : 0.0;
  if (!(q > 0.0)) return verdict.leave("no rows of the ring-down");
  const Way mode = runner.run(system + fmt::format("[[analysis]]\nkind = \"nonlinear_mode\"\nname = \"mode\"\nmode = "
                                                   "1\namplitude = [{}, {}]\npoints = 50\n",
                                                   number(1e-2 * q), number(1.2 * q)));
  if (!mode.silent) return verdict.leave(mode.said);
  // The frequency is that of the periodic motion. Loops that a decay does not close lag behind by what a half swing
  // takes, and some of that is stiffness; sliders of iwan5 that slip in a decay only soften by as much as they take.
  for (const DrawnJoint& joint : model.joints) {
    past.drift = std::max(past.drift, joint.law == "bouc_wen" ? 0.3 : joint.law == "iwan5" ? 1.0 : 0.0);
  }
  compare_decay(decay.table("decay"), mode.table("mode"), "omega", "nonlinear_mode", past, verdict);
}

constexpr Comparison all[] = {
    {"slow_cycles", draw_for_slow_cycles, against_slow_cycles, 60},
    {"ringdown", draw_one_mass, against_ringdown, 30},
};

}  // namespace

std::span<const Comparison> mode_comparisons() {
  return all;
}

}  // namespace microslip::differential
