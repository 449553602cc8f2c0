#include "microslip/results/table_sink.hpp"

#include <utility>
#include <vector>

namespace microslip {

TableSink::TableSink(std::string csv_path, Hdf5Writer& hdf5, std::string dataset, const UnitLabels& units,
                     TableRecord& record, MemorySink* copy)
    : csv_path_(std::move(csv_path)),
      hdf5_(&hdf5),
      dataset_(std::move(dataset)),
      units_(&units),
      record_(&record),
      copy_(copy) {}

void TableSink::begin(std::span<const Column> columns) {
  begun_ = true;
  if (copy_ != nullptr) copy_->begin(columns);
  if (hdf5_ == nullptr) return;
  std::vector<std::string> names;
  std::vector<std::string> units;
  std::vector<std::string> descriptions;
  std::vector<std::string> scales;
  for (const Column& column : columns) {
    names.push_back(column.name);
    units.push_back(units_->of(column.unit));
    descriptions.push_back(column.description);
    scales.emplace_back(to_string(column.scale));
  }
  record_->columns.assign(columns.begin(), columns.end());
  csv_.emplace(csv_path_, names);
  table_.emplace(hdf5_->table(dataset_, names, units));
  hdf5_->attribute(dataset_, "descriptions", descriptions);
  hdf5_->attribute(dataset_, "scales", scales);
}

void TableSink::row(std::span<const double> values) {
  if (copy_ != nullptr) copy_->row(values);
  if (hdf5_ == nullptr) return;
  csv_->row(values);
  table_->row(values);
  ++record_->rows;
}

void TableSink::close() {
  if (!csv_) return;
  csv_->close();
  table_->flush();
  table_.reset();
}

}  // namespace microslip
