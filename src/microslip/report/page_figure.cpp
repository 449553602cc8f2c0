#include "microslip/report/page_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "microslip/report/base64.hpp"
#include "microslip/report/palette.hpp"
#include "microslip/report/plot_axis.hpp"
#include "microslip/report/resolve.hpp"
#include "microslip/report/shape_picture.hpp"
#include "microslip/report/svg_plot.hpp"
#include "microslip/report/svg_text.hpp"
#include "microslip/report/thin_curve.hpp"
#include "microslip/report/thin_line.hpp"
#include "microslip/results/results.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t longest_label = 48;
constexpr std::size_t most_loop_points = 5 * first_view_points;

std::string coded(const std::vector<double>& values) {
  return base64_of(std::span<const double>(values));
}

std::string_view marker_name(MarkerShape shape) {
  switch (shape) {
    case MarkerShape::circle:
      return "circle";
    case MarkerShape::square:
      return "square";
    case MarkerShape::triangle:
      return "triangle-up";
    case MarkerShape::diamond:
      return "diamond";
    case MarkerShape::triangle_down:
      return "triangle-down";
    case MarkerShape::plus:
      return "cross";
    case MarkerShape::cross:
      return "x";
    case MarkerShape::star:
      return "star";
  }
  return "circle";
}

ordered_json axis_json(const Axis& axis) {
  Axis shown = axis;
  shown.label = shortened(axis.label, 2 * longest_label);
  shown.unit = shortened(axis.unit, longest_label);
  return {{"label", shown.label}, {"unit", shown.unit}, {"title", axis_title(shown)}, {"log", axis.log}};
}

std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  std::vector<double> result(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) result[i] = values[places[i]];
  return result;
}

/// Unions of values for the frame of a picture.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  Extent(const std::vector<double>& values, bool log) {
    for (const double value : values) {
      if (std::isnan(value) || (log && !(value > 0.0))) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
};

/// Points of a curve in px of a picture that they fill, and back.
class InPixels {
 public:
  static constexpr double width = 1000.0, height = 500.0;

  InPixels(const PlotLine& line, const Axis& x, const Axis& y)
      : x_(line.x, x.log), y_(line.y, y.log), x_log_(x.log), y_log_(y.log) {}

  [[nodiscard]] bool fills() const { return x_.high > x_.low && y_.high > y_.low; }
  [[nodiscard]] std::vector<Spot> spots(const PlotLine& line) const {
    std::vector<Spot> spots(line.x.size());
    for (std::size_t i = 0; i < spots.size(); ++i) {
      spots[i] = {scaled(line.x[i], x_, x_log_, width), scaled(line.y[i], y_, y_log_, height)};
    }
    return spots;
  }
  [[nodiscard]] double x(const Spot& spot) const { return restored(spot.x, x_, x_log_, width); }
  [[nodiscard]] double y(const Spot& spot) const { return restored(spot.y, y_, y_log_, height); }

 private:
  static double scaled(double v, const Extent& e, bool log, double size) {
    if (log) return size * std::log(v / e.low) / std::log(e.high / e.low);
    return size * (v - e.low) / (e.high - e.low);
  }
  static double restored(double p, const Extent& e, bool log, double size) {
    if (log) return e.low * std::pow(e.high / e.low, p / size);
    return e.low + (e.high - e.low) * p / size;
  }

  Extent x_, y_;
  bool x_log_, y_log_;
};

/// A curve of very many passes, loops over loops: strokes over others are left out. Points move by rounding.
void drop_repeats(PlotLine& line, const Axis& x_axis, const Axis& y_axis) {
  const InPixels pixels(line, x_axis, y_axis);
  if (!pixels.fills()) return;
  const std::vector<Spot> spots = only_new_ink(pixels.spots(line), InPixels::width, InPixels::height, 0.5);
  line.x.resize(spots.size());
  line.y.resize(spots.size());
  for (std::size_t i = 0; i < spots.size(); ++i) {
    line.x[i] = pixels.x(spots[i]);
    line.y[i] = pixels.y(spots[i]);
  }
}

