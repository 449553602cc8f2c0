#include "microslip/study/mode_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

int read_mode(const TableReader& reader, const TomlValue& value, const Modes& modes) {
  const auto count = static_cast<int>(modes.omega.size());
  const double number = reader.as_number(value, "mode", any_number);
  if (number != std::floor(number) || number < 1 || number > count) {
    throw reader.error(value, fmt::format("mode must be an integer from 1 to {}, got {:g}", count, number));
  }
  const int mode = static_cast<int>(number) - 1;
  if (mode < modes.rigid) throw reader.error(value, fmt::format("mode {} is a rigid motion", mode + 1));
  return mode;
}

}  // namespace

std::vector<int> read_modes(const TableReader& reader, const Modes& modes) {
  const TomlValue& value = reader.need("mode");
  if (value.type != TomlValue::Type::array) return {read_mode(reader, value, modes)};
  std::vector<int> numbers;
  for (const TomlValue& item : value.items) {
    const int mode = read_mode(reader, item, modes);
    if (std::find(numbers.begin(), numbers.end(), mode) != numbers.end()) {
      throw reader.error(item, fmt::format("mode: {} is there twice", mode + 1));
    }
    numbers.push_back(mode);
  }
  if (numbers.empty()) throw reader.error(value, "mode: the list is empty");
  return numbers;
}

}  // namespace microslip
