#pragma once
// Texts that `microslip new` writes.

#include <span>
#include <string_view>
#include <vector>

namespace microslip::cli {

struct StarterFile {
  std::string_view name;
  std::string_view text;
};

struct StarterStudy {
  std::string_view name;
  std::string_view summary;
  std::vector<StarterFile> files;
};

/// The first is the default.
[[nodiscard]] std::span<const StarterStudy> starter_studies();

}  // namespace microslip::cli
