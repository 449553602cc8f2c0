#include "microslip/analyses/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/report/number_text.hpp"

namespace microslip::words {
namespace {

/// "from 4.98 to 4.91", or "stays at 4.98" when the digits do not differ.
std::string change(const std::string& first, const std::string& last, bool falls) {
  if (first == last) return fmt::format("stays at {}", first);
  return fmt::format("{} from {} to {}", falls ? "falls" : "rises", first, last);
}

std::string with_frequency_unit(const std::string& number, const UnitLabels& units) {
  if (units.time == "s") return fmt::format("{} Hz", number);
  return fmt::format("{} per {}", number, units.time.empty() ? "unit of time" : units.time);
}

}  // namespace

std::string number(double value) {
  return engineering(value);
}

std::string quantity(double value, std::string_view unit, const UnitLabels& units) {
  const std::string text = number(value);
  for (const auto& [word, label] : {std::pair<std::string_view, std::string_view>{"length", units.length},
                                    {"force", units.force},
                                    {"time", units.time}}) {
    const bool named = unit.find(word) != std::string_view::npos || unit.find("mass") != std::string_view::npos;
    if (named && label.empty()) return text;
  }
  const std::string label = unit == "-" ? "" : units.of(unit);
  return label.empty() ? text : fmt::format("{} {}", text, label);
}

std::string frequency_text(double per_time, const UnitLabels& units) {
  return with_frequency_unit(number(per_time), units);
}

std::string frequency_text(double per_time, double error, const UnitLabels& units) {
  return with_frequency_unit(with_error(per_time, error), units);
}

std::string with_error(double value, double error) {
  const auto decade = [](double x) { return static_cast<int>(std::floor(std::log10(x))); };
  if (!std::isfinite(value) || !std::isfinite(error) || !(error > 0.0) || !(value > 0.0)) {
    return fmt::format("{} ± {}", number(value), number(error));
  }
  const std::string text = engineering_in_full(value, std::clamp(decade(value) - decade(error) + 2, 2, 12));
  const std::size_t times = std::min(text.find("×"), text.size()), point = text.find('.');
  const int decimals = point < times ? static_cast<int>(times - point) - 1 : 0;
  const double scale = std::pow(10.0, std::round(std::log10(value / std::stod(text.substr(0, times)))));
  const std::string both = fmt::format("{} ± {:.{}f}", text.substr(0, times), error / scale, decimals);
  return times == text.size() ? both : fmt::format("({}){}", both, text.substr(times));
}

std::string percent(double share) {
  return fmt::format("{} %", engineering(100.0 * share, 3));
}

std::string count_of(long count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string no_result(const AnalysisSummary& summary) {
  return fmt::format("There is no result (0 rows): {}.",
                     summary.message.empty() ? std::string(to_string(summary.ending)) : summary.message);
}

std::string amplitude_words(const AmplitudeSpan& span, std::string_view amplitude_unit, const UnitLabels& units) {
  const std::string name = span.mode > 0 ? fmt::format("Mode {}", span.mode) : std::string("The mode");
  // From the small amplitude to the large one, whichever way it was found.
  const std::size_t low = span.q[0] <= span.q[1] ? 0 : 1, high = 1 - low;
  const double f_low = span.frequency_hz[low], f_high = span.frequency_hz[high];
  const double z_low = span.zeta[low], z_high = span.zeta[high];
  const std::string unit = frequency_text(f_high, units).substr(number(f_high).size());
  std::string most;
  if (span.largest_zeta && std::isfinite(*span.largest_zeta) && *span.largest_zeta > 1.05 * std::max(z_low, z_high)) {
    most = fmt::format(" and is at most {}", number(*span.largest_zeta));
  }
  return fmt::format("{}'s frequency {}{} between amplitudes of {} and {}, its damping ratio {}{}.", name,
                     change(number(f_low), number(f_high), f_high < f_low), unit, number(span.q[low]),
                     quantity(span.q[high], amplitude_unit, units),
                     change(number(z_low), number(z_high), z_high < z_low), most);
}

std::string amplitude_words_of_all(std::span<const AmplitudeSpan> modes, std::string_view amplitude_unit,
                                   const UnitLabels& units) {
  std::string words;
  for (std::size_t i = 0; i < modes.size() && i < modes_in_words; ++i) {
    words += fmt::format("{}{}", i > 0 ? " " : "", amplitude_words(modes[i], amplitude_unit, units));
  }
  return words + more_modes(modes.size());
}

std::string more_modes(std::size_t modes) {
  if (modes <= modes_in_words) return "";
  return fmt::format(" {} more modes are in the table.", modes - modes_in_words);
}

std::vector<int> numbers_from_one(std::vector<int> modes) {
  for (int& mode : modes) ++mode;
  return modes;
}

std::string mode_list(const std::vector<int>& numbers) {
  return fmt::format("mode{} {}", numbers.size() > 1 ? "s" : "", fmt::join(numbers, ", "));
}

}  // namespace microslip::words
