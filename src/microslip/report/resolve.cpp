#include "microslip/report/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "microslip/report/number_text.hpp"
#include "microslip/report/thin_curve.hpp"

namespace microslip {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_cells = 4'000'000;

using Rows = std::vector<std::size_t>;

/// Same value, a missing one counting as one.
bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

double finite(double value) {
  return std::isfinite(value) ? value : no_number;
}

std::string with_unit(const std::string& text, const std::string& unit) {
  return unit.empty() || unit == "-" ? text : text + " " + unit;
}

/// One set of values of the columns of `split`, and the rows that have it.
struct Group {
  std::vector<double> key;
  Rows rows;
};

/// For sorting keys; missing values last.
bool before(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (same(a[i], b[i])) continue;
    return std::isnan(b[i]) || a[i] < b[i];
  }
  return false;
}

class Resolver {
 public:
  Resolver(const Figure& figure, ColumnSource& source, const UnitLabels& units, const ShapeGeometry& geometry,
           double share, Resolved& result)
      : figure_(figure), source_(source), units_(units), geometry_(geometry), share_(share), result_(result) {}

  void run() {
    Plot& plot = result_.plot;
    plot.title = figure_.title;
    plot.kind = figure_.kind;
    plot.method = figure_.method;
    plot.x = labelled(figure_.x);
    plot.y = labelled(figure_.y);
    plot.z = labelled(figure_.z);
    if (figure_.curves.empty()) throw MissingColumn("no curve is declared");
    if (figure_.kind == FigureKind::map) {
      add_map(figure_.curves.front());
      return;
    }
    if (figure_.kind == FigureKind::shapes) {
      add_shapes(figure_.curves.front());
      if (figure_.curves.size() > 1) lay_over(figure_.curves[1]);
      return;
    }
    std::string missing;
    std::size_t left_out = 0;
    for (const Curve& curve : figure_.curves) {
      try {
        left_out += add_curves(curve);
      } catch (const MissingColumn& error) {
        missing = error.what();
        result_.notes.push_back(missing);
      }
    }
    if (plot.lines.empty() && !missing.empty()) throw MissingColumn(missing);
    for (const Marks& marks : figure_.marks) {
      try {
        add_marks(marks);
      } catch (const MissingColumn& error) {
        result_.notes.emplace_back(error.what());
      }
    }
    if (left_out > 0) {
      result_.notes.push_back(fmt::format("{} more curves are in the table, not in the figure.", left_out));
    }
    if (!figure_.picking.key.empty()) add_picking(figure_.picking);
    check_empty();
    check_log(plot.x, &PlotLine::x);
    check_log(plot.y, &PlotLine::y);
  }

 private:
  [[nodiscard]] Axis labelled(const Axis& axis) const {
    const std::string unit = units_.of(axis.unit);
    return {axis.label, unit == "-" ? "" : unit, axis.log};
  }

  const std::vector<double>& column(const Curve& curve, const std::string& name) {
    return source_.column(curve.table, name);
  }

