#include <fmt/format.h>

#include "microslip/study/fit_ignl_analysis.hpp"

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
  if (reader.has("powers")) options.odd = reader.choice("powers", {"odd", "all"}) == "odd";
  if (reader.has("k1")) polynomial.stiffness = reader.number("k1", positive_number);
  if (reader.has("weights") && reader.choice("weights", {"secant", "points"}) == "points") {
    polynomial.weights = SiceWeights::points;
  }
}

void read_friction(const TableReader& reader, IgnlFitOptions& options) {
  if (reader.has("friction")) {
    const std::string friction = reader.choice("friction", {"best", "points", "sliders"});
    options.friction = friction == "best"     ? FrictionFrom::best
                       : friction == "points" ? FrictionFrom::points
                                              : FrictionFrom::sliders;
  }
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
  analysis.log = !reader.has("spacing") || reader.choice("spacing", {"log", "linear"}) == "log";
}

}  // namespace

FitIgnlAnalysis read_fit_ignl_analysis(const TableReader& reader, const StudyParts& parts) {
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
  FitIgnlAnalysis analysis;
  read_data(reader, parts, analysis);
  read_polynomial(reader, analysis.options);
  read_friction(reader, analysis.options);
  // Joints on the one mass of a structure: its own mass and damping.
  const System& system = parts.system;
  const bool single = analysis.joints && system.size() == 1;
  const double ratio = single ? system.damping_ratios()(0) : 0.0;
  analysis.options.mass =
      reader.number_or("mass", single ? system.structure().mass().coeff(0, 0) : 1.0, positive_number);
  analysis.options.zeta0 = reader.number_or("zeta0", ratio, {0.0, 1.0, true, false});
  read_amplitudes(reader, analysis);
  return analysis;
}

}  // namespace microslip
