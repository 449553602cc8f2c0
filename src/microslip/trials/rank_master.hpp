#pragma once
// Rank 0: hands out blocks of chains, does its own, gathers the rows of all.

#include <exception>
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

class RankMaster {
 public:
  RankMaster(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
             const MakeTrialWorker& make_worker, const Observer& observer);

  /// Throws what went wrong here or on another rank, when all have finished.
  [[nodiscard]] TrialOutcome run();

 private:
  struct Helper {
    std::size_t threads = 0;  ///< 0: it has not said
    bool done = false;
    TrialUnpacker unpacker;
  };

  void begin(const Observer& observer);
  void work();
  void lead(const TrialCrew& crew);
  [[nodiscard]] bool listen();
  void take(const RankMessage& message);
  void greet(Helper& helper, ByteReader& bytes);
  void take_rows(Helper& helper, ByteReader& bytes);
  void hand_out(int rank, std::size_t idle);
  void feed_own();
  void stop_all();
  void fail(const std::string& text);
  /// For a rank with so many threads, of which some wait.
  [[nodiscard]] std::size_t block_size(std::size_t threads, std::size_t idle) const;
  [[nodiscard]] bool all_done() const;

  const TrialPlan* plan_;
  const TrialSetting* setting_;
  const TrialOptions* options_;
  const MakeTrialWorker* make_worker_;
  Ranks* ranks_;
  std::size_t threads_;
  TrialState state_;
  std::vector<std::size_t> pending_;  ///< chains that nobody has, the next one last
  ChainQueue queue_;
  std::optional<TrialProgress> progress_;
  ChainPace pace_;
  std::optional<TrialKeeper> keeper_;
  std::vector<Helper> helpers_;  ///< by rank; that of rank 0 is not used
  bool stopping_ = false;
  std::exception_ptr error_;
};

}  // namespace microslip
