#include "microslip/report/table_plot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "microslip/numerics/nearest_name.hpp"
#include "microslip/report/number_text.hpp"

namespace microslip {
namespace {

const std::vector<double>& find_column(const CsvTable& table, const std::string& name) {
  if (table.has(name)) return table.column(name);
  const std::string near = nearest_name(name, table.names);
  throw InputError({table.file, table.header_line, 0},
                   near.empty()
                       ? fmt::format("there is no column {}; the header has {}", in_quotes(name),
                                     in_quotes(fmt::format("{}", fmt::join(table.names, ", "))))
                       : fmt::format("there is no column {}; did you mean {}?", in_quotes(name), in_quotes(near)));
}

std::vector<std::size_t> rows_of(const CsvTable& table, const std::vector<Condition>& where) {
  std::vector<const std::vector<double>*> columns;
  for (const Condition& condition : where) columns.push_back(&find_column(table, condition.column));
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    bool good = true;
    for (std::size_t k = 0; k < where.size(); ++k) {
      // A value as typed: eight digits of it are enough.
      const double value = (*columns[k])[i];
      good = good && std::abs(value - where[k].value) <= 1e-8 * std::abs(where[k].value);
    }
    if (good) rows.push_back(i);
  }
  return rows;
}

/// Rows by the values of the columns, in the order in which they come.
std::vector<std::pair<std::string, std::vector<std::size_t>>> split_rows(const CsvTable& table,
                                                                         const std::vector<std::size_t>& rows,
                                                                         const std::vector<std::string>& by) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  std::map<std::vector<double>, std::size_t> known;
  std::vector<const std::vector<double>*> columns;
  for (const std::string& name : by) columns.push_back(&find_column(table, name));
  for (const std::size_t row : rows) {
    std::vector<double> key;
    for (const auto* column : columns) key.push_back(std::isnan((*column)[row]) ? HUGE_VAL : (*column)[row]);
    const auto [at, fresh] = known.emplace(key, groups.size());
    if (fresh) {
      std::vector<std::string> words;
      for (std::size_t k = 0; k < by.size(); ++k) {
        words.push_back(fmt::format("{} = {}", by[k], engineering((*columns[k])[row], 6)));
      }
      groups.push_back({fmt::format("{}", fmt::join(words, ", ")), {}});
    }
    groups[at->second].second.push_back(row);
  }
  return groups;
}

/// One curve, or its solid and its dashed parts. A part that begins ends where the one before it did.
void add_lines(Plot& plot, const CsvTable& table, const std::vector<std::size_t>& rows, PlotLine line,
               const std::string& x, const std::string& y) {
  const std::vector<double>& xs = find_column(table, x);
  const std::vector<double>& ys = find_column(table, y);
  const std::vector<double>* stable = table.has("stable") ? &table.column("stable") : nullptr;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  PlotLine solid = line, dashed = line;
  dashed.dashed = true;
  bool was_dashed = false;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t i = rows[k];
    const bool is_dashed = stable != nullptr && (*stable)[i] == 0.0;
    PlotLine& part = is_dashed ? dashed : solid;
    if (k > 0 && is_dashed != was_dashed) {
      part.x.insert(part.x.end(), {nan, xs[rows[k - 1]]});
      part.y.insert(part.y.end(), {nan, ys[rows[k - 1]]});
    }
    part.x.push_back(xs[i]);
    part.y.push_back(ys[i]);
    was_dashed = is_dashed;
  }
  dashed.in_legend = solid.x.empty();
  if (!solid.x.empty()) plot.lines.push_back(std::move(solid));
  if (!dashed.x.empty()) plot.lines.push_back(std::move(dashed));
}

/// Names that tell the files apart: "ring", or "before/ring" where several are called so.
std::vector<std::string> file_labels(std::span<const CsvTable> tables) {
  std::vector<std::string> labels;
  std::set<std::string> stems;
  for (const CsvTable& table : tables) {
    labels.push_back(std::filesystem::path(table.file).stem().string());
    stems.insert(labels.back());
  }
  if (stems.size() == tables.size()) return labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::filesystem::path path = std::filesystem::absolute(tables[i].file).lexically_normal();
    labels[i] = path.parent_path().filename().string() + "/" + labels[i];
  }
  return labels;
}

