#include "microslip/trials/trial_packet.hpp"

#include <memory>
#include <stdexcept>

namespace microslip {

void ByteWriter::put_text(std::string_view text) {
  put(text.size());
  bytes_.append(text);
}

std::string_view ByteReader::piece(std::size_t size) {
  if (size > bytes_.size()) throw std::runtime_error("a message between ranks is not whole");
  const std::string_view piece = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return piece;
}

/// Number of the layout, with its columns where it is new; then the row.
void TrialPacker::add(std::size_t trial, double seconds, const TrialRow& row, ByteWriter& bytes) {
  const std::size_t before = layouts_.size(), layout = layouts_.number(row.columns);
  bytes.put(layout);
  if (layout > before) {
    bytes.put(row.columns->size());
    for (const Column& column : *row.columns) {
      bytes.put_text(column.name);
      bytes.put_text(column.unit);
      bytes.put_text(column.description);
      bytes.put(column.scale);
    }
  }
  bytes.put(trial);
  bytes.put(seconds);
  bytes.put(row.ending);
  bytes.put_text(row.message);
  for (const double value : row.values) bytes.put(value);
}

void TrialUnpacker::read(ByteReader& bytes, const Visit& visit) {
  while (!bytes.at_end()) {
    const auto layout = bytes.get<std::size_t>();
    if (layout > layouts_.size()) {
      auto columns = std::make_shared<std::vector<Column>>(bytes.get<std::size_t>());
      for (Column& column : *columns) {
        column.name = bytes.get_text();
        column.unit = bytes.get_text();
        column.description = bytes.get_text();
        column.scale = bytes.get<Scale>();
      }
      layouts_.add(std::move(columns));
    }
    const auto trial = bytes.get<std::size_t>();
    const auto seconds = bytes.get<double>();
    TrialRow row;
    row.ending = bytes.get<Ending>();
    row.message = bytes.get_text();
    row.columns = layouts_.columns(layout);
    row.values.resize(row.columns ? row.columns->size() : 0);
    for (double& value : row.values) value = bytes.get<double>();
    visit(trial, seconds, std::move(row));
  }
}

}  // namespace microslip
