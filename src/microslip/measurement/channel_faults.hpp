#pragma once
// What is wrong with a channel as it was recorded.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "microslip/measurement/measured_record.hpp"

namespace microslip {

/// All values are the same: nothing was connected.
[[nodiscard]] bool is_dead(std::span<const double> values);

/// Of a record, by channel; those that it does not have are none.
[[nodiscard]] std::vector<bool> dead_channels(const MeasuredRecord& record);
/// "channel a is dead in record r (all of its values are the same): it is averaged over the others"; one that is dead
/// in all is left out.
void tell_dead(const MeasuredTest& test, const std::vector<std::vector<bool>>& dead, std::vector<std::string>& notes);

/// Samples at the largest or at the least value of all, where the amplifier or the converter was at its end: three or
/// more in a row, and more than twice as many as lie up to 3.5 counts below. (The round top of a signal of counts is at
/// its highest level for less time than at the three below, by sqrt(0.5) to sqrt(4) - sqrt(0.5); a cut one jumps past
/// them.) A level within a tenth of the range from the median is rest and counts as none, and so do channels of fewer
/// than 100 counts.
/// `deviation`: of the noise that comes in after the cut (of a converter behind an amplifier). Then also four samples
/// or more in a row within eight deviations of the largest or the least value, if the stretch within nine times that is
/// less than twice as long: the top of a parabola is three times as long there; a box, at rest on either side, is none.
/// Where eight deviations are more than 2 % of the range, noise hides tops and cuts alike.
[[nodiscard]] std::size_t clipped_samples(std::span<const double> values, double deviation = 0.0);

/// The least distance of two successive samples that differ: a count of the converter, or less; 0: they never do.
[[nodiscard]] double count_of(std::span<const double> values);

}  // namespace microslip
