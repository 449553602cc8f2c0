#include "microslip/analyses/mode_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace microslip {
namespace {

int read_mode(const TableReader& reader, const TomlValue& value, const System& system, std::string_view key) {
  const int count = system.computed_modes();
  if (value.type != TomlValue::Type::integer || value.integer < 1 || value.integer > count) {
    throw reader.error(
        value, fmt::format("{} must be an integer from 1 to {}, got {}", key, count, value.describe_no_integer()));
  }
  const int mode = static_cast<int>(value.integer) - 1;
  if (mode < system.stuck_modes().rigid) throw reader.error(value, fmt::format("mode {} is a rigid motion", mode + 1));
  return mode;
}

}  // namespace

std::vector<int> read_modes(const TableReader& reader, const System& system, std::string_view key) {
  const TomlValue& value = reader.need(key);
  if (value.type != TomlValue::Type::array) return {read_mode(reader, value, system, key)};
  std::vector<int> numbers;
  for (const TomlValue& item : value.items) {
    const int mode = read_mode(reader, item, system, key);
    if (std::find(numbers.begin(), numbers.end(), mode) != numbers.end()) {
      throw reader.error(item, fmt::format("{}: {} is there twice", key, mode + 1));
    }
    numbers.push_back(mode);
  }
  if (numbers.empty()) throw reader.error(value, fmt::format("{}: the list is empty", key));
  return numbers;
}

int read_moving_modes(const TableReader& reader, const System& system) {
  const int fewest = std::max(1, system.stuck_modes().rigid), most = system.computed_modes();
  if (system.truncated() && !reader.has("modes")) {
    throw reader.error(
        fmt::format("a structure of {} degrees of freedom, more than {}, needs modes = n: how many of its modes move, "
                    "{} to {} (modes "
                    "of [structure]); the rest answers statically",
                    system.size(), Truncation::most_dense, fewest, most));
  }
  // Motions without mass never move by themselves.
  const bool massless = system.stuck_modes().omega.size() > most;
  return static_cast<int>(reader.integer_or("modes", massless ? most : 0, fewest, most));
}

}  // namespace microslip
