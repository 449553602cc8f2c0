#pragma once
// A table whose columns are one entry each: name, unit, meaning, and where a row has the value.

#include <fmt/format.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/system/sink.hpp"

namespace microslip {

/// `Row`: whatever the values are taken from. An indirect call an entry; no memory is allocated for a row.
template <class Row>
class Table {
 public:
  /// `value(row)` is the number of the column.
  template <class Value>
  void add(Column column, Value value) {
    add_group({std::move(column)}, [value = std::move(value)](const Row& row, double* at) {
      *at = static_cast<double>(std::invoke(value, row));
    });
  }
  /// A column for each name, `symbol[name]`; `value(row, i)` is that of the i-th.
  template <class EachValue>
  void add_each(std::string_view symbol, std::span<const std::string> names, const std::string& unit,
                const std::string& description, EachValue value, Scale scale = Scale::linear) {
    std::vector<Column> columns;
    for (const std::string& name : names)
      columns.push_back({fmt::format("{}[{}]", symbol, name), unit, description, scale});
    add_group(std::move(columns), [value = std::move(value), count = names.size()](const Row& row, double* at) {
      for (std::size_t i = 0; i < count; ++i) at[i] = static_cast<double>(value(row, i));
    });
  }
  /// Columns that are computed together: `fill(row, at)` writes their numbers to at[0], at[1], ... Nothing without
  /// columns.
  template <class Fill>
  void add_group(std::vector<Column> columns, Fill fill) {
    if (columns.empty()) return;
    groups_.push_back({columns_.size(), std::move(fill)});
    for (Column& column : columns) columns_.push_back(std::move(column));
    values_.resize(columns_.size());
  }

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  void begin(Sink& sink) const { sink.begin(columns_); }
  void write(const Row& row, Sink& sink) {
    for (const Group& group : groups_) group.fill(row, values_.data() + group.first);
    sink.row(values_);
  }
  /// The whole table.
  template <class Rows>
  void write_all(const Rows& rows, Sink& sink) {
    begin(sink);
    for (const Row& row : rows) write(row, sink);
  }

 private:
  struct Group {
    std::size_t first;  ///< of its columns
    std::function<void(const Row&, double*)> fill;
  };

  std::vector<Column> columns_;
  std::vector<Group> groups_;
  std::vector<double> values_;  ///< of the row at hand
};

}  // namespace microslip
