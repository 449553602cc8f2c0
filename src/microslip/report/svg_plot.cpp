#include "microslip/report/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "microslip/report/number_text.hpp"
#include "microslip/report/palette.hpp"
#include "microslip/report/plot_axis.hpp"
#include "microslip/report/svg_canvas.hpp"
#include "microslip/report/svg_legend.hpp"
#include "microslip/report/svg_text.hpp"
#include "microslip/report/thin_line.hpp"

namespace microslip {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double column = 0.5;               ///< px of a column of a thinned curve
constexpr std::size_t most_points = 20'000;  ///< more fill an area
constexpr std::size_t marked_curves = 16;    ///< more get no markers
constexpr std::string_view grid_colour = "#e2e2e2", frame_colour = "#555", word_colour = "#222";

struct Box {
  double left = 0.0, top = 0.0, width = 1.0, height = 1.0;

  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  /// From the unit square, y upwards.
  [[nodiscard]] Spot at(const Spot& unit) const { return {left + unit.x * width, bottom() - unit.y * height}; }
  [[nodiscard]] bool overlaps(const Box& other) const {
    return left < other.right() && other.left < right() && top < other.bottom() && other.top < bottom();
  }
};

/// Curves and marks of a plot in the unit square, thinned for the size of the picture.
struct Strokes {
  std::vector<std::vector<Spot>> lines, marks;
  std::vector<std::vector<Spot>> dots;  ///< of curves with dots; empty for others
};

std::size_t common_size(const std::vector<double>& a, const std::vector<double>& b) {
  return std::min(a.size(), b.size());
}

std::vector<Spot> as_steps(const std::vector<Spot>& line) {
  std::vector<Spot> steps;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) steps.push_back({line[i].x, line[i - 1].y});
    steps.push_back(line[i]);
  }
  return steps;
}

/// In px of a picture of that size, back to the unit square.
template <class Thin>
std::vector<Spot> thinned(std::vector<Spot> spots, double width, double height, Thin thin) {
  for (Spot& spot : spots) spot = {spot.x * width, spot.y * height};
  spots = thin(std::move(spots));
  for (Spot& spot : spots) spot = {spot.x / width, spot.y / height};
  return spots;
}

template <class Place>
Strokes place_all(const Plot& plot, const SvgOptions& options, Place place) {
  Strokes strokes;
  const auto spots_of = [&](const auto& points) {
    std::vector<Spot> spots(common_size(points.x, points.y));
    for (std::size_t i = 0; i < spots.size(); ++i) {
      spots[i] = place(points.x[i], points.y[i], i < points.z.size() ? points.z[i] : nan);
    }
    return spots;
  };
  for (const PlotLine& line : plot.lines) {
    std::vector<Spot> spots = spots_of(line);
    strokes.dots.emplace_back();
    if (line.style == CurveStyle::dots || line.style == CurveStyle::line_and_dots) {
      strokes.dots.back() = thinned(spots, options.width, options.height,
                                    [](const std::vector<Spot>& all) { return thin_dots(all, column); });
    }
    if (line.style == CurveStyle::dots) spots.clear();
    if (line.style == CurveStyle::steps) spots = as_steps(spots);
    strokes.lines.push_back(thinned(std::move(spots), options.width, options.height, [&](const std::vector<Spot>& all) {
      std::vector<Spot> thin = thin_line(all, column);
      return thin.size() <= most_points ? thin : only_new_ink(thin, options.width, options.height, 1.0);
    }));
  }
  for (const PlotMarks& marks : plot.marks) {
    strokes.marks.push_back(thinned(spots_of(marks), options.width, options.height,
                                    [](const std::vector<Spot>& all) { return thin_dots(all, column); }));
  }
  return strokes;
}

