#pragma once
// A folder with the files of a study, gone after the test; complaints and the places they point at; a valid study to
// spoil.

#include <algorithm>
#include <string>

#include "microslip/study/study.hpp"
#include "support/folder_test.hpp"

namespace microslip::test {

/// Stands in a text where a complaint must point: `FS = »-3`.
inline const std::string mark = "»";

struct MarkedText {
  std::string text;   ///< without the mark
  std::string place;  ///< of the mark, "FILE:LINE:COLUMN: "; empty where there is none
};

/// Takes out the mark, of which there may be one. Columns are bytes: what stands before it in its line is ASCII.
inline MarkedText without_mark(std::string text, const std::string& file) {
  const auto at = text.find(mark);
  if (at == std::string::npos) return {text, ""};
  text.erase(at, mark.size());
  EXPECT_EQ(text.find(mark), std::string::npos) << "two marks:\n" << text;
  const std::string before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return {text, file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": "};
}

/// `text` with `with` instead of the first `what`, which must be there.
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  if (at == std::string::npos) {
    ADD_FAILURE() << "no " << what << " in\n" << text;
    return text;
  }
  return text.replace(at, what.size(), with);
}

/// `text` with the mark before the first `what`: most often a header, at which complaints about missing keys point.
inline std::string marked_at(const std::string& text, const std::string& what) {
  return replaced(text, what, mark + what);
}

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

  /// The whole complaint is the place of the mark and the message. Without a mark the message is all of it: one about
  /// another file, or none.
  void expect_complaint(const std::string& marked, const std::string& message) const {
    const auto [text, place] = without_mark(marked, "study.toml");
    EXPECT_EQ(complaint(text), place + message) << marked;
  }

  /// The same for the beginning of a complaint.
  void expect_complaint_begins(const std::string& marked, const std::string& message) const {
    const auto [text, place] = without_mark(marked, "study.toml");
    const std::string said = complaint(text), expected = place + message;
    EXPECT_EQ(said.substr(0, expected.size()), expected) << marked << "\n" << said;
  }

  /// Writes a file without its mark; gives the place.
  [[nodiscard]] std::string write_marked(const std::string& name, const std::string& marked) const {
    const auto [text, place] = without_mark(marked, name);
    write(name, text);
    return place;
  }
};

/// Every section once.
inline const std::string structure_text = R"(
[structure]
kind = "lumped"
masses = [10.0, 10.0, 10.0]
springs = [["ground", "1", 9.0], ["1", "2", 9.0], ["2", "3", 9.0]]
damping = { modal = 1e-4 }
)";
inline const std::string joint_text = R"(
[[joint]]
name = "lap"
between = ["2", "3"]
law = "iwan4"
FS = 10.0
KT = 1.0
chi = -0.5
beta = 5
)";
inline const std::string load_text = R"(
[[load]]
name = "hit"
at = "3"
signal = { kind = "half_sine", amplitude = 150.0, duration = 1.8 }
)";
inline const std::string analysis_text = R"(
[[analysis]]
kind = "transient"
name = "ring"
load = "hit"
duration = 2.0
step = 0.1
)";

/// Other loads of the same structure.
inline const std::string light_hit_text = replaced(load_text, "150.0", "10.0");
inline const std::string shaker_text = R"(
[[load]]
name = "shaker"
at = "3"
signal = { kind = "sine", amplitude = 2.0, omega = 1.0 }
)";

/// Shetty, Paper I, Table 1: an oscillator with an Iwan joint, phi_max = 1.8225 mm.
inline const std::string oscillator_text = R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 3.55e4]]
damping = { modal = 1e-4 }
[[joint]]
name = "lap"
between = ["ground", "1"]
law = "iwan4"
FS = 100.0
KT = 6.32e4
chi = -0.75
beta = 5
)";

/// One mass with dry friction: Altamirano, section 3.1.
inline const std::string dry_mass_text = R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 50.0]]
dampers = [["ground", "1", 1.0]]
[[joint]]
name = "damper"
between = ["ground", "1"]
law = "coulomb"
normal = 9.5
mu_s = 0.4
mu_k = 0.2
[[load]]
name = "force"
at = "1"
signal = { kind = "sine", amplitude = 4.0, omega = 8.0 }
)";

}  // namespace microslip::test
