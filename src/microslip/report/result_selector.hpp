#pragma once
// One number out of a directory of results: what a table of printed values is compared with.

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "microslip/io/csv_table.hpp"
#include "microslip/report/figure.hpp"

namespace microslip {

/// From a table: rows with the values of `where`, those between the bounds, then the row where a column reaches a value
/// (straight lines between rows), or the reduction of all; else the one row that is left. From the summary: a path.
struct ResultSelector {
  struct Between {
    std::string column;
    double low = 0.0, high = 0.0;
  };
  std::string table;  ///< file without ".csv"
  std::string column;
  std::vector<Condition> where;
  std::vector<Between> between;
  std::optional<Condition> at;
  std::string reduce;   ///< one of `reductions`, or empty
  std::string summary;  ///< "ring.energy.joints.lap": analysis, then keys of summary.json
};

inline const std::vector<std::string> reductions = {"max",  "min",  "largest", "half_range", "first",
                                                    "last", "mean", "rms",     "count"};

/// The files of one directory, each read once.
class ResultFiles {
 public:
  explicit ResultFiles(std::string directory);
  ~ResultFiles();

  /// Throws InputError or std::invalid_argument: no such table, column, row or key.
  [[nodiscard]] double value(const ResultSelector& selector);

 private:
  [[nodiscard]] const CsvTable& table(const std::string& name);
  [[nodiscard]] double from_table(const ResultSelector& selector);
  [[nodiscard]] double from_summary(const std::string& path);

  std::string directory_;
  std::map<std::string, CsvTable> tables_;
  std::unique_ptr<const nlohmann::json> summary_;
};

}  // namespace microslip
