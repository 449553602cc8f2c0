#pragma once
// A plot as a vector picture: self-contained SVG text for papers, print and thumbnails. The same plot and options give
// the same bytes. No ids and no scripts: several pictures can stand in one page.

#include <string>

#include "microslip/report/plot.hpp"

namespace microslip {

struct SvgOptions {
  int width = 640;   ///< [px]
  int height = 400;  ///< [px]; the legend and the title are inside
  double font_size = 13.0;
  bool title = true;
  bool legend = true;   ///< in a corner without data, else below or beside; none for a single curve without a label
  bool markers = true;  ///< a few on each curve where there are several, so that they differ in grey
};

/// Never throws on account of the data: what cannot be drawn is said in the picture.
[[nodiscard]] std::string svg(const Plot& plot, const SvgOptions& options = {});

}  // namespace microslip
