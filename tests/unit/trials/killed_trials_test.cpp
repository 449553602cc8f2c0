// A run that is killed loses no trial that was written, and the next one gives the same rows.

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include "microslip/trials/trial_store.hpp"
#include "unit/trials/trials_fixture.hpp"

namespace microslip {
namespace killed_trials_test {

using namespace trials_test;

class KilledTrials : public TrialsTest {
 protected:
  /// Runs the plan in a process of its own; true: it was done before it was killed.
  bool killed_after(const TrialPlan& plan, std::chrono::microseconds time) const {
    const pid_t child = fork();
    if (child == 0) {
      TrialOptions options;
      options.threads = 2;
      const TrialOutcome outcome = run_trials(plan, setting_, options, workers(std::chrono::microseconds(300)), {});
      _exit(outcome.whole() ? 0 : 1);
    }
    std::this_thread::sleep_for(time);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status)) return false;
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return true;
  }
  /// Trials in the database, after SQLite has looked at every page of it.
  [[nodiscard]] std::size_t written() const {
    if (!std::filesystem::exists(file("grid-trials.db"))) return 0;
    TrialStore store = TrialStore::open(file("grid-trials.db").string());
    return store.empty() ? 0 : store.rows();
  }
};

TEST_F(KilledTrials, AHundredKills) {
  // Chains of three, so that some are cut in the middle. A whole run takes 900 x 0.3 ms on two threads, 0.14 s at
  // least.
  const TrialPlan plan = plan_of(900, 3);
  const std::vector<TrialRow> expected = expected_rows(plan);
  std::mt19937 numbers(20);
  std::uniform_int_distribution<int> microseconds(0, 60'000);
  std::size_t before = 0, on_the_way = 0;
  for (int kills = 0; kills < 100;) {
    const bool done = killed_after(plan, std::chrono::microseconds(microseconds(numbers)));
    if (!done) ++kills;
    const std::size_t now = written();
    ASSERT_GE(now, before);
    if (!done && now > 0 && now < plan.count) ++on_the_way;
    before = now;
    if (!done && now < plan.count) continue;
    const TrialOutcome again = run_trials(plan, setting_, {}, workers(), {});
    EXPECT_EQ(again.known, plan.count);
    expect_same(again.rows, expected);
    std::filesystem::remove(file("grid-trials.db"));
    before = 0;
  }
  EXPECT_GT(on_the_way, 20U);
  const TrialOutcome last = run_trials(plan, setting_, {}, workers(), {});
  EXPECT_EQ(last.known, before);
  expect_same(last.rows, expected);
  EXPECT_EQ(files(), std::vector<std::string>{"grid-trials.db"});  // and no journal
}

}  // namespace killed_trials_test
}  // namespace microslip
