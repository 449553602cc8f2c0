#pragma once
// Measured ring-downs: a table (CSV, MATLAB or universal file) with a column `time` and channels, and the filter that
// makes modal coordinates of them.

#include <optional>
#include <vector>

#include "microslip/modal/ringdown.hpp"
#include "microslip/study/analysis_parts.hpp"

namespace microslip {

struct MeasuredMotion {
  std::vector<int> modes;              ///< numbers, from 1; one for a single channel
  std::vector<SampledMotion> signals;  ///< one a mode, from the start of the record
  bool single_channel = false;
  std::optional<double> hit_end;     ///< when the forces in the table have fallen back after their first hit
  std::optional<double> second_hit;  ///< when they rise again
};

/// Keys `data`, `quantity`, and one of `channel`, `shapes` or neither: then every degree of freedom is a channel and
/// the filter is phi^T M. A channel is named as it is, or q[name], v[name], a[name] like the columns of a transient.
/// Columns f[..] (but for f[x] beside u[x], a joint) and those that begin with "force" are forces of a hit. The first
/// time that one of them, less its median, comes to a quarter of its largest value belongs to the hit, which goes on
/// until it has stayed within 5 % for ten times as long as the hit so far, and 16 samples. What comes to a quarter
/// after that is a second hit. None: there are no such columns, or fewer than 16 samples are left.
[[nodiscard]] MeasuredMotion read_measured_motion(const TableReader& reader, const System& system);

}  // namespace microslip
