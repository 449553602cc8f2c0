#include "microslip/report/shape_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/report/palette.hpp"
#include "microslip/report/svg_text.hpp"

namespace microslip {
namespace {

using Vector = std::array<double, 3>;

constexpr std::size_t most_shapes = 12, shapes_across = 3;
constexpr double cell_width = 220.0, cell_height = 150.0, title_height = 22.0;
constexpr double swing = 0.16;  ///< largest deflection over the size of the structure

/// From space to the paper: a plane where the structure and its motion lie in one, else from the front and above.
class View {
 public:
  explicit View(const PlotShapes& shapes) {
    for (std::size_t k = 0; k < 3; ++k) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const Vector& point : shapes.points) {
        low = std::min(low, point[k]);
        high = std::max(high, point[k]);
      }
      centre_[k] = 0.5 * (low + high);
      size_ = std::max(size_, high - low);
      bool moves = high > low;
      for (const auto& shape : shapes.shapes) {
        moves =
            moves || std::any_of(shape.real.begin(), shape.real.end(), [&](const Vector& d) { return d[k] != 0.0; });
      }
      if (moves) used_.push_back(k);
    }
    if (!(size_ > 0.0)) size_ = 1.0;
    while (used_.size() < 2) used_.push_back(used_.empty() || used_.front() != 0 ? 0 : 1);
  }
  [[nodiscard]] double size() const { return size_; }

  [[nodiscard]] std::array<double, 2> place(const Vector& point) const {
    Vector p{};
    for (std::size_t k = 0; k < 3; ++k) p[k] = (point[k] - centre_[k]) / size_;
    double right = p[used_[0]], up = p[used_[1]];
    if (used_.size() > 2) {
      constexpr double turn = -0.6, tilt = 0.45;
      right = std::cos(turn) * p[0] - std::sin(turn) * p[1];
      up = std::cos(tilt) * p[2] + std::sin(tilt) * (std::sin(turn) * p[0] + std::cos(turn) * p[1]);
    }
    const double scale = 0.8 * std::min(cell_width, 1.3 * (cell_height - title_height));
    return {0.5 * cell_width + scale * right, title_height + 0.5 * (cell_height - title_height) - scale * up};
  }

 private:
  Vector centre_{};
  double size_ = 0.0;
  std::vector<std::size_t> used_;
};

std::string path(const PlotShapes& shapes, const std::vector<Vector>& points, const View& view) {
  std::string text;
  for (const std::vector<int>& line : shapes.lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const auto [x, y] = view.place(points[static_cast<std::size_t>(line[i])]);
      text += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x, y);
    }
  }
  return text;
}

/// What a shape is drawn by; 0 where nothing moves.
double swing_of(const PlotShapes::Shape& shape, double size) {
  double largest = 0.0;
  for (const Vector& d : shape.real) largest = std::max(largest, std::hypot(d[0], d[1], d[2]));
  return largest > 0.0 ? swing * size / largest : 0.0;
}

Vector moved(Vector point, const Vector& displacement, double by) {
  for (std::size_t k = 0; k < 3; ++k) point[k] += by * displacement[k];
  return point;
}

std::vector<Vector> deflected(const PlotShapes& shapes, const PlotShapes::Shape& shape, double size) {
  std::vector<Vector> points = shapes.points;
  const double by = swing_of(shape, size);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = moved(points[i], shape.real[i], by);
  return points;
}

/// Circles of the shape that is drawn over it.
std::string circles(const PlotShapes& shapes, const PlotShapes::Shape& shape, const View& view) {
  std::string text;
  const double by = swing_of(shape, view.size());
  for (const PlotShapes::Shape::Over& over : shape.over) {
    const Vector& rest = shapes.points[static_cast<std::size_t>(over.point)];
    const auto [x, y] = view.place(moved(rest, over.displacement, by));
    text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" stroke=\"#c2410c\"/>", x, y);
  }
  return text;
}

}  // namespace

std::string shape_picture(const PlotShapes& shapes) {
  const std::size_t count = std::min(shapes.shapes.size(), most_shapes);
  const std::size_t columns = std::min(shapes_across, std::max<std::size_t>(1, count));
  const std::size_t rows = (count + columns - 1) / columns;
  const View view(shapes);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"none\" stroke-linejoin=\"round\">",
      cell_width * static_cast<double>(columns), cell_height * static_cast<double>(rows));
  for (std::size_t i = 0; i < count; ++i) {
    const PlotShapes::Shape& shape = shapes.shapes[i];
    text += fmt::format("<g transform=\"translate({:g} {:g})\">", cell_width * static_cast<double>(i % columns),
                        cell_height * static_cast<double>(i / columns));
    text += fmt::format("<text x=\"{:g}\" y=\"15\" text-anchor=\"middle\" fill=\"#222\">{}</text>", 0.5 * cell_width,
                        escaped(shortened_to_width(shape.label, (cell_width - 16.0) / 12.0)));
    text += fmt::format("<path d=\"{}\" stroke=\"#b5bcc3\"/>", path(shapes, shapes.points, view));
    text += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"1.8\"/>{}</g>",
                        path(shapes, deflected(shapes, shape, view.size()), view), curve_look(0).colour,
                        circles(shapes, shape, view));
  }
  return text + "</svg>";
}

}  // namespace microslip
