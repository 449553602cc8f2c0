#pragma once
// Every complaint about a study and the files it names: "study.toml:12:8: joint "lap": FS must be > 0, got -3".

#include "microslip/io/input_error.hpp"

namespace microslip {

class StudyError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace microslip
