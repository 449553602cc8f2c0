#include "microslip/joints/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

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

void check_bouc_wen(const LawSpec& spec) {
  if (spec.number("beta") + spec.number("gamma") > 0.0) return;
  throw LawError("gamma",
                 fmt::format("gamma must be > -beta = {}, got {}", -spec.number("beta"), spec.number("gamma")));
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

void check_spacing(const LawSpec& spec) {
  if (!spec.has("spacing") || spec.has("sliders")) return;
  throw LawError("spacing", "spacing needs sliders = N; without it the element is continuous");
}

/// Each set goes in as given: going through R and S would round.
Iwan4Backbone<double> distribution_of(const LawSpec& spec) {
  const auto number = [&](const char* key) { return spec.number(key); };
  if (spec.has("FS")) {
    return Iwan4Backbone<double>::from_physical(number("FS"), number("KT"), number("chi"), number("beta"));
  }
  if (spec.has("share")) {
    return Iwan4Backbone<double>::from_share(number("KT"), number("chi"), number("phi_max"), number("share"));
  }
  return Iwan4Backbone<double>::from_distribution(number("R"), number("S"), number("phi_max"), number("chi"));
}

/// iwan4 and, with a spring beside it, iwan6.
Law make_iwan(const LawSpec& spec) {
  const IwanParameters p = iwan_parameters(spec);
  const Iwan4Backbone<double> distribution = *iwan_distribution(spec);
  if (p.sliders == 0) return Iwan4<double>(distribution, p.residual);
  return IwanSliders<double>(slider_grid(distribution, p.sliders, p.spacing), p.residual);
}

Law make_iwan5(const LawSpec& spec) {
  const IwanParameters p = iwan_parameters(spec);
  if (p.sliders == 0) return Iwan5<double>::from_distribution(p.r, p.s, p.phi_max, p.chi, p.theta);
  return Iwan5Sliders<double>(slider_grid(*iwan_distribution(spec), p.sliders, p.spacing), p.theta);
}

Law make_coulomb(const LawSpec& spec) {
  if (spec.has("mu_s")) return Coulomb<double>(spec.number("mu_s"), spec.number_or("mu_k", spec.number("mu_s")));
  return Coulomb<double>(spec.number("fs"), spec.number_or("fk", spec.number("fs")));
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
  const std::vector<ParameterInfo> by_share = {
      above(0.0, "KT", "force/length", "tangent stiffness at rest"),
      above(-1.0, "chi", "-", "power of the slider distribution"),
      above(0.0, "phi_max", "length", "strength of the strongest sliders: macroslip begins there"),
      up_to(at_least(0.0, "share", "-",
                     "R over the largest that KT allows: stiffness of the sliders below phi_max over KT"),
            1.0),
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
                       std::vector<ParameterInfo> optional, LawMaker make) -> LawInfo& {
    LawInfo law;
    law.name = std::move(name);
    law.summary = std::move(summary);
    law.sets = std::move(sets);
    law.optional = std::move(optional);
    law.make = std::move(make);
    laws.push_back(std::move(law));
    return laws.back();
  };

  // Of the law added last.
  const auto of_sliders = [&] {
    laws.back().iwan = true;
    laws.back().relations = check_spacing;
  };
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

  add("linear", "spring, F = k u", {{free("k", "force/length", "stiffness")}}, {},
      [](const LawSpec& law) { return Linear<double>(law.number("k")); });
  example({{"k", 2.0}});
  add("polynomial", "conservative, F = k1 u + k2 u^2 + k3 u^3 + ... (any subset)", {}, {}, [](const LawSpec& law) {
    return Polynomial<double>(polynomial_coefficients(law));
  }).series = true;
  example({{"k1", 1.0}, {"k3", -0.01}}, "of odd powers");
  example({{"k1", 1.0}, {"k2", 0.1}}, "with even powers");
  add("gap", "unilateral spring, F = k max(u - gap, 0)", {{above(0.0, "k", "force/length", "stiffness in contact")}},
      {with_default(free("gap", "length", "deflection at contact; negative: preloaded"), 0.0)},
      [](const LawSpec& law) { return Gap<double>(law.number("k"), law.number("gap")); });
  example({{"k", 3.0}, {"gap", 0.5}});
  LawInfo& lines =
      add("piecewise_linear", "conservative, straight lines through points; the first and the last slope continue",
          {{}}, {}, [](const LawSpec& law) { return PiecewiseLinearSpring<double>(law.table_u, law.table_f); });
  lines.points = PointsOf::spring;
  lines.extra = {{"u", "deflections of the points, increasing, two or more"},
                 {"f", "forces of the points, not decreasing; F(0) may be a preload"}};
  example_points({-1.0, 0.5, 1.0}, {-1.0, 0.5, 3.0});
  LawInfo& friction =
      add("coulomb",
          "rigid dry friction: sticks up to fs, slides with fk; takes method = \"events\" or \"piecewise_linear\"",
          {{above(0.0, "fs", "force", "static friction")},
           {above(0.0, "mu_s", "-", "static coefficient of friction, with normal: fs = mu_s normal")}},
          {at_least(0.0, "fk", "force", "kinetic friction, <= fs; left out: fs"),
           at_least(0.0, "mu_k", "-", "kinetic coefficient, <= mu_s; left out: mu_s")},
          make_coulomb);
  friction.relations = check_friction_levels;
  friction.extra = {
      {"normal", "normal load, never negative, with mu_s: a number or a signal { kind = \"fourier\", ... }"}};
  example({{"fs", 2.0}, {"fk", 1.5}});
  add("jenkins", "spring in series with a Coulomb slider",
      {{above(0.0, "kt", "force/length", "stiffness while stuck"), above(0.0, "fs", "force", "slip force")}}, {},
      [](const LawSpec& law) { return Jenkins<double>(law.number("kt"), law.number("fs")); });
  example({{"kt", 1.0}, {"fs", 0.7}});
  add("iwan4", "Segalman's four-parameter Iwan element, exact and continuous unless sliders = N",
      {physical, distribution, by_share}, discretisation, make_iwan);
  of_sliders();
  example({{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 5.0}}, "without sliders");
  example({{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 5.0}, {"sliders", 20.0}}, "with sliders");
  add("iwan5", "Mignolet's five-parameter Iwan element: friction drops to theta once a slider slips",
      {joined(distribution, {theta}), joined(by_share, {theta})}, discretisation, make_iwan5);
  of_sliders();
  example({{"R", 1.0}, {"S", 0.2}, {"phi_max", 2.0}, {"chi", -0.3}, {"theta", 0.4}}, "without sliders");
  example({{"R", 1.0}, {"S", 0.2}, {"phi_max", 2.0}, {"chi", -0.3}, {"theta", 0.4}, {"sliders", 20.0}}, "with sliders");
  add("iwan6", "iwan4 with a spring in parallel: residual stiffness after macroslip",
      {joined(physical, {k_inf}), joined(distribution, {k_inf}), joined(by_share, {k_inf})}, discretisation, make_iwan);
  of_sliders();
  example({{"FS", 1.0}, {"KT", 2.0}, {"chi", 0.0}, {"beta", 1.0}, {"Kinf", 0.1}}, "without sliders");
  example({{"FS", 1.0}, {"KT", 2.0}, {"chi", 0.0}, {"beta", 1.0}, {"Kinf", 0.1}, {"sliders", 20.0}}, "with sliders");
  add("iwan_uniform", "Iwan element with uniform slider distribution, F0 = alpha k u + k u - k^2 u^2/(4 fq)",
      {{above(0.0, "k", "force/length", "stiffness of the sliders at rest"),
        above(0.0, "fq", "force", "slip force; macroslip begins at u = 2 fq/k")}},
      {with_default(at_least(0.0, "alpha", "-", "residual stiffness over k"), 0.0)},
      [](const LawSpec& law) { return iwan_uniform(law.number("k"), law.number("fq"), law.number("alpha")); });
  example({{"k", 1.0}, {"fq", 2.0}});
  LawInfo& masing =
      add("masing", "any concave backbone through (0,0) with the Masing rules", {{}},
          {with_default(at_least(0.0, "residual", "force/length", "slope beyond the last point"), 0.0)},
          [](const LawSpec& law) {
            return masing_table(law.table_u, law.table_f, law.interpolation_kind(), law.number("residual"));
          });
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
      {with_default(above(0.0, "A", "-", "slope of z at rest"), 1.0)},
      [](const LawSpec& law) {
        return BoucWen<double>({law.number("k0"), law.number("alpha"), law.number("A"), law.number("beta"),
                                law.number("gamma"), law.number("n")});
      })
      .relations = check_bouc_wen;
  example({{"k0", 1.0}, {"alpha", 0.1}, {"beta", 0.5}, {"gamma", 0.3}, {"n", 1.5}});
  return laws;
}

}  // namespace

