// A law as the user wrote it against its entry in the catalogue.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/joints/catalogue.hpp"

namespace microslip {

namespace {

std::string names_of(const std::vector<ParameterInfo>& set) {
  std::string text;
  for (const auto& parameter : set) text += (text.empty() ? "" : ", ") + parameter.name;
  return text;
}

std::string sets_of(const LawInfo& law) {
  std::string text;
  for (const auto& set : law.sets) text += (text.empty() ? "" : " or ") + names_of(set);
  return text;
}

bool contains(const std::vector<ParameterInfo>& set, std::string_view name) {
  return std::any_of(set.begin(), set.end(), [&](const ParameterInfo& p) { return p.name == name; });
}

[[noreturn]] void unknown_key(const LawInfo& law, const std::string& key) {
  std::string message = fmt::format("unknown key \"{}\" for law \"{}\"", key, law.name);
  const auto keys = law.keys();
  const std::string suggestion = nearest_name(key, keys);
  if (!suggestion.empty()) {
    message += fmt::format("; did you mean \"{}\"?", suggestion);
  } else {
    message += fmt::format(" (it takes {}{})", fmt::join(keys, ", "), law.series ? ", ..." : "");
  }
  throw LawError(key, message);
}

void check_value(const ParameterInfo& info, double value) {
  if (info.admits(value)) return;
  if (!std::isfinite(value))
    throw LawError(info.name, fmt::format("{} must be a finite number, got {}", info.name, value));
  throw LawError(info.name, fmt::format("{} must be {}, got {}", info.name, info.range(), value));
}

/// Exactly one of the sets must be given in full and nothing of the others.
void check_sets(const LawInfo& law, const LawSpec& spec) {
  const std::vector<ParameterInfo>* best = nullptr;  // the set with most of the given keys, the first of equals
  std::ptrdiff_t best_given = -1;
  const auto given_in = [&](const std::vector<ParameterInfo>& set) {
    return std::count_if(spec.numbers.begin(), spec.numbers.end(),
                         [&](const auto& n) { return contains(set, n.first); });
  };
  for (const auto& set : law.sets) {
    const auto given = given_in(set);
    if (given > best_given) {
      best = &set;
      best_given = given;
    }
  }
  if (best == nullptr) return;
  for (const auto& [key, value] : spec.numbers) {
    if (contains(*best, key) || contains(law.optional, key)) continue;
    throw LawError(key, fmt::format("{} does not go with {}: give {}", key, names_of(*best), sets_of(law)));
  }
  for (const auto& parameter : *best) {
    if (spec.has(parameter.name)) continue;
    throw LawError(parameter.name,
                   fmt::format("{} is missing: law \"{}\" takes {}", parameter.name, law.name, sets_of(law)));
  }
}

void check_table(const LawInfo& law, const LawSpec& spec) {
  const bool backbone = law.points == PointsOf::backbone;
  if (!backbone && !spec.interpolation.empty()) unknown_key(law, "interpolation");
  if (law.points == PointsOf::nothing) {
    if (!spec.table_u.empty()) unknown_key(law, "u");
    if (!spec.table_f.empty()) unknown_key(law, "f");
    return;
  }
  if (!spec.interpolation.empty() && spec.interpolation != "smooth" && spec.interpolation != "linear") {
    throw LawError("interpolation",
                   fmt::format("interpolation must be \"smooth\" or \"linear\", got \"{}\"", spec.interpolation));
  }
  const char* takes = backbone ? "a backbone file or u and f" : "u and f";
  for (const auto& [key, table] : {std::pair{"u", &spec.table_u}, std::pair{"f", &spec.table_f}}) {
    if (table->empty()) throw LawError(key, fmt::format("{} is missing: law \"{}\" takes {}", key, law.name, takes));
  }
  try {
    if (!backbone) {
      static_cast<void>(PiecewiseLinearSpring<double>(spec.table_u, spec.table_f));
      return;
    }
    static_cast<void>(
        ConcaveCurve<double>(spec.table_u, spec.table_f, spec.interpolation_kind(), spec.number_or("residual", 0.0)));
  } catch (const PointsError& error) {
    throw LawError(error.in_u() ? "u" : "f", error.what());
  }
}

}  // namespace

std::string ParameterInfo::range() const {
  const bool below = std::isfinite(lower);
  const bool over = std::isfinite(upper);
  const std::string kind = integer ? "an integer " : "";
  if (below && over)
    return fmt::format("{}in {}{}, {}{}", kind, lower_open ? "(" : "[", lower, upper, upper_open ? ")" : "]");
  if (below) return fmt::format("{}{} {}", kind, lower_open ? ">" : ">=", lower);
  if (over) return fmt::format("{}{} {}", kind, upper_open ? "<" : "<=", upper);
  return integer ? "an integer" : "finite";
}

bool ParameterInfo::admits(double value) const {
  if (!std::isfinite(value)) return false;
  if (integer && value != std::floor(value)) return false;
  const bool low = lower_open ? value > lower : value >= lower;
  const bool high = upper_open ? value < upper : value <= upper;
  return low && high;
}

std::vector<std::string> LawInfo::keys() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& key) {
    if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(key);
  };
  if (series) names = {"k1", "k2", "k3"};
  for (const auto& set : sets) {
    for (const auto& parameter : set) add(parameter.name);
  }
  for (const auto& parameter : optional) add(parameter.name);
  for (const auto& key : extra) add(key.name);
  return names;
}

