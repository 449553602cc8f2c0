#include "microslip/analyses/ringdown/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "microslip/analyses/read_records.hpp"
#include "microslip/analyses/ringdown/modal_signals.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fft.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

constexpr double band_deviations = 1.959963984540054;  ///< of a normal distribution, 95 % lie within

struct RingdownRow {
  const ModeRingdown& mode;
  std::size_t row = 0;
  int record = 1;

  [[nodiscard]] const RingdownPoint& point() const { return mode.curve.points[row]; }
  [[nodiscard]] const OtherMode& other() const { return mode.others[row]; }
};

Table<RingdownRow> ringdown_table(const std::string& length) {
  const auto of_point = [](auto member) {
    return [member](const RingdownRow& row) { return static_cast<double>(row.point().*member); };
  };
  using Point = RingdownPoint;
  Table<RingdownRow> table;
  table.add({"mode", "-", "number, from 1"}, [](const RingdownRow& row) { return static_cast<double>(row.mode.mode); });
  table.add({"time", "time", "middle of the half-cycles that the row was computed from"}, of_point(&Point::time));
  table.add({"q", length, "amplitude of displacement, half-range", Scale::logarithmic}, of_point(&Point::q));
  table.add({"v", length + "/time", "amplitude of velocity, omega q"}, of_point(&Point::v));
  table.add({"omega", "rad/time", "frequency"}, of_point(&Point::omega));
  table.add({"frequency_hz", "1/time", "the same in cycles"},
            [](const RingdownRow& row) { return row.point().omega / two_pi; });
  table.add({"zeta", "-", "damping ratio", Scale::logarithmic}, of_point(&Point::zeta));
  table.add({"omega_error", "rad/time", "standard error from noise in the signal"}, of_point(&Point::omega_error));
  table.add({"zeta_error", "-", "standard error from noise in the signal"}, of_point(&Point::zeta_error));
  table.add({"other_mode", "-", "strongest other mode over the cycle around this time; 0: none, or outside the band"},
            [](const RingdownRow& row) { return static_cast<double>(std::max(row.other().index, 0)); });
  table.add({"other_ratio", "-", "its root mean square over that of this mode"},
            [](const RingdownRow& row) { return row.other().ratio; });
  table.add({"clean", "-", "1: other_ratio is at most max_other"},
            [](const RingdownRow& row) { return row.mode.clean(row.row) ? 1.0 : 0.0; });
  table.add({"half_cycles", "-", "that the row was computed from"}, of_point(&Point::half_cycles));
  const auto end_of_band = [](auto value, auto error, double deviations, double unit) {
    return [=](const RingdownRow& row) { return (row.point().*value + deviations * row.point().*error) / unit; };
  };
  for (const auto& [end, deviations] : {std::pair{"low", -band_deviations}, {"high", band_deviations}}) {
    table.add({fmt::format("frequency_{}", end), "1/time", "end of the 95 % band, from omega_error"},
              end_of_band(&Point::omega, &Point::omega_error, deviations, two_pi));
    table.add({fmt::format("zeta_{}", end), "-", "end of the 95 % band, from zeta_error"},
              end_of_band(&Point::zeta, &Point::zeta_error, deviations, 1.0));
  }
  return table;
}

void write_curves(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records, Sink& sink) {
  Table<RingdownRow> table = ringdown_table(analysis.amplitude_unit(records.front().motion.unit_modal_mass));
  if (analysis.several()) {
    table.add({"record", "-", "number of the record, from 1, as in data"},
              [](const RingdownRow& row) { return static_cast<double>(row.record); });
  }
  table.begin(sink);
  for (std::size_t r = 0; r < records.size(); ++r) {
    for (const ModeRingdown& curve : records[r].curves) {
      for (std::size_t i = 0; i < curve.curve.points.size(); ++i) {
        table.write({curve, i, static_cast<int>(r) + 1}, sink);
      }
    }
  }
}

/// A row is a line of the spectra of a record.
struct SpectrumLine {
  std::size_t record = 0, line = 0;
};

void write_spectra(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records, Sink& sink) {
  double highest = 0.0;
  std::vector<std::vector<Spectrum>> spectra;
  for (const RecordRingdown& record : records) {
    for (const ModeRingdown& curve : record.curves) {
      for (const RingdownPoint& p : curve.curve.points) highest = std::max(highest, p.omega / two_pi);
    }
    spectra.emplace_back();
    for (const std::size_t index : record.chosen) {
      const SampledMotion& signal = record.motion.signals[index];
      spectra.back().push_back(spectrum(signal.values, signal.step));
    }
  }
  const double to = analysis.spectrum_to > 0.0 ? analysis.spectrum_to : 5.0 * highest;
  const auto frequency = [&](const SpectrumLine& at) {
    return static_cast<double>(at.line) * spectra[at.record].front().bin;
  };
  const std::string unit = analysis.spectrum_unit(records.front().motion.unit_modal_mass);
  Table<SpectrumLine> table;
  if (analysis.several()) {
    table.add({"record", "-", "number of the record, from 1"},
              [](const SpectrumLine& at) { return static_cast<double>(at.record) + 1.0; });
  }
  table.add({"frequency_hz", "1/time", "cycles"}, frequency);
  for (std::size_t s = 0; s < records.front().chosen.size(); ++s) {
    const int mode = records.front().motion.modes[records.front().chosen[s]];
    table.add({fmt::format("amplitude[{}]", mode), unit, "of the signal at this frequency, whole ring-down",
               Scale::logarithmic},
              [&spectra, s](const SpectrumLine& at) { return spectra[at.record][s].amplitude[at.line]; });
    table.add({fmt::format("psd[{}]", mode), fmt::format("({})^2*time", unit),
               "one-sided power spectral density of the signal", Scale::logarithmic},
              [&spectra, s](const SpectrumLine& at) { return spectra[at.record][s].psd[at.line]; });
  }
  table.begin(sink);
  for (std::size_t r = 0; r < spectra.size(); ++r) {
    for (std::size_t line = 0; line < spectra[r].front().amplitude.size(); ++line) {
      if (to > 0.0 && frequency({r, line}) > to) break;
      table.write({r, line}, sink);
    }
  }
}

