#pragma once
// Plans whose rows are known in closed form, and a folder for their databases.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "microslip/trials/run_trials.hpp"

namespace microslip::trials_test {

/// Made before each test and gone after it.
class TrialsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "microslip-trials-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setting_.directory = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  std::filesystem::path folder_;
  TrialSetting setting_;
};

inline TrialColumns columns_of(std::vector<std::string> names) {
  std::vector<Column> columns;
  for (std::string& name : names) {
    Column column;
    column.name = std::move(name);
    column.unit = "length/time^2";
    column.description = "a \"result\", in words";
    column.scale = columns.empty() ? Scale::linear : Scale::logarithmic;
    columns.push_back(std::move(column));
  }
  return std::make_shared<const std::vector<Column>>(std::move(columns));
}

/// Numbers that are easily lost on the way, results of three forms, trials that fail.
inline TrialRow row_of(std::size_t trial, double before) {
  static const TrialColumns two = columns_of({"joint.lap.KT", "zeta"}),
                            three = columns_of({"Zeta", "zeta",
                                                "the sum of the sines so far, a name that is longer than a short one"});
  const auto x = static_cast<double>(trial);
  TrialRow row;
  row.ending = Ending::completed;
  row.message = "";
  if (trial % 7 == 3) {
    row.ending = Ending::no_convergence;
    row.message = "it's \"no\" good\nat all; \xc3\xa9";
    return row;
  }
  if (trial % 5 == 4) {
    row.ending = Ending::limit_load;
    row.columns = two;
    row.values = {-0.0, std::numeric_limits<double>::infinity()};
    return row;
  }
  row.columns = three;
  row.values = {trial % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(x), std::ldexp(1.0 + x, -1040),
                before + std::sin(x)};
  return row;
}

inline TrialPlan plan_of(std::size_t count, std::size_t chain = 1) {
  TrialPlan plan;
  plan.name = "grid";
  plan.place = "study.toml: test \"grid\"";
  plan.count = count;
  plan.identity = "0123456789abcdef";
  plan.least = "zeta";
  plan.parameters = {{"joint.lap.KT", "", "varied"}, {"kt", "", "varied"}, {"trial", "-", "varied"}};
  plan.parameters_of = [](std::size_t trial, double* values) {
    values[0] = 0.1 * static_cast<double>(trial);
    values[1] = -0.0;
    values[2] = static_cast<double>(trial * trial);
  };
  if (chain > 1) {
    for (std::size_t first = 0; first < count; first += chain) plan.chains.push_back(first);
    plan.chains.push_back(count);
  }
  return plan;
}

/// Its `sum` goes on from the trial before it in the chain.
class ChainedWorker final : public TrialWorker {
 public:
  explicit ChainedWorker(std::chrono::microseconds pause = {}) : pause_(pause) {}
  void begin_chain() override { sum_ = 0.0; }
  TrialRow compute(std::size_t trial, const Observer& observer) override {
    if (pause_.count() > 0) std::this_thread::sleep_for(pause_);
    if (observer && !observer(0.5)) return {};
    TrialRow row = row_of(trial, sum_);
    if (row.values.size() == 3) sum_ = row.values[2];
    return row;
  }

 private:
  std::chrono::microseconds pause_;
  double sum_ = 0.0;
};

inline MakeTrialWorker workers(std::chrono::microseconds pause = {}) {
  return [pause] { return std::make_unique<ChainedWorker>(pause); };
}

/// The rows of a plan, one after the other.
inline std::vector<TrialRow> expected_rows(const TrialPlan& plan) {
  std::vector<TrialRow> rows;
  ChainedWorker worker;
  for (std::size_t i = 0; i < plan.count; ++i) {
    const bool begins =
        plan.chains.empty() || std::find(plan.chains.begin(), plan.chains.end(), i) != plan.chains.end();
    if (begins) worker.begin_chain();
    rows.push_back(worker.compute(i, {}));
  }
  return rows;
}

/// Bit for bit; a NaN is any NaN.
inline void expect_same(const std::vector<TrialRow>& rows, const std::vector<TrialRow>& expected) {
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(rows[i].ending, expected[i].ending);
    EXPECT_EQ(rows[i].message, expected[i].message);
    ASSERT_EQ(rows[i].columns == nullptr, expected[i].columns == nullptr);
    ASSERT_EQ(rows[i].values.size(), expected[i].values.size());
    for (std::size_t k = 0; k < rows[i].values.size(); ++k) {
      const Column &a = (*rows[i].columns)[k], &b = (*expected[i].columns)[k];
      EXPECT_TRUE(a.name == b.name && a.unit == b.unit && a.description == b.description && a.scale == b.scale);
      const double x = rows[i].values[k], y = expected[i].values[k];
      if (std::isnan(x) && std::isnan(y)) continue;
      EXPECT_EQ(x, y);
      EXPECT_EQ(std::signbit(x), std::signbit(y));
    }
  }
}

}  // namespace microslip::trials_test