/// Does a stroke or a marker come near the box? `box` in px, the strokes in the unit square of `area`.
bool touches(const Strokes& strokes, const Box& area, const Box& box) {
  const Box wide{box.left - 5.0, box.top - 5.0, box.width + 10.0, box.height + 10.0};
  const auto covers = [&](const Spot& a, const Spot& b) {
    // Liang and Barsky's clipping of a segment.
    double from = 0.0, to = 1.0;
    const auto clip = [&](double direction, double room) {
      if (direction == 0.0) return room >= 0.0;
      const double t = room / direction;
      if (direction < 0.0) from = std::max(from, t);
      if (direction > 0.0) to = std::min(to, t);
      return from <= to;
    };
    return clip(a.x - b.x, a.x - wide.left) && clip(b.x - a.x, wide.right() - a.x) && clip(a.y - b.y, a.y - wide.top) &&
           clip(b.y - a.y, wide.bottom() - a.y);
  };
  const auto finite = [](const Spot& s) { return std::isfinite(s.x) && std::isfinite(s.y); };
  for (const auto* group : {&strokes.lines, &strokes.dots, &strokes.marks}) {
    const bool joined = group == &strokes.lines;
    for (const auto& spots : *group) {
      for (std::size_t i = 0; i < spots.size(); ++i) {
        if (!finite(spots[i])) continue;
        const Spot here = area.at(spots[i]);
        const bool line = joined && i > 0 && finite(spots[i - 1]);
        if (covers(line ? area.at(spots[i - 1]) : here, here)) return true;
      }
    }
  }
  return false;
}

/// Points between breaks, which a stroke of a line would show as a speck.
std::vector<Spot> lone_points(const std::vector<Spot>& line) {
  const auto finite = [&](std::size_t i) {
    return i < line.size() && std::isfinite(line[i].x) && std::isfinite(line[i].y);
  };
  std::vector<Spot> alone;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (finite(i) && !(i > 0 && finite(i - 1)) && !finite(i + 1)) alone.push_back(line[i]);
  }
  return alone;
}

double label_width(const Ticks& ticks, double font_size) {
  double widest = 0.0;
  for (const std::string& label : ticks.labels) widest = std::max(widest, text_width(label));
  return widest * font_size;
}

/// Fewer ticks when the labels of a horizontal axis would touch.
Ticks ticks_across(const AxisScale& axis, double width, double font_size) {
  int wanted = std::max(2, static_cast<int>(width / (5.5 * font_size)));
  Ticks ticks = axis.ticks(wanted);
  while (wanted > 1 && ticks.values.size() > 1 &&
         static_cast<double>(ticks.values.size()) * (label_width(ticks, font_size) + font_size) > width) {
    ticks = axis.ticks(--wanted);
  }
  return ticks;
}

/// Edges of the cells around the points of one side of a map: half-way between neighbours, on a log axis in the
/// geometric sense. NaN at points that the axis cannot show.
std::vector<double> cell_edges(const std::vector<double>& values, bool log) {
  std::vector<double> places;
  for (const double value : values) places.push_back(log ? std::log(value) : value);
  std::vector<double> edges(places.size() + 1, nan);
  for (std::size_t i = 1; i < places.size(); ++i) edges[i] = places[i - 1] / 2.0 + places[i] / 2.0;
  if (places.size() > 1) {
    edges.front() = places.front() + (places.front() - edges[1]);
    edges.back() = places.back() + (places.back() - edges[places.size() - 1]);
  } else if (places.size() == 1) {
    const double half = log || places[0] == 0.0 ? 0.5 : std::abs(places[0]) / 20.0;
    edges = {places[0] - half, places[0] + half};
  }
  if (log) {
    for (double& edge : edges) edge = std::exp(edge);
  }
  return edges;
}

class PlanePicture {
 public:
  PlanePicture(const Plot& plot, const SvgOptions& options)
      : plot_(plot),
        options_(options),
        font_(options.font_size),
        canvas_(options.width, options.height, options.font_size, plot.title) {}

  std::string draw();

 private:
  void find_axes();
  void title();
  void place_legend();
  void frame();
  void curves();
  void sparse_markers(std::size_t number, const std::vector<Spot>& line);
  void notes();
  void map_cells();
  void colour_bar();

  [[nodiscard]] bool is_map() const { return plot_.kind == FigureKind::map; }
  [[nodiscard]] bool in_space() const {
    return !is_map() && std::any_of(plot_.lines.begin(), plot_.lines.end(), [](const auto& l) { return !l.z.empty(); });
  }
  [[nodiscard]] bool nothing() const;
  [[nodiscard]] bool wants_markers() const;
  [[nodiscard]] Spot project(double x, double y, double z) const;
  void set_left();
  void draw_legend(const Legend& legend, double x, double y, bool framed);
  void space_frame();
  void label_edge(const Axis& axis, const AxisScale& scale, Spot start, Spot end, Anchor anchor, Spot outwards);

