#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/parameter_grid.hpp"
#include "microslip/study/parameter_study_analysis.hpp"

namespace microslip {
namespace {

/// A headline number that every combination has.
struct Number {
  std::string column, title, unit;
};

std::vector<Number> per_mode(const std::vector<int>& modes_from_zero, bool ends) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < modes_from_zero.size() && i < figures_of_a_kind; ++i) {
    const int mode = modes_from_zero[i] + 1;
    const auto add = [&](const char* symbol, const char* what, const char* unit) {
      numbers.push_back({fmt::format("{}[{}]", symbol, mode), fmt::format("{} of mode {}", what, mode), unit});
    };
    if (ends) {
      add("largest_zeta", "Largest damping ratio", "-");
      add("omega_first", "Frequency at the first point", "rad/time");
      add("omega_last", "Frequency at the last point", "rad/time");
    } else {
      add("omega_stuck", "Frequency, joints stuck,", "rad/time");
      add("omega_slipped", "Frequency, joints slipping,", "rad/time");
      add("zeta", "Damping ratio without the joints", "-");
    }
  }
  return numbers;
}

template <class Kind>
std::vector<Number> numbers_of(const Kind&, const System&) {
  return {};
}
std::vector<Number> numbers_of(const ModesAnalysis& analysis, const System&) {
  std::vector<int> modes;
  for (int mode = 0; mode < analysis.count; ++mode) modes.push_back(mode);
  return per_mode(modes, false);
}
std::vector<Number> numbers_of(const QsmaAnalysis& analysis, const System&) {
  return per_mode(analysis.modes, true);
}
std::vector<Number> numbers_of(const NonlinearModeAnalysis& analysis, const System&) {
  return per_mode(analysis.modes, true);
}
std::vector<Number> numbers_of(const RingdownAnalysis& analysis, const System&) {
  std::vector<int> modes = analysis.modes;
  for (int& mode : modes) --mode;
  return per_mode(modes, true);
}
std::vector<Number> history_numbers(const Record& record, const System& system) {
  std::vector<Number> numbers;
  for (const std::string& label : labels_of(system, record.dofs)) {
    if (numbers.size() == figures_of_a_kind) break;
    numbers.push_back(
        {fmt::format("largest_q[{}]", label), fmt::format("Largest displacement of {}", label), "length"});
  }
  const std::vector<std::string> components = component_names(system, record.joints);
  for (std::size_t i = 0; i < components.size() && i < figures_of_a_kind; ++i) {
    numbers.push_back({fmt::format("largest_f[{}]", components[i]),
                       fmt::format("Largest force of joint {}", components[i]), "force"});
  }
  return numbers;
}
std::vector<Number> numbers_of(const TransientAnalysis& analysis, const System& system) {
  if (analysis.psd && analysis.psd->only) return {};
  return history_numbers(analysis.record, system);
}
std::vector<Number> numbers_of(const AveragingAnalysis& analysis, const System& system) {
  if (analysis.psd && analysis.psd->only) return {};
  return history_numbers(analysis.record, system);
}
std::vector<Number> numbers_of(const FrfAnalysis& analysis, const System& system) {
  std::vector<Number> numbers;
  for (const std::string& label : labels_of(system, analysis.record.dofs)) {
    if (numbers.size() == figures_of_a_kind) break;
    numbers.push_back(
        {fmt::format("largest_amplitude[{}]", label), fmt::format("Largest amplitude of {}", label), "length"});
  }
  if (analysis.at.empty() || analysis.over_level) {
    numbers.push_back({"peak_frequency_hz", "Frequency of the highest peak", "1/time"});
  }
  return numbers;
}
std::vector<Number> numbers_of(const LevelSweepAnalysis& analysis, const System& system) {
  return numbers_of(analysis.curves, system);
}
std::vector<Number> numbers_of(const OrbitAnalysis& analysis, const System& system) {
  std::vector<Number> numbers;
  for (const std::string& label : labels_of(system, analysis.motion.record.dofs)) {
    if (numbers.size() == figures_of_a_kind) break;
    numbers.push_back({fmt::format("amplitude[{}]", label), fmt::format("Amplitude of {}", label), ""});
  }
  return numbers;
}

