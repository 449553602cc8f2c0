// Ranks, here as threads with letter boxes: the same rows for any number of them, and what they leave when one breaks.

#include <deque>
#include <mutex>
#include <thread>

#include "microslip/io/output_file.hpp"
#include "microslip/trials/ranks.hpp"
#include "microslip/trials/run_trials.hpp"
#include "microslip/trials/trial_files.hpp"
#include "unit/trials/trials_fixture.hpp"

namespace microslip {
namespace rank_trials_test {

using namespace trials_test;

struct LetterBox {
  std::mutex mutex;
  std::deque<RankMessage> letters;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(int rank, std::deque<LetterBox>& boxes) : rank_(rank), boxes_(&boxes) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(boxes_->size()); }
  void abort(int) override {}
  void send(int to, std::string_view bytes) override {
    LetterBox& box = (*boxes_)[static_cast<std::size_t>(to)];
    const std::lock_guard lock(box.mutex);
    box.letters.push_back({rank_, std::string(bytes)});
  }
  [[nodiscard]] std::optional<RankMessage> receive() override {
    LetterBox& box = (*boxes_)[static_cast<std::size_t>(rank_)];
    const std::lock_guard lock(box.mutex);
    if (box.letters.empty()) return std::nullopt;
    RankMessage letter = std::move(box.letters.front());
    box.letters.pop_front();
    return letter;
  }

 private:
  int rank_;
  std::deque<LetterBox>* boxes_;
};

struct RankResult {
  TrialOutcome outcome;
  std::string error;
};

class RankTrials : public TrialsTest {
 protected:
  /// `observers` of ranks, as many as there are; others have none.
  std::vector<RankResult> run(const std::function<TrialPlan(int rank)>& plan, std::size_t ranks, std::size_t threads,
                              const MakeTrialWorker& make, const std::vector<Observer>& observers = {}) const {
    std::deque<LetterBox> boxes(ranks);
    std::vector<RankResult> results(ranks);
    std::vector<std::thread> all;
    for (std::size_t k = 0; k < ranks; ++k) {
      all.emplace_back([&, k] {
        ThreadRanks own(static_cast<int>(k), boxes);
        TrialSetting setting = setting_;
        setting.ranks = &own;
        TrialOptions options;
        options.threads = threads;
        try {
          const Observer observer = k < observers.size() ? observers[k] : Observer();
          results[k].outcome = run_trials(plan(static_cast<int>(k)), setting, options, make, observer);
        } catch (const std::exception& error) {
          results[k].error = error.what();
        }
      });
    }
    for (std::thread& one : all) one.join();
    for (const LetterBox& box : boxes) EXPECT_TRUE(box.letters.empty());  // nothing waits for the next run
    return results;
  }
  std::vector<RankResult> run(const TrialPlan& plan, std::size_t ranks, std::size_t threads = 1,
                              const std::vector<Observer>& observers = {}, std::chrono::microseconds pause = {}) const {
    return run([&](int) { return plan; }, ranks, threads, workers(pause), observers);
  }
};

TEST_F(RankTrials, TheSameRowsForAnyNumberOfRanks) {
  const TrialPlan plan = plan_of(157, 4);
  for (const std::size_t ranks : {1U, 2U, 3U, 8U}) {
    const std::vector<RankResult> results = run(plan, ranks, 1 + ranks % 2, {}, std::chrono::microseconds(200));
    EXPECT_EQ(results[0].error, "");
    EXPECT_TRUE(results[0].outcome.whole());
    EXPECT_EQ(results[0].outcome.computed, 157U);
    expect_same(results[0].outcome.rows, expected_rows(plan));
    EXPECT_EQ(files(), std::vector<std::string>{"grid-trials.db"});
    if (ranks > 2) {
      std::size_t by_others = 0;  // these did something
      for (std::size_t k = 1; k < ranks; ++k) by_others += results[k].outcome.computed;
      EXPECT_GT(by_others, 0U);
    }
    EXPECT_EQ(run(plan, ranks)[0].outcome.known, 157U);
    std::filesystem::remove(file("grid-trials.db"));
  }
}

TEST_F(RankTrials, InMemory) {
  setting_.directory.clear();
  const TrialPlan plan = plan_of(40);
  expect_same(run(plan, 3)[0].outcome.rows, expected_rows(plan));
}

TEST_F(RankTrials, AnyRankMaySayStop) {
  const TrialPlan plan = plan_of(400, 4);
  const auto stop_soon = [] {
    auto left = std::make_shared<std::atomic<int>>(30);
    return Observer([left](double) { return --*left > 0; });
  };
  std::size_t known = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<Observer> observers(3);
    observers[k] = stop_soon();
    const TrialOutcome outcome = run(plan, 3, 1, observers, std::chrono::microseconds(500))[0].outcome;
    EXPECT_FALSE(outcome.whole());
    EXPECT_EQ(outcome.known, known);
    known += outcome.computed;
    EXPECT_EQ(files(), std::vector<std::string>{"grid-trials.db"});
  }
  const TrialOutcome rest = run(plan, 2)[0].outcome;
  EXPECT_EQ(rest.known, known);
  expect_same(rest.rows, expected_rows(plan));
}

