#include "microslip/analyses/update/predicted_curves.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "microslip/analyses/update/tables.hpp"
#include "microslip/analyses/write_table.hpp"
#include "microslip/inference/predictive.hpp"

namespace microslip {
namespace {

using Index = Eigen::Index;

/// As a test with these amplitudes: what stands for measured values is never looked at.
CurveTarget target_of(const PredictedCurve& curve) {
  CurveTarget target;
  target.name = curve.name;
  target.mode = curve.mode;
  target.secant = curve.secant;
  const double step = std::log(curve.q_high / curve.q_low) / static_cast<double>(curve.points - 1);
  for (std::size_t i = 0; i < curve.points; ++i) {
    target.q.push_back(curve.q_low * std::exp(step * static_cast<double>(i)));
  }
  target.q.back() = curve.q_high;
  target.omega.assign(curve.points, 1.0);
  target.zeta = target.omega_error = target.zeta_error = target.omega;
  return target;
}

/// An amplitude of a curve, with the rows of its frequency and damping.
struct PredictedRow {
  std::size_t curve, index;
  Index omega, zeta;
};

std::vector<PredictedRow> predicted_rows(const std::vector<PredictedCurve>& curves) {
  std::vector<PredictedRow> rows;
  Index first = 0;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const auto count = static_cast<Index>(curves[c].points);
    for (Index i = 0; i < count; ++i) rows.push_back({c, static_cast<std::size_t>(i), first + i, first + count + i});
    first += 2 * count;
  }
  return rows;
}

Table<PredictedRow> predicted_table(const UpdateProblem& curves, const Bands& bands) {
  Table<PredictedRow> table;
  table.add({"prediction", "-", "number, from 1"}, [](const PredictedRow& row) { return row.curve + 1; });
  table.add({"mode", "-", "stuck mode of the study as it is written, whose shape is followed"},
            [&curves](const PredictedRow& row) { return curves.curves()[row.curve].mode + 1; });
  table.add({"q", "sqrt(mass) length", "modal displacement", Scale::logarithmic},
            [&curves](const PredictedRow& row) { return curves.curves()[row.curve].q[row.index]; });
  const auto add = [&](const char* name, const char* unit, Index PredictedRow::*at, Scale scale) {
    const auto column = [&](const char* end, const char* meaning, const Eigen::VectorXd& values) {
      table.add({name + std::string(end), unit, meaning, scale},
                [&values, at](const PredictedRow& row) { return values(row.*at); });
    };
    column("_low", "2.5 % of the draws lie below", bands.low);
    column("_median", "half of the draws lie below", bands.median);
    column("_high", "97.5 % of the draws lie below", bands.high);
  };
  add("omega", "rad/time", &PredictedRow::omega, Scale::linear);
  add("zeta", "-", &PredictedRow::zeta, Scale::logarithmic);
  table.add({"reached", "-", "share of the draws whose model reaches it"},
            [&bands](const PredictedRow& row) { return bands.known(row.omega); });
  return table;
}

PredictedCurve read_prediction(const TableReader& reader, const ModelOfStudy& model) {
  reader.allow_only({"mode", "range", "points", "form", "name"});
  PredictedCurve curve;
  const ModelModes& modes = model.model->modes();
  const auto number = static_cast<int>(reader.integer("mode", 1, modes.omega.size()));
  if (number <= modes.rigid) {
    throw reader.error("mode", fmt::format("mode {} of the model is a rigid motion", number));
  }
  curve.mode = number - 1;
  const std::vector<double> range = reader.numbers("range", positive_number);
  if (range.size() != 2 || !(range[0] < range[1])) {
    throw reader.error("range", "range must be [from, to], amplitudes q with 0 < from < to");
  }
  curve.q_low = range[0];
  curve.q_high = range[1];
  curve.points = static_cast<std::size_t>(reader.integer_or("points", 40, 2, AmplitudeGrid::most_own));
  curve.secant = reader.has("form") && reader.choice("form", {"ringdown", "secant"}) == "secant";
  curve.name = reader.string_or("name", fmt::format("mode {}", number));
  return curve;
}

}  // namespace

std::vector<PredictedCurve> read_predictions(const TableReader& reader, const ModelOfStudy& model) {
  std::vector<PredictedCurve> curves;
  if (!reader.has("predictions")) return curves;
  for (TableReader table : reader.tables("predictions")) {
    table.rename(fmt::format("{}: {}", reader.where(), table.where()));
    curves.push_back(read_prediction(table, model));
  }
  return curves;
}

std::vector<UpdateFacts::Prediction> predict_curves(const UpdateAnalysis& analysis, const Posterior& posterior,
                                                    AnalysisRun& with, AnalysisSummary& summary) {
  std::vector<CurveTarget> targets;
  for (const PredictedCurve& curve : analysis.predictions) targets.push_back(target_of(curve));
  const UpdateProblem curves(analysis.model.model, analysis.model.parameters, targets, {});
  const Predictions predictions = predict(
      posterior, some_draws(posterior, analysis.band_draws), curves.rows().size(),
      [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
        const ResidualProblem::Answer answer = curves.evaluate(x, false);
        if (answer.why.empty()) return answer.values;
        return Eigen::VectorXd::Constant(static_cast<Index>(curves.rows().size()), std::nan(""));
      },
      analysis.posterior.threads, with.observer);
  if (predictions.interrupted) summary.ending = Ending::interrupted;
  const Bands found = bands(predictions.values);
  const std::vector<PredictedRow> rows = predicted_rows(analysis.predictions);
  write_table(analysis.name, update_predictions_part, predicted_table(curves, found), rows, with.results, summary);
  std::vector<UpdateFacts::Prediction> facts;
  for (const PredictedCurve& curve : analysis.predictions) facts.push_back({curve.name, 0.0, 0.0, 1.0});
  for (const PredictedRow& row : rows) {
    UpdateFacts::Prediction& fact = facts[row.curve];
    const auto widen = [&](double& most, Index at) {
      const double half = 0.5 * (found.high(at) - found.low(at)) / found.median(at);
      if (half > most) most = half;
    };
    widen(fact.omega, row.omega);
    widen(fact.zeta, row.zeta);
    fact.reached = std::min(fact.reached, found.known(row.omega));
  }
  return facts;
}

}  // namespace microslip
