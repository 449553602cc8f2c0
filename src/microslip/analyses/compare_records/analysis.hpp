#pragma once
// kind = "compare_records": a simulated motion against a measured one, channel by channel and mode by mode.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/measurement/measured_modes.hpp"
#include "microslip/measurement/signal_difference.hpp"

namespace microslip {

/// Are modal coordinates of the simulated motion by mass orthogonality, Lacayo (3.36)? Or by the shapes as those of the
/// measured one, (3.37).
inline constexpr Choice<bool> simulated_filters[] = {{"shapes", false}, {"mass", true}};

struct CompareRecordsAnalysis final : Analysis {
  static constexpr std::string_view kind = "compare_records";
  CompareRecordsAnalysis() : Analysis(kind) {}

  /// A channel of the record that the transient has recorded too.
  struct Channel {
    std::string name;    ///< in the record
    std::string column;  ///< of the transient
    double sign = 1.0;   ///< of that
  };
  std::string simulated;                 ///< a transient further up
  std::vector<Channel> channels;         ///< one or more
  std::vector<std::string> left_out;     ///< channels of the record that it has not
  MeasuredMotion measured;               ///< the record; one signal a channel, less its value at rest
  std::string from;                      ///< a modal_fit further up; or
  std::optional<MeasuredModes> shapes;   ///< these; or neither: no modes
  std::string shapes_from;               ///< in words, of `shapes`
  bool mass_filter = false;              ///< of the simulated motion
  std::string pairs;                     ///< then: a compare_modes further up; empty: the modes are those of the model
  std::vector<std::string> all_columns;  ///< then: of the transient, one a degree of freedom of the matrices
  std::string point;                     ///< channel that is told in full
  double shift = 0.0;                    ///< time of the simulation less time of the record
  std::optional<std::pair<double, double>> span;  ///< times of the record over which differences are told
  std::optional<Band> band;                       ///< of the channels
  double period_error = 0.0;                      ///< of the integrator at 1 rad a unit of time: (step)^2/12; 0: exact
  RingdownAnalysis curves;                        ///< how frequency and damping are found; `start`, band_order

  [[nodiscard]] bool modal() const { return shapes.has_value() || !from.empty(); }
  /// Of the signals.
  [[nodiscard]] std::string unit() const;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override;
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
};

struct CompareRecordsFacts final : Facts {
  struct Signal {
    int mode = 0;         ///< number; 0: a channel
    std::string channel;  ///< its name
    SignalDifference difference;
    /// Frequency and damping at equal amplitude: simulated over measured, less 1, in the mean of so many rows, and how
    /// many measured rows are beyond the amplitudes of the simulated ones.
    double frequency = 0.0, zeta = 0.0;
    long rows = 0, beyond = 0;
  };
  std::string point;
  double from = 0.0, to = 0.0;  ///< span, in times of the record
  double step = 0.0;            ///< of the common times
  double resampling_error = 0.0;
  std::vector<Signal> signals;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_compare_records_analysis(const TableReader& reader,
                                                                      const StudyParts& parts);

}  // namespace microslip