/// Signals of all modes of a record: those of its bands as acceleration and displacement, others as they were measured.
struct RecordSignals {
  std::vector<SampledMotion> measured;
  std::vector<std::vector<double>> acceleration, displacement;
};

RecordSignals signals_of(const RingdownAnalysis& analysis, const RecordRingdown& record) {
  const MeasuredMotion& motion = record.motion;
  RecordSignals result;
  result.measured = record.in_bands;
  if (!analysis.bands_of_fit) return result;
  for (std::size_t s = 0; s < motion.bands.size(); ++s) {
    const double lowest = 0.5 * motion.bands[s].low;
    result.acceleration.push_back(as_quantity(result.measured[s], Quantity::acceleration, lowest));
    result.displacement.push_back(as_quantity(result.measured[s], Quantity::displacement, lowest));
  }
  return result;
}

struct SignalRow {
  std::size_t record = 0, sample = 0;
};

Table<SignalRow> signal_table(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                              const std::vector<RecordSignals>& signals) {
  const std::string unit = analysis.amplitude_unit(records.front().motion.unit_modal_mass);
  std::vector<std::string> names;
  for (const int mode : records.front().motion.modes) names.push_back(std::to_string(mode));
  Table<SignalRow> table;
  if (analysis.several()) {
    table.add({"record", "-", "number of the record, from 1"},
              [](const SignalRow& row) { return static_cast<double>(row.record) + 1.0; });
  }
  table.add({"time", "time", "of the record"}, [&records](const SignalRow& row) {
    return records[row.record].motion.signals.front().time(static_cast<double>(row.sample));
  });
  if (!analysis.bands_of_fit) {
    const std::string letter(1, letter_of(records.front().motion.signals.front().quantity));
    table.add_each(
        letter, names, analysis.spectrum_unit(records.front().motion.unit_modal_mass), "signal of this mode",
        [&signals](const SignalRow& row, std::size_t s) { return signals[row.record].measured[s].values[row.sample]; });
    return table;
  }
  table.add_each(
      "a", names, unit + "/time^2", "acceleration of this mode, in its band",
      [&signals](const SignalRow& row, std::size_t s) { return signals[row.record].acceleration[s][row.sample]; });
  table.add_each(
      "q", names, unit, "displacement of this mode, in its band",
      [&signals](const SignalRow& row, std::size_t s) { return signals[row.record].displacement[s][row.sample]; });
  return table;
}

struct DominanceRow {
  std::size_t record = 0;
  Dominance at;
};

void write_dominance(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                     const std::vector<RecordSignals>& signals, Sink& sink) {
  Table<DominanceRow> table;
  table.add({"record", "-", "number of the record, from 1"},
            [](const DominanceRow& row) { return static_cast<double>(row.record) + 1.0; });
  table.add({"mode", "-", "number"}, [](const DominanceRow& row) { return row.at.mode; });
  table.add({"time", "time", "middle of a stretch of the record"}, [](const DominanceRow& row) { return row.at.time; });
  table.add({"amplitude", analysis.spectrum_unit(records.front().motion.unit_modal_mass),
             "of the signal of this mode, sqrt(2) times its root mean square", Scale::logarithmic},
            [](const DominanceRow& row) { return row.at.amplitude; });
  table.add({"dominant", "-", "mode of the largest amplitude then"},
            [](const DominanceRow& row) { return row.at.strongest; });
  table.begin(sink);
  for (std::size_t r = 0; r < records.size(); ++r) {
    for (const Dominance& row : dominance_of(records[r].motion, signals[r].measured)) table.write({r, row}, sink);
  }
}

void write_signals(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records, Results& results) {
  std::vector<RecordSignals> signals;
  for (const RecordRingdown& record : records) signals.push_back(signals_of(analysis, record));
  TableSink samples = results.table(analysis.name, modal_signals_part);
  Table<SignalRow> table = signal_table(analysis, records, signals);
  table.begin(samples);
  for (std::size_t r = 0; r < records.size(); ++r) {
    const std::size_t count = records[r].motion.signals.front().values.size();
    for (std::size_t i = 0; i < count; ++i) table.write({r, i}, samples);
  }
  samples.close();
  TableSink dominance = results.table(analysis.name, dominance_part);
  write_dominance(analysis, records, signals, dominance);
  dominance.close();
}

}  // namespace

void write_ringdown_tables(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                           Results& results) {
  TableSink rows = results.table(analysis.name);
  write_curves(analysis, records, rows);
  rows.close();
  TableSink spectra = results.table(analysis.name, spectrum_part);
  write_spectra(analysis, records, spectra);
  spectra.close();
  if (analysis.by_shapes()) write_signals(analysis, records, results);
}

}  // namespace microslip
