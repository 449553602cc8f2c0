#pragma once
// The text of an SVG picture as it grows: strokes, markers, words. Coordinates in px, y downwards.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/report/palette.hpp"
#include "microslip/report/thin_line.hpp"

namespace microslip {

enum class Anchor { start, middle, end };

struct TextStyle {
  Anchor anchor = Anchor::start;
  double size = 1.0;  ///< of the picture's font
  std::string_view colour = "#222";
  bool bold = false;
  bool italic = false;
  bool upwards = false;  ///< turned a quarter to the left
};

struct StrokeStyle {
  std::string_view colour = "#222";
  double width = 1.0;
  bool dashed = false;
};

class SvgCanvas {
 public:
  SvgCanvas(int width, int height, double font_size, std::string_view title);

  void text(double x, double y, std::string_view words, const TextStyle& style = {});
  void segment(Spot from, Spot to, const StrokeStyle& style);
  /// Several segments as one element.
  void segments(const std::vector<Spot>& ends, const StrokeStyle& style);
  /// A NaN breaks the line; a point alone is a dot.
  void polyline(const std::vector<Spot>& line, const StrokeStyle& style);
  void dots(const std::vector<Spot>& dots, std::string_view colour, double diameter);
  void marker(Spot at, const CurveLook& look, double size);
  void rectangle(double x, double y, double width, double height, std::string_view fill, std::string_view stroke = "");
  /// Rectangles side by side without seams.
  void cell(double x, double y, double width, double height, std::string_view fill);

  [[nodiscard]] double font_size() const { return font_size_; }
  [[nodiscard]] std::string finish() &&;

 private:
  std::string out_;
  double font_size_;
};

}  // namespace microslip
