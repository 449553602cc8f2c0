#pragma once
// The right name for a misspelt one: what an error message suggests.

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace microslip {

/// Edits that turn `a` into `b`: insertions, deletions, replacements and swaps of neighbours, one each
/// (optimal string alignment). Case counts.
inline int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> two_above(columns), above(columns), row(columns);
  for (std::size_t j = 0; j < columns; ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < columns; ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
    std::swap(two_above, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

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

}  // namespace microslip
