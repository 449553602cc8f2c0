#pragma once
// One record of a test: the force of a hammer or shaker and what moves, evenly sampled.

#include <cstddef>
#include <string>
#include <vector>

namespace microslip {

struct MeasuredRecord {
  std::string name;    ///< for people: the file
  double start = 0.0;  ///< [time]
  double step = 0.0;   ///< [time]
  std::string reference;
  std::vector<double> force;                   ///< at the reference
  std::vector<std::vector<double>> responses;  ///< one a channel of the test; empty where the record has none of it

  [[nodiscard]] double time(std::size_t sample) const { return start + step * static_cast<double>(sample); }
};

/// Records of one structure, of equal steps.
struct MeasuredTest {
  std::vector<std::string> channels;  ///< of the responses
  std::vector<MeasuredRecord> records;
};

}  // namespace microslip