TEST_F(RankTrials, WhatAKilledRankHasLeftIsTakenIn) {
  const TrialPlan plan = plan_of(60);
  // As if ranks 1 and 2 of a run had been killed: their rows are in their own databases only.
  for (const std::size_t trial : {7U, 12U}) {
    TrialStore store = TrialStore::make(file(rank_file("grid", trial == 7 ? 1 : 2)).string(), description_of(plan));
    const TrialRow row = expected_rows(plan)[trial];
    double parameters[3];
    plan.parameters_of(trial, parameters);
    const TrialEntry entry{trial, 0.1, parameters, &row};
    store.write({&entry, 1});
  }
  const TrialOutcome outcome = run_trials(plan, setting_, {}, workers(), {});
  EXPECT_EQ(outcome.known, 2U);
  EXPECT_EQ(files(), std::vector<std::string>{"grid-trials.db"});
  expect_same(outcome.rows, expected_rows(plan));
  EXPECT_EQ(run_trials(plan, setting_, {}, workers(), {}).known, 60U);
}

TEST_F(RankTrials, ARankThatCannotWriteEndsTheRun) {
  const TrialPlan plan = plan_of(100);
  std::filesystem::create_directories(file("grid-trials-rank-2.db") / "x");  // in the way
  const std::vector<RankResult> results = run(plan, 3, 1, {}, std::chrono::milliseconds(2));
  // Rank 0 would remove what an earlier run has left, and refuses what is no file.
  EXPECT_NE(results[0].error.find("grid-trials-rank-2.db: is no file"), std::string::npos) << results[0].error;
  EXPECT_EQ(run_trials(plan, TrialSetting{}, {}, workers(), {}).computed, 100U);
}

TEST_F(RankTrials, AWorkersExceptionIsToldByRank0) {
  class Breaks final : public TrialWorker {
   public:
    TrialRow compute(std::size_t trial, const Observer&) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (trial == 90) throw std::runtime_error("broken");
      return row_of(trial, 0.0);
    }
  };
  const TrialPlan plan = plan_of(100);
  const std::vector<RankResult> results =
      run([&](int) { return plan; }, 3, 1, [] { return std::make_unique<Breaks>(); });
  EXPECT_NE(results[0].error.find("broken"), std::string::npos);
  const TrialOutcome rest = run_trials(plan, setting_, {}, workers(), {});  // what was finished is not lost
  EXPECT_GT(rest.known, 0U);
  EXPECT_TRUE(rest.whole());
}

TEST_F(RankTrials, RanksWithDifferentStudiesStop) {
  const auto plan = [](int rank) {
    TrialPlan own = plan_of(50);
    if (rank == 1) own.identity = "another";
    return own;
  };
  const std::vector<RankResult> results = run(plan, 2, 1, workers());
  EXPECT_EQ(results[0].error, "the ranks have read different studies, or are different builds of the program");
}

}  // namespace rank_trials_test
}  // namespace microslip
