// Trials that are kept: the same rows for any number of threads and shards and after any interruption.

#include "microslip/trials/run_trials.hpp"

#include "microslip/io/input_error.hpp"
#include "microslip/io/output_file.hpp"
#include "microslip/trials/merge_trials.hpp"
#include "microslip/trials/trial_files.hpp"
#include "unit/trials/trials_fixture.hpp"

namespace microslip {
namespace run_trials_test {

using namespace trials_test;

using RunTrials = TrialsTest;
using RunTrialsSlow = TrialsTest;

TrialOutcome run(const TrialPlan& plan, const TrialSetting& setting, std::size_t threads = 1,
                 const Observer& observer = {}, std::chrono::microseconds pause = {}) {
  TrialOptions options;
  options.threads = threads;
  return run_trials(plan, setting, options, workers(pause), observer);
}

/// Says stop at the n-th question.
Observer stop_after(int questions) {
  auto left = std::make_shared<std::atomic<int>>(questions);
  return [left](double) { return --*left > 0; };
}

TEST_F(RunTrials, TheSameRowsForAnyNumberOfThreads) {
  for (const std::size_t chain : {1U, 4U}) {
    const TrialPlan plan = plan_of(203, chain);
    const std::vector<TrialRow> expected = expected_rows(plan);
    for (const std::size_t threads : {1U, 2U, 7U, 500U}) {
      const TrialOutcome outcome = run(plan, {}, threads);
      EXPECT_TRUE(outcome.whole());
      EXPECT_EQ(outcome.computed, 203U);
      EXPECT_EQ(outcome.file, "");
      expect_same(outcome.rows, expected);
    }
  }
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(RunTrials, RowsComeBackFromTheDatabaseAsTheyWere) {
  const TrialPlan plan = plan_of(50, 4);
  EXPECT_EQ(run(plan, setting_).computed, 50U);
  EXPECT_EQ(files(), std::vector<std::string>{"grid-trials.db"});
  const MakeTrialWorker nobody = []() -> std::unique_ptr<TrialWorker> {
    throw std::logic_error("nothing is to be done");
  };
  std::size_t seen = 0;
  TrialOptions options;
  options.seen = [&](std::size_t trial, const TrialRow&) { EXPECT_EQ(trial, seen++); };
  const TrialOutcome again = run_trials(plan, setting_, options, nobody, {});
  EXPECT_EQ(again.known, 50U);
  EXPECT_EQ(again.computed, 0U);
  EXPECT_EQ(again.file, "grid-trials.db");
  EXPECT_EQ(seen, 50U);
  expect_same(again.rows, expected_rows(plan));
}

TEST_F(RunTrials, GoesOnWhereItWasStopped) {
  const TrialPlan plan = plan_of(90, 4);
  const std::vector<TrialRow> expected = expected_rows(plan);
  std::size_t before = 0, runs = 0;
  for (;; ++runs) {
    ASSERT_LT(runs, 100U);
    const TrialOutcome outcome = run(plan, setting_, 1 + runs % 3, stop_after(23));
    EXPECT_EQ(outcome.known, before);
    before += outcome.computed;
    for (const TrialRow& row : outcome.rows) {
      EXPECT_EQ(row.message == "not started", !row.finished());
    }
    if (!outcome.whole()) continue;
    expect_same(outcome.rows, expected);
    break;
  }
  EXPECT_GT(runs, 5U);
}

TEST_F(RunTrials, ProgressBeginsWithWhatIsKnown) {
  const TrialPlan plan = plan_of(40);
  EXPECT_LT(run(plan, setting_, 1, stop_after(60)).computed, 40U);
  const std::size_t known = run(plan, setting_, 1, stop_after(1)).known;
  ASSERT_GT(known, 0U);
  double first = -1.0, last = 0.0;
  static_cast<void>(run(plan, setting_, 1, [&](double fraction) {
    if (first < 0.0) first = fraction;
    EXPECT_GE(fraction, last);
    last = fraction;
    return true;
  }));
  EXPECT_EQ(first, static_cast<double>(known) / 40.0);
  EXPECT_EQ(last, 1.0);
}

TEST_F(RunTrials, ARowIsInTheDatabaseWithinATwentiethOfASecond) {
  const TrialPlan plan = plan_of(2);
  std::atomic<bool> written{false};
  // The second trial waits for the first to appear, as another process would see it.
  class Watcher final : public TrialWorker {
   public:
    Watcher(std::string path, std::atomic<bool>& written) : path_(std::move(path)), written_(&written) {}
    TrialRow compute(std::size_t trial, const Observer&) override {
      if (trial == 1) {
        // Twenty times as long: the disk has to turn as well, and others use it.
        for (int k = 0; k < 200 && !written_->load(); ++k) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          written_->store(TrialStore::open(path_).rows() == 1);
        }
      }
      return row_of(trial, 0.0);
    }

   private:
    std::string path_;
    std::atomic<bool>* written_;
  };
  const MakeTrialWorker make = [&] { return std::make_unique<Watcher>(file("grid-trials.db").string(), written); };
  EXPECT_TRUE(run_trials(plan, setting_, {}, make, {}).whole());
  EXPECT_TRUE(written.load());
}

TEST_F(RunTrials, TrialsOfAnotherStudyAreNotMixed) {
  TrialPlan plan = plan_of(20);
  static_cast<void>(run(plan, setting_));
  plan.identity = "fedcba9876543210";
  EXPECT_NO_THROW(check_trials(setting_, plan.name, plan.place, plan.identity));
  const TrialOutcome outcome = run(plan, setting_);  // what took a moment is not worth a question
  EXPECT_EQ(outcome.known, 0U);
  EXPECT_EQ(outcome.computed, 20U);
  // What took long is: 20 trials of a minute each.
  {
    Sqlite database(file("grid-trials.db").string(), Sqlite::Mode::write);
    database.run("UPDATE trials SET seconds = 60");
  }
  const TrialPlan first = plan_of(20);
  for (int k = 0; k < 2; ++k) {  // the refusal changes nothing
    try {
      if (k == 0) check_trials(setting_, first.name, first.place, first.identity);
      if (k == 1) static_cast<void>(run(first, setting_));
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(
          error.message(),
          "holds 20 trials of another study, of this one before a change, or of another build of the program, which "
          "took 20 min of a processor; --fresh throws them away, another --out keeps them (study.toml: test \"grid\")");
      EXPECT_EQ(error.position().file, file("grid-trials.db").string());
    }
  }
  EXPECT_EQ(run(plan, setting_).known, 20U);
  TrialSetting fresh = setting_;
  fresh.fresh = true;
  EXPECT_NO_THROW(check_trials(fresh, first.name, first.place, first.identity));
  EXPECT_EQ(run(first, fresh).computed, 20U);
  EXPECT_EQ(run(first, setting_).known, 20U);
}

TEST_F(RunTrials, MoreTrialsOfTheSamePlan) {
  static_cast<void>(run(plan_of(20), setting_));
  const TrialOutcome more = run(plan_of(35), setting_);
  EXPECT_EQ(more.known, 20U);
  expect_same(more.rows, expected_rows(plan_of(35)));
  const TrialOutcome less = run(plan_of(10), setting_);
  EXPECT_EQ(less.known, 10U);
  expect_same(less.rows, expected_rows(plan_of(10)));
  EXPECT_EQ(run(plan_of(35), setting_).known, 35U);
}

TEST_F(RunTrials, ShardsAndTheirMerge) {
  const TrialPlan plan = plan_of(101, 4);
  TrialSetting shard = setting_;
  shard.share.of = 3;
  std::size_t computed = 0;
  for (shard.share.number = 1; shard.share.number <= 3; ++shard.share.number) {
    EXPECT_FALSE(shard.makes_tables());
    const TrialOutcome stopped = run(plan, shard, 2, stop_after(30));
    const TrialOutcome rest = run(plan, shard, 2);
    EXPECT_EQ(rest.known, stopped.computed);
    computed += stopped.computed + rest.computed;
  }
  EXPECT_EQ(computed, 101U);
  EXPECT_THROW(check_trials(setting_, plan.name, plan.place, plan.identity), InputError);
  EXPECT_EQ(files().size(), 3U);
  const std::vector<MergedTrials> merged = merge_trials(setting_.directory, {});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].file, "grid-trials.db");
  EXPECT_EQ(merged[0].trials, 101U);
  EXPECT_EQ(merged[0].of, 101U);
  EXPECT_EQ(merged[0].sources, 3U);
  EXPECT_EQ(files(), std::vector<std::string>{"grid-trials.db"});
  EXPECT_NO_THROW(check_trials(setting_, plan.name, plan.place, plan.identity));
  const TrialOutcome whole = run(plan, setting_);
  EXPECT_EQ(whole.known, 101U);
  expect_same(whole.rows, expected_rows(plan));
}

