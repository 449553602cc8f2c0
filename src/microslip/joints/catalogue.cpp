#include "microslip/joints/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "microslip/joints/iwan4.hpp"
#include "microslip/joints/iwan_sliders.hpp"
#include "microslip/joints/piecewise_linear_spring.hpp"
#include "microslip/numerics/concave_curve.hpp"

namespace microslip {

namespace {

ParameterInfo free(std::string name, std::string unit, std::string meaning) {
  ParameterInfo info;
  info.name = std::move(name);
  info.unit = std::move(unit);
  info.meaning = std::move(meaning);
  return info;
}

ParameterInfo above(double bound, std::string name, std::string unit, std::string meaning) {
  ParameterInfo info = free(std::move(name), std::move(unit), std::move(meaning));
  info.lower = bound;
  return info;
}

ParameterInfo at_least(double bound, std::string name, std::string unit, std::string meaning) {
  ParameterInfo info = above(bound, std::move(name), std::move(unit), std::move(meaning));
  info.lower_open = false;
  return info;
}

ParameterInfo with_default(ParameterInfo info, double value) {
  info.default_value = value;
  return info;
}

ParameterInfo up_to(ParameterInfo info, double bound) {
  info.upper = bound;
  info.upper_open = false;
  return info;
}

std::vector<ParameterInfo> joined(std::vector<ParameterInfo> a, const std::vector<ParameterInfo>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<LawInfo> make_catalogue() {
  const std::vector<ParameterInfo> physical = {
      above(0.0, "FS", "force", "macroslip force"),
      above(0.0, "KT", "force/length", "tangent stiffness at rest"),
      above(-1.0, "chi", "-", "power of the slider distribution; energy loss grows as amplitude^(chi+3)"),
      at_least(0.0, "beta", "-", "stiffness of the sliders at phi_max over that of all others"),
  };
  const std::vector<ParameterInfo> distribution = {
      above(0.0, "R", "force/length^(chi+2)", "size of the slider distribution R phi^chi"),
      at_least(0.0, "S", "force/length", "stiffness of the sliders at phi_max"),
      above(0.0, "phi_max", "length", "strength of the strongest sliders: macroslip begins there"),
      above(-1.0, "chi", "-", "power of the slider distribution"),
  };
  ParameterInfo sliders =
      up_to(at_least(1.0, "sliders", "-", "number of discrete sliders; left out: exact"), max_sliders);
  sliders.integer = true;
  const std::vector<ParameterInfo> discretisation = {
      sliders,
      at_least(1.0, "spacing", "-", "ratio of neighbouring strengths, 1 is uniform; default exp(9/sliders)"),
  };
  const ParameterInfo k_inf = at_least(0.0, "Kinf", "force/length", "stiffness left in macroslip; KT excludes it");
  const ParameterInfo theta =
      up_to(above(0.0, "theta", "-", "force of a slipping slider over its strength; 1 is iwan4"), 1.0);
  const auto fraction = [](std::string name, std::string meaning) {
    return up_to(at_least(0.0, std::move(name), "-", std::move(meaning)), 1.0);
  };

  std::vector<LawInfo> laws;
  const auto add = [&](std::string name, std::string summary, std::vector<std::vector<ParameterInfo>> sets,
                       std::vector<ParameterInfo> optional = {}) -> LawInfo& {
    LawInfo law;
    law.name = std::move(name);
    law.summary = std::move(summary);
    law.sets = std::move(sets);
    law.optional = std::move(optional);
    laws.push_back(std::move(law));
    return laws.back();
  };

  // Of the law added last.
  const auto example = [&](std::vector<std::pair<std::string, double>> numbers, std::string words = "") {
    LawExample item;
    item.spec.law = laws.back().name;
    item.spec.numbers = std::move(numbers);
    item.words = std::move(words);
    laws.back().examples.push_back(std::move(item));
  };
  const auto example_points = [&](std::vector<double> u, std::vector<double> f) {
    example({});
    laws.back().examples.back().spec.table_u = std::move(u);
    laws.back().examples.back().spec.table_f = std::move(f);
  };

  add("linear", "spring, F = k u", {{free("k", "force/length", "stiffness")}});
  example({{"k", 2.0}});
  add("polynomial", "conservative, F = k1 u + k2 u^2 + k3 u^3 + ... (any subset)", {}).series = true;
  example({{"k1", 1.0}, {"k3", -0.01}}, "of odd powers");
  example({{"k1", 1.0}, {"k2", 0.1}}, "with even powers");
  add("gap", "unilateral spring, F = k max(u - gap, 0)", {{above(0.0, "k", "force/length", "stiffness in contact")}},
      {with_default(free("gap", "length", "deflection at contact; negative: preloaded"), 0.0)});
  example({{"k", 3.0}, {"gap", 0.5}});
  LawInfo& lines = add("piecewise_linear",
                       "conservative, straight lines through points; the first and the last slope continue", {{}});
  lines.points = PointsOf::spring;
  lines.extra = {{"u", "deflections of the points, increasing, two or more"},
                 {"f", "forces of the points, not decreasing; F(0) may be a preload"}};
  example_points({-1.0, 0.5, 1.0}, {-1.0, 0.5, 3.0});
  add("coulomb",
      "rigid dry friction: sticks up to fs, slides with fk; takes method = \"events\" or \"piecewise_linear\"",
      {{above(0.0, "fs", "force", "static friction")},
       {above(0.0, "mu_s", "-", "static coefficient of friction, with normal: fs = mu_s normal")}},
      {at_least(0.0, "fk", "force", "kinetic friction, <= fs; left out: fs"),
       at_least(0.0, "mu_k", "-", "kinetic coefficient, <= mu_s; left out: mu_s")})
      .extra = {{"normal", "normal load, never negative, with mu_s: a number or a signal { kind = \"fourier\", ... }"}};
  example({{"fs", 2.0}, {"fk", 1.5}});
  add("jenkins", "spring in series with a Coulomb slider",
      {{above(0.0, "kt", "force/length", "stiffness while stuck"), above(0.0, "fs", "force", "slip force")}});
  example({{"kt", 1.0}, {"fs", 0.7}});
  add("iwan4", "Segalman's four-parameter Iwan element, exact and continuous unless sliders = N",
      {physical, distribution}, discretisation);
  example({{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 5.0}}, "without sliders");
  example({{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 5.0}, {"sliders", 20.0}}, "with sliders");
  add("iwan5", "Mignolet's five-parameter Iwan element: friction drops to theta once a slider slips",
      {joined(distribution, {theta})}, discretisation);
  example({{"R", 1.0}, {"S", 0.2}, {"phi_max", 2.0}, {"chi", -0.3}, {"theta", 0.4}}, "without sliders");
  example({{"R", 1.0}, {"S", 0.2}, {"phi_max", 2.0}, {"chi", -0.3}, {"theta", 0.4}, {"sliders", 20.0}}, "with sliders");
  add("iwan6", "iwan4 with a spring in parallel: residual stiffness after macroslip",
      {joined(physical, {k_inf}), joined(distribution, {k_inf})}, discretisation);
  example({{"FS", 1.0}, {"KT", 2.0}, {"chi", 0.0}, {"beta", 1.0}, {"Kinf", 0.1}}, "without sliders");
  example({{"FS", 1.0}, {"KT", 2.0}, {"chi", 0.0}, {"beta", 1.0}, {"Kinf", 0.1}, {"sliders", 20.0}}, "with sliders");
  add("iwan_uniform", "Iwan element with uniform slider distribution, F0 = alpha k u + k u - k^2 u^2/(4 fq)",
      {{above(0.0, "k", "force/length", "stiffness of the sliders at rest"),
        above(0.0, "fq", "force", "slip force; macroslip begins at u = 2 fq/k")}},
      {with_default(at_least(0.0, "alpha", "-", "residual stiffness over k"), 0.0)});
  example({{"k", 1.0}, {"fq", 2.0}});
  LawInfo& masing = add("masing", "any concave backbone through (0,0) with the Masing rules", {{}},
                        {with_default(at_least(0.0, "residual", "force/length", "slope beyond the last point"), 0.0)});
  masing.points = PointsOf::backbone;
  masing.extra = {
      {"backbone", "CSV file with columns u, f; or u and f below"},
      {"u", "deflections of the backbone, increasing, > 0 (a first point (0,0) is allowed)"},
      {"f", "forces of the backbone"},
      {"interpolation", "\"smooth\" (concave C1 quadratic spline, default) or \"linear\" (finitely many sliders)"}};
  example_points({0.5, 1.0, 2.0}, {1.0, 1.5, 1.6});
  add("bouc_wen", "F = alpha k0 u + (1-alpha) k0 z, z' = A u' - beta |u'| |z|^(n-1) z - gamma u' |z|^n",
      {{above(0.0, "k0", "force/length", "stiffness"), fraction("alpha", "share of the elastic spring"),
        above(0.0, "beta", "1/length^n", "hysteresis"),
        free("gamma", "1/length^n",
             "shape of the loop, > -beta; the energy loss never runs backwards if |gamma| <= beta"),
        at_least(0.01, "n", "-", "sharpness of the knee")}},
      {with_default(above(0.0, "A", "-", "slope of z at rest"), 1.0)});
  example({{"k0", 1.0}, {"alpha", 0.1}, {"beta", 0.5}, {"gamma", 0.3}, {"n", 1.5}});
  return laws;
}

/// j of "k<j>", 1 <= j <= max_polynomial_degree, without leading zeros; 0 for anything else.
int polynomial_power(std::string_view key) {
  if (key.size() < 2 || key.size() > 3 || key[0] != 'k' || key[1] == '0') return 0;
  int power = 0;
  for (const char c : key.substr(1)) {
    if (c < '0' || c > '9') return 0;
    power = 10 * power + (c - '0');
  }
  return power <= max_polynomial_degree ? power : 0;
}

std::string names_of(const std::vector<ParameterInfo>& set) {
  std::string text;
  for (const auto& parameter : set) text += (text.empty() ? "" : ", ") + parameter.name;
  return text;
}

std::string sets_of(const LawInfo& law) {
  std::string text;
  for (const auto& set : law.sets) text += (text.empty() ? "" : " or ") + names_of(set);
  return text;
}

bool contains(const std::vector<ParameterInfo>& set, std::string_view name) {
  return std::any_of(set.begin(), set.end(), [&](const ParameterInfo& p) { return p.name == name; });
}

[[noreturn]] void unknown_key(const LawInfo& law, const std::string& key) {
  std::string message = fmt::format("unknown key \"{}\" for law \"{}\"", key, law.name);
  const auto keys = law.keys();
  const std::string suggestion = nearest_name(key, keys);
  if (!suggestion.empty()) {
    message += fmt::format("; did you mean \"{}\"?", suggestion);
  } else {
    message += fmt::format(" (it takes {}{})", fmt::join(keys, ", "), law.series ? ", ..." : "");
  }
  throw LawError(key, message);
}

void check_value(const ParameterInfo& info, double value) {
  if (info.admits(value)) return;
  if (!std::isfinite(value))
    throw LawError(info.name, fmt::format("{} must be a finite number, got {}", info.name, value));
  throw LawError(info.name, fmt::format("{} must be {}, got {}", info.name, info.range(), value));
}

/// Exactly one of the sets must be given in full and nothing of the others.
void check_sets(const LawInfo& law, const LawSpec& spec) {
  const std::vector<ParameterInfo>* best = nullptr;  // the set with most of the given keys, the first of equals
  std::ptrdiff_t best_given = -1;
  const auto given_in = [&](const std::vector<ParameterInfo>& set) {
    return std::count_if(spec.numbers.begin(), spec.numbers.end(),
                         [&](const auto& n) { return contains(set, n.first); });
  };
  for (const auto& set : law.sets) {
    const auto given = given_in(set);
    if (given > best_given) {
      best = &set;
      best_given = given;
    }
  }
  if (best == nullptr) return;
  for (const auto& [key, value] : spec.numbers) {
    if (contains(*best, key) || contains(law.optional, key)) continue;
    throw LawError(key, fmt::format("{} does not go with {}: give {}", key, names_of(*best), sets_of(law)));
  }
  for (const auto& parameter : *best) {
    if (spec.has(parameter.name)) continue;
    throw LawError(parameter.name,
                   fmt::format("{} is missing: law \"{}\" takes {}", parameter.name, law.name, sets_of(law)));
  }
}

void check_table(const LawInfo& law, const LawSpec& spec) {
  const bool backbone = law.points == PointsOf::backbone;
  if (!backbone && !spec.interpolation.empty()) unknown_key(law, "interpolation");
  if (law.points == PointsOf::nothing) {
    if (!spec.table_u.empty()) unknown_key(law, "u");
    if (!spec.table_f.empty()) unknown_key(law, "f");
    return;
  }
  if (!spec.interpolation.empty() && spec.interpolation != "smooth" && spec.interpolation != "linear") {
    throw LawError("interpolation",
                   fmt::format("interpolation must be \"smooth\" or \"linear\", got \"{}\"", spec.interpolation));
  }
  const char* takes = backbone ? "a backbone file or u and f" : "u and f";
  for (const auto& [key, table] : {std::pair{"u", &spec.table_u}, std::pair{"f", &spec.table_f}}) {
    if (table->empty()) throw LawError(key, fmt::format("{} is missing: law \"{}\" takes {}", key, law.name, takes));
  }
  try {
    if (!backbone) {
      static_cast<void>(PiecewiseLinearSpring<double>(spec.table_u, spec.table_f));
      return;
    }
    const auto kind = spec.interpolation == "linear" ? Interpolation::linear : Interpolation::smooth;
    static_cast<void>(ConcaveCurve<double>(spec.table_u, spec.table_f, kind, spec.number_or("residual", 0.0)));
  } catch (const PointsError& error) {
    throw LawError(error.in_u() ? "u" : "f", error.what());
  }
}

/// The kinetic level goes with the static one of its kind, and below it.
void check_friction_levels(const LawSpec& spec) {
  const bool coefficients = spec.has("mu_s");
  const char* high = coefficients ? "mu_s" : "fs";
  const char* low = coefficients ? "mu_k" : "fk";
  const char* other = coefficients ? "fk" : "mu_k";
  if (spec.has(other)) throw LawError(other, fmt::format("{} does not go with {}: give {}", other, high, low));
  if (spec.number_or(low, 0.0) > spec.number(high)) {
    throw LawError(low, fmt::format("{} must be <= {} = {}, got {}", low, high, spec.number(high), spec.number(low)));
  }
}

void check_relations(const LawSpec& spec) {
  if (spec.law == "bouc_wen" && !(spec.number("beta") + spec.number("gamma") > 0.0)) {
    throw LawError("gamma",
                   fmt::format("gamma must be > -beta = {}, got {}", -spec.number("beta"), spec.number("gamma")));
  }
  if (spec.law == "coulomb") check_friction_levels(spec);
  if (spec.has("spacing") && !spec.has("sliders")) {
    throw LawError("spacing", "spacing needs sliders = N; without it the element is continuous");
  }
}

}  // namespace

std::string ParameterInfo::range() const {
  const bool below = std::isfinite(lower);
  const bool over = std::isfinite(upper);
  const std::string kind = integer ? "an integer " : "";
  if (below && over)
    return fmt::format("{}in {}{}, {}{}", kind, lower_open ? "(" : "[", lower, upper, upper_open ? ")" : "]");
  if (below) return fmt::format("{}{} {}", kind, lower_open ? ">" : ">=", lower);
  if (over) return fmt::format("{}{} {}", kind, upper_open ? "<" : "<=", upper);
  return integer ? "an integer" : "finite";
}

bool ParameterInfo::admits(double value) const {
  if (!std::isfinite(value)) return false;
  if (integer && value != std::floor(value)) return false;
  const bool low = lower_open ? value > lower : value >= lower;
  const bool high = upper_open ? value < upper : value <= upper;
  return low && high;
}

std::vector<std::string> LawInfo::keys() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& key) {
    if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(key);
  };
  if (series) names = {"k1", "k2", "k3"};
  for (const auto& set : sets) {
    for (const auto& parameter : set) add(parameter.name);
  }
  for (const auto& parameter : optional) add(parameter.name);
  for (const auto& key : extra) add(key.name);
  return names;
}

