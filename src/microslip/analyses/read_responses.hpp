#pragma once
// Frequency responses from files: somebody else's, or those that an earlier run has written.
//
//   universal files: functions of dataset 58 of type 4 (frequency response, complex), coherences (type 6) beside them
//   tables:          frequency_hz, re[a/s], im[a/s] of response a to reference s; error[a/s] and coherence[a/s] as well

#include <string>
#include <string_view>

#include "microslip/measurement/frequency_responses.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// The files under `key` (a text or a list, whose responses are put together), with the names of `channels` and the
/// scales of both channels, response over reference. `quantity`: what the responses measure, where the files do not
/// say it. Frequencies are evenly spaced and the same in all. Channels that are not there for every reference are
/// refused. Throws StudyError.
[[nodiscard]] MeasuredResponses read_frequency_responses(const TableReader& reader, std::string_view key);

/// The same of the bytes of one file, a universal one or a table with commas.
[[nodiscard]] MeasuredResponses parse_frequency_responses(const TableReader& reader, std::string_view bytes,
                                                          const std::string& file);

}  // namespace microslip
