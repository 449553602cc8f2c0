#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/parameter_study/analysis.hpp"
#include "microslip/analyses/parameter_study/grid.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

Axis axis_of(const VariedKey& key) {
  if (!key.numeric()) return {key.path, "-", false};
  double low = key.values.front().real, high = low;
  for (const TomlValue& value : key.values) {
    low = std::min(low, value.real);
    high = std::max(high, value.real);
  }
  return {key.path, "", low > 0.0 && high >= 20.0 * low};
}

/// What the figures are drawn over.
struct Layout {
  std::vector<const VariedKey*> axes;    ///< none: the number of the combination; two: a map
  std::vector<const VariedKey*> others;  ///< a curve for each combination of their values
};

/// A map takes two keys; with more than that there are curves over the second.
Layout layout_of(const ParameterGrid& grid) {
  Layout layout;
  auto& [axes, others] = layout;
  for (const VariedKey& key : grid.keys()) {
    const bool axis = key.numeric() && key.values.size() > 1 && axes.size() < (grid.is_list() ? 1U : 2U);
    if (axis) {
      axes.push_back(&key);
    } else if (key.values.size() > 1 && !grid.is_list()) {
      others.push_back(&key);
    }
  }
  if (axes.size() == 2 && !others.empty()) {
    others.insert(others.begin(), axes.front());
    axes.erase(axes.begin());
  }
  return layout;
}

Figure figure_over(const Layout& layout, std::string name, const HeadlineNumber& number) {
  const Axis value{number.title, number.unit, false};
  const auto title = [&](const std::string& over) { return fmt::format("{} over {}", number.title, over); };
  if (layout.axes.empty()) {
    Curve curve = curve_of("", "combination", number.column);
    curve.style = CurveStyle::dots;
    return figure_of(std::move(name), title("the combinations"), {"combination", "-", false}, value, {curve});
  }
  const VariedKey& x = *layout.axes[0];
  Curve curve = curve_of("", x.path, number.column);
  curve.style = CurveStyle::line_and_dots;
  if (layout.axes.size() == 1) {
    for (const VariedKey* key : layout.others) curve.split.push_back(key->path);
    return figure_of(std::move(name), title(x.path), axis_of(x), value, {curve});
  }
  const VariedKey& y = *layout.axes[1];
  curve.y = y.path;
  curve.z = number.column;
  Figure figure =
      figure_of(std::move(name), title(fmt::format("{} and {}", x.path, y.path)), axis_of(x), axis_of(y), {curve});
  figure.kind = FigureKind::map;
  figure.z = value;
  return figure;
}

/// As of no combination where the study was not run.
ParameterStudyFacts facts_in(const AnalysisSummary& summary) {
  const auto* facts = summary.facts_as<ParameterStudyFacts>();
  return facts != nullptr ? *facts : ParameterStudyFacts{};
}

}  // namespace

std::vector<Figure> ParameterStudyAnalysis::figures(const System& system) const {
  const Combination first = grid->read(0, system, nullptr);
  const Layout layout = layout_of(*grid);
  std::vector<Figure> result;
  for (const HeadlineNumber& number : first.analysis->drawn_headline(*first.system)) {
    result.push_back(figure_over(layout, fmt::format("number-{}", result.size() + 1), number));
  }
  return result;
}

std::string ParameterStudyAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels&) const {
  const ParameterStudyFacts facts = facts_in(summary);
  std::vector<std::string> keys;
  for (const VariedKey& key : grid->keys()) {
    keys.push_back(fmt::format("{} ({})", key.path, words::count_of(static_cast<long>(key.values.size()), "value")));
  }
  std::string words = fmt::format("{} of {} combinations of {} completed, each one an analysis of kind {}.",
                                  facts.completed, facts.combinations, fmt::join(keys, ", "), grid->inner_kind());
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < facts.ranges.size() && i < most; ++i) {
    const ParameterStudyFacts::Range& range = facts.ranges[i];
    const std::string low = words::number(range.low), high = words::number(range.high);
    words += low == high ? fmt::format(" {} is {} in all of them.", range.column, low)
                         : fmt::format(" {} lies between {} (combination {}) and {} (combination {}).", range.column,
                                       low, range.low_at, high, range.high_at);
  }
  return words;
}

std::string ParameterStudyAnalysis::how(const AnalysisSummary& summary) const {
  const ParameterStudyFacts facts = facts_in(summary);
  const std::string before = facts.known > 0 ? fmt::format(" {}.", facts.in_a_line()) : "";
  return fmt::format(
      "Every combination is the study with other values, read and run like any study ({}), on {}; {} did "
      "not complete.{}",
      grid->inner_description(), words::count_of(threads, "thread"), facts.failed, before);
}

}  // namespace microslip