const ParameterInfo* LawInfo::find(std::string_view parameter) const {
  const auto search = [&](const std::vector<ParameterInfo>& set) -> const ParameterInfo* {
    const auto it = std::find_if(set.begin(), set.end(), [&](const ParameterInfo& p) { return p.name == parameter; });
    return it == set.end() ? nullptr : &*it;
  };
  for (const auto& set : sets) {
    if (const auto* found = search(set)) return found;
  }
  return search(optional);
}

const std::vector<LawInfo>& law_catalogue() {
  static const std::vector<LawInfo> catalogue = make_catalogue();
  return catalogue;
}

const LawInfo* find_law(std::string_view name) {
  const auto& laws = law_catalogue();
  const auto it = std::find_if(laws.begin(), laws.end(), [&](const LawInfo& law) { return law.name == name; });
  return it == laws.end() ? nullptr : &*it;
}

bool LawSpec::has(std::string_view key) const {
  return std::any_of(numbers.begin(), numbers.end(), [&](const auto& n) { return n.first == key; });
}

double LawSpec::number_or(std::string_view key, double fallback) const {
  const auto it = std::find_if(numbers.begin(), numbers.end(), [&](const auto& n) { return n.first == key; });
  return it == numbers.end() ? fallback : it->second;
}

double LawSpec::number(std::string_view key) const {
  if (has(key)) return number_or(key, 0.0);
  if (const LawInfo* info = find_law(law)) {
    const ParameterInfo* parameter = info->find(key);
    if (parameter != nullptr && parameter->default_value) return *parameter->default_value;
  }
  throw LawError(std::string(key), fmt::format("{} is missing", key));
}

