// Expressions of `microslip trials --where`: rows of the table, or a complaint; the database stays as it is.

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "fuzz_target.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/trials/trial_query.hpp"
#include "microslip/trials/trial_store.hpp"

namespace {

/// A database of five trials, gone at the end of the program.
struct Database {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("microslip-where-fuzz-" + std::to_string(getpid()));
  std::string path = (folder / "grid-trials.db").string();
  std::string bytes;

  Database() {
    using namespace microslip;
    std::filesystem::create_directories(folder);
    {
      TrialStore store = TrialStore::make(path, {"grid", "identity", "zeta", 5, {{"joint.lap.KT", "", "varied"}}});
      const auto columns = std::make_shared<const std::vector<Column>>(std::vector<Column>{{"zeta", "", ""}});
      for (std::size_t i = 0; i < 5; ++i) {
        const double value = static_cast<double>(i);
        const TrialRow row{Ending::completed, "", columns, {0.5 * value}};
        const TrialEntry entry{i, 0.0, {&value, 1}, &row};
        store.write({&entry, 1});
      }
    }
    bytes = read_text_file(path);
  }
  ~Database() { std::filesystem::remove_all(folder); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace microslip;
  using fuzz::must_hold;
  static const Database database;
  TrialQuery query;
  query.where = fuzz::text_of(data, size);
  try {
    const TrialTable table = query_trials(database.path, query);
    must_hold(table.rows.size() <= 5, "no more rows than there are");
    for (const auto& row : table.rows) {
      must_hold(row.size() == 5 && row[0].number, "rows of the table");
    }
  } catch (const std::invalid_argument&) {
  }
  must_hold(read_text_file(database.path) == database.bytes, "nothing is written");
  return 0;
}
