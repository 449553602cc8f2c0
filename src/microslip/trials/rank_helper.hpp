#pragma once
// A rank that does the chains that rank 0 hands out.

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "microslip/trials/chain_pace.hpp"
#include "microslip/trials/rank_messages.hpp"
#include "microslip/trials/ranks.hpp"
#include "microslip/trials/run_trials.hpp"
#include "microslip/trials/trial_crew.hpp"
#include "microslip/trials/trial_keeper.hpp"
#include "microslip/trials/trial_packet.hpp"
#include "microslip/trials/trial_state.hpp"

namespace microslip {

class RankHelper {
 public:
  RankHelper(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
             const MakeTrialWorker& make_worker, const Observer& observer);

  /// Throws what went wrong here; rank 0 knows of it then.
  [[nodiscard]] TrialOutcome run();

 private:
  void say_hello();
  [[nodiscard]] RankMessage wait_for_message();
  void work();
  void listen(TrialCrew& crew);
  void take(const RankMessage& message);
  void ask();
  void send_rows();
  void send(RankWord word) { ranks_->send(0, std::string(1, static_cast<char>(word))); }
  void wait_for_end();

  const TrialPlan* plan_;
  const TrialSetting* setting_;
  const MakeTrialWorker* make_worker_;
  Ranks* ranks_;
  std::size_t threads_;
  TrialState state_;
  ChainQueue queue_;
  TrialProgress progress_;
  ChainPace pace_;
  TrialPacker packer_;
  std::mutex mutex_;
  std::vector<std::pair<std::size_t, double>> outbox_;  ///< finished trials that rank 0 does not know, their seconds
  std::chrono::steady_clock::time_point sent_;
  bool asked_ = true, closed_ = false, told_stop_ = false;
};

}  // namespace microslip
