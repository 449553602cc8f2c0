#pragma once
// The legend of a picture: entries, the room they need, and drawing them.

#include <string>
#include <vector>

#include "microslip/report/plot.hpp"
#include "microslip/report/svg_canvas.hpp"

namespace microslip {

struct LegendEntry {
  std::string label;
  CurveLook look;
  bool line = false;
  bool dashed = false;
  bool marker = false;
};

/// The entries of a plot; none when they would tell nothing. `sparse_markers`: curves carry a few markers.
[[nodiscard]] std::vector<LegendEntry> legend_entries(const Plot& plot, bool sparse_markers);

/// "method, label", without the part that is empty.
[[nodiscard]] std::string joined_label(const std::string& method, const std::string& label);

/// How special points look: number `index` of the plot's marks.
[[nodiscard]] CurveLook mark_look(std::size_t index);

class Legend {
 public:
  /// In so many columns, each as wide as the widest entry but no wider than `column_limit` px.
  Legend(std::vector<LegendEntry> entries, std::size_t columns, double column_limit, double font_size);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] double width() const { return column_width_ * static_cast<double>(columns_); }
  [[nodiscard]] double height() const { return row_height_ * static_cast<double>(rows_); }
  [[nodiscard]] double column_width() const { return column_width_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Entries beyond so many rows become "… 12 more".
  void limit_rows(std::size_t rows);
  void draw(SvgCanvas& canvas, double x, double y) const;

 private:
  std::vector<LegendEntry> entries_;
  std::size_t columns_ = 1, rows_ = 0;
  double font_size_, column_width_ = 0.0, row_height_ = 0.0;
};

}  // namespace microslip
