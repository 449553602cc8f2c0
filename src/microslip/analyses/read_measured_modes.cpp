#include "microslip/analyses/read_measured_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "microslip/analyses/read_earlier.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr std::string_view modal_fit_kinds[] = {"modal_fit"};

const std::set<std::string> numbers_of_modes = {"mode", "frequency_hz", "frequency_hz_error", "zeta", "zeta_error"};

/// "phi[a1.y]" -> "a1.y"; empty for other names.
std::string channel_of(const std::string& column) {
  const bool bracketed = column.size() > 5 && column.starts_with("phi[") && column.ends_with("]");
  return bracketed ? column.substr(4, column.size() - 5) : "";
}

Eigen::VectorXd column_or_empty(const CsvTable& table, const std::string& name) {
  if (!table.has(name)) return {};
  const std::vector<double>& values = table.column(name);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<int> numbers_in(const CsvTable& table) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double number = table.has("mode") ? table.column("mode")[i] : static_cast<double>(i + 1);
    if (!(number >= 1.0 && number <= 1e6 && number == std::floor(number)) ||
        std::find(numbers.begin(), numbers.end(), static_cast<int>(number)) != numbers.end()) {
      throw InputError({table.file, table.lines[i], 1},
                       fmt::format("mode must be a whole number from 1, each once, got {}", number));
    }
    numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

}  // namespace

std::string read_modal_fit_source(const TableReader& reader, const StudyParts& parts) {
  return find_earlier(reader, reader.need("from"), "from", modal_fit_kinds, parts).name;
}

MeasuredModes measured_modes_of(const CsvTable& table) {
  if (table.rows() == 0) throw InputError({table.file, table.header_line, 1}, "the table has no shapes");
  MeasuredModes modes;
  modes.numbers = numbers_in(table);
  const bool bracketed = std::any_of(table.names.begin(), table.names.end(),
                                     [](const std::string& name) { return !channel_of(name).empty(); });
  std::vector<const std::vector<double>*> columns;
  for (const std::string& name : table.names) {
    const std::string channel = bracketed ? channel_of(name) : numbers_of_modes.contains(name) ? "" : name;
    if (channel.empty()) continue;
    modes.channels.push_back(channel);
    columns.push_back(&table.column(name));
  }
  if (columns.empty()) throw InputError({table.file, table.header_line, 1}, "the table has no channels");
  const auto count = static_cast<Eigen::Index>(table.rows());
  modes.shapes.resize(static_cast<Eigen::Index>(columns.size()), count);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t i = 0; i < table.rows(); ++i) {
      modes.shapes(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(i)) = (*columns[c])[i];
    }
  }
  modes.frequency_hz = column_or_empty(table, "frequency_hz");
  modes.zeta = column_or_empty(table, "zeta");
  modes.frequency_error = column_or_empty(table, "frequency_hz_error");
  modes.zeta_error = column_or_empty(table, "zeta_error");
  if (modes.frequency_hz.size() == 0) modes.frequency_hz = Eigen::VectorXd::Zero(count);
  if (modes.zeta.size() == 0) modes.zeta = Eigen::VectorXd::Zero(count);
  return modes;
}

MeasuredModes read_measured_modes(const TableReader& reader) {
  return read_named_file(reader, "shapes",
                         [](const std::string& path) { return measured_modes_of(read_shape_table(path)); });
}

}  // namespace microslip