const std::vector<LawInfo>& law_catalogue() {
  static const std::vector<LawInfo> catalogue = make_catalogue();
  return catalogue;
}

const LawInfo* find_law(std::string_view name) {
  const auto& laws = law_catalogue();
  const auto it = std::find_if(laws.begin(), laws.end(), [&](const LawInfo& law) { return law.name == name; });
  return it == laws.end() ? nullptr : &*it;
}

IwanParameters iwan_parameters(const LawSpec& spec) {
  check_law(spec);
  IwanParameters result;
  const Iwan4Backbone<double> distribution = distribution_of(spec);
  result.r = distribution.r();
  result.s = distribution.s();
  result.phi_max = distribution.phi_max();
  result.chi = spec.number("chi");
  result.theta = spec.number_or("theta", 1.0);
  result.residual = spec.number_or("Kinf", 0.0);
  if (spec.has("sliders")) {
    result.sliders = static_cast<int>(spec.number("sliders"));
    result.spacing = spec.number_or("spacing", default_slider_spacing(result.sliders));
  }
  return result;
}

std::optional<Iwan4Backbone<double>> iwan_distribution(const LawSpec& spec) {
  check_law(spec);
  if (!find_law(spec.law)->iwan) return std::nullopt;
  return distribution_of(spec);
}

int polynomial_power(std::string_view key) {
  if (key.size() < 2 || key.size() > 3 || key[0] != 'k' || key[1] == '0') return 0;
  int power = 0;
  for (const char c : key.substr(1)) {
    if (c < '0' || c > '9') return 0;
    power = 10 * power + (c - '0');
  }
  return power <= max_polynomial_degree ? power : 0;
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
