#pragma once
// A folder with the files of a study, gone after the test, and a valid study to spoil.

#include <string>

#include "microslip/study/study.hpp"
#include "support/folder_test.hpp"

namespace microslip::test {

class StudyFolder : public FolderTest {
 protected:
  [[nodiscard]] Study parse(const std::string& text) const { return parse_study(text, path("study.toml")); }

  /// The complaint with the folder taken out of the file names; empty when there is none.
  [[nodiscard]] std::string complaint(const std::string& text) const {
    try {
      static_cast<void>(parse(text));
    } catch (const StudyError& error) {
      return without_folder(error.what());
    }
    return "";
  }
};

/// Every section once; the lines are counted in the tests.
inline const std::string structure_text =
    "[structure]\n"
    "kind = \"lumped\"\n"
    "masses = [10.0, 10.0, 10.0]\n"
    "springs = [[\"ground\", \"1\", 9.0], [\"1\", \"2\", 9.0], [\"2\", \"3\", 9.0]]\n"
    "damping = { modal = 1e-4 }\n";  // 5 lines
inline const std::string joint_text =
    "[[joint]]\n"
    "name = \"lap\"\n"
    "between = [\"2\", \"3\"]\n"
    "law = \"iwan4\"\n"
    "FS = 10.0\n"
    "KT = 1.0\n"
    "chi = -0.5\n"
    "beta = 5\n";  // 8 lines
inline const std::string load_text =
    "[[load]]\n"
    "name = \"hit\"\n"
    "at = \"3\"\n"
    "signal = { kind = \"half_sine\", amplitude = 150.0, duration = 1.8 }\n";  // 4 lines
inline const std::string analysis_text =
    "[[analysis]]\n"
    "kind = \"transient\"\n"
    "name = \"ring\"\n"
    "load = \"hit\"\n"
    "duration = 2.0\n"
    "step = 0.1\n";

}  // namespace microslip::test
