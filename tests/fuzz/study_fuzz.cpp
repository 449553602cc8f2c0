// Study files, up to a system and analyses that have been checked; nothing is run. The study lies in a folder with a
// few small files that it may name; inputs that could name others are left out.

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz_target.hpp"
#include "microslip/study/study.hpp"
#include "microslip/toml/toml_document.hpp"

using namespace microslip;

namespace {

/// A folder of its own that goes with the program.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "study-fuzz-XXXXXX").string();
    fuzz::must_hold(mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
    path_ = name;
    write("K.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 20\n2 1 -10\n2 2 10\n");
    write("M.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n");
    write("dofs.txt", "a\nb\n");
    write("nodes.csv", "dof,x,y,z\na,0,0,0\nb,1,0,0\n");
    write("curve.csv", "u,f\n1,1\n2,1.5\n3,1.75\n");
    write("time.csv", "time,force\n0,0\n0.1,1\n0.2,0\n");
    std::string hit = "time,force,1.y,2.-y\n";
    for (int i = 0; i < 100; ++i) hit += std::to_string(i) + (i == 40 ? ",5," : ",0,") + std::to_string(i % 7) + ",1\n";
    write("hit.csv", hit.c_str());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string study() const { return (path_ / "study.toml").string(); }

 private:
  void write(const char* name, const char* text) const { std::ofstream(path_ / name) << text; }

  std::filesystem::path path_;
};

bool may_name_a_file_elsewhere(const TomlValue& value) {
  return value.text.find('/') != std::string::npos || value.text.find("..") != std::string::npos ||
         std::any_of(value.items.begin(), value.items.end(), may_name_a_file_elsewhere) ||
         std::any_of(value.entries.begin(), value.entries.end(),
                     [](const TomlValue::Entry& entry) { return may_name_a_file_elsewhere(entry.value); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string text(fuzz::text_of(data, size));
  try {
    if (may_name_a_file_elsewhere(parse_toml(text, folder.study()).root)) return -1;
    const Study study = parse_study(text, folder.study());
    for (const AnalysisPointer& analysis : study.analyses) {
      fuzz::must_hold(!analysis->describe().empty(), "it can be described");
    }
  } catch (const StudyError& error) {
    fuzz::must_hold(error.position().line > 0, "a mistake has a line");
  }
  return 0;
}
