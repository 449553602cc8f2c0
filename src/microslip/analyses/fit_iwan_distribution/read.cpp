#include <fmt/format.h>

#include "microslip/analyses/fit_iwan_distribution/analysis.hpp"

namespace microslip {
namespace {

void read_force(const TableReader& reader, FitIwanDistributionAnalysis& analysis) {
  analysis.force = read_choice_or(reader, "force", ForceKind::total, force_kind_choices);
  if (reader.has("Kinf")) analysis.options.residual = reader.number("Kinf", nonnegative_number);
  if (analysis.force == ForceKind::residual) {
    analysis.stuck_stiffness = reader.number("K0", positive_number);
    return;
  }
  reader.refuse("K0", "force = \"residual\"");
  if (analysis.force == ForceKind::nonlinear) {
    if (reader.has("Kinf")) {
      throw reader.error_at_key(*reader.value().find("Kinf"),
                                "the nonlinear force has no Kinf in it; write force = \"total\"");
    }
    analysis.options.residual = 0.0;
  }
}

void read_spline(const TableReader& reader, FitIwanDistributionAnalysis& analysis) {
  for (const std::string_view key : {"noise", "smoothing", "sliders", "bands", "confidence"}) {
    reader.refuse(key, "method = \"sliders\"");
  }
  SplineDistributionOptions& options = analysis.spline_options;
  options.residual = analysis.options.residual;
  if (!reader.has("spline")) return;
  const TableReader spline = reader.table("spline");
  spline.allow_only({"points", "order", "count", "spacing", "phi_max", "KT"});
  options.order = static_cast<int>(spline.integer_or("order", options.order, 2, 6));
  options.points_a_piece =
      static_cast<int>(spline.integer_or("points", options.points_a_piece, options.order + 1, 10'000));
  options.sliders = static_cast<int>(spline.integer_or("count", options.sliders, 2, 10'000));
  options.spacing = spline.number_or("spacing", options.spacing, {0.5, 2.0, true, true});
  if (spline.has("phi_max")) options.phi_max = spline.number("phi_max", positive_number);
  if (spline.has("KT")) options.stiffness = spline.number("KT", positive_number);
}

void read_sliders(const TableReader& reader, DistributionFitOptions& options) {
  reader.refuse("spline", "method = \"spline\"");
  if (reader.has("noise")) options.noise = reader.number("noise", positive_number);
  if (reader.has("smoothing")) options.smoothing = reader.number("smoothing", nonnegative_number);
  options.spread = read_choice_or(reader, "sliders", options.spread, spread_sliders_choices);
  options.bands = reader.flag_or("bands", options.bands);
  options.confidence = reader.number_or("confidence", options.confidence, {0.0, 1.0, false, false});
}

}  // namespace

std::unique_ptr<Analysis> read_fit_iwan_distribution_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "data", "force", "K0", "Kinf", "method", "noise", "smoothing", "weights",
                     "sliders", "bands", "confidence", "spline"});
  auto analysis = std::make_unique<FitIwanDistributionAnalysis>();
  DistributionFitOptions& options = analysis->options;
  analysis->data = read_curves(reader, "data", parts);
  read_force(reader, *analysis);
  options.weigh_by_log_u = read_choice_or(reader, "weights", options.weigh_by_log_u, weigh_by_log_u_choices);
  analysis->spline = read_choice_or(reader, "method", false, by_spline_choices);
  if (analysis->spline) {
    read_spline(reader, *analysis);
  } else {
    read_sliders(reader, options);
  }
  const std::size_t fewest =
      analysis->spline ? static_cast<std::size_t>(analysis->spline_options.points_a_piece) : fewest_curve_points;
  for (const CurveSource& source : analysis->data) require_first_loading(reader, source, fewest);
  return analysis;
}

}  // namespace microslip
