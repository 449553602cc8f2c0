#pragma once
// Both versions of MATLAB files hand their arrays over in the same way. For the sources of this folder.

#include <functional>
#include <string>
#include <string_view>

#include "microslip/io/mat_file.hpp"

namespace microslip {

/// What to do with the arrays of a file, in its order.
struct MatWalk {
  /// May anything named so, or inside it, be wanted? Names of whole variables only.
  std::function<bool(const std::string& variable)> opens;
  /// Is this array wanted? If not, its values are not read.
  std::function<bool(const std::string& name, bool is_text)> wants;
  std::function<void(MatArray array)> take;
};

inline constexpr int deepest_mat_struct = 32;
inline constexpr int most_mat_arrays = 1'000'000;

void walk_mat5(std::string_view bytes, const std::string& file, const MatWalk& walk);

/// From a file, or from bytes where `path` is empty.
void walk_mat73(const std::string& path, std::string_view bytes, const std::string& file, const MatWalk& walk);

/// "S", "M", 1 of 1 -> "S.M"; "S", "M", 2 of 3 -> "S(2).M".
[[nodiscard]] std::string mat_member_name(const std::string& parent, std::string_view field, std::size_t index,
                                          std::size_t count);

/// Refuses what is not finite, with its place in the array, and sparse matrices whose indices are out of order.
void require_sound(const MatArray& array, const std::string& file);

/// UTF-16 to UTF-8; halves of pairs become U+FFFD.
[[nodiscard]] std::string utf8_of(std::u16string_view text);

}  // namespace microslip
