#include "microslip/joints/make_law.hpp"

namespace microslip {

namespace {

Law make_iwan(const LawSpec& spec) {
  const IwanParameters p = iwan_parameters(spec);
  if (spec.law == "iwan5") {
    const auto exact = Iwan5<double>::from_distribution(p.r, p.s, p.phi_max, p.chi, p.theta);
    if (p.sliders == 0) return exact;
    const auto distribution = Iwan4Backbone<double>::from_distribution(p.r, p.s, p.phi_max, p.chi);
    return Iwan5Sliders<double>(slider_grid(distribution, p.sliders, p.spacing), p.theta);
  }
  // The physical set goes in as given: going through R and S would round.
  const auto distribution = spec.has("FS") ? Iwan4Backbone<double>::from_physical(spec.number("FS"), spec.number("KT"),
                                                                                  p.chi, spec.number("beta"))
                                           : Iwan4Backbone<double>::from_distribution(p.r, p.s, p.phi_max, p.chi);
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
  if (spec.law == "iwan4" || spec.law == "iwan5" || spec.law == "iwan6") return make_iwan(spec);
  throw LawError("law", "law \"" + spec.law + "\" cannot be used here");
}

}  // namespace microslip
