#pragma once
// Frequency responses from files of others.

#include <optional>
#include <string>

#include "microslip/io/csv_table.hpp"
#include "microslip/io/universal_file.hpp"
#include "microslip/measurement/frequency_responses.hpp"

namespace microslip {

/// What a file may leave open.
struct ResponseFileFacts {
  std::optional<Quantity> quantity;
  std::string reference = "force";  ///< of a table, which names none
  double window_decay = 0.0;
};

/// Columns frequency_hz, re[..] and im[..] of every channel, and error[..]: standard deviation of real and of imaginary
/// part. Throws InputError.
[[nodiscard]] MeasuredResponses responses_of(const CsvTable& table, const ResponseFileFacts& facts);

/// Complex functions over frequency of datasets 58: channels by node and direction of the response, references by those
/// of the reference; the quantity by the kind of the ordinate, where the file says. Throws InputError.
[[nodiscard]] MeasuredResponses responses_of(const UniversalFile& content, const ResponseFileFacts& facts);

/// By what the file is.
[[nodiscard]] MeasuredResponses read_responses(const std::string& path, const ResponseFileFacts& facts);

}  // namespace microslip
