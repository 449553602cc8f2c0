#pragma once
// Numbers and counts in sentences for people.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/amplitude_span.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/system/unit_labels.hpp"

namespace microslip::words {

/// A number for people: engineering notation, four digits.
[[nodiscard]] std::string number(double value);
/// With its unit, in the user's labels; without where the study names none.
[[nodiscard]] std::string quantity(double value, std::string_view unit, const UnitLabels& units);
/// "12.3 Hz" where the unit of time is "s", else "12.3 per h".
[[nodiscard]] std::string frequency_text(double per_time, const UnitLabels& units);
/// "173.061 ± 0.018", "(617 ± 29)×10⁻⁶": two digits of the error, and no more of the number than it leaves.
[[nodiscard]] std::string with_error(double value, double error);
[[nodiscard]] std::string frequency_text(double per_time, double error, const UnitLabels& units);
/// "3 %", of a share.
[[nodiscard]] std::string percent(double share);
/// "1 point", "2 points".
[[nodiscard]] std::string count_of(long count, std::string_view what);

/// What to say of an analysis that gave nothing.
[[nodiscard]] std::string no_result(const AnalysisSummary& summary);

/// "Mode 2's frequency falls from 4.98 to 4.91 Hz between amplitudes of 0.01 and 2, its damping ratio rises from 1e-4
/// to 2e-3."
[[nodiscard]] std::string amplitude_words(const AmplitudeSpan& span, std::string_view amplitude_unit,
                                          const UnitLabels& units);
/// The sentences of the first few of a list of modes.
[[nodiscard]] std::string amplitude_words_of_all(std::span<const AmplitudeSpan> modes, std::string_view amplitude_unit,
                                                 const UnitLabels& units);
/// " 3 more modes are in the table.", of those behind the first few; else empty.
[[nodiscard]] std::string more_modes(std::size_t modes);
/// Modes of which sentences tell.
inline constexpr std::size_t modes_in_words = 4;

/// Numbers from 0 -> from 1.
[[nodiscard]] std::vector<int> numbers_from_one(std::vector<int> modes);
/// "mode 2", "modes 1, 3".
[[nodiscard]] std::string mode_list(const std::vector<int>& numbers);

}  // namespace microslip::words
