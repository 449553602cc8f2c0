#include "model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "microslip/study/study.hpp"

namespace microslip::differential {
namespace {

Parameter of_law(const char* name, double value, double force, double length) {
  return {name, {value}, force, length, false, ""};
}

Parameter list(const char* name, std::vector<double> values, double force, double length) {
  return {name, std::move(values), force, length, true, ""};
}

/// A table of a backbone that bends at about u.
std::vector<Parameter> backbone(double k, double u, Random& random) {
  const auto points = static_cast<std::size_t>(random.integer(3, 8));
  std::vector<double> us(points), slopes(points), fs(points);
  for (double& value : us) value = random.decades(-1.0, 0.0);
  std::partial_sum(us.begin(), us.end(), us.begin());
  for (double& value : us) value *= u / us.back();
  us.back() = u;
  for (double& value : slopes) value = k * random.uniform(0.05, 1.0);
  std::sort(slopes.begin(), slopes.end(), std::greater<>());
  for (std::size_t i = 0; i < points; ++i) {
    fs[i] = i == 0 ? slopes[0] * us[0] : fs[i - 1] + slopes[i] * (us[i] - us[i - 1]);
  }
  const double residual = slopes.back() * random.uniform(0.0, 0.9);
  Parameter how{"interpolation", {}, 0.0, 0.0, false, random.chance(0.5) ? "smooth" : "linear"};
  return {list("u", us, 0, 1), list("f", fs, 1, 0), how, of_law("residual", residual, 1, -1)};
}

/// Parameters of a law of stiffness k that bends at deflections of about u.
std::vector<Parameter> parameters_of(const std::string& law, double k, double u, Random& random) {
  const double f = k * u;
  if (law == "linear") return {of_law("k", k, 1, -1)};
  if (law == "polynomial") return {of_law("k1", random.uniform(0.0, 1.0) * k, 1, -1), of_law("k3", k / (u * u), 1, -3)};
  if (law == "gap") return {of_law("k", k, 1, -1), of_law("gap", u * random.uniform(0.1, 1.5), 0, 1)};
  if (law == "piecewise_linear") {
    const double s = random.uniform(0.0, 1.0);
    return {list("u", {-2 * u, -u, u, 2 * u}, 0, 1), list("f", {-s * f - f, -s * f, s * f, s * f + f}, 1, 0)};
  }
  if (law == "jenkins") return {of_law("kt", k, 1, -1), of_law("fs", f, 1, 0)};
  if (law == "iwan_uniform") {
    return {of_law("k", k, 1, -1), of_law("fq", f, 1, 0), of_law("alpha", random.uniform(0.0, 0.5), 0, 0)};
  }
  if (law == "masing") return backbone(k, u, random);
  if (law == "bouc_wen") {
    const double n = random.uniform(0.7, 2.5);
    return {of_law("k0", k, 1, -1), of_law("alpha", random.uniform(0.0, 0.9), 0, 0),
            of_law("beta", random.uniform(0.3, 1.0) / std::pow(u, n), 0, -n),
            of_law("gamma", random.uniform(-0.25, 0.7) / std::pow(u, n), 0, -n), of_law("n", n, 0, 0)};
  }
  const double chi = random.uniform(-0.8, 0.4);
  if (law == "iwan5") {
    const double R = k * 0.5 * (chi + 1.0) / std::pow(u, chi + 1.0);
    return {of_law("R", R, 1, -2 - chi), of_law("S", 0.5 * k, 1, -1), of_law("phi_max", u, 0, 1),
            of_law("chi", chi, 0, 0), of_law("theta", random.uniform(0.5, 1.0), 0, 0)};
  }
  std::vector<Parameter> iwan = {of_law("KT", k, 1, -1), of_law("FS", f, 1, 0), of_law("chi", chi, 0, 0),
                                 of_law("beta", random.decades(-1.0, 1.0), 0, 0)};
  if (law == "iwan6") iwan.push_back(of_law("Kinf", k * random.decades(-1.5, 0.0), 1, -1));
  return iwan;
}

std::string point(const Model& model, int i) {
  return i == 0 ? "ground" : model.labels[static_cast<std::size_t>(i - 1)];
}

std::string links(const Model& model, const std::vector<Link>& all, double unit) {
  std::string text;
  for (const Link& link : all) {
    text += fmt::format("{}[\"{}\", \"{}\", {}]", text.empty() ? "" : ", ", point(model, link.from),
                        point(model, link.to), number(link.value / unit));
  }
  return "[" + text + "]";
}

std::string value_of(const Parameter& parameter, const Units& units) {
  if (!parameter.word.empty()) return "\"" + parameter.word + "\"";
  if (parameter.name == "sliders") return fmt::format("{:.0f}", parameter.values[0]);
  const double unit = std::pow(units.force, parameter.force) * std::pow(units.length, parameter.length);
  std::string text;
  for (const double value : parameter.values) text += (text.empty() ? "" : ", ") + number(value / unit);
  return parameter.list ? "[" + text + "]" : text;
}

std::string matrix_market(const std::vector<std::vector<double>>& matrix) {
  const std::size_t n = matrix.size();
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) text += number(matrix[i][j]) + "\n";
  }
  return text;
}