  const Plot& plot_;
  const SvgOptions& options_;
  double font_;
  SvgCanvas canvas_;
  AxisScale x_, y_, z_;
  Box area_;
  Strokes strokes_;
  std::vector<std::string> notes_;
  std::optional<Legend> legend_;
  double legend_x_ = 0.0, legend_y_ = 0.0;
  bool legend_inside_ = false;
};

bool PlanePicture::nothing() const {
  const auto none = [](const auto& group) {
    return std::all_of(group.begin(), group.end(), [](const auto& spots) {
      return std::none_of(spots.begin(), spots.end(),
                          [](const Spot& s) { return std::isfinite(s.x) && std::isfinite(s.y); });
    });
  };
  return none(strokes_.lines) && none(strokes_.dots) && none(strokes_.marks);
}

bool PlanePicture::wants_markers() const {
  const auto shown = std::count_if(plot_.lines.begin(), plot_.lines.end(), [](const auto& l) { return l.in_legend; });
  return options_.markers && plot_.kind == FigureKind::curves && shown > 1 &&
         static_cast<std::size_t>(shown) <= marked_curves;
}

/// A fixed view from the front and above: x to the right, y to the back, z up. In the unit square.
Spot PlanePicture::project(double x, double y, double z) const {
  constexpr double turn = 0.55, tilt = 0.42;  // rad
  const double c = std::cos(turn), s = std::sin(turn), ct = std::cos(tilt), st = std::sin(tilt);
  const double width = c + s, height = ct + st * (c + s);
  return {(x * c - y * s + s) / width, (z * ct + st * (x * s + y * c)) / height};
}

void PlanePicture::find_axes() {
  DataRange x(plot_.x.log), y(plot_.y.log), z(plot_.z.log);
  if (is_map()) {
    x.add(cell_edges(plot_.map.x, plot_.x.log));
    y.add(cell_edges(plot_.map.y, plot_.y.log));
    z.add(plot_.map.values);
  }
  const auto add = [&](const auto& points) {
    // A pair counts when both can be drawn: a log axis is not stretched by what another column hides.
    const std::size_t size = common_size(points.x, points.y);
    x.add(std::span(points.x).first(size));
    y.add(std::span(points.y).first(size));
    z.add(points.z);
  };
  for (const PlotLine& line : plot_.lines) add(line);
  for (const PlotMarks& marks : plot_.marks) add(marks);
  x_ = AxisScale(x, is_map() ? 0.0 : 0.02);
  y_ = AxisScale(y, is_map() ? 0.0 : 0.05);
  z_ = AxisScale(z, 0.0);
  const auto hidden = [&](std::string_view axis, std::size_t count) {
    if (count > 0)
      notes_.push_back(fmt::format("{} value{} ≤ 0 not on the log axis {}", count, count == 1 ? "" : "s", axis));
  };
  hidden("x", x.hidden());
  hidden("y", y.hidden());
  hidden(is_map() ? "of colours" : "z", z.hidden());
}

void PlanePicture::title() {
  area_ = {10.0, 10.0, options_.width - 24.0, options_.height - 20.0};
  if (!options_.title || plot_.title.empty()) return;
  canvas_.text(options_.width / 2.0, 10.0 + font_,
               shortened_to_width(plot_.title, (options_.width - 20.0) / (1.15 * font_)),
               {Anchor::middle, 1.08, word_colour, true});
  area_.top += 1.6 * font_;
  area_.height -= 1.6 * font_;
}

/// Room for the labels and the title of the vertical axis, which depend on the height.
void PlanePicture::set_left() {
  const double right = area_.right();
  const Ticks ticks = y_.ticks(std::max(2, static_cast<int>(area_.height / (3.2 * font_))));
  area_.left = 14.0 + label_width(ticks, font_) + (axis_title(plot_.y).empty() ? 0.0 : 1.5 * font_);
  area_.left = std::min(area_.left, 0.4 * options_.width);
  area_.width = right - area_.left;
}

