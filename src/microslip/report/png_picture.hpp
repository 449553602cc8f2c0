#pragma once
// Pixels of a vector picture.

#include <string>
#include <string_view>

#include "microslip/io/output_file.hpp"

namespace microslip {

/// The bytes of a PNG file, `scale` pixels to a px of the SVG. Through librsvg. Throws OutputError.
[[nodiscard]] std::string png(std::string_view svg_text, double scale = 2.0);

}  // namespace microslip
