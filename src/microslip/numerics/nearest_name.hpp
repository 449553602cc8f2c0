#pragma once
// The right name for a misspelt one: what an error message suggests.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace microslip {

/// Edits that turn `a` into `b`: insertions, deletions, replacements and swaps of neighbours, one each
/// (optimal string alignment). Case counts.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, letter case aside; empty if none is near (more than a third of the longer word, at
/// least one edit). The first of equals wins, one of the same case before others.
template <class Names>
std::string nearest_name(std::string_view word, const Names& candidates) {
  const auto lower = [](std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
  };
  const std::string folded = lower(word);
  std::string best;
  int best_score = 0;
  for (const auto& item : candidates) {
    const std::string_view candidate(item);
    const int distance = edit_distance(folded, lower(candidate));
    const auto longer = static_cast<int>(std::max(word.size(), candidate.size()));
    if (distance > std::max(1, longer / 3)) continue;
    const int score = 1000 * distance + edit_distance(word, candidate);
    if (best.empty() || score < best_score) {
      best = candidate;
      best_score = score;
    }
  }
  return best;
}

extern template std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace microslip
