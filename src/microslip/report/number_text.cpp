#include "microslip/report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace microslip {
namespace {

constexpr int most_label_digits = 7;  ///< more are told by an offset

/// A minus sign as wide as a plus, instead of a hyphen.
std::string with_minus(const std::string& text) {
  return text.front() == '-' ? "−" + text.substr(1) : text;
}

std::string superscript(int number) {
  constexpr std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) result += digits[static_cast<std::size_t>(c - '0')];
  return result;
}

/// The exponent of ten below a positive number: 10^n <= value < 10^(n+1).
int decade(long double value) {
  int n = static_cast<int>(std::floor(std::log10(value)));
  if (std::pow(10.0L, n + 1) <= value) ++n;
  if (std::pow(10.0L, n) > value) --n;
  return n;
}

int multiple_of_three(int exponent) {
  return 3 * static_cast<int>(std::floor(exponent / 3.0));
}

/// The exponent that all labels of an axis share: none for numbers that read well as they are.
int shared_exponent(long double largest) {
  const int n = decade(largest);
  return n >= 5 || n < -3 ? multiple_of_three(n) : 0;
}

/// 1, 2 or 5 times a power of ten, so that about `wanted` fit.
struct Step {
  int factor = 1;
  int exponent = 0;
  [[nodiscard]] long double value() const {
    return exponent < 0 ? factor / std::pow(10.0L, -exponent) : factor * std::pow(10.0L, exponent);
  }
};

Step nice_step(long double span, int wanted) {
  const long double rough = span / std::max(1, wanted);
  const int n = decade(rough);
  const long double share = rough / std::pow(10.0L, n);
  if (share < 1.5L) return {1, n};
  if (share < 3.5L) return {2, n};
  if (share < 7.5L) return {5, n};
  return {1, n + 1};
}

/// Multiples of the step from low to high, with a rounding error's room at both ends.
std::vector<long double> multiples(long double step, long double low, long double high) {
  const long double first = std::ceil(low / step - 1e-9L);
  const long double last = std::floor(high / step + 1e-9L);
  std::vector<long double> values;
  for (long double i = first; i <= last && values.size() < 1000; ++i) values.push_back(i * step + 0.0L);
  return values;
}

bool is_multiple(long double value, long double step) {
  const long double ratio = value / step;
  return std::abs(ratio - std::round(ratio)) < 1e-6L;
}

}  // namespace

std::string power_of_ten(int exponent) {
  return "10" + superscript(exponent);
}

std::string engineering_in_full(double value, int digits) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  // Rounded first: 999.96 with four digits is 1000.
  const std::string scientific = fmt::format("{:.{}e}", value, std::max(1, digits) - 1);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  const bool plain = exponent >= -3 && exponent < 5 && exponent < std::max(4, digits);
  const int shared = plain ? 0 : multiple_of_three(exponent);
  const int decimals = std::max(0, digits - 1 - (exponent - shared));
  const long double mantissa = std::stold(scientific.substr(0, e)) * std::pow(10.0L, exponent - shared);
  const std::string text = with_minus(fmt::format("{:.{}f}", mantissa, decimals));
  return shared == 0 ? text : text + "×" + power_of_ten(shared);
}

std::string engineering(double value, int digits) {
  if (value == std::round(value) && std::abs(value) < 1e5) return with_minus(fmt::format("{:.0f}", value + 0.0));
  std::string text = engineering_in_full(value, digits);
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return text;
  const std::size_t end = std::min(text.find("×"), text.size());
  std::size_t last = text.find_last_not_of('0', end - 1);
  if (last == point) --last;
  return text.erase(last + 1, end - last - 1);
}

Ticks linear_ticks(long double low, long double high, int wanted) {
  Ticks ticks;
  const Step step = nice_step(high - low, wanted);
  ticks.values = multiples(step.value(), low, high);
  const long double finer = step.value() / (step.factor == 2 ? 4 : 5);
  for (const long double value : multiples(finer, low, high)) {
    if (!is_multiple(value, step.value())) ticks.minor.push_back(value);
  }
  const long double largest = std::max(std::abs(low), std::abs(high));
  int exponent = shared_exponent(largest);
  long double offset = 0.0L;
  if (decade(largest) - step.exponent + 1 > most_label_digits) {
    const long double coarse = std::pow(10.0L, decade(high - low) + 1);
    offset = std::round((low + high) / 2 / coarse) * coarse;
    exponent = shared_exponent(std::max(std::abs(high - offset), std::abs(low - offset)));
    const std::string sign = offset < 0 ? "−" : "+";
    const int digits = std::clamp(decade(largest) - decade(coarse) + 1, 1, 17);
    ticks.note = sign + engineering(static_cast<double>(std::abs(offset)), digits);
  }
  if (exponent != 0) ticks.note = "×" + power_of_ten(exponent) + (ticks.note.empty() ? "" : " ") + ticks.note;
  const int decimals = std::max(0, exponent - step.exponent);
  for (const long double value : ticks.values) {
    long double shown = (value - offset) / std::pow(10.0L, exponent);
    if (std::abs(shown) < 0.5L * std::pow(10.0L, -decimals)) shown = 0.0L;
    ticks.labels.push_back(with_minus(fmt::format("{:.{}f}", shown, decimals)));
  }
  return ticks;
}

Ticks log_ticks(long double low, long double high, int wanted) {
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9L));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9L));
  const auto inside = [&](long double value) { return value >= low * (1 - 1e-9L) && value <= high * (1 + 1e-9L); };
  Ticks ticks;
  const int every =
      std::max(1, static_cast<int>(std::ceil((last - first + 1) / static_cast<double>(std::max(2, wanted)))));
  const bool plain = first - 1 >= -4 && last <= 4;
  const bool few = last - first < 2 && wanted > 3;  // 2 and 5 are labelled as well
  const auto label = [&](int k, int n) {
    if (plain) return fmt::format("{:.{}f}", k * std::pow(10.0L, n), std::max(0, -n));
    return (k == 1 ? std::string() : fmt::format("{}×", k)) + power_of_ten(n);
  };
  for (int n = first - 1; n <= last; ++n) {
    const long double power = std::pow(10.0L, n);
    if (n >= first && n % every == 0) {
      ticks.values.push_back(power);
      ticks.labels.push_back(label(1, n));
    } else if (n >= first) {
      ticks.minor.push_back(power);
    }
    if (every > 1 || last - first > 6) continue;
    for (int k = 2; k <= 9; ++k) {
      if (!inside(k * power)) continue;
      if (few && (k == 2 || k == 5)) {
        ticks.values.push_back(k * power);
        ticks.labels.push_back(label(k, n));
      } else {
        ticks.minor.push_back(k * power);
      }
    }
  }
  return ticks.values.size() >= 2 ? ticks : linear_ticks(low, high, wanted);
}

}  // namespace microslip
