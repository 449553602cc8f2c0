#pragma once
// A directory that a run left behind, read back: report.json and the tables.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "microslip/io/hdf5_reader.hpp"
#include "microslip/io/machine.hpp"
#include "microslip/report/figure.hpp"
#include "microslip/report/resolve.hpp"
#include "microslip/results/table_sink.hpp"
#include "microslip/system/unit_labels.hpp"

namespace microslip {

/// Of report.json: another number where what it holds changes its meaning.
inline constexpr int report_format = 1;

/// Units of the columns are the user's labels by now.
struct ReportedAnalysis {
  std::string kind;
  std::string name;
  std::string describe;  ///< what was asked for, in a line
  std::string ending;
  std::string message;
  double wall_seconds = 0.0;
  std::string words;
  std::string how;
  std::vector<TableRecord> tables;
  std::vector<Figure> figures;
  std::vector<std::string> mistakes;  ///< what could not be declared or read
};

class RunDirectory {
 public:
  /// Throws InputError when there is no such directory, or no report.json of report_format in it.
  explicit RunDirectory(std::string directory);

  std::string title;
  std::string study_file;
  std::string study;
  std::string version;
  std::string command;
  std::string started;
  double wall_seconds = 0.0;
  Machine machine;
  std::vector<std::string> structure;  ///< what was imported, in lines
  UnitLabels units;
  ShapeGeometry geometry;
  std::vector<ReportedAnalysis> analyses;

  [[nodiscard]] const std::string& directory() const { return directory_; }

  /// All rows of some columns of a table, by name; those that the table does not have are left out. From results.h5,
  /// or from the CSV file where that cannot be read. Throws InputError when neither can.
  [[nodiscard]] std::map<std::string, std::vector<double>> columns(const ReportedAnalysis& analysis,
                                                                   const TableRecord& table,
                                                                   const std::vector<std::string>& names) const;
  /// The first rows of a table, all columns.
  [[nodiscard]] std::vector<std::vector<double>> first_rows(const ReportedAnalysis& analysis, const TableRecord& table,
                                                            std::size_t count) const;

 private:
  [[nodiscard]] std::vector<std::vector<double>> read(const ReportedAnalysis& analysis, const TableRecord& table,
                                                      const std::vector<std::size_t>& numbers, std::size_t rows) const;

  std::string directory_;
  std::unique_ptr<Hdf5Reader> hdf5_;  ///< none: from CSV
};

/// The columns of one analysis for `resolve`: read when first asked for, all that its figures need at once.
class AnalysisColumns final : public ColumnSource {
 public:
  /// Both must outlive it.
  AnalysisColumns(const RunDirectory& run, const ReportedAnalysis& analysis) : run_(&run), analysis_(&analysis) {}

  const std::vector<double>& column(const std::string& table, const std::string& name) override;
  [[nodiscard]] std::string unit(const std::string& table, const std::string& name) const override;

 private:
  const RunDirectory* run_;
  const ReportedAnalysis* analysis_;
  std::map<std::string, std::map<std::string, std::vector<double>>> read_;  ///< by part
};

}  // namespace microslip
