#include "microslip/trials/trial_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "microslip/io/input_error.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr std::string_view stem = "-trials", extension = ".db";

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "-3-of-16"
bool is_share(std::string_view text) {
  const std::size_t of = text.find("-of-");
  return text.starts_with("-") && of != std::string_view::npos && all_digits(text.substr(1, of - 1)) &&
         all_digits(text.substr(of + 4));
}

/// "-rank-2"
bool is_rank(std::string_view text) {
  return text.starts_with("-rank-") && all_digits(text.substr(6));
}

/// Files called NAME-trials, a part that `fits`, .db.
template <class Fits>
std::vector<std::string> files_in(const std::string& directory, const std::string& name, const Fits& fits) {
  std::vector<std::string> paths;
  const std::string begin = name + std::string(stem);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(begin) || !file.ends_with(extension)) continue;
    const std::string_view part = std::string_view(file).substr(
        begin.size(), file.size() - std::min(file.size(), begin.size() + extension.size()));
    if (fits(part)) paths.push_back(file_in(directory, file));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string duration(double seconds) {
  return seconds < 7200.0 ? fmt::format("{:.0f} min", seconds / 60.0) : fmt::format("{:.1f} h", seconds / 3600.0);
}

}  // namespace

std::string trial_file(const std::string& name) {
  return fmt::format("{}{}{}", name, stem, extension);
}

std::string share_file(const std::string& name, const TrialShare& share) {
  if (share.all()) return trial_file(name);
  return fmt::format("{}{}-{}-of-{}{}", name, stem, share.number, share.of, extension);
}

std::string rank_file(const std::string& name, int rank) {
  return fmt::format("{}{}-rank-{}{}", name, stem, rank, extension);
}

std::vector<std::string> rank_files_in(const std::string& directory, const std::string& name) {
  return files_in(directory, name, is_rank);
}

std::vector<std::string> share_files_in(const std::string& directory, const std::string& name) {
  return files_in(directory, name, is_share);
}

std::optional<std::string> analysis_of_trials(const std::string& file) {
  if (!file.ends_with(extension)) return std::nullopt;
  const std::string_view whole = std::string_view(file).substr(0, file.size() - extension.size());
  const std::size_t at = whole.rfind(stem);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  const std::string_view part = whole.substr(at + stem.size());
  if (!part.empty() && !is_share(part) && !is_rank(part)) return std::nullopt;
  return std::string(whole.substr(0, at));
}

std::optional<TrialStore> open_kept(const std::string& path, const std::string& place, const std::string& identity) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return std::nullopt;
  if (!std::filesystem::is_regular_file(status)) throw InputError({path, 0, 0}, "is no file");
  std::optional<TrialStore> store;
  try {
    store = TrialStore::open(path);
  } catch (const InputError& wrong) {
    throw InputError(wrong.position(), fmt::format("{}; --fresh throws it away ({})", wrong.message(), place));
  }
  if (store->empty()) return std::nullopt;
  if (store->description().identity == identity) return store;
  if (store->seconds() < cheap_seconds) return std::nullopt;
  throw InputError({path, 0, 0},
                   fmt::format("holds {} trials of another study, of this one before a change, or of another build of "
                               "the program, which took {} of a processor; --fresh throws them away, another --out "
                               "keeps them ({})",
                               store->rows(), duration(store->seconds()), place));
}

}  // namespace microslip