void PlanePicture::place_legend() {
  const std::vector<LegendEntry> entries =
      options_.legend && !is_map() ? legend_entries(plot_, wants_markers()) : std::vector<LegendEntry>();
  if (entries.empty()) return;
  // In a corner without data.
  Legend inside(entries, 1, 0.45 * area_.width, font_);
  const double room = 8.0;
  if (!in_space() && inside.height() < 0.6 * area_.height) {
    const double left = area_.left + room, right = area_.right() - inside.width() - room;
    const double top = area_.top + room, bottom = area_.bottom() - inside.height() - room;
    for (const auto& [x, y] :
         {std::pair(right, top), std::pair(left, top), std::pair(right, bottom), std::pair(left, bottom)}) {
      if (touches(strokes_, area_, {x, y, inside.width(), inside.height()})) continue;
      legend_.emplace(std::move(inside));
      legend_x_ = x;
      legend_y_ = y;
      legend_inside_ = true;
      return;
    }
  }
  // Below, if it is low; else beside.
  const double widest = std::min(0.95 * area_.width, inside.column_width());
  const auto columns = std::min(entries.size(), static_cast<std::size_t>(std::max(1.0, area_.width / widest)));
  Legend below(entries, columns, area_.width, font_);
  if (below.rows() <= 3 || options_.width < 420) {
    below.limit_rows(std::max<std::size_t>(1, static_cast<std::size_t>(0.4 * area_.height / (1.45 * font_))));
    area_.height -= below.height() + 4.0;
    legend_x_ = area_.left + std::max(0.0, (area_.width - below.width()) / 2.0);
    legend_y_ = options_.height - 8.0 - below.height();
    legend_.emplace(std::move(below));
    return;
  }
  Legend beside(entries, 1, 0.34 * options_.width, font_);
  beside.limit_rows(std::max<std::size_t>(2, static_cast<std::size_t>(area_.height / (1.45 * font_))));
  area_.width -= beside.width() + 4.0;
  legend_x_ = area_.right() + 14.0;
  legend_y_ = area_.top;
  legend_.emplace(std::move(beside));
}

void PlanePicture::frame() {
  const Ticks across = ticks_across(x_, area_.width, font_);
  const Ticks up = y_.ticks(std::max(2, static_cast<int>(area_.height / (3.2 * font_))));
  std::vector<Spot> grid, small;
  const double bottom = area_.bottom(), right = area_.right();
  for (const long double value : across.values) {
    const double x = area_.at({x_.place(value), 0.0}).x;
    grid.insert(grid.end(), {{x, area_.top}, {x, bottom}});
    small.insert(small.end(), {{x, bottom}, {x, bottom + 4.0}});
  }
  for (const long double value : up.values) {
    const double y = area_.at({0.0, y_.place(value)}).y;
    grid.insert(grid.end(), {{area_.left, y}, {right, y}});
    small.insert(small.end(), {{area_.left - 4.0, y}, {area_.left, y}});
  }
  for (const long double value : across.minor) {
    const double x = area_.at({x_.place(value), 0.0}).x;
    small.insert(small.end(), {{x, bottom}, {x, bottom + 2.0}});
  }
  for (const long double value : up.minor) {
    const double y = area_.at({0.0, y_.place(value)}).y;
    small.insert(small.end(), {{area_.left - 2.0, y}, {area_.left, y}});
  }
  if (!is_map()) canvas_.segments(grid, {grid_colour, 0.8});
  canvas_.segments(small, {frame_colour, 0.8});
  for (std::size_t i = 0; i < across.values.size(); ++i) {
    canvas_.text(area_.at({x_.place(across.values[i]), 0.0}).x, bottom + 5.0 + font_, across.labels[i],
                 {Anchor::middle});
  }
  for (std::size_t i = 0; i < up.values.size(); ++i) {
    canvas_.text(area_.left - 7.0, area_.at({0.0, y_.place(up.values[i])}).y + 0.36 * font_, up.labels[i],
                 {Anchor::end});
  }
  // The notes of the axes stand at their ends: ×10⁻³.
  const double words = bottom + 8.0 + 2.3 * font_;
  canvas_.text(right, words, across.note, {Anchor::end});
  canvas_.text(area_.left, area_.top - 5.0, up.note, {});
  const double room = area_.width - 2.0 * font_ * text_width(across.note);
  canvas_.text(area_.left + area_.width / 2.0, words, shortened_to_width(axis_title(plot_.x), room / font_),
               {Anchor::middle});
  TextStyle upwards{Anchor::middle};
  upwards.upwards = true;
  canvas_.text(6.0 + font_, area_.top + area_.height / 2.0,
               shortened_to_width(axis_title(plot_.y), area_.height / font_), upwards);
}

