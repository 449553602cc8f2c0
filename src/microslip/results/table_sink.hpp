#pragma once
// A table that goes to a CSV file and to HDF5 at once, row by row, or to memory.

#include <optional>
#include <string>
#include <vector>

#include "microslip/io/csv_writer.hpp"
#include "microslip/io/hdf5_writer.hpp"
#include "microslip/system/sink.hpp"
#include "microslip/system/unit_labels.hpp"

namespace microslip {

/// A table as it was written.
struct TableRecord {
  std::string part;  ///< empty: the main table of its analysis
  std::string file;  ///< in the directory
  std::vector<Column> columns;
  long rows = 0;
};

class TableSink final : public Sink {
 public:
  /// `hdf5`, `units`, `record` and `copy` must outlive the sink. `record`: gets columns and number of rows. `copy`:
  /// gets the rows as well.
  TableSink(std::string csv_path, Hdf5Writer& hdf5, std::string dataset, const UnitLabels& units, TableRecord& record,
            MemorySink* copy = nullptr);
  /// To memory alone, which must outlive the sink.
  explicit TableSink(MemorySink& memory) : copy_(&memory) {}

  void begin(std::span<const Column> columns) override;
  void row(std::span<const double> values) override;
  /// Both tables are whole. Does nothing when no table was begun.
  void close();
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] const std::string& csv_path() const { return csv_path_; }

 private:
  std::string csv_path_;
  Hdf5Writer* hdf5_ = nullptr;  ///< none: to memory alone
  std::string dataset_;
  const UnitLabels* units_ = nullptr;
  TableRecord* record_ = nullptr;
  MemorySink* copy_;
  bool begun_ = false;
  std::optional<CsvWriter> csv_;
  std::optional<Hdf5Table> table_;
};

}  // namespace microslip
