#pragma once
// An analysis that names another further up in the study.

#include <span>
#include <string_view>

#include "microslip/analyses/analysis.hpp"

namespace microslip {

/// The analysis that a value under `key` names. Throws StudyError where there is none further up, or it is of another
/// kind than these.
[[nodiscard]] const EarlierAnalysis& find_earlier(const TableReader& reader, const TomlValue& value,
                                                  std::string_view key, std::span<const std::string_view> kinds,
                                                  const StudyParts& parts);

}  // namespace microslip
