#pragma once
// A plot for a page: a static picture, and its data for the script of the page.

#include <optional>
#include <string>
#include <vector>

#include "microslip/report/plot.hpp"
#include "microslip/report/web_assets.hpp"

namespace microslip {

/// Bytes of all the details of long curves in a page. What goes beyond is thinned: see PageFigure::notes.
inline constexpr std::size_t detail_budget = std::size_t{16} << 20U;

struct PageFigure {
  std::string picture;             ///< SVG
  std::string data;                ///< JSON, harmless inside a script element
  std::string details;             ///< script elements with the details of long curves
  std::vector<std::string> notes;  ///< what was thinned for good
  std::optional<PlotEngine> engine;
  bool wide = false;  ///< deserves the whole width of the page
};

/// `number` tells figures of a page apart. `share`: as the plot was resolved with.
[[nodiscard]] PageFigure page_figure(const Plot& plot, int number, double share);

/// The engine that draws it in a browser; none for shapes, which the page draws itself.
[[nodiscard]] std::optional<PlotEngine> engine_of(const Plot& plot);

}  // namespace microslip
