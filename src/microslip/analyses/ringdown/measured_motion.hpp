#pragma once
// Measured ring-downs: tables (CSV, MATLAB or universal files) with a column `time` and channels, and the filter that
// makes modal coordinates of them.

#include <optional>
#include <string>
#include <vector>

#include "microslip/analyses/channel_units.hpp"
#include "microslip/measurement/measured_modes.hpp"
#include "microslip/modal/ringdown.hpp"
#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// [1/time]
struct Band {
  double low = 0.0, high = 0.0;
};

/// A record. Its signals are those of the modes, or, until the shapes are known, of the channels.
struct MeasuredMotion {
  std::string name;                    ///< for people: the file
  std::vector<ChannelUnit> units;      ///< that its file names
  std::vector<int> modes;              ///< numbers, from 1; one for a single channel; none of channels
  std::vector<std::string> channels;   ///< none of modes
  std::vector<SampledMotion> signals;  ///< one a mode or channel, from the start of the record
  std::vector<Band> bands;             ///< of the modes; empty: none are known
  bool single_channel = false;
  bool by_shapes = false;            ///< filtered by shapes at the channels, or to be
  bool unit_modal_mass = true;       ///< of these shapes; else their largest component is 1
  bool channels_to_spare = true;     ///< more than modes: what these leave tells whether the channels fit
  std::optional<double> hit_end;     ///< when the forces in the table have fallen back after their first hit
  std::optional<double> second_hit;  ///< when they rise again
  std::vector<std::string> notes;    ///< of channels that do not fit
  bool no_hit_found = false;         ///< there are forces, but no hit that is over 16 samples before the end
};

/// Keys `data` (a file or a list), `channels`, `quantity`, and one of `channel`, `shapes`, `from` or none: then every
/// degree of freedom is a channel and the filter is phi^T M; with `from` the channels are kept as they are. A channel
/// is named as it is, or q[name], v[name], a[name] like the columns of a transient. Columns f[..] (but for f[x] beside
/// u[x], a joint) and those that begin with "force" are forces of a hit (force_hits.hpp).
[[nodiscard]] std::vector<MeasuredMotion> read_measured_motions(const TableReader& reader, const System& system);

/// From channels to modes by the pseudo-inverse of the shapes, their real parts, without channels that are dead; what
/// is dead, clipped or does not fit to the shapes is noted. Throws std::invalid_argument where a channel is missing or
/// the shapes cannot be told apart.
[[nodiscard]] MeasuredMotion filtered_by(const MeasuredModes& modes, const MeasuredMotion& channels);

/// A band for each mode: up to half-way to its neighbours and 30 % of its frequency, below 0.45 of the sampling rate.
/// Empty unless every frequency is known and below that.
[[nodiscard]] std::vector<Band> bands_between(const Eigen::VectorXd& frequency_hz, double step);

}  // namespace microslip