const ParameterInfo* LawInfo::find(std::string_view parameter) const {
  const auto search = [&](const std::vector<ParameterInfo>& set) -> const ParameterInfo* {
    const auto it = std::find_if(set.begin(), set.end(), [&](const ParameterInfo& p) { return p.name == parameter; });
    return it == set.end() ? nullptr : &*it;
  };
  for (const auto& set : sets) {
    if (const auto* found = search(set)) return found;
  }
  return search(optional);
}

bool LawSpec::has(std::string_view key) const {
  return std::any_of(numbers.begin(), numbers.end(), [&](const auto& n) { return n.first == key; });
}

double LawSpec::number_or(std::string_view key, double fallback) const {
  const auto it = std::find_if(numbers.begin(), numbers.end(), [&](const auto& n) { return n.first == key; });
  return it == numbers.end() ? fallback : it->second;
}

double LawSpec::number(std::string_view key) const {
  if (has(key)) return number_or(key, 0.0);
  if (const LawInfo* info = find_law(law)) {
    const ParameterInfo* parameter = info->find(key);
    if (parameter != nullptr && parameter->default_value) return *parameter->default_value;
  }
  throw LawError(std::string(key), fmt::format("{} is missing", key));
}

void check_law(const LawSpec& spec) {
  const LawInfo* law = find_law(spec.law);
  if (law == nullptr) {
    std::vector<std::string> names;
    for (const auto& item : law_catalogue()) names.push_back(item.name);
    const std::string suggestion = nearest_name(spec.law, names);
    throw LawError("law", fmt::format("unknown law \"{}\"", spec.law) +
                              (suggestion.empty() ? fmt::format(" (there are {})", fmt::join(names, ", "))
                                                  : fmt::format("; did you mean \"{}\"?", suggestion)));
  }
  for (const auto& [key, value] : spec.numbers) {
    if (law->series && polynomial_power(key) > 0) {
      ParameterInfo coefficient;
      coefficient.name = key;
      check_value(coefficient, value);
    } else if (const ParameterInfo* info = law->find(key)) {
      check_value(*info, value);
    } else {
      unknown_key(*law, key);
    }
  }
  if (law->series && spec.numbers.empty())
    throw LawError("k1", "law \"polynomial\" needs at least one of k1, k2, k3, ...");
  check_sets(*law, spec);
  check_table(*law, spec);
  if (law->relations) law->relations(spec);
}

}  // namespace microslip
