#pragma once
// A table whose columns are one entry each: name, unit, meaning, and where a row has the value.

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/system/sink.hpp"

namespace microslip {

/// `Row`: whatever the values are taken from. Off the hot path: a call a value.
template <class Row>
class Table {
 public:
  using Value = std::function<double(const Row&)>;

  void add(Column column, Value value) {
    columns_.push_back(std::move(column));
    values_.push_back(std::move(value));
  }
  /// A column for each name, `symbol[name]`; `value(row, i)` is that of the i-th.
  template <class EachValue>
  void add_each(std::string_view symbol, std::span<const std::string> names, const std::string& unit,
                const std::string& description, EachValue value, Scale scale = Scale::linear) {
    const auto shared = std::make_shared<const EachValue>(std::move(value));  // it may hold a list
    for (std::size_t i = 0; i < names.size(); ++i) {
      add({fmt::format("{}[{}]", symbol, names[i]), unit, description, scale},
          [shared, i](const Row& row) { return static_cast<double>((*shared)(row, i)); });
    }
  }

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  void begin(Sink& sink) const { sink.begin(columns_); }
  void write(const Row& row, Sink& sink) const {
    std::vector<double> values;
    values.reserve(values_.size());
    for (const Value& value : values_) values.push_back(value(row));
    sink.row(values);
  }
  /// The whole table.
  template <class Rows>
  void write_all(const Rows& rows, Sink& sink) const {
    begin(sink);
    for (const Row& row : rows) write(row, sink);
  }

 private:
  std::vector<Column> columns_;
  std::vector<Value> values_;
};

}  // namespace microslip
