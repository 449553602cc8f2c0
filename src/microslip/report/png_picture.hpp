#pragma once
// Pixels of a vector picture.

#include <stdexcept>
#include <string>
#include <string_view>

namespace microslip {

/// The picture could not be drawn.
class PictureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes of a PNG file, `scale` pixels to a px of the SVG. Through librsvg. Throws PictureError.
[[nodiscard]] std::string png(std::string_view svg_text, double scale = 2.0);

}  // namespace microslip
