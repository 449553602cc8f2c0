#pragma once
// Arithmetic as a user writes it: "100 (a / b - 1)", "1/(2 pi)", "sqrt(x^2 + y^2)".

#include <map>
#include <string>
#include <string_view>

namespace microslip {

/// + - * / ^, parentheses, a blank or a parenthesis for times, pi, sqrt, abs, exp, log (natural), log10, sin, cos, min,
/// max, and the names given. Throws std::invalid_argument with what is wrong, an unknown name with the nearest.
[[nodiscard]] double evaluate_formula(std::string_view text, const std::map<std::string, double>& names = {});

}  // namespace microslip
