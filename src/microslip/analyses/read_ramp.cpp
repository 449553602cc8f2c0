#include "microslip/analyses/read_ramp.hpp"

#include <fmt/format.h>

#include <vector>

namespace microslip {

LoadRamp read_ramp(const TableReader& reader, std::string_view key, long long most_points) {
  const std::vector<double> ends = reader.numbers(key, positive_number);
  if (ends.size() != 2 || !(ends[0] < ends[1])) {
    throw reader.error(key, fmt::format("{} must be [from, to] with 0 < from < to", key));
  }
  LoadRamp ramp;
  ramp.from = ends[0];
  ramp.to = ends[1];
  ramp.points = static_cast<int>(reader.integer_or("points", ramp.points, 2, most_points));
  ramp.spacing = read_choice_or(reader, "spacing", ramp.spacing, spacings);
  return ramp;
}

}  // namespace microslip