TEST_F(RunTrials, ShardsOfDifferentStudiesAreNotMerged) {
  TrialPlan plan = plan_of(10);
  TrialSetting shard = setting_;
  shard.share = {1, 2};
  static_cast<void>(run(plan, shard));
  plan.identity = "another";
  shard.share = {2, 2};
  static_cast<void>(run(plan, shard));
  EXPECT_THROW(static_cast<void>(merge_trials(setting_.directory, {})), InputError);
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(RunTrials, MergeTakesFromOtherDirectoriesAndLeavesThem) {
  const TrialPlan plan = plan_of(30);
  TrialSetting here = setting_, there = setting_;
  here.share = {1, 2};
  there.share = {2, 2};
  there.directory = file("other").string();
  std::filesystem::create_directory(there.directory);
  static_cast<void>(run(plan, here));
  static_cast<void>(run(plan, there));
  const std::vector<std::string> others{there.directory};
  EXPECT_EQ(merge_trials(setting_.directory, others).at(0).trials, 30U);
  EXPECT_TRUE(std::filesystem::exists(file("other/grid-trials-2-of-2.db")));
  expect_same(run(plan, setting_).rows, expected_rows(plan));
}

TEST_F(RunTrials, AWorkersExceptionEndsTheRunAndKeepsTheRows) {
  class Breaks final : public TrialWorker {
   public:
    TrialRow compute(std::size_t trial, const Observer&) override {
      if (trial == 30) throw std::runtime_error("broken");
      return row_of(trial, 0.0);
    }
  };
  const TrialPlan plan = plan_of(60);
  EXPECT_THROW(static_cast<void>(run_trials(plan, setting_, {}, [] { return std::make_unique<Breaks>(); }, {})),
               std::runtime_error);
  EXPECT_EQ(run(plan, setting_).known, 30U);
}

TEST_F(RunTrialsSlow, ManyResultsHaveRoom) {
  // More than a table has columns, and another row after them.
  class Wide final : public TrialWorker {
   public:
    TrialRow compute(std::size_t trial, const Observer&) override {
      std::vector<std::string> names;
      for (int k = 0; k < 2500; ++k) names.push_back("r" + std::to_string(k));
      TrialRow row = row_of(0, 0.0);
      row.columns = trial == 0 ? columns_of(names) : columns_of({"late", "r1", "r2400"});
      row.values.clear();
      for (std::size_t k = 0; k < row.columns->size(); ++k) row.values.push_back(0.1 * static_cast<double>(k + trial));
      return row;
    }
  };
  const TrialPlan plan = plan_of(2);
  const MakeTrialWorker make = [] { return std::make_unique<Wide>(); };
  const TrialOutcome first = run_trials(plan, setting_, {}, make, {});
  const TrialOutcome second = run_trials(plan, setting_, {}, make, {});
  EXPECT_EQ(second.known, 2U);
  expect_same(second.rows, first.rows);
}

TEST_F(RunTrials, ADatabaseThatCannotBeWritten) {
  const TrialPlan plan = plan_of(10);
  TrialSetting nowhere;
  nowhere.directory = file("none").string();
  try {
    static_cast<void>(run(plan, nowhere));
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_EQ(error.what(), file("none/grid-trials.db").string() + ": cannot be written: No such file or directory");
  }
}

}  // namespace run_trials_test
}  // namespace microslip
