#include "microslip/input/record_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/io/text_file.hpp"
#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

constexpr double time_tolerance = 0.05;  // of a step: files round their times
constexpr double jump = 1.5;             // steps

}  // namespace

bool is_force_column(const CsvTable& table, const std::string& name) {
  if (lower_case(name).starts_with("force")) return true;
  return name.starts_with("f[") && !table.has("u" + name.substr(1));
}

TimeGrid time_grid(const CsvTable& table, std::size_t fewest, std::string_view who) {
  const std::vector<double>& time = table.column("time");
  if (time.size() < fewest) {
    throw InputError({table.file, table.header_line, 1},
                     fmt::format("{} needs at least {} samples, got {}", who, fewest, time.size()));
  }
  std::vector<double> steps;
  for (std::size_t i = 1; i < time.size(); ++i) steps.push_back(time[i] - time[i - 1]);
  const double usual = median(steps);
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (!(steps[i - 1] > 0.0)) {
      throw InputError({table.file, table.lines[i], 1},
                       fmt::format("time must increase: {} comes after {}", time[i], time[i - 1]));
    }
    if (usual > 0.0 && steps[i - 1] >= jump * usual) {
      throw InputError(
          {table.file, table.lines[i], 1},
          fmt::format("time jumps: {} comes after {}, where the step is {:.6g}", time[i], time[i - 1], usual));
    }
  }
  const double step = (time.back() - time.front()) / static_cast<double>(time.size() - 1);
  for (std::size_t i = 1; i < time.size(); ++i) {
    const double expected = time.front() + step * static_cast<double>(i);
    if (std::abs(time[i] - expected) > time_tolerance * step) {
      throw InputError(
          {table.file, table.lines[i], 1},
          fmt::format("time must be evenly spaced: at the mean step {:.6g} this row would be at {:.9g}, got {}", step,
                      expected, time[i]));
    }
  }
  return {time.front(), step};
}

}  // namespace microslip
