#pragma once
// The directory that a run leaves behind: <name>.csv, <name>-<table>.csv, results.h5 and summary.json. Or tables in
// memory, of an analysis inside another.

#include <any>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "microslip/io/hdf5_writer.hpp"
#include "microslip/results/table_sink.hpp"
#include "microslip/system/unit_labels.hpp"

namespace microslip {

struct AnalysisSummary;

/// JSON as text. Labels may hold bytes that are not UTF-8; they are replaced.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& json, int indent = -1);

class Results {
 public:
  struct InMemory {};
  /// Makes the directory, takes away what an earlier run left under the same names, opens results.h5. `files` are the
  /// names of the files to come. Throws OutputError.
  Results(std::string directory, UnitLabels units, std::span<const std::string> files);
  /// In memory: every table is kept, nothing is written. What `outer` keeps is there as well; it must outlive this.
  explicit Results(const Results& outer, InMemory) : outer_(&outer) {}
  explicit Results(InMemory) {}

  [[nodiscard]] const std::string& directory() const { return directory_; }
  [[nodiscard]] const UnitLabels& units() const { return units_; }

  /// Text and settings for results.h5. Settings are numbers, strings or anything else that JSON can write.
  void study_text(const std::string& text);
  void settings(const std::string& analysis, const nlohmann::ordered_json& values);

  /// The table of an analysis; `part` is empty for its main one. The results must outlive the sink.
  [[nodiscard]] TableSink table(const std::string& analysis, const std::string& part = "");

  /// The tables of an analysis so far, as they were written; units are still words.
  [[nodiscard]] std::vector<TableRecord> written(const std::string& analysis) const;

  /// Keeps the rows of a table to come (`table_name`), for an analysis further down in the study.
  void keep(const std::string& table) { kept_[table]; }
  /// The rows that were kept: none before the table is written. Throws std::out_of_range when it is not kept.
  [[nodiscard]] const MemorySink& kept(const std::string& table) const;
  /// The same; null when it is not kept.
  [[nodiscard]] const MemorySink* find(const std::string& table) const;

  /// Leaves a value for analyses further down that name this one as a source: what its tables hold, as the method made
  /// it.
  void leave(const std::string& analysis, std::any value) { left_[analysis] = std::move(value); }
  /// That value; null when there is none of that type.
  template <class Value>
  [[nodiscard]] const Value* left(const std::string& analysis) const {
    const auto found = left_.find(analysis);
    if (found != left_.end()) return std::any_cast<Value>(&found->second);
    return outer_ != nullptr ? outer_->left<Value>(analysis) : nullptr;
  }

  /// What whoever reads the tables of an analysis must know of them, and the columns do not tell.
  void doubt(const std::string& analysis, const std::string& text) { doubts_[analysis] = text; }
  /// Empty if there is none.
  [[nodiscard]] std::string doubt_of(const std::string& analysis) const;

  /// A file besides the tables, written at once.
  void text(const std::string& file, const std::string& text) const;

  /// May be called after every analysis: the file always tells the whole story so far.
  void write_summary(const std::string& version, std::span<const AnalysisSummary> analyses) const;
  /// results.h5 is whole.
  void close();

 private:
  const Results* outer_ = nullptr;  ///< in memory
  std::string directory_;
  UnitLabels units_;
  std::unique_ptr<Hdf5Writer> hdf5_;
  std::map<std::string, std::deque<TableRecord>> written_;  ///< by analysis; their places do not change
  std::map<std::string, MemorySink> kept_;
  std::map<std::string, std::string> doubts_;
  std::map<std::string, std::any> left_;
};

/// "ring" and "shapes" -> "ring-shapes".
[[nodiscard]] std::string table_name(const std::string& analysis, const std::string& part);

}  // namespace microslip