/// Of a cloud of dots those that do not lie over others, with what they tell.
PlotLine dots_in_sight(const PlotLine& line, const Axis& x_axis, const Axis& y_axis) {
  constexpr double apart = 2.0;  // px
  const InPixels pixels(line, x_axis, y_axis);
  PlotLine shown = line;
  if (!pixels.fills()) return shown;
  const std::vector<std::size_t> kept = kept_dots(pixels.spots(line), apart);
  shown.x = picked(line.x, kept);
  shown.y = picked(line.y, kept);
  for (PlotNumbers& more : shown.more) more.values = picked(more.values, kept);
  return shown;
}

/// x[i] = start + i * step to within a hundredth of a step.
bool uniform(const std::vector<double>& x) {
  if (x.size() < 3) return false;
  const double step = (x.back() - x.front()) / static_cast<double>(x.size() - 1);
  if (!(std::abs(step) > 0.0)) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::abs(x[i] - x.front() - static_cast<double>(i) * step) <= 0.01 * std::abs(step))) return false;
  }
  return true;
}

std::vector<float> as_floats(const std::vector<double>& values) {
  std::vector<float> floats(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) floats[i] = static_cast<float>(values[i]);
  return floats;
}

class FigureMaker {
 public:
  FigureMaker(const Plot& plot, int number, double share, PageFigure& result)
      : plot_(plot), number_(number), share_(share), result_(result) {}

  void run() {
    result_.engine = engine_of(plot_);
    ordered_json json;
    if (plot_.kind == FigureKind::shapes) {
      json["kind"] = "shapes";
      json["shapes"] = shapes_json();
      result_.picture = shape_picture(plot_.shapes);
      result_.data = harmless(json);
      return;
    }
    const bool space = result_.engine == PlotEngine::space;
    json["kind"] = plot_.kind == FigureKind::map ? "map" : space ? "space" : "curves";
    json["x"] = axis_json(plot_.x);
    json["y"] = axis_json(plot_.y);
    json["z"] = axis_json(plot_.z);
    if (!plot_.method.empty()) json["method"] = shortened(plot_.method, longest_label);
    Plot shown = plot_without_data();
    if (plot_.kind == FigureKind::map) {
      json["map"] = {{"x", coded(plot_.map.x)}, {"y", coded(plot_.map.y)}, {"values", coded(plot_.map.values)}};
      for (int i = 0; i <= 10; ++i) json["scale"].push_back({0.1 * i, map_colour(0.1 * i)});
      shown.map = plot_.map;
    } else {
      json["lines"] = ordered_json::array();
      for (std::size_t i = 0; i < plot_.lines.size(); ++i) {
        shown.lines.push_back(first_view(plot_.lines[i], space));
        json["lines"].push_back(line_json(i, shown));
      }
      json["marks"] = ordered_json::array();
      for (const PlotMarks& marks : plot_.marks) json["marks"].push_back(marks_json(marks, shown));
      if (!plot_.picking.key.empty()) json["picking"] = picking_json();
    }
    SvgOptions options;
    options.title = false;
    options.width = result_.wide ? 980 : 640;
    options.height = result_.wide ? 400 : 380;
    result_.picture = svg(shown, options);
    json["engine"] = result_.engine ? std::string(engine_name(*result_.engine)) : std::string();
    result_.data = harmless(json);
  }

 private:
  [[nodiscard]] Plot plot_without_data() const {
    Plot shown;
    shown.title = plot_.title;
    shown.kind = plot_.kind;
    shown.x = plot_.x;
    shown.y = plot_.y;
    shown.z = plot_.z;
    shown.method = plot_.method;
    return shown;
  }