std::size_t place_in(std::vector<double> sorted, double value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

PlotMap map_of(const CsvTable& table, const std::vector<std::size_t>& rows, const std::string& x, const std::string& y,
               const std::string& z) {
  const std::vector<double>& xs = find_column(table, x);
  const std::vector<double>& ys = find_column(table, y);
  const std::vector<double>& zs = find_column(table, z);
  PlotMap map;
  for (const std::size_t i : rows) {
    if (!std::isfinite(xs[i]) || !std::isfinite(ys[i])) continue;
    map.x.push_back(xs[i]);
    map.y.push_back(ys[i]);
  }
  for (std::vector<double>* side : {&map.x, &map.y}) {
    std::sort(side->begin(), side->end());
    side->erase(std::unique(side->begin(), side->end()), side->end());
  }
  if (map.x.size() * map.y.size() > 4 * rows.size() + 16) {
    throw std::invalid_argument(
        fmt::format("{}: a map needs the values of {} on a grid of {} and {}; {} rows have {} x {} values", table.file,
                    in_quotes(z), in_quotes(x), in_quotes(y), rows.size(), map.x.size(), map.y.size()));
  }
  map.values.assign(map.x.size() * map.y.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<bool> taken(map.values.size());
  for (const std::size_t i : rows) {
    if (!std::isfinite(xs[i]) || !std::isfinite(ys[i])) continue;
    const std::size_t cell = place_in(map.x, xs[i]) + map.x.size() * place_in(map.y, ys[i]);
    if (taken[cell]) {
      throw std::invalid_argument(fmt::format("{}: several rows have {} = {:g} and {} = {:g}; choose with --where",
                                              table.file, in_quotes(x), xs[i], in_quotes(y), ys[i]));
    }
    taken[cell] = true;
    map.values[cell] = zs[i];
  }
  return map;
}

std::string unit_of(const DeclaredColumns* declared, std::size_t table, const std::string& column) {
  const Column* found = declared != nullptr ? declared->find(table, column) : nullptr;
  return found == nullptr || found->unit == "-" ? "" : found->unit;
}

/// The unit that all the columns share; "" where they differ.
std::string common_unit(const DeclaredColumns* declared, std::size_t tables, const std::vector<std::string>& columns) {
  std::set<std::string> all;
  for (std::size_t t = 0; t < tables; ++t) {
    for (const std::string& column : columns) all.insert(unit_of(declared, t, column));
  }
  return all.size() == 1 ? *all.begin() : "";
}

/// Do all the columns ask for a logarithmic axis, and have they values for one?
bool best_seen_in_decades(const DeclaredColumns* declared, std::span<const CsvTable> tables,
                          const std::vector<std::string>& columns) {
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (const std::string& name : columns) {
      const Column* column = declared != nullptr ? declared->find(t, name) : nullptr;
      if (column == nullptr || column->scale != Scale::logarithmic) return false;
      const std::vector<double>& values = find_column(tables[t], name);
      if (std::any_of(values.begin(), values.end(), [](double v) { return v <= 0.0; })) return false;
    }
  }
  return true;
}

}  // namespace

Plot table_plot(std::span<const CsvTable> tables, const PlotRequest& request, const DeclaredColumns* declared) {
  if (tables.empty()) throw std::invalid_argument("there is no table to plot");
  const CsvTable& first = tables.front();
  const std::string x = request.x.empty() ? first.names.front() : request.x;
  std::vector<std::string> y = request.y;
  if (y.empty()) y.push_back(first.names[first.names.size() > 1 ? 1 : 0]);
  Plot plot;
  plot.title = request.title;
  plot.x = request.x_axis;
  plot.y = request.y_axis;
  plot.z = request.z_axis;
  if (plot.x.label.empty()) plot.x.label = x;
  if (plot.y.label.empty() && y.size() == 1) plot.y.label = y.front();
  if (plot.x.unit.empty()) plot.x.unit = common_unit(declared, tables.size(), {x});
  if (plot.y.unit.empty()) plot.y.unit = common_unit(declared, tables.size(), y);
  if (request.declared_scales) {
    plot.x.log = best_seen_in_decades(declared, tables, {x});
    plot.y.log = best_seen_in_decades(declared, tables, y);
    if (!request.map.empty()) plot.z.log = best_seen_in_decades(declared, tables, {request.map});
  }
  const std::vector<std::string> files = file_labels(tables);
  std::size_t drawn = 0;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const std::vector<std::size_t> rows = rows_of(tables[t], request.where);
    drawn += rows.size();
    if (!request.map.empty()) {
      if (tables.size() > 1 || y.size() > 1) throw std::invalid_argument("a map is of one file and one --y");
      if (!request.split.empty()) throw std::invalid_argument("a map has no --split; choose rows with --where");
      plot.kind = FigureKind::map;
      if (plot.z.label.empty()) plot.z.label = request.map;
      if (plot.z.unit.empty()) plot.z.unit = common_unit(declared, 1, {request.map});
      if (!rows.empty()) plot.map = map_of(tables[t], rows, x, y.front(), request.map);
      continue;
    }
    for (const auto& [words, group] : split_rows(tables[t], rows, request.split)) {
      for (const std::string& column : y) {
        PlotLine line;
        std::vector<std::string> parts;
        if (tables.size() > 1) parts.push_back(files[t]);
        if (y.size() > 1) {
          const std::string unit = plot.y.unit.empty() ? unit_of(declared, t, column) : "";
          parts.push_back(unit.empty() ? column : fmt::format("{} ({})", column, unit));
        }
        if (!words.empty()) parts.push_back(words);
        line.label = fmt::format("{}", fmt::join(parts, ", "));
        line.style = request.dots ? CurveStyle::dots : CurveStyle::line;
        line.colour = plot.lines.empty() ? 0 : plot.lines.back().colour + 1;
        add_lines(plot, tables[t], group, line, x, column);
      }
    }
    if (rows.empty()) {  // columns are checked all the same
      static_cast<void>(find_column(tables[t], x));
      for (const std::string& column : y) static_cast<void>(find_column(tables[t], column));
    }
  }
  if (drawn == 0) {
    throw std::invalid_argument(request.where.empty() ? "the table has no rows"
                                                      : "no row has the values asked for by --where");
  }
  return plot;
}

}  // namespace microslip
