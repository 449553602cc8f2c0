#include "microslip/analyses/ringdown/computed_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "microslip/analyses/compare_modes/analysis.hpp"
#include "microslip/analyses/nonlinear_mode/analysis.hpp"
#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/read_earlier.hpp"
#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/ringdown/mode_ringdown.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

constexpr std::string_view curve_kinds[] = {QsmaAnalysis::kind, NonlinearModeAnalysis::kind};
constexpr std::string_view pair_kinds[] = {CompareModesAnalysis::kind};

struct Partner {
  int model = 0;
  double scale = 1.0;
};

/// By the numbers of the measured modes; of a compare_modes that found no partner there is none.
std::map<int, Partner> partners(const ComputedSources& sources, const std::vector<int>& modes, const Results& results) {
  std::map<int, Partner> found;
  if (sources.pairs.empty()) {
    for (const int mode : modes) found[mode].model = mode;
    return found;
  }
  const MemorySink& table = results.kept(table_name(sources.pairs, ""));
  if (table.rows() == 0) return found;
  const std::vector<double> measured = table.column("measured"), model = table.column("model"),
                            scale = table.column("scale");
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (model[i] > 0.0) found[static_cast<int>(measured[i])] = {static_cast<int>(model[i]), scale[i]};
  }
  return found;
}

std::vector<ComputedPoint> points_of(const MemorySink& table, int mode, bool qsma) {
  std::vector<ComputedPoint> points;
  if (table.rows() == 0) return points;
  const std::vector<double> modes = table.column("mode"), q = table.column("q"),
                            omega = table.column(qsma ? "omega_ringdown" : "omega"), zeta = table.column("zeta");
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (static_cast<int>(modes[i]) != mode || !std::isfinite(omega[i]) || !std::isfinite(zeta[i])) continue;
    points.push_back({q[i], omega[i] / two_pi, zeta[i]});
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const ComputedPoint& a, const ComputedPoint& b) { return a.q < b.q; });
  return points;
}

/// Straight lines over ln q.
ComputedPoint at_amplitude(const std::vector<ComputedPoint>& points, double q) {
  const auto above = std::upper_bound(points.begin() + 1, points.end() - 1, q,
                                      [](double value, const ComputedPoint& point) { return value < point.q; });
  const ComputedPoint &a = *(above - 1), &b = *above;
  const double share = b.q > a.q ? std::log(q / a.q) / std::log(b.q / a.q) : 0.0;
  return {q, a.frequency_hz + share * (b.frequency_hz - a.frequency_hz), a.zeta + share * (b.zeta - a.zeta)};
}

struct ComputedRow {
  const ComputedCurve* curve;
  const ComputedPoint* point;
};

}  // namespace

ComputedSources read_computed_sources(const TableReader& reader, const StudyParts& parts) {
  ComputedSources sources;
  if (!reader.has("computed")) {
    reader.refuse("pairs", "computed");
    return sources;
  }
  for (const TomlValue* value : one_or_several(reader, "computed")) {
    const EarlierAnalysis& earlier = find_earlier(reader, *value, "computed", curve_kinds, parts);
    for (const ComputedSources::Source& known : sources.curves) {
      if (known.name == earlier.name) {
        throw reader.error(*value, fmt::format("computed: {} is there twice", in_quotes(earlier.name)));
      }
    }
    sources.curves.push_back({earlier.name, earlier.kind == QsmaAnalysis::kind});
  }
  if (reader.has("pairs")) sources.pairs = find_earlier(reader, reader.need("pairs"), "pairs", pair_kinds, parts).name;
  return sources;
}

std::vector<ComputedCurve> computed_curves(const ComputedSources& sources, const std::vector<int>& modes,
                                           const Results& results) {
  std::vector<ComputedCurve> curves;
  const std::map<int, Partner> of = partners(sources, modes, results);
  for (std::size_t s = 0; s < sources.curves.size(); ++s) {
    const ComputedSources::Source& source = sources.curves[s];
    for (const int mode : modes) {
      const auto partner = of.find(mode);
      if (partner == of.end()) continue;
      ComputedCurve curve{static_cast<int>(s) + 1, mode, partner->second.model, partner->second.scale, {}};
      curve.points = points_of(results.kept(table_name(source.name, "")), curve.model, source.qsma);
      if (!curve.points.empty()) curves.push_back(std::move(curve));
    }
  }
  return curves;
}

CurveDifference difference_of(const ModeRingdown& measured, const ComputedCurve& computed) {
  CurveDifference difference;
  difference.mode = measured.mode;
  difference.model = computed.model;
  const std::vector<ComputedPoint>& points = computed.points;
  for (std::size_t i = 0; i < measured.others.size(); ++i) {
    if (!measured.clean(i)) continue;
    const RingdownPoint& row = measured.curve.points[i];
    if (points.size() < 2 || row.q < points.front().q || row.q > points.back().q) {
      ++difference.out;
      continue;
    }
    const ComputedPoint there = at_amplitude(points, row.q);
    ++difference.rows;
    difference.frequency += there.frequency_hz * two_pi / row.omega - 1.0;
    difference.zeta += there.zeta / row.zeta - 1.0;
  }
  if (difference.rows > 0) {
    difference.frequency /= static_cast<double>(difference.rows);
    difference.zeta /= static_cast<double>(difference.rows);
  }
  return difference;
}

void write_computed_table(const std::string& analysis, const std::string& length,
                          const std::vector<ComputedCurve>& curves, Results& results) {
  using Row = ComputedRow;
  Table<Row> table;
  table.add({"mode", "-", "number of the mode in the ring-down"}, [](const Row& row) { return row.curve->mode; });
  table.add({"model", "-", "number of its partner in the model"}, [](const Row& row) { return row.curve->model; });
  table.add({"source", "-", "analysis, from 1, as in computed"}, [](const Row& row) { return row.curve->source; });
  table.add({"q", length, "amplitude of displacement", Scale::logarithmic},
            [](const Row& row) { return row.point->q; });
  table.add({"frequency_hz", "1/time", "of a ring-down at this amplitude"},
            [](const Row& row) { return row.point->frequency_hz; });
  table.add({"zeta", "-", "damping ratio", Scale::logarithmic}, [](const Row& row) { return row.point->zeta; });
  TableSink sink = results.table(analysis, computed_part);
  table.begin(sink);
  for (const ComputedCurve& curve : curves) {
    for (const ComputedPoint& point : curve.points) table.write({&curve, &point}, sink);
  }
  sink.close();
}

}  // namespace microslip
