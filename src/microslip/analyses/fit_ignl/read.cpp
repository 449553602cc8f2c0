#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "microslip/analyses/fit_ignl/analysis.hpp"
#include "microslip/analyses/fit_ignl/mirror_negative.hpp"
#include "microslip/analyses/read_ramp.hpp"

namespace microslip {
namespace {

CurveSource read_one(const TableReader& reader, std::string_view key, const StudyParts& parts, bool negative) {
  std::vector<CurveSource> sources = read_curves(reader, key, parts);
  if (sources.size() != 1) {
    throw reader.error(key, fmt::format("{} must be one curve, got {}", key, sources.size()));
  }
  CurveSource source = std::move(sources.front());
  if (negative) mirror_negative(source.curve);
  require_first_loading(reader, source, fewest_ignl_points);
  return source;
}

void read_data(const TableReader& reader, const StudyParts& parts, FitIgnlAnalysis& analysis) {
  if (reader.has("joints")) {
    for (const std::string_view key : {"stuck", "slipping", "stuck_negative", "slipping_negative"}) {
      if (!reader.has(key)) continue;
      throw reader.error_at_key(*reader.value().find(key), fmt::format("{} and joints exclude each other", key));
    }
    analysis.joints = read_joint_curves(reader, "joints", parts.system);
    return;
  }
  if (!reader.has("stuck") && !reader.has("slipping")) {
    throw reader.error("kind", "the curves are missing: joints = { ... }, or stuck and slipping");
  }
  analysis.stuck_negative = reader.has("stuck_negative");
  analysis.slipping_negative = reader.has("slipping_negative");
  if (!analysis.stuck_negative) reader.refuse("slipping_negative", "stuck_negative");
  analysis.data.push_back(read_one(reader, "stuck", parts, false));
  analysis.data.push_back(read_one(reader, "slipping", parts, false));
  if (analysis.stuck_negative) analysis.data.push_back(read_one(reader, "stuck_negative", parts, true));
  if (analysis.slipping_negative) analysis.data.push_back(read_one(reader, "slipping_negative", parts, true));
}

void read_polynomial(const TableReader& reader, IgnlFitOptions& options) {
  SiceOptions& polynomial = options.polynomial;
  if (reader.has("order")) {
    polynomial.order = static_cast<int>(reader.integer("order", 1, 15));
    reader.refuse("highest_order", "no order of its own");
  }
  polynomial.highest = static_cast<int>(reader.integer_or("highest_order", polynomial.highest, 1, 15));
  if (reader.has("powers")) options.odd = read_choice(reader, "powers", FitIgnlAnalysis::powers);
  if (reader.has("k1")) polynomial.stiffness = reader.number("k1", positive_number);
  polynomial.weights = read_choice_or(reader, "weights", polynomial.weights, FitIgnlAnalysis::weights);
}

void read_friction(const TableReader& reader, IgnlFitOptions& options) {
  options.friction = read_choice_or(reader, "friction", options.friction, FitIgnlAnalysis::frictions);
  if (options.friction == FrictionFrom::sliders) reader.refuse("KT", "friction = \"points\"");
  if (reader.has("KT")) options.friction_stiffness = reader.number("KT", positive_number);
  options.masing_tolerance = reader.number_or("masing_tolerance", options.masing_tolerance, {0.0, 1.0, true, true});
}

void read_amplitudes(const TableReader& reader, FitIgnlAnalysis& analysis) {
  if (reader.has("amplitude")) {
    const std::vector<double> range = reader.numbers("amplitude", positive_number);
    if (range.size() != 2 || !(range[0] < range[1])) {
      throw reader.error("amplitude", "amplitude must be [from, to], half-ranges q with 0 < from < to");
    }
    analysis.from = range[0];
    analysis.to = range[1];
  }
  analysis.points = static_cast<int>(reader.integer_or("points", analysis.points, 2, 1'000'000));
  analysis.log = read_choice_or(reader, "spacing", Spacing::log, spacings) == Spacing::log;
}

}  // namespace

void mirror_negative(ForceCurve& curve) {
  if (std::none_of(curve.u.begin(), curve.u.end(), [](double u) { return u < 0.0; })) return;
  for (double& u : curve.u) u = 0.0 - u;
  for (double& f : curve.f) f = 0.0 - f;
}

std::unique_ptr<Analysis> read_fit_ignl_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind",
                     "name",
                     "joints",
                     "stuck",
                     "slipping",
                     "stuck_negative",
                     "slipping_negative",
                     "mass",
                     "zeta0",
                     "order",
                     "highest_order",
                     "powers",
                     "k1",
                     "weights",
                     "KT",
                     "friction",
                     "masing_tolerance",
                     "amplitude",
                     "points",
                     "spacing"});
  auto analysis = std::make_unique<FitIgnlAnalysis>();
  read_data(reader, parts, *analysis);
  read_polynomial(reader, analysis->options);
  read_friction(reader, analysis->options);
  // Joints on the one mass of a structure: its own mass and damping.
  const System& system = parts.system;
  const bool single = analysis->joints && system.size() == 1;
  const double ratio = single ? system.damping_ratios()(0) : 0.0;
  analysis->options.mass =
      reader.number_or("mass", single ? system.structure().mass().coeff(0, 0) : 1.0, positive_number);
  analysis->options.zeta0 = reader.number_or("zeta0", ratio, {0.0, 1.0, true, false});
  read_amplitudes(reader, *analysis);
  return analysis;
}

}  // namespace microslip
