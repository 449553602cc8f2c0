#include "microslip/report/svg_legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "microslip/report/svg_text.hpp"

namespace microslip {
namespace {

constexpr double sample_width = 30.0;  ///< px of the piece of line
constexpr double gap = 6.0;            ///< between it and the words
constexpr double between = 14.0;       ///< to the next column

}  // namespace

CurveLook mark_look(std::size_t index) {
  constexpr MarkerShape shapes[] = {MarkerShape::circle,  MarkerShape::square, MarkerShape::triangle,
                                    MarkerShape::diamond, MarkerShape::star,   MarkerShape::cross};
  return {"#111111", shapes[index % std::size(shapes)], false};
}

std::string joined_label(const std::string& method, const std::string& label) {
  return method.empty() || label.empty() ? method + label : method + ", " + label;
}

std::vector<LegendEntry> legend_entries(const Plot& plot, bool sparse_markers) {
  std::vector<LegendEntry> entries;
  bool dashed = false;
  bool words = false;
  for (const PlotLine& line : plot.lines) {
    dashed = dashed || line.dashed;
    if (!line.in_legend) continue;
    LegendEntry entry{line.label, curve_look(line.colour)};
    entry.line = line.style != CurveStyle::dots;
    entry.marker = line.style == CurveStyle::dots || line.style == CurveStyle::line_and_dots ||
                   (sparse_markers && line.colour >= 0);
    entry.dashed = line.dashed;
    words = words || !line.label.empty();
    entries.push_back(std::move(entry));
  }
  const bool curves_tell = words && entries.size() > 1;
  const bool rest = dashed || !plot.marks.empty();
  if (!curves_tell && !rest && plot.method.empty()) return {};
  if (!plot.method.empty() && entries.size() == 1) {
    entries.front().label = joined_label(plot.method, entries.front().label);
  } else if (!words) {
    entries.clear();
  }
  if (!plot.method.empty() && entries.size() != 1) entries.insert(entries.begin(), {plot.method, {}});
  if (dashed) entries.push_back({"unstable", {"#555555"}, true, true, false});
  for (std::size_t i = 0; i < plot.marks.size(); ++i) {
    entries.push_back({plot.marks[i].label, mark_look(i), false, false, true});
  }
  return entries;
}

Legend::Legend(std::vector<LegendEntry> entries, std::size_t columns, double column_limit, double font_size)
    : entries_(std::move(entries)), columns_(std::max<std::size_t>(1, columns)), font_size_(font_size) {
  row_height_ = 1.45 * font_size;
  const double most_words = std::max(20.0, column_limit - sample_width - gap - between) / font_size;
  for (LegendEntry& entry : entries_) {
    entry.label = shortened_to_width(entry.label, most_words);
    column_width_ = std::max(column_width_, sample_width + gap + between + font_size * text_width(entry.label));
  }
  rows_ = (entries_.size() + columns_ - 1) / columns_;
}

void Legend::limit_rows(std::size_t rows) {
  if (rows_ <= rows || rows == 0) return;
  const std::size_t shown = rows * columns_ - 1;
  LegendEntry more;
  more.label = fmt::format("… {} more", entries_.size() - shown);
  entries_.resize(shown);
  entries_.push_back(more);
  rows_ = rows;
}

void Legend::draw(SvgCanvas& canvas, double x, double y) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const LegendEntry& entry = entries_[i];
    // Row by row, so that the order is that of reading.
    const double left = x + column_width_ * static_cast<double>(i % columns_);
    const double middle = y + row_height_ * (static_cast<double>(i / columns_) + 0.5);
    if (entry.line) {
      canvas.segment({left + 1.0, middle}, {left + sample_width - 1.0, middle}, {entry.look.colour, 2.0, entry.dashed});
    }
    if (entry.marker) canvas.marker({left + sample_width / 2.0, middle}, entry.look, 6.5);
    const bool words_only = !entry.line && !entry.marker;
    canvas.text(words_only ? left : left + sample_width + gap, middle + 0.35 * font_size_, entry.label);
  }
}

}  // namespace microslip
