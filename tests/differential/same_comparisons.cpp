// One system, written differently: other units, another order, upside down, as matrices, reduced without loss, on a
// moving ground. The answers are the same.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "comparisons.hpp"

namespace microslip::differential {
namespace {

/// Four analyses of the model, in its units.
std::string analyses(const Model& model, const StuckModes& modes, const Units& units) {
  double tip = 0.0;
  for (const double phi : modes.shapes[0]) tip = std::max(tip, std::abs(phi));
  const double q = model.deflection / tip, w = modes.omega[0];  // q: length mass^(1/2)
  const double root_mass = std::sqrt(units.force * units.time * units.time / units.length);
  const auto modal = [&](double value) { return number(value / (units.length * root_mass)); };
  const auto load = [&](double value) {  // alpha: force mass^(-1/2)
    return number(value / units.force * root_mass);
  };
  const auto frequency = [&](double value) { return number(value * units.time); };
  std::string text = fmt::format("[[analysis]]\nkind = \"frf\"\nname = \"frf\"\nload = {}\nat = [{}]\n",
                                 load_names(model), frequency(w * (0.6 + 0.6 * model.dice[0])));
  text += fmt::format("[[analysis]]\nkind = \"qsma\"\nname = \"qsma\"\nmode = 1\nalpha = [{}, {}]\npoints = 9\n",
                      load(0.1 * q * w * w), load(2.0 * q * w * w));
  text += fmt::format(
      "[[analysis]]\nkind = \"nonlinear_mode\"\nname = \"mode\"\nmode = 1\namplitude = [{}, {}]\npoints = 5\n",
      modal(0.1 * q), modal(q));
  text += fmt::format(
      "[[analysis]]\nkind = \"transient\"\nname = \"motion\"\nload = {}\nduration = {}\nstep = {}\nrecord = {{ every = "
      "8 }}\n",
      load_names(model), number(30.0 / w / units.time), number(0.02 / w / units.time));
  return text;
}

/// What becomes of a column upside down.
enum class Mirror {
  even,   ///< nothing
  odd,    ///< changes its sign
  swings  ///< of a free decay: its swings begin on the other side
};

/// A column, the powers of length, force and time in its unit, and how well it must agree: 0 stands for `error`.
struct Column {
  const char *table, *name;
  double length, force, time, bound;
  Mirror mirror = Mirror::even;
};

// Bounds: what is solved to tolerance t (1e-10 of the forces in qsma, 1e-6 in transients) agrees within t times what
// conditions it; derivatives and means over curves that are refined where they bend, within that refinement.
constexpr Column columns[] = {
    {"frf", "amplitude[", 1, 0, 0, 0},
    {"frf", "harmonic1[", 1, 0, 0, 0},
    {"qsma", "q", 0.5, 0.5, 1, 1e-6},
    {"qsma", "omega_ringdown", 0, 0, -1, 1e-4, Mirror::swings},
    {"qsma", "zeta", 0, 0, 0, 1e-3, Mirror::swings},
    {"qsma", "zeta_secant", 0, 0, 0, 1e-5},
    {"mode", "q", 0.5, 0.5, 1, 1e-5},
    {"mode", "omega", 0, 0, -1, 1e-5},
    {"mode", "zeta", 0, 0, 0, 1e-3, Mirror::swings},
    {"motion", "q[", 1, 0, 0, 1e-4, Mirror::odd},
    {"motion", "u[", 1, 0, 0, 1e-4},
    {"motion", "f[", 0, 1, 0, 1e-3},
};

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// The row of `b` under the load of that row of `a`; past the end: none. Curves are refined where they bend.
std::size_t same_load(const CsvTable& a, std::size_t row, const CsvTable& b, double unit) {
  const std::vector<double>& loads = b.column("alpha");
  const double load = a.column("alpha")[row];
  std::size_t there = 0;
  while (there < loads.size() && !(std::abs(loads[there] * unit - load) <= 1e-9 * load)) ++there;
  return there;
}

/// What swings that begin on the other side may change in a row of a decay. Both are centred on the amplitude of the
/// row, and lie within a factor e^`range` of it: along a straight line x(ln q) their means are the same. Of a curve
/// whose slopes there lie between s and S they are off by (S - s)/2 `range` at most, and by no more than the curve
/// changes there. Slopes are those between rows, the two beside this one among them; behind the onset of contact the
/// curve may rise like a root, by x sqrt(range/d) within the range where rows that are d apart differ by x.
double over_corner(const std::vector<double>& q, const std::vector<double>& x, std::size_t row, double range) {
  constexpr double none = std::numeric_limits<double>::infinity();
  double flattest = none, steepest = -none, least = x[row], largest = x[row];
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double from = std::log(q[i - 1] / q[row]), to = std::log(q[i] / q[row]);
    const bool beside = i == row || i == row + 1;
    if ((!beside && (to < -range || from > range)) || !std::isfinite(x[i] - x[i - 1]) || !(to > from)) continue;
    const double slope = (x[i] - x[i - 1]) / (to - from) * std::sqrt(std::max(1.0, (to - from) / range));
    flattest = std::min(flattest, slope);
    steepest = std::max(steepest, slope);
    least = std::min({least, x[i - 1], x[i]});
    largest = std::max({largest, x[i - 1], x[i]});
  }
  return steepest > flattest ? std::min(0.5 * (steepest - flattest) * range, largest - least) : 0.0;
}

/// How the second way of two is written.
struct Words {
  const char* how;
  Units units;
  bool upside_down = false;
  bool one_sided = false;  ///< a joint pushes to one side only: upside down it is the other
  bool drifts = false;     ///< besides, one joint forgets and another does not: see compare_columns
  bool exactly = false;    ///< the units are powers of two and nothing is raised to a broken power
};

/// Nonlinear modes count by the logarithm of their amplitude, which rounds, and their zeta may take a difference over
/// 1e-6 of it: some 2^-53/1e-6.
double rounding_of(const Column& column) {
  if (std::string_view(column.table) != "mode") return 0.0;
  return std::string_view(column.name) == "zeta" ? 1e-9 : 1e-11;
}

void compare_columns(const Column& column, const Way& one, const Way& other, const Words& words, Verdict& verdict) {
  const CsvTable &a = one.table(column.table), &b = other.table(column.table);
  const Units& units = words.units;
  // The load of a mode goes to one side first. Where a joint that forgets lets the mean of the cycles drift back from
  // there, one that does not forget remembers how far it was: upside down it was on the other side.
  if (words.drifts && std::string_view(column.table) == "qsma") return;
  const double sign = column.mirror == Mirror::odd && words.upside_down ? -1.0 : 1.0;
  const double unit = std::pow(units.length, column.length) * std::pow(units.force, column.force) *
                      std::pow(units.time, column.time) * sign;
  const double load_unit = std::sqrt(units.force * units.length) / units.time;  // force mass^(-1/2)
  const bool other_side = column.mirror == Mirror::swings && words.upside_down && words.one_sided;
  for (const std::string& name : a.names) {
    const std::string_view wanted = column.name;
    if (wanted.back() == '[' ? name.rfind(wanted, 0) != 0 : name != wanted) continue;
    const auto &x = a.column(name), &y = b.column(name);
    const double size = largest_of(x);
    // A free swing from the other side has another side's amplitude: second order in what goes in three half swings.
    const double decay = other_side ? 3.0 * std::numbers::pi * largest_of(a.column("zeta")) : 0.0;
    for (std::size_t row = 0, there = 0; row < x.size(); ++row) {
      there = a.has("alpha") ? same_load(a, row, b, load_unit) : row;
      if (there >= y.size()) continue;  // a point that only one of them has added
      const bool of_row = column.bound == 0.0;
      double relative = of_row ? 2.0 * (a.column("error")[row] + b.column("error")[there]) + 1e-8 : column.bound;
      if (other_side) {  // either may have added rows beside the corner
        relative += decay * decay + std::max(over_corner(a.column("q"), x, row, decay),
                                             std::abs(unit) * over_corner(b.column("q"), y, there, decay)) /
                                        size;
      }
      const double bound = (words.exactly ? rounding_of(column) : relative) * size;
      if (!std::isnan(x[row]) || !std::isnan(y[there])) {
        verdict.agree(fmt::format("{} of {} {}", name, column.table, words.how), x[row], y[there] * unit, bound);
      }
    }
  }
}

void compare_ways(const Way& one, const Way& other, const Words& words, Verdict& verdict) {
  if (!one.silent || !other.silent) {
    verdict.leave(one.said + other.said);
    return;
  }
  for (const Column& column : columns) compare_columns(column, one, other, words, verdict);
}

Model draw_any(Random& random) {
  Range range;
  range.laws = all_laws();
  range.forces = 2;
  range.level_to = 0.0;
  range.free = true;
  return draw(range, random);
}

/// In units of powers of four, which a square root divides.
Model draw_for_bytes(Random& random) {
  Range range;
  range.laws = {"jenkins", "iwan_uniform", "polynomial", "gap", "piecewise_linear", "linear"};
  range.forces = 2;
  range.level_to = 0.0;
  return draw(range, random);
}

void in_other_words(const Model& model, Runner& runner, Verdict& verdict) {
  const StuckModes modes = stuck_modes(model);
  const double omega = 0.7 * modes.omega[0];
  const Way plain = runner.run(study_text(model, omega) + analyses(model, modes, {}));
  if (!plain.silent) return verdict.leave(plain.said);
  const auto also = [&](const Model& other, const Words& words) {
    compare_ways(plain, runner.run(study_text(other, omega, words.units) + analyses(other, modes, words.units)), words,
                 verdict);
  };
  const auto any_of = [&](std::initializer_list<std::string_view> laws) {
    return std::any_of(model.joints.begin(), model.joints.end(), [&](const DrawnJoint& joint) {
      return std::find(laws.begin(), laws.end(), joint.law) != laws.end();
    });
  };
  const bool one_sided = any_of({"gap"}), forgets = any_of({"bouc_wen"}),
             remembers = any_of({"jenkins", "iwan4", "iwan6", "iwan_uniform", "masing", "iwan5"});
  also(model, {"in millimetres", {1e-3, 1.0, 1.0}});
  also(reversed(model), {"in another order", {}});
  also(upside_down(model), {"upside down", {}, true, one_sided, one_sided && forgets && remembers});
}

void in_powers_of_two(const Model& model, Runner& runner, Verdict& verdict) {
  const StuckModes modes = stuck_modes(model);
  const Units units{0x1p-8, 0x1p6, 0x1p3};  // mass: 2^20
  const double omega = 0.7 * modes.omega[0];
  const Way plain = runner.run(study_text(model, omega) + analyses(model, modes, {})),
            other = runner.run(study_text(model, omega, units) + analyses(model, modes, units));
  compare_ways(plain, other, {"in units of powers of two", units, false, false, true}, verdict);
}

// A moving ground, and matrices instead of masses and springs.

Model draw_on_ground(Random& random) {
  Range range;
  range.masses = 5;
  range.laws = masing_laws();
  range.level_to = 0.0;
  Model model = draw(range, random);
  model.masses.push_back(model.masses[0]);  // one that no joint holds
  const auto n = static_cast<int>(model.masses.size());
  model.labels.push_back(fmt::format("{}.x", n));
  model.springs.push_back({n - 1, n, model.springs[0].value});
  return model;
}

/// Springs to the ground as joints, so that the matrices are of a free structure.
Model freed(const Model& model) {
  Model free = model;
  free.springs.clear();
  for (const Link& spring : model.springs) {
    if (spring.from != 0 && spring.to != 0) {
      free.springs.push_back(spring);
    } else {
      const std::string name = fmt::format("g{}", free.joints.size());
      free.joints.push_back({name, spring.from, spring.to, "linear", {{"k", {spring.value}, 1, -1, false, ""}}});
    }
  }
  return free;
}

void on_moving_ground(const Model& model, Runner& runner, Verdict& verdict) {
  const double omega = stuck_modes(model).omega[0] * (0.6 + 0.6 * model.dice[0]);
  const Model free = freed(model);
  std::set<std::string> held;
  for (const DrawnJoint& joint : free.joints) {
    for (const int end : {joint.from, joint.to}) {
      if (end > 0) held.insert(model.labels[static_cast<std::size_t>(end - 1)]);
    }
  }
  std::string labels, recover, vector, all;
  for (const std::string& label : model.labels) {
    labels += label + "\n";
    if (!held.contains(label)) recover += fmt::format("{}\"{}\"", recover.empty() ? "" : ", ", label);
    if (held.contains(label)) vector += fmt::format("{}\"{}\" = 1.0", vector.empty() ? "" : ", ", label);
    all += fmt::format("{}\"{}\" = 1.0", all.empty() ? "" : ", ", label);
  }
  if (recover.empty()) return verdict.leave("no point to recover");
  runner.file("M.mtx", mass_matrix(free));
  runner.file("K.mtx", stiffness_matrix(free));
  runner.file("labels.txt", labels);
  const auto moved = [&](const std::string& shape) {
    return fmt::format(
        "[[load]]\nname = \"ground\"\nbase = true\n{}signal = {{ kind = \"sine\", amplitude = {}, omega = {} }}\n"
        "[[analysis]]\nkind = \"frf\"\nload = \"ground\"\nat = [{}]\nstability = false\ntolerance = "
        "1e-4\n[[analysis]]\nkind = \"transient\"\nload = "
        "\"ground\"\nduration = {}\nstep = {}\n",
        shape, number(0.3 * model.deflection), number(omega), number(omega), number(20.0 / omega),
        number(0.05 / omega));
  };
  const std::string matrices =
      fmt::format("mass = \"M.mtx\"\nstiffness = \"K.mtx\"\nlabels = \"labels.txt\"\ndamping = {{ modal = {} }}\n",
                  number(model.zeta));
  const Way masses = runner.run(structure_text(model) + joints_text(model) + moved(""));
  const Way full = runner.run("[structure]\nkind = \"matrices\"\n" + matrices + joints_text(free) +
                              moved("vector = { " + all + " }\n"));
  const Way reduced = runner.run(fmt::format("[structure]\nkind = \"reduced\"\n{}modes = {}\nrecover = [{}]\n",
                                             matrices, model.labels.size() - held.size(), recover) +
                                 joints_text(free) + moved("vector = { " + vector + " }\n"));
  for (const Way* way : {&full, &reduced}) {
    if (!masses.silent || !way->silent) {
      verdict.leave(masses.said + way->said);
      continue;
    }
    const std::string how = way == &full ? "matrices and masses" : "a reduced model and masses";
    const CsvTable &a = masses.table("frf"), &b = way->table("frf");
    double size = 0.0;
    for (const std::string& label : model.labels) size = std::max(size, a.column("harmonic1[" + label + "]")[0]);
    const double bound = (2.0 * (a.column("error")[0] + b.column("error")[0]) + 1e-8) * size;
    for (const std::string& label : model.labels) {
      const std::string column = "harmonic1[" + label + "]";
      verdict.agree(column + " over a moving ground of " + how, a.column(column)[0], b.column(column)[0], bound);
      const auto &x = masses.table("transient").column("q[" + label + "]"),
                 &y = way->table("transient").column("q[" + label + "]");
      verdict.agree("q[" + label + "] at the end over a moving ground of " + how, x.back(), y.back(),
                    1e-4 * largest_of(x));
    }
  }
}

constexpr Comparison all[] = {
    {"words", draw_any, in_other_words, 12},
    {"bytes", draw_for_bytes, in_powers_of_two, 10},
    {"ground", draw_on_ground, on_moving_ground, 20},
};

}  // namespace

std::span<const Comparison> same_comparisons() {
  return all;
}

}  // namespace microslip::differential
