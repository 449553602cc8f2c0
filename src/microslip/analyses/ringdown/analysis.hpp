#pragma once
// kind = "ringdown": amplitude, frequency and damping along a ring-down, simulated or measured.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/analyses/amplitude_span.hpp"
#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/motion/motion_facts.hpp"
#include "microslip/analyses/ringdown/computed_curves.hpp"
#include "microslip/analyses/ringdown/measured_motion.hpp"
#include "microslip/analyses/transient/analysis.hpp"
#include "microslip/modal/hilbert.hpp"
#include "microslip/modal/power_law_fit.hpp"
#include "microslip/modal/ringdown.hpp"

namespace microslip {

/// Is it by the Hilbert transform?
inline constexpr Choice<bool> ringdown_methods[] = {{"peaks", false}, {"hilbert", true}};

struct RingdownAnalysis final : Analysis {
  static constexpr std::string_view kind = "ringdown";
  RingdownAnalysis() : Analysis(kind) {}

  std::optional<TransientAnalysis> transient;  ///< this or
  std::vector<MeasuredMotion> measured;        ///< these records
  std::string from;                            ///< measured: the modal_fit whose shapes filter them; or empty
  std::optional<double> start;                 ///< measured: empty: at the largest value
  std::vector<int> modes;                      ///< numbers, from 1; empty: the dominating one of the first record
  bool hilbert = false;
  RingdownOptions turning_points;
  HilbertOptions hilbert_options;
  std::optional<Band> band;   ///< of the one mode
  bool bands_of_fit = false;  ///< each mode in a band of its own, between its neighbours
  int band_order = 4;         ///< of the low-pass that the band-pass is made of
  double most_other = 0.1;    ///< ratio of another mode up to which a row is clean
  double spectrum_to = 0.0;   ///< [1/time]; 0: five times the highest frequency found
  ComputedSources computed;   ///< curves of the model to lay beside it

  /// One measured channel instead of modal coordinates.
  [[nodiscard]] bool single_channel() const { return !measured.empty() && measured.front().single_channel; }
  /// Measured channels and shapes at them.
  [[nodiscard]] bool by_shapes() const { return !measured.empty() && measured.front().by_shapes; }
  /// Several records have a number in the tables.
  [[nodiscard]] bool several() const { return measured.size() > 1; }
  /// Of modal coordinates of unit modal mass, or of shapes whose largest component is 1.
  [[nodiscard]] std::string amplitude_unit(bool unit_modal_mass = true) const;
  /// Of the signals whose spectrum is told.
  [[nodiscard]] std::string spectrum_unit(bool unit_modal_mass = true) const;

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override;
  [[nodiscard]] std::vector<std::string> load_names() const override;
  [[nodiscard]] std::vector<int> mode_numbers() const override;
  [[nodiscard]] std::string method_in_words() const override;
  void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const override;
  [[nodiscard]] std::vector<HeadlineNumber> drawn_headline(const System& system) const override;
};

struct RingdownFacts final : Facts {
  struct Mode {
    int mode = 0;        ///< number
    std::string record;  ///< of several
    std::optional<Band> band;
    long rows = 0;
    long clean_rows = 0;                      ///< of this mode alone
    double noise = 0.0;                       ///< standard deviation in the signal
    SensorOffset offset;                      ///< told where its error is known
    std::optional<AmplitudeSpan> all, clean;  ///< where there are such rows
    PowerLawFit power_law;                    ///< of the clean ones
  };
  std::optional<MotionFacts> motion;  ///< simulated
  std::optional<int> dominant_mode;   ///< of the first record
  std::vector<Mode> modes;            ///< of every record; empty: there was nothing to process
  /// Of several records, for each mode the one whose clean rows go over the largest range of amplitudes.
  struct Cleanest {
    int mode = 0;
    std::string record;  ///< empty: it is clean in none
  };
  std::vector<Cleanest> cleanest;
  std::vector<CurveDifference> differences;  ///< from computed curves

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] std::string in_a_line() const override;
};

/// For other kinds that find frequency and damping along ring-downs: the keys of a method, and their values.
[[nodiscard]] std::vector<std::string> ringdown_method_keys(bool hilbert);
void read_ringdown_method(const TableReader& reader, RingdownAnalysis& analysis);

[[nodiscard]] std::unique_ptr<Analysis> read_ringdown_analysis(const TableReader& reader, const StudyParts& parts);

}  // namespace microslip