  PlotLine first_view(const PlotLine& line, bool space) {
    PlotLine shown;
    shown.label = shortened(line.label, longest_label);
    shown.style = line.style;
    shown.dashed = line.dashed;
    shown.in_legend = line.in_legend;
    shown.colour = line.colour;
    if (line.x.size() <= first_view_points) {
      shown.x = line.x;
      shown.y = line.y;
      shown.z = line.z;
      shown.more = line.more;
      return shown;
    }
    if (space) {  // a chord of the curve every so many points
      const std::size_t stride = (line.x.size() + most_loop_points - 1) / most_loop_points;
      for (std::size_t i = 0; i < line.x.size(); i += stride) {
        shown.x.push_back(line.x[i]);
        shown.y.push_back(line.y[i]);
        shown.z.push_back(line.z[i]);
      }
      if (stride > 1) result_.notes.push_back(fmt::format("Every {}th point of a long curve is drawn.", stride));
      return shown;
    }
    result_.wide = true;
    if (line.style == CurveStyle::dots) {
      PlotLine dots = dots_in_sight(line, plot_.x, plot_.y);
      dots.label = shown.label;
      return dots;
    }
    std::vector<std::size_t> kept = thin_curve(line.x, line.y, plot_.x.log, first_view_points / 4);
    if (kept.size() > 10 * most_loop_points) kept = thin_curve(line.x, line.y, plot_.x.log, first_view_points / 16);
    shown.x = picked(line.x, kept);
    shown.y = picked(line.y, kept);
    if (shown.x.size() > most_loop_points) drop_repeats(shown, plot_.x, plot_.y);
    return shown;
  }

  ordered_json line_json(std::size_t index, const Plot& shown) {
    const PlotLine& line = shown.lines[index];
    const CurveLook look = curve_look(line.colour);
    constexpr const char* style_names[] = {"line", "dots", "line_and_dots", "steps"};
    ordered_json json = {{"label", line.label},
                         {"colour", std::string(look.colour)},
                         {"marker", std::string(marker_name(look.marker)) + (look.filled ? "" : "-open")},
                         {"dash", line.dashed},
                         {"legend", line.in_legend},
                         {"group", line.colour},
                         {"style", style_names[static_cast<int>(line.style)]}};
    json["x"] = coded(line.x);
    for (std::size_t i = 0; i < index; ++i) {
      if (shown.lines[i].x != line.x || line.x.empty()) continue;
      json["x"] = i;  // the same as there
      break;
    }
    json["y"] = coded(line.y);
    if (!line.z.empty()) json["z"] = coded(line.z);
    add_more(line, json);
    const PlotLine& held = plot_.lines[index];
    const std::size_t all = std::max(held.of, held.x.size());
    if (all <= first_view_points || !held.z.empty()) return json;
    if (!line.more.empty()) {
      note(fmt::format("Of {} dots those that do not lie over others are in this page; all are in the table.", all));
      return json;
    }
    if (held.of > 0 && held.x.size() > 2 * points_of_share(share_, all)) {  // loops
      note(fmt::format("Of {} points what can be seen is in this page; all are in the table.", all));
      return json;
    }
    if (held.of > 0) {
      note(fmt::format(
          "To keep the file small, {} of {} points of each long curve are in this page, the highest and the "
          "lowest among them; all are in the table.",
          held.x.size(), all));
    }
    json["detail"] = add_detail(held, index);
    return json;
  }

  static void add_more(const PlotLine& line, ordered_json& json) {
    for (const PlotNumbers& more : line.more) {
      json["more"].push_back({{"name", more.name}, {"unit", more.unit}, {"values", coded(more.values)}});
    }
  }

  [[nodiscard]] ordered_json picking_json() const {
    const PlotPicking& picking = plot_.picking;
    ordered_json known = {{"label", shortened(picking.known.label, longest_label)},
                          {"x", coded(picking.known.x)},
                          {"y", coded(picking.known.y)}};
    add_more(picking.known, known);
    return {{"key", shortened(picking.key, longest_label)},
            {"noun", shortened(picking.noun, longest_label)},
            {"same", picking.same},
            {"beside", picking.beside},
            {"beside_axis", axis_json(picking.beside_axis)},
            {"known", std::move(known)}};
  }

