#pragma once
// A key whose value is one word of several: a table of the words and what they mean, for the reader, the settings and
// the sentences alike.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/toml/table_reader.hpp"

namespace microslip {

template <class Value>
struct Choice {
  std::string_view word;
  Value value;
};

/// What the word under a key means; complains with the nearest of the words.
template <class Value, std::size_t count>
[[nodiscard]] Value read_choice(const TableReader& reader, std::string_view key,
                                const Choice<Value> (&choices)[count]) {
  std::vector<std::string_view> words;
  for (const auto& choice : choices) words.push_back(choice.word);
  const std::string word = reader.choice(key, words);
  return std::find_if(choices, choices + count, [&](const auto& choice) { return choice.word == word; })->value;
}

/// The same; `fallback` where the key is missing.
template <class Value, std::size_t count>
[[nodiscard]] Value read_choice_or(const TableReader& reader, std::string_view key, Value fallback,
                                   const Choice<Value> (&choices)[count]) {
  return reader.has(key) ? read_choice(reader, key, choices) : fallback;
}

/// The word of a value, which must have one.
template <class Value, std::size_t count>
[[nodiscard]] std::string word_of(Value value, const Choice<Value> (&choices)[count]) {
  const auto* found = std::find_if(choices, choices + count, [&](const auto& choice) { return choice.value == value; });
  return std::string(found->word);
}

}  // namespace microslip