std::vector<std::vector<double>> zeros(std::size_t n) {
  return std::vector<std::vector<double>>(n, std::vector<double>(n, 0.0));
}

/// Without the last mass and what hangs on it.
Model without_last_mass(Model model) {
  const auto last = static_cast<int>(model.masses.size());
  const auto gone = [&](const auto& link) { return link.from == last || link.to == last; };
  std::erase_if(model.springs, gone);
  std::erase_if(model.dampers, gone);
  std::erase_if(model.joints, gone);
  std::erase_if(model.forces, [&](const DrawnForce& force) { return force.at == last; });
  model.masses.pop_back();
  model.labels.pop_back();
  return model;
}

double rounded(double value) {
  return value == 0.0 ? 0.0 : std::stod(fmt::format("{:.0e}", value));
}

template <class Items>
void without_each(const Model& model, Items Model::*items, std::vector<Model>& models) {
  for (std::size_t i = 0; i < (model.*items).size(); ++i) {
    models.push_back(model);
    (models.back().*items).erase((models.back().*items).begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

double Random::uniform(double from, double to) {
  const double share = static_cast<double>(generator_() >> 11) * 0x1.0p-53;
  return from + share * (to - from);
}

double Random::decades(double from, double to) {
  return std::pow(10.0, uniform(from, to));
}

int Random::integer(int from, int to) {
  return from + static_cast<int>(generator_() % static_cast<unsigned>(to - from + 1));
}

std::string number(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".einf") == std::string::npos ? text + ".0" : text;
}

const std::vector<std::string>& masing_laws() {
  static const std::vector<std::string> laws = {"jenkins", "iwan4", "iwan6", "iwan_uniform", "masing"};
  return laws;
}

const std::vector<std::string>& elastic_laws() {
  static const std::vector<std::string> laws = {"polynomial", "gap", "piecewise_linear"};
  return laws;
}

const std::vector<std::string>& all_laws() {
  static const std::vector<std::string> laws = {"jenkins", "iwan4",    "iwan6",      "iwan_uniform", "masing",
                                                "iwan5",   "bouc_wen", "polynomial", "gap",          "piecewise_linear",
                                                "linear"};
  return laws;
}

Model draw(const Range& range, Random& random) {
  Model model;
  const int n = random.integer(1, range.masses);
  const auto size = [&](double from, double to) {
    return range.round ? std::ldexp(1.0, random.integer(-1, 2)) : random.decades(from, to);
  };
  for (int i = 1; i <= n; ++i) {
    model.masses.push_back(size(-0.5, 0.5));
    model.labels.push_back(fmt::format("{}.x", i));
  }
  const double base = range.round ? 1.0 : random.decades(0.0, 5.0);
  model.free = range.free && n > 1 && random.chance(0.3);
  if (!model.free) model.springs.push_back({0, 1, base * size(-0.5, 0.5)});
  for (int i = 2; i <= n; ++i) model.springs.push_back({i - 1, i, base * size(-1.0, 1.0)});
  const auto two_ends = [&](Link& link) {
    do {
      link.from = random.integer(model.free ? 1 : 0, n);
      link.to = random.integer(model.free ? 1 : 0, n);
    } while (link.from == link.to);
  };
  for (int extra = random.integer(0, 2); extra > 0 && n > 1; --extra) {
    Link link{0, 0, base * size(-1.5, 0.5)};
    two_ends(link);
    model.springs.push_back(link);
  }
  model.zeta = random.decades(range.zeta_from, range.zeta_to);
  if (range.dampers) {
    model.zeta = 0.0;
    for (int i = 1; i <= n; ++i) {
      model.dampers.push_back({random.chance(0.7) ? 0 : i - 1, i, 0.1 * std::sqrt(base) * size(-1.0, 0.0)});
      if (model.dampers.back().from == i) model.dampers.back().from = 0;
    }
  }
  model.deflection = range.round ? 1.0 : random.decades(-5.0, 0.0);
  for (int j = random.integer(1, range.joints); j > 0; --j) {
    Link ends;
    two_ends(ends);
    const std::string law = random.one_of(range.laws);
    const double k = base * random.decades(range.joint_from, range.joint_to);
    const double u = model.deflection * random.decades(-0.7, 0.7);
    const std::string name = fmt::format("j{}", model.joints.size() + 1);
    model.joints.push_back({name, ends.from, ends.to, law, parameters_of(law, k, u, random)});
    const bool may_be_discrete = law == "iwan4" || law == "iwan5" || law == "iwan6";
    if (range.sliders && may_be_discrete && random.chance(0.3)) {
      model.joints.back().parameters.push_back({"sliders", {100.0}, 0.0, 0.0, false, ""});
    }
  }
  for (int f = random.integer(1, range.forces); f > 0; --f) {
    model.forces.push_back({random.integer(1, n), 1.0, model.forces.empty() ? 0.0 : random.uniform(-3.0, 3.0)});
  }
  const StuckModes modes = stuck_modes(model);
  const double level = model.deflection * random.decades(range.level_from, range.level_to);
  for (DrawnForce& force : model.forces) {
    double compliance = 0.0;
    for (std::size_t r = 0; r < modes.omega.size(); ++r) {
      const double phi = modes.shapes[r][static_cast<std::size_t>(force.at - 1)];
      compliance += phi * phi / (modes.omega[r] * modes.omega[r]);
    }
    force.amplitude = level / compliance;
  }
  for (double& value : model.dice) value = random.uniform(0.0, 1.0);
  return model;
}

std::string structure_text(const Model& model, const Units& units) {
  const double mass = units.force * units.time * units.time / units.length;
  std::string masses, labels;
  for (const double value : model.masses) masses += (masses.empty() ? "" : ", ") + number(value / mass);
  for (const std::string& label : model.labels) labels += fmt::format("{}\"{}\"", labels.empty() ? "" : ", ", label);
  std::string text = fmt::format("[structure]\nkind = \"lumped\"\nmasses = [{}]\nlabels = [{}]\nsprings = {}\n", masses,
                                 labels, links(model, model.springs, units.force / units.length));
  if (!model.dampers.empty()) {
    text += "dampers = " + links(model, model.dampers, units.force * units.time / units.length) + "\n";
  }
  if (model.free) text += "constrain_rigid_body = true\n";
  if (model.zeta > 0.0) text += fmt::format("damping = {{ modal = {} }}\n", number(model.zeta));
  return text;
}

std::string joints_text(const Model& model, const Units& units) {
  std::string text;
  for (const DrawnJoint& joint : model.joints) {
    text += fmt::format("[[joint]]\nname = \"{}\"\nbetween = [\"{}\", \"{}\"]\nlaw = \"{}\"\n", joint.name,
                        point(model, joint.from), point(model, joint.to), joint.law);
    for (const Parameter& parameter : joint.parameters)
      text += parameter.name + " = " + value_of(parameter, units) + "\n";
  }
  return text;
}

std::string loads_text(const Model& model, double omega, const Units& units) {
  std::string text;
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const DrawnForce& force = model.forces[i];
    text += fmt::format(
        "[[load]]\nname = \"l{}\"\nat = \"{}\"\nsignal = {{ kind = \"sine\", amplitude = {}, omega = {}, phase = {} "
        "}}\n",
        i + 1, point(model, force.at), number(force.amplitude / units.force), number(omega * units.time),
        number(force.phase));
  }
  return text;
}

std::string study_text(const Model& model, double omega, const Units& units) {
  return structure_text(model, units) + joints_text(model, units) + loads_text(model, omega, units);
}

std::string load_names(const Model& model) {
  std::string text;
  for (std::size_t i = 0; i < model.forces.size(); ++i) text += fmt::format("{}\"l{}\"", i == 0 ? "" : ", ", i + 1);
  return "[" + text + "]";
}

StuckModes stuck_modes(const Model& model) {
  const Study study = parse_study(structure_text(model) + joints_text(model), "study.toml");
  const Modes& modes = study.system.stuck_modes();
  StuckModes result;
  for (Eigen::Index r = 0; r < modes.omega.size(); ++r) {
    result.omega.push_back(modes.omega(r));
    const auto column = modes.shapes.col(r);
    result.shapes.emplace_back(column.data(), column.data() + column.size());
  }
  if (result.omega.empty()) throw std::runtime_error("no mode vibrates");
  return result;
}

Model reversed(const Model& model) {
  Model other = model;
  const auto n = static_cast<int>(model.masses.size());
  const auto turned = [&](int i) { return i == 0 ? 0 : n + 1 - i; };
  const auto turn = [&](auto& items) {
    std::reverse(items.begin(), items.end());
    for (auto& item : items) {
      item.from = turned(item.from);
      item.to = turned(item.to);
    }
  };
  std::reverse(other.masses.begin(), other.masses.end());
  std::reverse(other.labels.begin(), other.labels.end());
  turn(other.springs);
  turn(other.dampers);
  turn(other.joints);
  for (DrawnForce& force : other.forces) force.at = turned(force.at);
  return other;
}

Model upside_down(const Model& model) {
  Model other = model;
  for (DrawnForce& force : other.forces) force.amplitude = -force.amplitude;
  for (DrawnJoint& joint : other.joints) std::swap(joint.from, joint.to);
  return other;
}

std::string mass_matrix(const Model& model) {
  auto matrix = zeros(model.masses.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i][i] = model.masses[i];
  return matrix_market(matrix);
}

std::string stiffness_matrix(const Model& model) {
  auto matrix = zeros(model.masses.size());
  for (const Link& spring : model.springs) {
    const auto a = static_cast<std::size_t>(spring.from), b = static_cast<std::size_t>(spring.to);
    if (a > 0) matrix[a - 1][a - 1] += spring.value;
    if (b > 0) matrix[b - 1][b - 1] += spring.value;
    if (a > 0 && b > 0) {
      matrix[a - 1][b - 1] -= spring.value;
      matrix[b - 1][a - 1] -= spring.value;
    }
  }
  return matrix_market(matrix);
}

std::vector<Model> smaller(const Model& model) {
  std::vector<Model> models;
  if (model.masses.size() > 1) models.push_back(without_last_mass(model));
  without_each(model, &Model::joints, models);
  without_each(model, &Model::springs, models);
  without_each(model, &Model::dampers, models);
  if (model.forces.size() > 1) without_each(model, &Model::forces, models);
  Model plain = model;
  for (double& mass : plain.masses) mass = rounded(mass);
  for (Link& spring : plain.springs) spring.value = rounded(spring.value);
  for (Link& damper : plain.dampers) damper.value = rounded(damper.value);
  for (DrawnForce& force : plain.forces) force.amplitude = rounded(force.amplitude);
  plain.zeta = rounded(plain.zeta);
  models.push_back(plain);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    models.push_back(model);
    for (Parameter& parameter : models.back().joints[j].parameters) {
      if (parameter.name == "n" || parameter.name == "chi") continue;  // units hang on them
      for (double& value : parameter.values) value = rounded(value);
    }
  }
  for (double& value : plain.dice) value = std::min(rounded(value), 0.9);
  models.push_back(plain);
  return models;
}

}  // namespace microslip::differential
