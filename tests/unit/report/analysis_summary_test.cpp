// The entry of an analysis in summary.json.

#include "microslip/results/analysis_summary.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace microslip {
namespace analysis_summary_test {

struct OneFact final : Facts {
  explicit OneFact(std::string name) : key(std::move(name)) {}
  [[nodiscard]] nlohmann::ordered_json to_json() const override { return {{key, 3}}; }
  std::string key;
};

AnalysisSummary with_fact(const std::string& key) {
  AnalysisSummary summary = completed_summary();
  summary.kind = "modes";
  summary.name = "first";
  summary.files = {"first.csv"};
  summary.sum_up(OneFact(key));
  return summary;
}

TEST(AnalysisSummary, FactsStandBeforeTheFiles) {
  EXPECT_EQ(to_json(with_fact("count")).dump(),
            R"({"kind":"modes","name":"first","ending":"completed","message":"","wall_seconds":0.0,"count":3,)"
            R"("files":["first.csv"]})");
}

TEST(AnalysisSummary, AFactDoesNotTakeThePlaceOfAKey) {
  const nlohmann::ordered_json plain = to_json(completed_summary());
  EXPECT_EQ(plain.size(), 6U);
  for (const auto& [key, value] : plain.items()) {
    EXPECT_THROW(static_cast<void>(to_json(with_fact(key))), std::logic_error) << key;
  }
}

}  // namespace analysis_summary_test
}  // namespace microslip
