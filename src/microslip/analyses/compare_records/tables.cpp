#include "microslip/analyses/compare_records/tables.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "microslip/analyses/write_table.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fft.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

using SignalFacts = CompareRecordsFacts::Signal;

struct DifferenceRow {
  const SignalFacts& facts;
  std::size_t channel;
};

Table<DifferenceRow> difference_table(const RecordComparison& comparison) {
  const auto of_difference = [](double SignalDifference::*member) {
    return [member](const DifferenceRow& row) { return row.facts.difference.*member; };
  };
  using D = SignalDifference;
  Table<DifferenceRow> table;
  table.add({"mode", "-", "number of the mode; 0: a channel"}, [](const DifferenceRow& row) { return row.facts.mode; });
  table.add({"channel", "-", "number of the channel, from 1; of a mode that where its component is taken"},
            [](const DifferenceRow& row) { return static_cast<double>(row.channel) + 1.0; });
  table.add({"from", "time", "of the record: where the span begins"},
            [&comparison](const DifferenceRow&) { return comparison.time(comparison.begin); });
  table.add({"to", "time", "where it ends"},
            [&comparison](const DifferenceRow&) { return comparison.time(comparison.end - 1); });
  table.add({"normalised_error", "-", "root mean square of simulated less measured, over that of measured"},
            of_difference(&D::normalised_error));
  table.add({"noise_error", "-", "of it what noise of the record alone would make"}, of_difference(&D::noise_error));
  table.add({"assurance", "-", "time-response assurance: 1 for equal shapes of any size"},
            of_difference(&D::assurance));
  table.add({"size_ratio", "-", "root mean square, simulated over measured"}, of_difference(&D::size_ratio));
  table.add({"envelope_mean", "-", "envelope simulated over measured, less 1: mean"}, of_difference(&D::envelope_mean));
  table.add({"envelope_rms", "-", "the same: root mean square"}, of_difference(&D::envelope_rms));
  table.add({"envelope_largest", "-", "the same: largest size"}, of_difference(&D::envelope_largest));
  table.add({"used", "-", "share of the span where the measured envelope is ten times its noise or more"},
            of_difference(&D::used));
  table.add({"phase_first", "rad", "phase of simulated before measured, first tenth of what is used"},
            of_difference(&D::phase_first));
  table.add({"phase_last", "rad", "the same, last tenth, without jumps between"}, of_difference(&D::phase_last));
  table.add({"phase_largest", "rad", "the same, largest size"}, of_difference(&D::phase_largest));
  table.add({"frequency_difference", "-", "of the curves at equal amplitude: simulated over measured, less 1, mean"},
            [](const DifferenceRow& row) { return row.facts.rows > 0 ? row.facts.frequency : not_known; });
  table.add({"zeta_difference", "-", "the same of damping"},
            [](const DifferenceRow& row) { return row.facts.rows > 0 ? row.facts.zeta : not_known; });
  table.add({"rows", "-", "rows of the measured curve that were compared"},
            [](const DifferenceRow& row) { return static_cast<double>(row.facts.rows); });
  table.add({"rows_beyond", "-", "rows beyond the amplitudes of the simulated curve"},
            [](const DifferenceRow& row) { return static_cast<double>(row.facts.beyond); });
  return table;
}

void write_differences(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison, Results& results,
                       AnalysisSummary& summary) {
  std::vector<DifferenceRow> rows;
  for (std::size_t i = 0; i < comparison.differences.size(); ++i) {
    rows.push_back({comparison.differences[i], comparison.signals[i].channel});
  }
  write_table(analysis.name, "", difference_table(comparison), rows, results, summary);
}

std::vector<std::size_t> samples_of(const RecordComparison& comparison) {
  std::vector<std::size_t> samples(comparison.signals.front().measured.size());
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = i;
  return samples;
}

/// Both records at the point.
void write_record(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison, Results& results,
                  AnalysisSummary& summary) {
  const ComparedSignal& point = comparison.signals[comparison.point];
  const std::string &name = analysis.channels[comparison.point].name, unit = analysis.unit();
  const auto column = [&](const std::string& whose, const std::vector<double>& values, Table<std::size_t>& table) {
    table.add({fmt::format("{}[{}]", whose, name), unit, "at the point"},
              [&values](std::size_t i) { return values[i]; });
  };
  Table<std::size_t> table;
  table.add({"time", "time", "of the record"}, [&](std::size_t i) { return comparison.time(i); });
  column("measured", point.measured, table);
  column("simulated", point.simulated, table);
  column("measured_envelope", point.measured_envelope, table);
  column("simulated_envelope", point.simulated_envelope, table);
  write_table(analysis.name, compared_record_part, std::move(table), samples_of(comparison), results, summary);
}

/// A row a sample and mode, so that figures can split them.
struct ModeSample {
  std::size_t signal = 0, sample = 0;
};