void PlanePicture::sparse_markers(std::size_t number, const std::vector<Spot>& line) {
  const PlotLine& curve = plot_.lines[number];
  if (!wants_markers() || curve.colour < 0 || curve.style == CurveStyle::dots ||
      curve.style == CurveStyle::line_and_dots) {
    return;
  }
  double length = 0.0;
  const auto piece = [&](std::size_t i) {
    const double d = std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    return std::isfinite(d) ? d : 0.0;
  };
  for (std::size_t i = 1; i < line.size(); ++i) length += piece(i);
  if (length < 60.0 || length > 5.0 * (area_.width + area_.height)) return;  // a dot of it, or a band of oscillations
  const double spacing = std::max(110.0, length / 7.0);
  // Each curve begins elsewhere, so that markers of curves that lie on each other stay apart.
  double next = spacing * (0.15 + 0.7 * std::fmod(0.618034 * (curve.colour + 1), 1.0));
  double walked = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const double d = piece(i);
    while (d > 0.0 && walked + d >= next) {
      const double t = (next - walked) / d;
      canvas_.marker({line[i - 1].x + t * (line[i].x - line[i - 1].x), line[i - 1].y + t * (line[i].y - line[i - 1].y)},
                     curve_look(curve.colour), 6.0);
      next += spacing;
    }
    walked += d;
  }
}

void PlanePicture::curves() {
  const auto on_paper = [&](std::vector<Spot> spots) {
    for (Spot& spot : spots) spot = area_.at(spot);
    return spots;
  };
  for (std::size_t i = 0; i < strokes_.lines.size(); ++i) {
    const PlotLine& curve = plot_.lines[i];
    const CurveLook look = curve_look(curve.colour);
    const std::vector<Spot> line = on_paper(strokes_.lines[i]);
    const std::vector<Spot> dots = on_paper(strokes_.dots[i]);
    const bool dense = line.size() > 3000;
    canvas_.polyline(line, {look.colour, dense ? 0.8 : 1.8, curve.dashed});
    sparse_markers(i, line);
    canvas_.dots(lone_points(line), look.colour, 6.0);
    if (dots.size() > 400) {
      canvas_.dots(dots, look.colour, 2.5);
    } else {
      for (const Spot& dot : dots) canvas_.marker(dot, look, dots.size() > 80 ? 4.0 : 5.5);
    }
  }
  for (std::size_t i = 0; i < strokes_.marks.size(); ++i) {
    const std::vector<Spot> marks = on_paper(strokes_.marks[i]);
    for (std::size_t k = 0; k < std::min<std::size_t>(marks.size(), 2000); ++k)
      canvas_.marker(marks[k], mark_look(i), 8.0);
  }
}

void PlanePicture::notes() {
  if (notes_.empty()) return;
  canvas_.text(area_.right(), area_.top - 5.0, shortened(fmt::format("{}", fmt::join(notes_, "; ")), 120),
               {Anchor::end, 0.82, "#555", false, true});
}

