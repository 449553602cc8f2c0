#include "microslip/report/svg_canvas.hpp"

#include <fmt/format.h>

#include <cmath>

#include "microslip/report/svg_text.hpp"

namespace microslip {
namespace {

/// Two decimals of a px, zeros left out.
std::string px(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string stroke_attributes(const StrokeStyle& style) {
  return fmt::format(R"(fill="none" stroke="{}" stroke-width="{}"{})", style.colour, px(style.width),
                     style.dashed ? R"( stroke-dasharray="6 4")" : "");
}

}  // namespace

SvgCanvas::SvgCanvas(int width, int height, double font_size, std::string_view title) : font_size_(font_size) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif\" font-size=\"{2}\" "
      "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
      width, height, px(font_size));
  if (!title.empty()) out_ += fmt::format("<title>{}</title>\n", escaped(shortened(title, 200)));
  out_ += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n", width, height);
}

void SvgCanvas::text(double x, double y, std::string_view words, const TextStyle& style) {
  if (words.empty()) return;
  std::string attributes;
  if (style.anchor != Anchor::start) {
    attributes += fmt::format(" text-anchor=\"{}\"", style.anchor == Anchor::middle ? "middle" : "end");
  }
  if (style.size != 1.0) attributes += fmt::format(" font-size=\"{}\"", px(style.size * font_size_));
  if (style.bold) attributes += " font-weight=\"bold\"";
  if (style.italic) attributes += " font-style=\"italic\"";
  if (style.upwards) attributes += fmt::format(" transform=\"rotate(-90 {} {})\"", px(x), px(y));
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\"{}>{}</text>\n", px(x), px(y), style.colour, attributes,
                      escaped(words));
}

void SvgCanvas::segment(Spot from, Spot to, const StrokeStyle& style) {
  segments({from, to}, style);
}

void SvgCanvas::segments(const std::vector<Spot>& ends, const StrokeStyle& style) {
  if (ends.empty()) return;
  std::string path;
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    path += fmt::format("M{} {} {} {}", px(ends[i].x), px(ends[i].y), px(ends[i + 1].x), px(ends[i + 1].y));
  }
  out_ += fmt::format("<path d=\"{}\" {}/>\n", path, stroke_attributes(style));
}

void SvgCanvas::polyline(const std::vector<Spot>& line, const StrokeStyle& style) {
  std::string path;
  bool begun = false;
  const auto drawn = [](const Spot& spot) { return std::isfinite(spot.x) && std::isfinite(spot.y); };
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!drawn(line[i])) {
      begun = false;
      continue;
    }
    path += fmt::format("{}{} {}", begun ? " " : "M", px(line[i].x), px(line[i].y));
    const bool alone = !begun && (i + 1 == line.size() || !drawn(line[i + 1]));
    if (alone) path += "h0.01";
    begun = true;
  }
  if (path.empty()) return;
  out_ += fmt::format("<path d=\"{}\" {}/>\n", path, stroke_attributes(style));
}

void SvgCanvas::dots(const std::vector<Spot>& dots, std::string_view colour, double diameter) {
  std::string path;
  for (const Spot& dot : dots) path += fmt::format("M{} {}h0.01", px(dot.x), px(dot.y));
  if (!path.empty()) out_ += fmt::format("<path d=\"{}\" {}/>\n", path, stroke_attributes({colour, diameter}));
}

void SvgCanvas::marker(Spot at, const CurveLook& look, double size) {
  const double r = size / 2.0;
  const std::string fill(look.filled ? look.colour : "#fff");
  const auto polygon = [&](std::initializer_list<Spot> corners) {
    std::string path;
    for (const Spot& corner : corners) {
      path += fmt::format("{}{} {}", path.empty() ? "M" : " ", px(at.x + r * corner.x), px(at.y + r * corner.y));
    }
    out_ += fmt::format("<path d=\"{}Z\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"/>\n", path, fill, look.colour);
  };
  const auto strokes = [&](std::initializer_list<Spot> ends) {
    std::vector<Spot> spots;
    for (const Spot& end : ends) spots.push_back({at.x + r * end.x, at.y + r * end.y});
    segments(spots, {look.colour, look.filled ? 2.0 : 1.2});
  };
  switch (look.marker) {
    case MarkerShape::circle:
      out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"/>\n",
                          px(at.x), px(at.y), px(r), fill, look.colour);
      break;
    case MarkerShape::square:
      polygon({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
      break;
    case MarkerShape::triangle:
      polygon({{0.0, -1.1}, {1.0, 0.8}, {-1.0, 0.8}});
      break;
    case MarkerShape::diamond:
      polygon({{0.0, -1.25}, {1.25, 0.0}, {0.0, 1.25}, {-1.25, 0.0}});
      break;
    case MarkerShape::triangle_down:
      polygon({{0.0, 1.1}, {1.0, -0.8}, {-1.0, -0.8}});
      break;
    case MarkerShape::plus:
      strokes({{-1.2, 0.0}, {1.2, 0.0}, {0.0, -1.2}, {0.0, 1.2}});
      break;
    case MarkerShape::cross:
      strokes({{-1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}, {1.0, -1.0}});
      break;
    case MarkerShape::star:
      strokes({{-1.1, 0.0}, {1.1, 0.0}, {-0.6, -1.0}, {0.6, 1.0}, {-0.6, 1.0}, {0.6, -1.0}});
      break;
  }
}

void SvgCanvas::rectangle(double x, double y, double width, double height, std::string_view fill,
                          std::string_view stroke) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n", px(x), px(y), px(width),
                      px(height), fill, stroke.empty() ? std::string() : fmt::format(" stroke=\"{}\"", stroke));
}

void SvgCanvas::cell(double x, double y, double width, double height, std::string_view fill) {
  out_ += fmt::format("<path d=\"M{} {}h{}v{}h-{}z\" fill=\"{}\" shape-rendering=\"crispEdges\"/>\n", px(x), px(y),
                      px(width), px(height), px(width), fill);
}

std::string SvgCanvas::finish() && {
  return std::move(out_) + "</svg>\n";
}

}  // namespace microslip
