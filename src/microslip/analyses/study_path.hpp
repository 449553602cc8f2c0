#pragma once
// A number of the study by its path, "joint.damper.fs", and the study with another value there.

#include <string>
#include <vector>

#include "microslip/toml/toml_document.hpp"

namespace microslip {

struct StudyPath {
  std::string path;
  FilePosition at;    ///< where it is written
  std::string where;  ///< begins messages
};

/// Puts a value at the path; missing tables on the way are made. `tree` holds the sections that a path may begin with.
/// Throws StudyError at the path where it leads nowhere.
void put_in_study(TomlValue& tree, const StudyPath& path, const std::vector<std::string>& sections,
                  const TomlValue& value);

}  // namespace microslip