void check_law(const LawSpec& spec) {
  const LawInfo* law = find_law(spec.law);
  if (law == nullptr) {
    std::vector<std::string> names;
    for (const auto& item : law_catalogue()) names.push_back(item.name);
    const std::string suggestion = nearest_name(spec.law, names);
    throw LawError("law", fmt::format("unknown law \"{}\"", spec.law) +
                              (suggestion.empty() ? fmt::format(" (there are {})", fmt::join(names, ", "))
                                                  : fmt::format("; did you mean \"{}\"?", suggestion)));
  }
  for (const auto& [key, value] : spec.numbers) {
    if (law->series && polynomial_power(key) > 0) {
      check_value(free(key, "", ""), value);
    } else if (const ParameterInfo* info = law->find(key)) {
      check_value(*info, value);
    } else {
      unknown_key(*law, key);
    }
  }
  if (law->series && spec.numbers.empty())
    throw LawError("k1", "law \"polynomial\" needs at least one of k1, k2, k3, ...");
  check_sets(*law, spec);
  check_table(*law, spec);
  check_relations(spec);
}

IwanParameters iwan_parameters(const LawSpec& spec) {
  check_law(spec);
  IwanParameters result;
  if (spec.has("FS")) {
    const auto backbone = Iwan4Backbone<double>::from_physical(spec.number("FS"), spec.number("KT"), spec.number("chi"),
                                                               spec.number("beta"));
    result.r = backbone.r();
    result.s = backbone.s();
    result.phi_max = backbone.phi_max();
  } else {
    result.r = spec.number("R");
    result.s = spec.number("S");
    result.phi_max = spec.number("phi_max");
  }
  result.chi = spec.number("chi");
  result.theta = spec.number_or("theta", 1.0);
  result.residual = spec.number_or("Kinf", 0.0);
  if (spec.has("sliders")) {
    result.sliders = static_cast<int>(spec.number("sliders"));
    result.spacing = spec.number_or("spacing", default_slider_spacing(result.sliders));
  }
  return result;
}

std::vector<double> polynomial_coefficients(const LawSpec& spec) {
  check_law(spec);
  std::vector<double> coefficients;
  for (const auto& [key, value] : spec.numbers) {
    const auto power = static_cast<std::size_t>(polynomial_power(key));
    if (power > coefficients.size()) coefficients.resize(power, 0.0);
    coefficients[power - 1] = value;
  }
  return coefficients;
}

}  // namespace microslip
