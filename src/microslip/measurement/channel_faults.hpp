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

/// Samples at the largest or at the least value of all, where the amplifier or the converter was at its end:
/// - three or more in a row at that value, from which the next ones fall farther than from a round top, or farther than
///   from one without noise, where noise makes so many samples equal by a chance of less than 1e-6;
/// - four or more in a row within a count and eight deviations of it, if the stretch within nine times that is less
///   than twice as long: the top of a parabola is three times as long there; a box, at rest on either side, is none.
/// `deviation`: of the noise, which may come in after the cut (of a converter behind an amplifier); `fresh`: of what
/// each sample of it brings that those before do not tell, 0: not known, then no chance is taken for small. Where a
/// count and eight deviations are more than 2 % of the range, noise hides tops and cuts alike. A level within a tenth
/// of the range from the median is rest and counts as none, and so do channels of fewer than 100 counts. A pulse that
/// is flat by itself cannot be told from one that is cut.
[[nodiscard]] std::size_t clipped_samples(std::span<const double> values, double deviation = 0.0, double fresh = 0.0);

/// The least distance of two successive samples that differ: a count of the converter, or less; 0: they never do.
[[nodiscard]] double count_of(std::span<const double> values);

}  // namespace microslip
