#pragma once
// Frequency responses as the text of a table: frequency_hz, re[a/s], im[a/s], error[a/s].

#include <fmt/format.h>

#include <string>

#include "microslip/measurement/frequency_responses.hpp"

namespace microslip::testing {

inline std::string response_csv(const FrequencyResponses& responses) {
  std::string text = "frequency_hz";
  const bool errors = responses.error.size() > 0;
  for (const std::string& channel : responses.channels) {
    const std::string pair = channel + "/" + responses.reference;
    text += fmt::format(",re[{}],im[{}]", pair, pair);
    if (errors) text += fmt::format(",error[{}]", pair);
  }
  text += '\n';
  for (Eigen::Index k = 0; k < responses.frequency.size(); ++k) {
    text += fmt::format("{:.17g}", responses.frequency(k));
    for (Eigen::Index c = 0; c < responses.values.cols(); ++c) {
      text += fmt::format(",{:.17g},{:.17g}", responses.values(k, c).real(), responses.values(k, c).imag());
      if (errors) text += fmt::format(",{:.17g}", responses.error(k, c));
    }
    text += '\n';
  }
  return text;
}

}  // namespace microslip::testing
