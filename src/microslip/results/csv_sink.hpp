#pragma once
// A table that goes to a CSV file only.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "microslip/io/csv_writer.hpp"
#include "microslip/system/sink.hpp"

namespace microslip {

class CsvSink final : public Sink {
 public:
  explicit CsvSink(std::string path) : path_(std::move(path)) {}

  void begin(std::span<const Column> columns) override {
    std::vector<std::string> names;
    for (const Column& column : columns) names.push_back(column.name);
    csv_.emplace(path_, names);
  }
  void row(std::span<const double> values) override { csv_->row(values); }
  void close() { csv_->close(); }

 private:
  std::string path_;
  std::optional<CsvWriter> csv_;
};

}  // namespace microslip
