#include "microslip/joints/make_law.hpp"

namespace microslip {

namespace {

bool is_iwan(const LawSpec& spec) {
  return spec.law == "iwan4" || spec.law == "iwan5" || spec.law == "iwan6";
}

Law make_iwan(const LawSpec& spec) {
  const IwanParameters p = iwan_parameters(spec);
  const Iwan4Backbone<double> distribution = *iwan_distribution(spec);
  if (spec.law == "iwan5") {
    if (p.sliders == 0) return Iwan5<double>::from_distribution(p.r, p.s, p.phi_max, p.chi, p.theta);
    return Iwan5Sliders<double>(slider_grid(distribution, p.sliders, p.spacing), p.theta);
  }
  if (p.sliders == 0) return Iwan4<double>(distribution, p.residual);
  return IwanSliders<double>(slider_grid(distribution, p.sliders, p.spacing), p.residual);
}

}  // namespace

Law make_law(const LawSpec& spec) {
  check_law(spec);
  const auto number = [&](const char* key) { return spec.number(key); };
  if (spec.law == "linear") return Linear<double>(number("k"));
  if (spec.law == "polynomial") return Polynomial<double>(polynomial_coefficients(spec));
  if (spec.law == "gap") return Gap<double>(number("k"), number("gap"));
  if (spec.law == "piecewise_linear") return PiecewiseLinearSpring<double>(spec.table_u, spec.table_f);
  if (spec.law == "coulomb") {
    if (spec.has("mu_s")) return Coulomb<double>(number("mu_s"), spec.number_or("mu_k", number("mu_s")));
    return Coulomb<double>(number("fs"), spec.number_or("fk", number("fs")));
  }
  if (spec.law == "jenkins") return Jenkins<double>(number("kt"), number("fs"));
  if (spec.law == "iwan_uniform") return iwan_uniform(number("k"), number("fq"), number("alpha"));
  if (spec.law == "masing") {
    return masing_table(spec.table_u, spec.table_f,
                        spec.interpolation == "linear" ? Interpolation::linear : Interpolation::smooth,
                        spec.number_or("residual", 0.0));
  }
  if (spec.law == "bouc_wen") {
    return BoucWen<double>({number("k0"), number("alpha"), number("A"), number("beta"), number("gamma"), number("n")});
  }
  if (is_iwan(spec)) return make_iwan(spec);
  throw LawError("law", "law \"" + spec.law + "\" cannot be used here");
}

std::optional<Iwan4Backbone<double>> iwan_distribution(const LawSpec& spec) {
  check_law(spec);
  if (!is_iwan(spec)) return std::nullopt;
  const auto number = [&](const char* key) { return spec.number(key); };
  // The physical set goes in as given: going through R and S would round.
  if (spec.has("FS"))
    return Iwan4Backbone<double>::from_physical(number("FS"), number("KT"), number("chi"), number("beta"));
  return Iwan4Backbone<double>::from_distribution(number("R"), number("S"), number("phi_max"), number("chi"));
}

std::string laws_that(const std::function<bool(const Law&)>& are_so) {
  std::vector<std::string> names;
  for (const LawInfo& law : law_catalogue()) {
    std::size_t number = 0;
    std::string words;
    for (const LawExample& example : law.examples) {
      if (!are_so(make_law(example.spec))) continue;
      words += (number == 0 ? " " : " or ") + example.words;
      ++number;
    }
    if (number > 0) names.push_back(law.name + (number < law.examples.size() ? words : ""));
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

}  // namespace microslip