void PlanePicture::map_cells() {
  const PlotMap& map = plot_.map;
  std::vector<double> across = cell_edges(map.x, plot_.x.log), up = cell_edges(map.y, plot_.y.log);
  for (double& edge : across) edge = x_.place(edge);
  for (double& edge : up) edge = y_.place(edge);
  // Cells finer than a px are left out, neighbours of one colour drawn as one.
  double drawn_bottom = -1.0;
  for (std::size_t j = 0; j < map.y.size(); ++j) {
    const double y0 = up[j], y1 = up[j + 1];
    if (!(std::isfinite(y0) && std::isfinite(y1))) continue;
    if (j + 1 < map.y.size() && std::abs(y1 - drawn_bottom) * area_.height < 0.75 && drawn_bottom >= 0.0) continue;
    const double from = drawn_bottom >= 0.0 ? drawn_bottom : y0;
    drawn_bottom = y1;
    std::string colour;
    double start = nan, end = nan;
    const auto flush = [&] {
      if (colour.empty()) return;
      const Spot a = area_.at({std::min(start, end), std::max(from, y1)});
      const Spot b = area_.at({std::max(start, end), std::min(from, y1)});
      canvas_.cell(a.x, a.y, b.x - a.x, b.y - a.y, colour);
    };
    for (std::size_t i = 0; i < map.x.size(); ++i) {
      const std::size_t index = i + map.x.size() * j;
      const double share = index < map.values.size() ? z_.place(map.values[index]) : nan;
      const std::string here =
          std::isfinite(share) ? map_colour(std::round(share * 255.0) / 255.0) : std::string(no_value_colour);
      const double x0 = across[i], x1 = across[i + 1];
      if (!(std::isfinite(x0) && std::isfinite(x1))) continue;
      if (here != colour || !std::isfinite(start)) {
        flush();
        colour = here;
        start = x0;
      }
      end = x1;
    }
    flush();
  }
}

void PlanePicture::colour_bar() {
  const Ticks ticks = z_.ticks(std::max(2, static_cast<int>(area_.height / (3.2 * font_))));
  const double left = area_.right() + 12.0, width = 14.0;
  constexpr int steps = 64;
  for (int i = 0; i < steps; ++i) {
    const double y = area_.bottom() - area_.height * (i + 1) / steps;
    canvas_.cell(left, y, width, area_.height / steps, map_colour((i + 0.5) / steps));
  }
  canvas_.rectangle(left, area_.top, width, area_.height, "none", frame_colour);
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const double y = area_.at({0.0, z_.place(ticks.values[i])}).y;
    canvas_.segment({left + width, y}, {left + width + 4.0, y}, {frame_colour, 0.8});
    canvas_.text(left + width + 7.0, y + 0.36 * font_, ticks.labels[i]);
  }
  canvas_.text(left + width + 7.0, area_.top - 5.0, ticks.note, {Anchor::middle});
  TextStyle upwards{Anchor::middle};
  upwards.upwards = true;
  canvas_.text(options_.width - 8.0, area_.top + area_.height / 2.0,
               shortened_to_width(axis_title(plot_.z), area_.height / font_), upwards);
}

/// Ticks, labels and title along an edge of the box in space.
void PlanePicture::label_edge(const Axis& axis, const AxisScale& scale, Spot start, Spot end, Anchor anchor,
                              Spot outwards) {
  const Ticks ticks = scale.ticks(4);
  double widest = 0.0;
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const double t = scale.place(ticks.values[i]);
    const Spot at{start.x + t * (end.x - start.x), start.y + t * (end.y - start.y)};
    canvas_.segment(at, {at.x + 4.0 * outwards.x, at.y + 4.0 * outwards.y}, {frame_colour, 0.8});
    canvas_.text(at.x + 8.0 * outwards.x, at.y + 8.0 * outwards.y + (outwards.y > 0.3 ? 0.7 : 0.36) * font_,
                 ticks.labels[i], {anchor});
    widest = std::max(widest, font_ * text_width(ticks.labels[i]));
  }
  std::string words = axis_title(axis);
  if (!ticks.note.empty()) words += (words.empty() ? "" : "  ") + ticks.note;
  const Spot middle{(start.x + end.x) / 2.0, (start.y + end.y) / 2.0};
  if (outwards.y > 0.3) {
    canvas_.text(middle.x + 20.0 * outwards.x, middle.y + 3.3 * font_,
                 shortened_to_width(words, 0.45 * area_.width / font_),
                 {anchor == Anchor::end ? Anchor::end : Anchor::start});
  } else {
    TextStyle upwards{Anchor::middle};
    upwards.upwards = true;
    canvas_.text(std::max(font_ + 2.0, middle.x - 14.0 - widest), middle.y,
                 shortened_to_width(words, area_.height / font_), upwards);
  }
}

