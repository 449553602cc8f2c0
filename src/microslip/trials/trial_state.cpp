#include "microslip/trials/trial_state.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "microslip/io/text_file.hpp"
#include "microslip/trials/trial_files.hpp"

namespace microslip {
namespace {

TrialState empty_state(const TrialPlan& plan) {
  TrialState state;
  state.rows.resize(plan.count);
  state.known.resize(plan.count, 0);
  return state;
}

void take_in(TrialStore& store, TrialState& state) {
  store.read([&](const TrialEntry& entry, TrialRow&& row) {
    if (entry.trial >= state.rows.size()) return;
    state.rows[entry.trial] = std::move(row);
    state.known[entry.trial] = 1;
  });
}

void throw_old_away(const TrialPlan& plan, const TrialSetting& setting, const std::string& path) {
  remove_trials(path);
  if (!setting.share.all()) return;
  for (const std::string& other : rank_files_in(setting.directory, plan.name)) remove_trials(other);
  for (const std::string& other : share_files_in(setting.directory, plan.name)) remove_trials(other);
}

TrialStore open_or_make(const TrialPlan& plan, const std::string& path) {
  if (std::optional<TrialStore> kept = open_kept(path, plan.place, plan.identity)) {
    kept->update(description_of(plan));
    return std::move(*kept);
  }
  remove_trials(path);
  return TrialStore::make(path, description_of(plan));
}

}  // namespace

std::size_t TrialState::known_of(std::size_t first, std::size_t end) const {
  const auto at = [&](std::size_t i) { return known.begin() + static_cast<std::ptrdiff_t>(i); };
  return static_cast<std::size_t>(std::count(at(first), at(end), 1));
}

TrialState begin_trials(const TrialPlan& plan, const TrialSetting& setting) {
  TrialState state = empty_state(plan);
  if (setting.directory.empty()) return state;
  state.file = share_file(plan.name, setting.share);
  const std::string path = file_in(setting.directory, state.file);
  if (setting.fresh) throw_old_away(plan, setting, path);
  state.store = open_or_make(plan, path);
  take_in(*state.store, state);
  if (!setting.share.all()) {
    const std::string whole = file_in(setting.directory, trial_file(plan.name));
    std::optional<TrialStore> others;
    if (!setting.fresh) others = open_kept(whole, plan.place, plan.identity);
    if (others) take_in(*others, state);
    return state;
  }
  for (const std::string& left : rank_files_in(setting.directory, plan.name)) {
    if (std::optional<TrialStore> of_rank = open_kept(left, plan.place, plan.identity)) {
      state.store->copy(*of_rank);
      take_in(*of_rank, state);
    }
    remove_trials(left);
  }
  return state;
}

TrialState begin_trials_of_rank(const TrialPlan& plan, const TrialSetting& setting, int rank) {
  TrialState state = empty_state(plan);
  if (setting.directory.empty()) return state;
  state.file = rank_file(plan.name, rank);
  const std::string path = file_in(setting.directory, state.file);
  remove_trials(path);
  state.store = TrialStore::make(path, description_of(plan));
  return state;
}

TrialOutcome outcome_of(TrialState&& state) {
  TrialOutcome outcome;
  outcome.known = state.known_of(0, state.known.size());
  const auto finished =
      std::count_if(state.rows.begin(), state.rows.end(), [](const TrialRow& row) { return row.finished(); });
  outcome.computed = static_cast<std::size_t>(finished) - outcome.known;
  outcome.rows = std::move(state.rows);
  outcome.file = std::move(state.file);
  return outcome;
}

}  // namespace microslip
