#pragma once
// What every kind of analysis is. A kind is a folder here:
//   analysis.hpp  a struct derived from Analysis, with what a study asks for; its Facts
//   read.cpp      its keys -> the struct
//   run.cpp       the computation, its tables
//   figures.cpp   figures and sentences of the report
// and a line in the table of kinds.cpp.

#include <any>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/headline.hpp"
#include "microslip/input/load_definition.hpp"
#include "microslip/measurement/quantity.hpp"
#include "microslip/report/figure.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/results/results.hpp"
#include "microslip/system/observer.hpp"
#include "microslip/system/system.hpp"
#include "microslip/system/unit_labels.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

class FilesRead;
struct TrialSetting;

/// Whether neighbouring combinations of a parameter study run one after the other, each from what the one before left.
enum class WarmStart {
  never,
  if_asked,  ///< with warm_start = true: it may lead to another of several solutions
  always     ///< but with warm_start = false: it cannot
};

/// A run of one analysis. An analysis with `sources`, a list of names, finds the rows of their main tables in
/// results.kept(name).
struct AnalysisRun {
  const System& system;
  Results& results;
  Observer observer;
  /// What the neighbouring combination of a parameter study left, for a good start, and the place to leave something
  /// for the next one. Null elsewhere, and where no warm start is wanted.
  std::any* neighbour = nullptr;
  /// Where trials are kept and which of them are this process's. Null: in memory, and all.
  const TrialSetting* trials = nullptr;

  /// Progress of the i-th of `count` parts alike, as that of the whole.
  [[nodiscard]] Observer part(std::size_t i, std::size_t count) const;
};

class Analysis {
 public:
  /// `kind`: as in the study; must outlive it.
  explicit Analysis(std::string_view kind) : kind_word(kind) {}
  virtual ~Analysis() = default;

  std::string_view kind_word;
  std::string name;  ///< of its tables: unique in a study

  /// Whole names of its tables, and the files of them.
  [[nodiscard]] std::vector<std::string> table_names() const;
  [[nodiscard]] std::vector<std::string> table_files() const;

  /// One line for people: what is asked for.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// What is asked for, besides its kind: written into results.h5 before it runs.
  [[nodiscard]] virtual nlohmann::ordered_json settings() const = 0;
  /// Its tables, by what follows the name of the analysis in theirs; "" is the main one.
  [[nodiscard]] virtual std::vector<std::string> tables() const = 0;
  /// Writes the tables; never throws for what did not converge.
  [[nodiscard]] virtual AnalysisSummary run(AnalysisRun& with) const = 0;
  /// What to draw.
  [[nodiscard]] virtual std::vector<Figure> figures(const System& system) const = 0;
  /// The result in plain sentences.
  [[nodiscard]] virtual std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const = 0;
  /// Method, tolerances, errors, cost.
  [[nodiscard]] virtual std::string how(const AnalysisSummary& summary) const = 0;

  /// Analyses further up in the study whose main tables it reads.
  [[nodiscard]] virtual std::vector<std::string> sources() const { return {}; }
  /// Files that it writes besides the tables.
  [[nodiscard]] virtual std::vector<std::string> other_files() const { return {}; }
  /// Names of the loads that it takes.
  [[nodiscard]] virtual std::vector<std::string> load_names() const { return {}; }
  /// Modes that its main table will hold, from 1, for an analysis further down; empty: not known before it runs.
  [[nodiscard]] virtual std::vector<int> mode_numbers() const { return {}; }
  /// What frequency responses measure that it leaves to an analysis further down; none: it leaves none.
  [[nodiscard]] virtual std::optional<Quantity> response_quantity() const { return std::nullopt; }
  /// Heads the legends of its figures: the method in a word or two.
  [[nodiscard]] virtual std::string method_in_words() const { return ""; }
  /// What its trials depend on, of an analysis that keeps them (trials/run_trials.hpp); empty: it has none.
  [[nodiscard]] virtual std::string trial_identity() const { return ""; }
  [[nodiscard]] virtual WarmStart warm_start() const { return WarmStart::never; }
  /// What a parameter study tells of it beyond the numbers of its summary. `tables` are its own.
  virtual void add_headline(const TablesInMemory& tables, const System& system, Headline& result) const;
  /// Those of them that every combination has, to be drawn.
  [[nodiscard]] virtual std::vector<HeadlineNumber> drawn_headline(const System&) const { return {}; }

 protected:
  Analysis(const Analysis&) = default;
  Analysis(Analysis&&) = default;
  Analysis& operator=(const Analysis&) = default;
  Analysis& operator=(Analysis&&) = default;
};

/// Immutable once it is read.
using AnalysisPointer = std::shared_ptr<const Analysis>;

/// An analysis further up in the study, which another may name as the source of its data.
struct EarlierAnalysis {
  std::string kind;
  std::string name;
  std::vector<int> modes;              ///< see Analysis::mode_numbers
  AnalysisPointer analysis = nullptr;  ///< itself, for what only its own kind tells
};

/// The study so far, for the reader of an analysis.
struct StudyParts {
  const System& system;
  const std::vector<LoadDefinition>& loads;
  std::vector<EarlierAnalysis> earlier;
  const TableReader* root = nullptr;  ///< the whole study, for an analysis that varies it; null: of one inside another
  const FilesRead* files = nullptr;   ///< that were read so far; null: not known
};

}  // namespace microslip
