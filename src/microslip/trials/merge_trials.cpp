#include "microslip/trials/merge_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "microslip/io/input_error.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/trials/trial_files.hpp"

namespace microslip {
namespace {

/// Databases of one analysis.
struct Sources {
  std::vector<std::string> own, others;  ///< paths: in the directory, and elsewhere
};

void find_databases(const std::string& directory, bool own, std::map<std::string, Sources>& found) {
  std::error_code error;
  std::filesystem::directory_iterator entries(directory, error);
  if (error) throw InputError({directory, 0, 0}, "cannot be read: " + error.message());
  std::vector<std::string> files;
  for (const auto& entry : entries) files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    const std::optional<std::string> name = analysis_of_trials(file);
    if (!name || (own && file == trial_file(*name))) continue;
    Sources& sources = found[*name];
    (own ? sources.own : sources.others).push_back(file_in(directory, file));
  }
}

/// Whose trials they are: all of one study. Nothing: of processes that were killed at once.
std::optional<TrialDescription> common_description(const std::vector<std::string>& paths) {
  std::optional<TrialDescription> common;
  std::string first;
  for (const std::string& path : paths) {
    const TrialStore store = TrialStore::open(path);
    if (store.empty()) continue;
    const TrialDescription& own = store.description();
    if (!common) common = own, first = path;
    common->count = std::max(common->count, own.count);
    if (own.identity == common->identity) continue;
    throw InputError({path, 0, 0}, fmt::format("holds trials of another study than {}, of this one before a change, or "
                                               "of another build of the program; remove those that are old",
                                               first));
  }
  return common;
}

/// One database at a time is open besides the whole.
void merge_into(const std::string& whole, const TrialDescription& description, const std::vector<std::string>& paths,
                MergedTrials& result) {
  std::optional<TrialStore> target;
  if (std::filesystem::exists(whole)) target = TrialStore::open(whole);
  if (!target || target->empty()) {
    target.reset();
    remove_trials(whole);
    target = TrialStore::make(whole, description);
  }
  target->update(description);
  for (const std::string& path : paths) {
    if (path == whole) continue;
    TrialStore source = TrialStore::open(path);
    if (!source.empty()) target->copy(source);
  }
  result.trials = target->rows();
  result.of = description.count;
}

/// With the database of the whole, if it is there.
std::vector<std::string> all_of(const Sources& sources, const std::string& whole) {
  std::vector<std::string> paths;
  if (std::filesystem::exists(whole)) paths.push_back(whole);
  paths.insert(paths.end(), sources.own.begin(), sources.own.end());
  paths.insert(paths.end(), sources.others.begin(), sources.others.end());
  return paths;
}

}  // namespace

std::vector<MergedTrials> merge_trials(const std::string& directory, std::span<const std::string> others) {
  std::map<std::string, Sources> found;
  find_databases(directory, true, found);
  for (const std::string& other : others) find_databases(other, false, found);
  if (found.empty()) {
    throw InputError({directory, 0, 0}, "there are no trials of shards (files like grid-trials-3-of-16.db)");
  }
  std::map<std::string, std::optional<TrialDescription>> descriptions;
  for (const auto& [name, sources] : found) {
    descriptions[name] = common_description(all_of(sources, file_in(directory, trial_file(name))));
  }
  std::vector<MergedTrials> merged;
  for (const auto& [name, sources] : found) {
    MergedTrials& result = merged.emplace_back();
    result.file = trial_file(name);
    result.sources = sources.own.size() + sources.others.size();
    const std::string whole = file_in(directory, result.file);
    if (descriptions[name]) merge_into(whole, *descriptions[name], all_of(sources, whole), result);
    for (const std::string& path : sources.own) remove_trials(path);
  }
  return merged;
}

}  // namespace microslip