  Rows rows_of(const Curve& curve) {
    Rows rows;
    // Shapes have no x: any column tells how many rows there are.
    const std::string& any = !curve.x.empty()       ? curve.x
                             : !curve.split.empty() ? curve.split.front()
                                                    : first_dof_column_;
    const std::size_t count = column(curve, any).size();
    std::vector<std::pair<const std::vector<double>*, double>> conditions;
    for (const Condition& condition : curve.where) {
      conditions.emplace_back(&column(curve, condition.column), condition.value);
    }
    rows.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto holds = [&](const auto& condition) { return same((*condition.first)[i], condition.second); };
      if (std::all_of(conditions.begin(), conditions.end(), holds)) rows.push_back(i);
    }
    return rows;
  }

  std::vector<Group> groups_of(const Curve& curve) {
    if (curve.split.empty()) return {{{}, rows_of(curve)}};
    std::vector<const std::vector<double>*> columns;
    for (const std::string& name : curve.split) columns.push_back(&column(curve, name));
    std::map<std::vector<double>, std::size_t, decltype(&before)> places(&before);
    std::vector<Group> groups;
    std::vector<double> key(columns.size());
    for (const std::size_t row : rows_of(curve)) {
      for (std::size_t k = 0; k < columns.size(); ++k) key[k] = (*columns[k])[row];
      if (groups.empty() || !std::equal(key.begin(), key.end(), groups.back().key.begin(), same)) {
        const auto [place, added] = places.try_emplace(key, groups.size());
        if (added) {
          groups.push_back({key, {}});
        } else {
          groups[place->second].rows.push_back(row);
          continue;
        }
      }
      groups.back().rows.push_back(row);
    }
    return groups;
  }

  std::string label_of(const Curve& curve, const Group& group) const {
    std::string label = curve.label;
    for (std::size_t k = 0; k < group.key.size(); ++k) {
      if (!label.empty()) label += ", ";
      label += curve.split[k] + " " + with_unit(engineering(group.key[k]), source_.unit(curve.table, curve.split[k]));
    }
    return label;
  }

  std::vector<PlotNumbers> more_of(const Curve& curve, const Rows& rows) {
    std::vector<PlotNumbers> more;
    for (const std::string& name : curve.more) {
      const std::vector<double>& values = column(curve, name);
      const std::string unit = source_.unit(curve.table, name);
      PlotNumbers numbers{name, unit == "-" ? "" : unit, {}};
      for (const std::size_t row : rows) numbers.values.push_back(values[row]);
      more.push_back(std::move(numbers));
    }
    return more;
  }

  /// Adds the curves; how many were left out.
  std::size_t add_curves(const Curve& curve) {
    const std::vector<double>& x = column(curve, curve.x);
    const std::vector<double>& y = column(curve, curve.y);
    const std::vector<double>* z = curve.z.empty() ? nullptr : &column(curve, curve.z);
    const std::vector<double>* stable = curve.stable.empty() ? nullptr : &column(curve, curve.stable);
    std::size_t left_out = 0;
    if (curve.split.empty() && curve.where.empty() && stable == nullptr &&
        curve.period == 0.0) {  // every row, as it is: long histories
      PlotLine line;
      line.label = curve.label;
      line.style = curve.style;
      line.colour = colours_++;
      if (thins(x.size()) && z == nullptr) {
        keep_some(thinned(x, y), x, y, line);
      } else {
        line.x = x;
        line.y = y;
        if (z != nullptr) line.z = *z;
      }
      for (std::vector<double>* values : {&line.x, &line.y, &line.z}) {
        for (double& value : *values) value = finite(value);
      }
      if (!line.x.empty()) result_.plot.lines.push_back(std::move(line));
      return 0;
    }
    for (const Group& group : groups_of(curve)) {
      if (group.rows.empty()) continue;
      if (static_cast<std::size_t>(colours_) >= most_curves) {
        ++left_out;
        continue;
      }
      PlotLine line;
      line.label = label_of(curve, group);
      line.style = curve.style;
      if (stable == nullptr && curve.period == 0.0 && !thins(group.rows.size())) line.more = more_of(curve, group.rows);
      line.colour = colours_++;
      add_line(std::move(line), group.rows, x, y, z, stable, curve.period);
    }
    return left_out;
  }

  [[nodiscard]] bool thins(std::size_t points) const { return share_ < 1.0 && points > first_view_points; }

  /// Places of the points that remain.
  [[nodiscard]] std::vector<std::size_t> thinned(const std::vector<double>& x, const std::vector<double>& y) const {
    const bool log = figure_.x.log;
    const std::size_t wanted = points_of_share(share_, x.size());
    // To and fro: as fine as a picture needs it.
    constexpr std::size_t fine = first_view_points / 4, coarse = fine / 4;
    const std::size_t columns = std::is_sorted(x.begin(), x.end()) ? wanted / 4 : std::min(wanted / 4, fine);
    std::vector<std::size_t> kept = thin_curve(x, y, log, columns);
    if (kept.size() <= 2 * wanted) return kept;
    if (columns > fine) kept = thin_curve(x, y, log, fine);
    if (kept.size() > 50 * first_view_points) kept = thin_curve(x, y, log, coarse);
    return kept;
  }

  static void keep_some(const std::vector<std::size_t>& places, const std::vector<double>& x,
                        const std::vector<double>& y, PlotLine& line) {
    const std::size_t all = x.size();
    std::vector<double> few_x(places.size()), few_y(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      few_x[i] = x[places[i]];
      few_y[i] = y[places[i]];
    }
    line.x = std::move(few_x);
    line.y = std::move(few_y);
    if (places.size() < all) line.of = all;
  }

  /// The stable parts, and dashed the unstable ones. A dashed part begins and ends at the neighbouring stable points,
  /// so that the curve has no gaps.
  void add_line(PlotLine line, const Rows& rows, const std::vector<double>& x, const std::vector<double>& y,
                const std::vector<double>* z, const std::vector<double>* stable, double period) {
    const auto push = [&](PlotLine& to, std::size_t row) {
      to.x.push_back(finite(x[row]));
      to.y.push_back(finite(y[row]));
      if (z != nullptr) to.z.push_back(finite((*z)[row]));
    };
    const auto lift = [&](PlotLine& to) {
      if (to.x.empty() || std::isnan(to.x.back())) return;
      to.x.push_back(no_number);
      to.y.push_back(no_number);
      if (z != nullptr) to.z.push_back(no_number);
    };
    const auto unstable = [&](std::size_t row) { return stable != nullptr && (*stable)[row] == 0.0; };
    PlotLine dashed = line;
    dashed.dashed = true;
    if (stable == nullptr) {
      line.x.reserve(rows.size());
      line.y.reserve(rows.size());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool here = unstable(rows[i]);
      if (i > 0 && period > 0.0 && std::abs(y[rows[i]] - y[rows[i - 1]]) > 0.5 * period) {
        lift(line);
        lift(dashed);
      } else if (i > 0 && here != unstable(rows[i - 1])) {
        if (here) {
          lift(line);
          push(dashed, rows[i - 1]);
        } else {
          push(dashed, rows[i]);
          lift(dashed);
        }
      }
      push(here ? dashed : line, rows[i]);
    }
    dashed.in_legend = line.x.empty();
    for (PlotLine* part : {&line, &dashed}) {
      if (thins(part->x.size()) && z == nullptr) keep_some(thinned(part->x, part->y), part->x, part->y, *part);
    }
    if (!line.x.empty()) result_.plot.lines.push_back(std::move(line));
    if (!dashed.x.empty()) result_.plot.lines.push_back(std::move(dashed));
  }

  void add_marks(const Marks& marks) {
    const Curve& curve = marks.points;
    const std::vector<double>& x = column(curve, curve.x);
    const std::vector<double>& y = column(curve, curve.y);
    const std::vector<double>* z = curve.z.empty() ? nullptr : &column(curve, curve.z);
    const std::vector<double>* event = marks.event.empty() ? nullptr : &column(curve, marks.event);
    for (const Group& group : groups_of(curve)) {
      PlotMarks points;
      points.label = label_of(curve, group);
      for (const std::size_t row : group.rows) {
        if (event != nullptr && ((*event)[row] == 0.0 || std::isnan((*event)[row]))) continue;
        if (!std::isfinite(x[row]) || !std::isfinite(y[row])) continue;
        points.x.push_back(x[row]);
        points.y.push_back(y[row]);
        if (z != nullptr) points.z.push_back(finite((*z)[row]));
      }
      if (!points.x.empty()) result_.plot.marks.push_back(std::move(points));
    }
  }

  /// What cannot be found of `known` leaves it empty: points can be picked all the same.
  void add_picking(const Picking& picking) {
    PlotPicking& result = result_.plot.picking;
    result = {picking.key, picking.noun, picking.same, picking.known.y, picking.advice, labelled(picking.beside), {}};
    try {
      const Curve& curve = picking.known;
      const Rows rows = rows_of(curve);
      PlotLine known;
      known.label = curve.label;
      known.more = more_of(curve, rows);
      add_values(column(curve, curve.x), rows, known.x);
      add_values(column(curve, curve.y), rows, known.y);
      result.known = std::move(known);
    } catch (const MissingColumn& error) {
      result_.notes.emplace_back(error.what());
    }
  }

  static void add_values(const std::vector<double>& column, const Rows& rows, std::vector<double>& values) {
    for (const std::size_t row : rows) values.push_back(finite(column[row]));
  }

  void add_map(const Curve& curve) {
    const std::vector<double>& x = column(curve, curve.x);
    const std::vector<double>& y = column(curve, curve.y);
    const std::vector<double>& z = column(curve, curve.z);
    const Rows rows = rows_of(curve);
    PlotMap& map = result_.plot.map;
    const auto grid = [&](const std::vector<double>& values) {
      std::vector<double> lines;
      for (const std::size_t row : rows) {
        if (std::isfinite(values[row])) lines.push_back(values[row]);
      }
      std::sort(lines.begin(), lines.end());
      lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
      return lines;
    };
    map.x = grid(x);
    map.y = grid(y);
    if (map.x.empty() || map.y.empty()) throw MissingColumn("there are no points");
    if (map.x.size() * map.y.size() > std::max(most_cells, 4 * rows.size())) {
      throw MissingColumn(fmt::format("{} points do not lie on a grid", rows.size()));
    }
    map.values.assign(map.x.size() * map.y.size(), no_number);
    std::vector<bool> taken(map.values.size());
    std::size_t twice = 0;
    for (const std::size_t row : rows) {
      if (!std::isfinite(x[row]) || !std::isfinite(y[row])) continue;
      const auto place = [](const std::vector<double>& lines, double value) {
        return static_cast<std::size_t>(std::lower_bound(lines.begin(), lines.end(), value) - lines.begin());
      };
      const std::size_t cell = place(map.x, x[row]) + map.x.size() * place(map.y, y[row]);
      twice += taken[cell] ? 1 : 0;
      taken[cell] = true;
      map.values[cell] = finite(z[row]);
    }
    if (twice > 0) {
      result_.notes.push_back(
          fmt::format("{} rows of the table share a place with others; the last one of each is shown.", twice));
    }
  }

  void add_shapes(const Curve& curve) {
    if (geometry_.points.empty() || geometry_.motions.empty()) {
      throw MissingColumn("nothing is known of the geometry of the structure");
    }
    first_dof_column_ = column_of_dof(curve.y, geometry_.motions.front().dof);
    PlotShapes& shapes = result_.plot.shapes;
    shapes.points = geometry_.points;
    shapes.lines = geometry_.lines;
    shapes.assumed = geometry_.assumed;
    std::size_t left_out = 0;
    for (const Group& group : groups_of(curve)) {
      for (const std::size_t row : group.rows) {
        if (shapes.shapes.size() >= most_curves) {
          ++left_out;
          continue;
        }
        PlotShapes::Shape shape;
        shape.label = label_of(curve, group);
        shape.real = displacements(curve, curve.y, row);
        if (!curve.z.empty()) shape.imaginary = displacements(curve, curve.z, row);
        shapes.shapes.push_back(std::move(shape));
      }
    }
    if (shapes.shapes.empty()) throw MissingColumn("there are no shapes");
    if (left_out > 0) result_.notes.push_back(fmt::format("{} more shapes are in the table.", left_out));
    if (geometry_.assumed) {
      result_.notes.emplace_back(
          "The study gives no geometry: degrees of freedom are drawn side by side in their order, deflections across.");
    }
  }

  std::vector<std::array<double, 3>> displacements(const Curve& curve, const std::string& quantity, std::size_t row) {
    std::vector<std::array<double, 3>> result(geometry_.points.size());
    for (const ShapeGeometry::Motion& motion : geometry_.motions) {
      const double value = column(curve, column_of_dof(quantity, motion.dof))[row];
      if (!std::isfinite(value)) throw MissingColumn("a shape is not finite");
      for (std::size_t k = 0; k < 3; ++k) result[motion.point][k] += value * motion.direction[k];
    }
    return result;
  }

  /// Another shape of the same rows, where it is known.
  void lay_over(const Curve& curve) {
    std::vector<PlotShapes::Shape>& shapes = result_.plot.shapes.shapes;
    std::size_t next = 0;
    for (const Group& group : groups_of(curve)) {
      for (const std::size_t row : group.rows) {
        if (next < shapes.size()) shapes[next++].over = known_displacements(curve, row);
      }
    }
  }

  double value_or_nan(const Curve& curve, const std::string& name, std::size_t row) {
    try {
      return column(curve, name)[row];
    } catch (const MissingColumn&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  std::vector<PlotShapes::Shape::Over> known_displacements(const Curve& curve, std::size_t row) {
    std::map<int, std::array<double, 3>> points;
    for (const ShapeGeometry::Motion& motion : geometry_.motions) {
      const double value = value_or_nan(curve, column_of_dof(curve.y, motion.dof), row);
      if (!std::isfinite(value)) continue;
      std::array<double, 3>& sum = points[static_cast<int>(motion.point)];
      for (std::size_t k = 0; k < 3; ++k) sum[k] += value * motion.direction[k];
    }
    std::vector<PlotShapes::Shape::Over> result;
    for (const auto& [point, displacement] : points) result.push_back({point, displacement});
    return result;
  }

  void check_empty() {
    const auto drawn = [](const auto& part) {
      for (std::size_t i = 0; i < part.x.size(); ++i) {
        if (!std::isnan(part.x[i]) && !std::isnan(part.y[i])) return true;
      }
      return false;
    };
    const Plot& plot = result_.plot;
    if (std::none_of(plot.lines.begin(), plot.lines.end(), drawn) &&
        std::none_of(plot.marks.begin(), plot.marks.end(), drawn)) {
      throw MissingColumn("there are no points");
    }
  }

  /// A log axis needs something positive to show.
  void check_log(Axis& axis, std::vector<double> PlotLine::*values) {
    if (!axis.log) return;
    std::size_t hidden = 0;
    bool any = false;
    for (const PlotLine& line : result_.plot.lines) {
      for (const double value : line.*values) {
        any = any || value > 0.0;
        hidden += value <= 0.0 ? 1 : 0;
      }
    }
    if (!any) {
      axis.log = false;
    } else if (hidden > 0) {
      result_.notes.push_back(fmt::format("On the logarithmic axis \"{}\" {} point{} not above zero {} missing.",
                                          axis.label, hidden, hidden == 1 ? "" : "s", hidden == 1 ? "is" : "are"));
    }
  }

  const Figure& figure_;
  ColumnSource& source_;
  const UnitLabels& units_;
  const ShapeGeometry& geometry_;
  double share_;
  Resolved& result_;
  std::string first_dof_column_;
  int colours_ = 0;
};

}  // namespace

std::size_t points_of_share(double share, std::size_t points) {
  return std::max(first_view_points, static_cast<std::size_t>(share * static_cast<double>(points)));
}

std::string column_of_dof(const std::string& quantity, const std::string& dof) {
  return quantity + "[" + dof + "]";
}

Resolved resolve(const Figure& figure, ColumnSource& source, const UnitLabels& units, const ShapeGeometry& geometry,
                 const ResolveOptions& options) {
  Resolved result;
  try {
    Resolver(figure, source, units, geometry, options.share, result).run();
  } catch (const std::exception& error) {
    result.problem = error.what();
  }
  return result;
}

}  // namespace microslip
