#pragma once
// Colours and markers of curves and maps, for vector pictures and browsers alike. Distinct for the colour-blind;
// in grey by lightness and by marker. Dashes are not among the means: a dashed line is an unstable one.

#include <string>
#include <string_view>

namespace microslip {

enum class MarkerShape { circle, square, triangle, diamond, triangle_down, plus, cross, star };

struct CurveLook {
  std::string_view colour;  ///< "#rrggbb"
  MarkerShape marker = MarkerShape::circle;
  bool filled = true;  ///< the marker
};

inline constexpr int palette_size = 7;
/// Any number: colours repeat after `palette_size`, with the next marker, open instead of filled. A negative number is
/// the grey of what others are compared against.
[[nodiscard]] CurveLook curve_look(int number);

/// "#rrggbb" of a share from 0 (dark) to 1 (light): lightness rises evenly.
[[nodiscard]] std::string map_colour(double share);
/// Where a map has no value.
inline constexpr std::string_view no_value_colour = "#d9d9d9";

}  // namespace microslip
