#include "microslip/trials/run_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "microslip/io/input_error.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/trials/rank_trials.hpp"
#include "microslip/trials/ranks.hpp"
#include "microslip/trials/trial_crew.hpp"
#include "microslip/trials/trial_files.hpp"
#include "microslip/trials/trial_keeper.hpp"
#include "microslip/trials/trial_state.hpp"

namespace microslip {
namespace {

bool on_ranks(const TrialSetting& setting) {
  return setting.ranks != nullptr && setting.ranks->size() > 1;
}

/// Chains of this share go round like cards, so that dear ones are in all shares.
bool in_share(std::size_t chain, const TrialShare& share) {
  return chain % share.of == share.number - 1;
}

TrialOutcome run_alone(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
                       const MakeTrialWorker& make_worker, const Observer& observer) {
  TrialState state = begin_trials(plan, setting);
  const TrialChains chains(plan);
  ChainQueue queue;
  std::size_t own = 0, known = 0, waiting = 0;
  for (std::size_t chain = 0; chain < chains.size(); ++chain) {
    if (!in_share(chain, setting.share)) continue;
    const std::size_t trials = chains.end(chain) - chains.first(chain);
    const std::size_t done = state.known_of(chains.first(chain), chains.end(chain));
    own += trials, known += done;
    if (done < trials) queue.push(chain), ++waiting;
  }
  queue.close();
  if (options.seen) {
    for (std::size_t i = 0; i < plan.count; ++i) {
      if (state.known[i] != 0) options.seen(i, state.rows[i]);
    }
  }
  if (waiting > 0) {
    const std::size_t threads = std::clamp<std::size_t>(options.threads, 1, waiting);
    TrialProgress progress(observer, own, known, threads);
    TrialKeeper keeper(plan, state.rows, std::exchange(state.store, std::nullopt), options.seen);
    TrialCrew crew(
        {plan, make_worker, queue, progress, state.rows, state.known, [&](std::size_t trial, double seconds) {
           keeper.add(trial, seconds);
           if (keeper.failed()) progress.stop();
         }});
    crew.start(1, threads);
    crew.run(0);
    crew.join();
    keeper.finish();
  }
  TrialOutcome outcome = outcome_of(std::move(state));
  for (std::size_t chain = 0; chain < chains.size(); ++chain) {
    if (!in_share(chain, setting.share)) continue;
    const auto at = [&](std::size_t i) { return outcome.rows.begin() + static_cast<std::ptrdiff_t>(i); };
    outcome.part_done = outcome.part_done && std::all_of(at(chains.first(chain)), at(chains.end(chain)),
                                                         [](const TrialRow& row) { return row.finished(); });
  }
  return outcome;
}

}  // namespace

bool TrialSetting::makes_tables() const {
  return share.all() && (ranks == nullptr || ranks->rank() == 0);
}

TrialOutcome run_trials(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
                        const MakeTrialWorker& make_worker, const Observer& observer) {
  if (plan.count == 0) return {};
  if (!on_ranks(setting)) return run_alone(plan, setting, options, make_worker, observer);
  return run_on_ranks(plan, setting, options, make_worker, observer);
}

void check_trials(const TrialSetting& setting, const std::string& name, const std::string& place,
                  const std::string& identity) {
  if (setting.directory.empty() || setting.fresh) return;
  const auto kept = [&](const std::string& path) { return open_kept(path, place, identity).has_value(); };
  const auto in_directory = [&](const std::string& file) { return file_in(setting.directory, file); };
  static_cast<void>(kept(in_directory(share_file(name, setting.share))));
  if (!setting.share.all()) {
    static_cast<void>(kept(in_directory(trial_file(name))));
    return;
  }
  for (const std::string& path : rank_files_in(setting.directory, name)) static_cast<void>(kept(path));
  for (const std::string& path : share_files_in(setting.directory, name)) {
    if (!kept(path)) continue;
    throw InputError({path, 0, 0},
                     fmt::format("holds trials of a shard: when all of them are done, `microslip merge {}` puts "
                                 "them together; --fresh throws them away ({})",
                                 setting.directory, place));
  }
}

}  // namespace microslip
