#include "microslip/analyses/read_earlier.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace microslip {

const EarlierAnalysis& find_earlier(const TableReader& reader, const TomlValue& value, std::string_view key,
                                    std::span<const std::string_view> kinds, const StudyParts& parts) {
  const std::string& name = reader.as_string(value, key);
  const std::string wanted = fmt::format("{}", fmt::join(kinds, " or "));
  std::vector<std::string> names;
  for (const EarlierAnalysis& earlier : parts.earlier) {
    const bool right = std::find(kinds.begin(), kinds.end(), earlier.kind) != kinds.end();
    if (right) names.push_back(earlier.name);
    if (earlier.name != name) continue;
    if (right) return earlier;
    throw reader.error(value, fmt::format("{}: analysis {} is of kind {}; it must be {}", key, in_quotes(name),
                                          in_quotes(earlier.kind), wanted));
  }
  if (names.empty()) {
    throw reader.error(value, fmt::format("{}: no {} stands before this analysis, so that there is no {}", key, wanted,
                                          in_quotes(name)));
  }
  throw reader.error(value, fmt::format("{}: no analysis {} of kind {} stands before this one{}", key, in_quotes(name),
                                        wanted, suggestion(name, names)));
}

}  // namespace microslip