  ordered_json add_detail(const PlotLine& line, std::size_t index) {
    const std::string id = fmt::format("detail-{}-{}", number_, index);
    ordered_json json = {{"id", id}, {"points", line.x.size()}, {"of", std::max(line.of, line.x.size())}};
    append_script(id + "-y", as_floats(line.y));
    if (uniform(line.x)) {
      json["x"] = "uniform";
      json["start"] = line.x.front();
      json["step"] = (line.x.back() - line.x.front()) / static_cast<double>(line.x.size() - 1);
    } else if (line.of == 0 && std::is_sorted(line.x.begin(), line.x.end())) {
      json["x"] = "f8";
      append_script(id + "-x", line.x);
    } else {
      json["x"] = "f4";
      append_script(id + "-x", as_floats(line.x));
    }
    return json;
  }

  void note(const std::string& text) {
    if (!noted_) result_.notes.push_back(text);
    noted_ = true;
  }

  template <class Number>
  void append_script(const std::string& id, const std::vector<Number>& numbers) {
    result_.details += "<script type=\"application/octet-stream\" id=\"" + id + "\">";
    append_base64({reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size() * sizeof(Number)},
                  result_.details);
    result_.details += "</script>\n";
  }

  ordered_json marks_json(const PlotMarks& marks, Plot& shown) {
    PlotMarks few = marks;
    few.label = shortened(marks.label, longest_label);
    if (few.x.size() > first_view_points) {
      few.x.resize(first_view_points);
      few.y.resize(first_view_points);
      if (!few.z.empty()) few.z.resize(first_view_points);
      result_.notes.push_back(
          fmt::format("The first {} of {} special points are drawn.", first_view_points, marks.x.size()));
    }
    ordered_json json = {{"label", few.label},
                         {"x", coded(few.x)},
                         {"y", coded(few.y)},
                         {"marker", marker_name(curve_look(static_cast<int>(shown.marks.size())).marker)}};
    if (!few.z.empty()) json["z"] = coded(few.z);
    shown.marks.push_back(std::move(few));
    return json;
  }

  [[nodiscard]] ordered_json shapes_json() const {
    ordered_json json;
    json["points"] = plot_.shapes.points;
    json["lines"] = plot_.shapes.lines;
    json["shapes"] = ordered_json::array();
    for (const PlotShapes::Shape& shape : plot_.shapes.shapes) {
      ordered_json item = {{"label", shortened(shape.label, longest_label)}, {"real", shape.real}};
      if (!shape.imaginary.empty()) item["imaginary"] = shape.imaginary;
      for (const PlotShapes::Shape::Over& over : shape.over) {
        item["over"].push_back({{"point", over.point}, {"real", over.displacement}});
      }
      json["shapes"].push_back(std::move(item));
    }
    return json;
  }

  /// Inside a script element only "<" could do harm.
  static std::string harmless(const ordered_json& json) {
    const std::string text = text_of(json);
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
      if (c == '<') {
        result += "\\u003c";
      } else {
        result += c;
      }
    }
    return result;
  }

  const Plot& plot_;
  int number_;
  double share_;
  PageFigure& result_;
  bool noted_ = false;
};

}  // namespace

std::optional<PlotEngine> engine_of(const Plot& plot) {
  if (plot.kind == FigureKind::shapes) return std::nullopt;
  if (plot.kind == FigureKind::map) return PlotEngine::cartesian;
  const auto in_space = [](const PlotLine& line) { return !line.z.empty(); };
  return std::any_of(plot.lines.begin(), plot.lines.end(), in_space) ? PlotEngine::space : PlotEngine::basic;
}

PageFigure page_figure(const Plot& plot, int number, double share) {
  PageFigure result;
  FigureMaker(plot, number, share, result).run();
  return result;
}

}  // namespace microslip
