#include "microslip/trials/rank_trials.hpp"

#include "microslip/trials/rank_helper.hpp"
#include "microslip/trials/rank_master.hpp"

namespace microslip {

TrialOutcome run_on_ranks(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
                          const MakeTrialWorker& make_worker, const Observer& observer) {
  if (setting.ranks->rank() == 0) return RankMaster(plan, setting, options, make_worker, observer).run();
  return RankHelper(plan, setting, options, make_worker, observer).run();
}

}  // namespace microslip
