#pragma once
// What a page holds besides the report itself, built into the program.

#include <cstdint>
#include <span>
#include <string_view>

namespace microslip {

[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_script();

/// Bundles of Plotly, smallest first. Any of them may be missing: they come from outside when the program is set up.
enum class PlotEngine {
  basic,      ///< curves in the plane
  cartesian,  ///< and maps
  space       ///< curves in the plane and in space; no maps
};
/// "basic", "cartesian", "space".
[[nodiscard]] std::string_view engine_name(PlotEngine engine);
/// Its script, packed by gzip; empty when the program was built without.
[[nodiscard]] std::span<const std::uint8_t> engine_script(PlotEngine engine);

}  // namespace microslip
