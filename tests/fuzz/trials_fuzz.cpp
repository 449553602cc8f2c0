// Databases of trials: whatever bytes a file holds, rows with their columns or a complaint.

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "fuzz_target.hpp"
#include "microslip/io/input_error.hpp"
#include "microslip/io/write_file.hpp"
#include "microslip/trials/trial_query.hpp"
#include "microslip/trials/trial_store.hpp"

namespace {

/// Gone at the end of the program.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("microslip-trials-fuzz-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace microslip;
  using fuzz::must_hold;
  static const Folder folder;
  const std::string path = (folder.path / "grid-trials.db").string();
  write_file(path, fuzz::text_of(data, size));
  try {
    TrialStore store = TrialStore::open(path);
    const std::size_t parameters = store.description().parameters.size();
    if (!store.empty()) {
      store.read([&](const TrialEntry& entry, TrialRow&& row) {
        must_hold(entry.parameters.size() == parameters, "a row has all parameters");
        must_hold(row.finished(), "a row is finished");
        must_hold(row.values.size() == (row.columns ? row.columns->size() : 0), "a value for each column");
      });
    }
    const TrialTable table = query_trials(path, {});
    for (const auto& row : table.rows) must_hold(row.size() == table.columns.size(), "rows are of one length");
  } catch (const InputError&) {
  }
  remove_trials(path);
  return 0;
}
