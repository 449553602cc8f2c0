#pragma once
// kind = "measured": the force of a record as a signal.

#include <string>

#include "microslip/system/signal.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// What is to be known of a signal beside its values.
struct SignalNotes {
  std::string file, channel;
  std::string unit;     ///< that the file names; empty: none
  bool scaled = false;  ///< by the study
  std::string text;     ///< for people; empty: nothing
};

/// Throws StudyError, InputError.
[[nodiscard]] TableSignal read_measured_signal(const TableReader& signal, SignalNotes& notes);

}  // namespace microslip
