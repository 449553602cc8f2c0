#pragma once
// Measured ring-downs: a table (CSV, MATLAB or universal file) with a column `time` and channels, and the filter that
// makes modal coordinates of them.

#include <optional>
#include <vector>

#include "microslip/modal/ringdown.hpp"
#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

struct MeasuredMotion {
  std::vector<int> modes;              ///< numbers, from 1; one for a single channel
  std::vector<SampledMotion> signals;  ///< one a mode, from the start of the record
  bool single_channel = false;
  std::optional<double> hit_end;     ///< when the forces in the table have fallen back after their first hit
  std::optional<double> second_hit;  ///< when they rise again
  bool no_hit_found = false;         ///< there are forces, but no hit that is over 16 samples before the end
};

/// Keys `data`, `quantity`, and one of `channel`, `shapes` or neither: then every degree of freedom is a channel and
/// the filter is phi^T M. A channel is named as it is, or q[name], v[name], a[name] like the columns of a transient.
/// Columns f[..] (but for f[x] beside u[x], a joint) and those that begin with "force" are forces of a hit
/// (force_hits.hpp).
[[nodiscard]] MeasuredMotion read_measured_motion(const TableReader& reader, const System& system);

}  // namespace microslip
