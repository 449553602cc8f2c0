#include "microslip/system/sink.hpp"

#include <stdexcept>

namespace microslip {

std::string_view to_string(Scale scale) {
  return scale == Scale::logarithmic ? "logarithmic" : "linear";
}

void MemorySink::begin(std::span<const Column> columns) {
  columns_.assign(columns.begin(), columns.end());
}

void MemorySink::row(std::span<const double> values) {
  values_.insert(values_.end(), values.begin(), values.end());
}

std::vector<double> MemorySink::column(const std::string& name) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].name != name) continue;
    std::vector<double> result(rows());
    for (std::size_t r = 0; r < result.size(); ++r) result[r] = at(r, c);
    return result;
  }
  throw std::out_of_range("no column " + name);
}

}  // namespace microslip