Axis axis_of(const VariedKey& key) {
  if (!key.numeric()) return {key.path, "-", false};
  double low = key.values.front().real, high = low;
  for (const TomlValue& value : key.values) {
    low = std::min(low, value.real);
    high = std::max(high, value.real);
  }
  return {key.path, "", low > 0.0 && high >= 20.0 * low};
}

}  // namespace

std::vector<Figure> figures(const ParameterStudyAnalysis& analysis, const System& system) {
  const ParameterGrid& grid = *analysis.grid;
  const Combination first = grid.read(0, system, nullptr);
  const std::vector<Number> numbers =
      std::visit([&](const auto& inner) { return numbers_of(inner, *first.system); }, first.analysis);
  std::vector<const VariedKey*> axes, others;
  for (const VariedKey& key : grid.keys()) {
    const bool axis = key.numeric() && key.values.size() > 1 && axes.size() < (grid.is_list() ? 1U : 2U);
    if (axis) {
      axes.push_back(&key);
    } else if (key.values.size() > 1 && !grid.is_list()) {
      others.push_back(&key);
    }
  }
  // A map takes two; with more keys than that a curve for each combination of the others.
  const bool map = axes.size() == 2 && others.empty();
  if (axes.size() == 2 && !map) {
    others.insert(others.begin(), axes.front());
    axes.erase(axes.begin());
  }
  std::vector<Figure> result;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Number& number = numbers[i];
    Figure figure;
    figure.name = fmt::format("number-{}", i + 1);
    figure.title = fmt::format("{} over {}", number.title,
                               map            ? fmt::format("{} and {}", axes[0]->path, axes[1]->path)
                               : axes.empty() ? std::string("the combinations")
                                              : axes[0]->path);
    Curve curve =
        axes.empty() ? curve_of("", "combination", number.column) : curve_of("", axes[0]->path, number.column);
    figure.x = axes.empty() ? Axis{"combination", "-", false} : axis_of(*axes[0]);
    figure.y = {number.title, number.unit, false};
    curve.style = axes.empty() ? CurveStyle::dots : CurveStyle::line_and_dots;
    if (map) {
      figure.kind = FigureKind::map;
      figure.z = figure.y;
      figure.y = axis_of(*axes[1]);
      curve.z = number.column;
      curve.y = axes[1]->path;
    } else if (!axes.empty()) {
      for (const VariedKey* key : others) curve.split.push_back(key->path);
    }
    figure.curves = {curve};
    result.push_back(std::move(figure));
  }
  return result;
}

std::string in_words(const ParameterStudyAnalysis& analysis, const AnalysisSummary& summary, const UnitLabels&) {
  const auto& facts = summary.facts;
  std::vector<std::string> keys;
  for (const VariedKey& key : analysis.grid->keys()) {
    keys.push_back(fmt::format("{} ({})", key.path, count_of(static_cast<long>(key.values.size()), "value")));
  }
  std::string words = fmt::format("{} of {} combinations of {} completed, each one an analysis of kind {}.",
                                  facts.value("completed", 0L), facts.value("combinations", 0L), fmt::join(keys, ", "),
                                  analysis.grid->inner_kind());
  if (facts.contains("ranges")) {
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < facts["ranges"].size() && i < most; ++i) {
      const auto& range = facts["ranges"][i];
      const std::string name = range.value("column", std::string());
      const std::string low = number(number_in(range, "low").value_or(0.0));
      const std::string high = number(number_in(range, "high").value_or(0.0));
      words += low == high ? fmt::format(" {} is {} in all of them.", name, low)
                           : fmt::format(" {} lies between {} (combination {}) and {} (combination {}).", name, low,
                                         range.value("low_at", 0L), high, range.value("high_at", 0L));
    }
  }
  return words;
}

std::string how(const ParameterStudyAnalysis& analysis, const AnalysisSummary& summary) {
  return fmt::format(
      "Every combination is the study with other values, read and run like any study ({}), on {}; {} did "
      "not complete.",
      analysis.grid->inner_description(), count_of(analysis.threads, "thread"), summary.facts.value("failed", 0L));
}

}  // namespace microslip