void PlanePicture::space_frame() {
  const auto at = [&](double x, double y, double z) { return area_.at(project(x, y, z)); };
  std::vector<Spot> grid;
  for (const long double value : x_.ticks(4).values) {
    const double t = x_.place(value);
    grid.insert(grid.end(), {at(t, 0, 0), at(t, 1, 0), at(t, 1, 0), at(t, 1, 1)});
  }
  for (const long double value : y_.ticks(4).values) {
    const double t = y_.place(value);
    grid.insert(grid.end(), {at(0, t, 0), at(1, t, 0), at(1, t, 0), at(1, t, 1)});
  }
  for (const long double value : z_.ticks(4).values) {
    const double t = z_.place(value);
    grid.insert(grid.end(), {at(0, 1, t), at(1, 1, t), at(1, 1, t), at(1, 0, t)});
  }
  canvas_.segments(grid, {grid_colour, 0.8});
  canvas_.segments({at(0, 0, 0), at(1, 0, 0), at(0, 0, 0), at(0, 1, 0), at(0, 1, 0), at(0, 1, 1), at(1, 0, 0),
                    at(1, 0, 1), at(0, 1, 1), at(1, 1, 1), at(1, 1, 1), at(1, 0, 1), at(1, 1, 0), at(1, 1, 1),
                    at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(1, 1, 0)},
                   {"#aaa", 0.8});
  label_edge(plot_.x, x_, at(0, 0, 0), at(1, 0, 0), Anchor::start, {0.5, 0.85});
  label_edge(plot_.y, y_, at(0, 0, 0), at(0, 1, 0), Anchor::end, {-0.6, 0.8});
  label_edge(plot_.z, z_, at(0, 1, 0), at(0, 1, 1), Anchor::end, {-1.0, 0.0});
}

void PlanePicture::draw_legend(const Legend& legend, double x, double y, bool framed) {
  if (framed) canvas_.rectangle(x - 5.0, y - 3.0, legend.width(), legend.height() + 6.0, "#fff", "#ccc");
  legend.draw(canvas_, x, y);
}

std::string PlanePicture::draw() {
  find_axes();
  title();
  const bool space = in_space();
  strokes_ = place_all(plot_, options_, [&](double x, double y, double z) {
    const double px = x_.place(x), py = y_.place(y);
    if (!space) return Spot{px, py};
    const double pz = z_.place(z);
    if (!std::isfinite(px + py + pz)) return Spot{nan, nan};
    return project(px, py, pz);
  });
  const bool empty = is_map() ? plot_.map.x.empty() || plot_.map.y.empty() ||
                                    std::none_of(plot_.map.values.begin(), plot_.map.values.end(),
                                                 [](double v) { return std::isfinite(v); })
                              : nothing();
  area_.height -= axis_title(plot_.x).empty() && !space ? 1.5 * font_ : 2.9 * font_;
  area_.top += 0.8 * font_;  // the notes of the axes
  area_.height -= 0.8 * font_;
  if (is_map())
    area_.width -= 36.0 + label_width(z_.ticks(5), font_) + (axis_title(plot_.z).empty() ? 0.0 : 1.6 * font_);
  if (space) {
    area_.left = 14.0 + label_width(z_.ticks(4), font_) + 1.8 * font_;
    area_.width = options_.width - area_.left - 60.0;
    area_.height -= 1.6 * font_;
    place_legend();
    space_frame();
  } else {
    set_left();
    place_legend();
    set_left();
    if (is_map() && !empty) map_cells();
    frame();
  }
  if (!empty) curves();
  if (is_map() && !empty) colour_bar();
  if (!space) canvas_.rectangle(area_.left, area_.top, area_.width, area_.height, "none", frame_colour);
  if (legend_) draw_legend(*legend_, legend_x_, legend_y_, legend_inside_);
  if (empty) {
    canvas_.text(area_.left + area_.width / 2.0, area_.top + area_.height / 2.0, "no values to draw",
                 {Anchor::middle, 1.1, "#777", false, true});
  }
  notes();
  return std::move(canvas_).finish();
}

}  // namespace

std::string svg(const Plot& plot, const SvgOptions& options) {
  SvgOptions usable = options;
  usable.width = std::clamp(options.width, 120, 20'000);
  usable.height = std::clamp(options.height, 90, 20'000);
  usable.font_size = std::isfinite(options.font_size) ? std::clamp(options.font_size, 4.0, 200.0) : 13.0;
  return PlanePicture(plot, usable).draw();
}

}  // namespace microslip
