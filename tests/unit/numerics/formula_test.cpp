#include "microslip/numerics/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace microslip {
namespace formula_test {

TEST(Formula, Arithmetic) {
  EXPECT_DOUBLE_EQ(evaluate_formula("1/(2 pi)"), 0.5 / std::numbers::pi);
  EXPECT_DOUBLE_EQ(evaluate_formula("-2^2 + 3 * 4 - 1"), 7.0);
  EXPECT_DOUBLE_EQ(evaluate_formula("2^3^2"), 512.0);
  EXPECT_DOUBLE_EQ(evaluate_formula("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(evaluate_formula("1e3(1+1)"), 2000.0);
  EXPECT_DOUBLE_EQ(evaluate_formula("100 (a / b - 1)", {{"a", 3.0}, {"b", 2.0}}), 50.0);
  EXPECT_DOUBLE_EQ(evaluate_formula("max(sqrt(16), abs(-5)) min(1, 2)"), 5.0);
  EXPECT_DOUBLE_EQ(evaluate_formula("log10(1e-3)"), -3.0);
}

TEST(Formula, Mistakes) {
  const auto message = [](std::string_view text) {
    try {
      static_cast<void>(evaluate_formula(text, {{"alpha", 1.0}}));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(message(""), "it ends too early");
  EXPECT_EQ(message("(1"), "a \")\" is missing");
  EXPECT_EQ(message("1 +"), "it ends too early");
  EXPECT_EQ(message("1 $"), "unexpected \"$\"");
  EXPECT_EQ(message("alpa"), "unknown name \"alpa\"; did you mean \"alpha\"?");
  EXPECT_EQ(message("sqrt 2"), "\"sqrt\" needs a \"(\"");
  EXPECT_EQ(message("sqrt(1, 2)"), "\"sqrt\" takes one number");
  EXPECT_EQ(message(std::string(10'000, '(')), "too many parentheses");
}

}  // namespace formula_test
}  // namespace microslip