void write_modes(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison, Results& results,
                 AnalysisSummary& summary) {
  const std::string unit = analysis.unit();
  const auto& signals = comparison.signals;
  std::vector<ModeSample> rows;
  for (std::size_t s = analysis.channels.size(); s < signals.size(); ++s) {
    for (std::size_t i = 0; i < signals[s].measured.size(); ++i) rows.push_back({s, i});
  }
  const auto of = [&signals](std::vector<double> ComparedSignal::*member) {
    return [&signals, member](const ModeSample& row) { return (signals[row.signal].*member)[row.sample]; };
  };
  Table<ModeSample> table;
  table.add({"mode", "-", "number"}, [&](const ModeSample& row) { return signals[row.signal].mode; });
  table.add({"time", "time", "of the record"}, [&](const ModeSample& row) { return comparison.time(row.sample); });
  table.add({"measured", unit, "component of the mode at the point, in its band"}, of(&ComparedSignal::measured));
  table.add({"simulated", unit, "the same, simulated"}, of(&ComparedSignal::simulated));
  table.add({"measured_envelope", unit, "of the component, by the Hilbert transform", Scale::logarithmic},
            of(&ComparedSignal::measured_envelope));
  table.add({"simulated_envelope", unit, "the same, simulated", Scale::logarithmic},
            of(&ComparedSignal::simulated_envelope));
  table.add({"phase", "rad", "of simulated before measured, over the span; nan: not known"},
            [&](const ModeSample& row) {
              const bool within = row.sample >= comparison.begin && row.sample < comparison.end;
              return within ? signals[row.signal].phase[row.sample - comparison.begin] : not_known;
            });
  write_table(analysis.name, compared_modes_part, std::move(table), rows, results, summary);
}

void write_compared_spectra(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison,
                            Results& results, AnalysisSummary& summary) {
  const ComparedSignal& point = comparison.signals[comparison.point];
  const auto over_span = [&](const std::vector<double>& values) {
    return spectrum(std::span(values).subspan(comparison.begin, comparison.end - comparison.begin), comparison.step);
  };
  const Spectrum measured = over_span(point.measured), simulated = over_span(point.simulated);
  std::vector<std::size_t> lines(measured.amplitude.size());
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = i;
  Table<std::size_t> table;
  table.add({"frequency_hz", "1/time", "cycles"}, [&](std::size_t i) { return static_cast<double>(i) * measured.bin; });
  table.add({"measured", analysis.unit(), "amplitude at this frequency, over the span, no window", Scale::logarithmic},
            [&](std::size_t i) { return measured.amplitude[i]; });
  table.add({"simulated", analysis.unit(), "the same, simulated", Scale::logarithmic},
            [&](std::size_t i) { return simulated.amplitude[i]; });
  write_table(analysis.name, compared_spectra_part, std::move(table), lines, results, summary);
}

struct CurveRow {
  int whose;  ///< 1: measured, 2: simulated
  const ModeRingdown& mode;
  std::size_t row;

  [[nodiscard]] const RingdownPoint& point() const { return mode.curve.points[row]; }
};

void write_compared_curves(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison, Results& results,
                           AnalysisSummary& summary) {
  std::vector<CurveRow> rows;
  for (const ComparedCurves& curves : comparison.curves) {
    for (const auto& [whose, curve] : {std::pair{1, &curves.measured}, std::pair{2, &curves.simulated}}) {
      for (std::size_t i = 0; i < curve->curve.points.size(); ++i) rows.push_back({whose, *curve, i});
    }
  }
  const auto of_point = [](auto member) {
    return [member](const CurveRow& row) { return static_cast<double>(row.point().*member); };
  };
  using Point = RingdownPoint;
  Table<CurveRow> table;
  table.add({"record", "-", "1: measured, 2: simulated"}, [](const CurveRow& row) { return row.whose; });
  table.add({"mode", "-", "number"}, [](const CurveRow& row) { return row.mode.mode; });
  table.add({"time", "time", "of the record"}, of_point(&Point::time));
  table.add({"q", analysis.curves.amplitude_unit(comparison.unit_modal_mass), "amplitude of displacement, half-range",
             Scale::logarithmic},
            of_point(&Point::q));
  table.add({"frequency_hz", "1/time", "cycles"}, [](const CurveRow& row) { return row.point().omega / two_pi; });
  table.add({"frequency_hz_error", "1/time", "standard error from noise"},
            [](const CurveRow& row) { return row.point().omega_error / two_pi; });
  table.add({"zeta", "-", "damping ratio; where modes feed each other it may be negative"}, of_point(&Point::zeta));
  table.add({"zeta_error", "-", "standard error from noise"}, of_point(&Point::zeta_error));
  table.add({"clean", "-", "1: no other mode is stronger than max_other"},
            [](const CurveRow& row) { return row.mode.clean(row.row) ? 1.0 : 0.0; });
  write_table(analysis.name, compared_curves_part, std::move(table), rows, results, summary);
}

}  // namespace

void write_compared_tables(const CompareRecordsAnalysis& analysis, const RecordComparison& comparison, Results& results,
                           AnalysisSummary& summary) {
  write_differences(analysis, comparison, results, summary);
  write_record(analysis, comparison, results, summary);
  write_compared_spectra(analysis, comparison, results, summary);
  if (!analysis.modal()) return;
  write_modes(analysis, comparison, results, summary);
  write_compared_curves(analysis, comparison, results, summary);
}

}  // namespace microslip
