#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/compare_modes/analysis.hpp"
#include "microslip/analyses/compare_modes/tables.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_named = 6;  // in messages

std::string some_of(const std::vector<std::string>& names) {
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most_named, names.size()));
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), names.size() > most_named ? ", ..." : "");
}

CompareModesFacts facts_of(const ModeComparison& comparison) {
  CompareModesFacts facts;
  const MeasuredModes& measured = comparison.measured;
  facts.points = static_cast<long>(comparison.points.size());
  for (std::size_t i = 0; i < measured.numbers.size(); ++i) {
    const int j = comparison.pairs.partner[i];
    if (j < 0) {
      facts.alone.push_back(measured.numbers[i]);
      continue;
    }
    const auto row = static_cast<Eigen::Index>(i);
    const double own = measured.frequency_hz(row), other = comparison.model_frequency(j);
    facts.pairs.push_back({measured.numbers[i], comparison.model[static_cast<std::size_t>(j)] + 1, own, other,
                           other / own - 1.0, comparison.pairs.mac(row, j)});
  }
  for (std::size_t j = 0; j < comparison.model.size(); ++j) {
    const double frequency = comparison.model_frequency(static_cast<Eigen::Index>(j));
    const bool within = frequency >= measured.frequency_hz.minCoeff() && frequency <= measured.frequency_hz.maxCoeff();
    const bool paired = std::find(comparison.paired.begin(), comparison.paired.end(), j) != comparison.paired.end();
    if (within && !paired) facts.model_alone.push_back(comparison.model[j] + 1);
  }
  return facts;
}

/// Who has no partner, and which channels were not used.
void tell(const std::string& name, const ModeComparison& comparison, const CompareModesFacts& facts,
          const UnitLabels& units, AnalysisSummary& summary) {
  const MeasuredModes& measured = comparison.measured;
  for (std::size_t i = 0; i < measured.numbers.size(); ++i) {
    if (comparison.pairs.partner[i] >= 0) continue;
    Eigen::Index nearest = 0;
    const double mac = comparison.pairs.mac.row(static_cast<Eigen::Index>(i)).maxCoeff(&nearest);
    add_remark(fmt::format("measured mode {} ({}) has no partner: its largest MAC is {:.2f}, with mode {} of the model "
                           "({})",
                           measured.numbers[i],
                           words::frequency_text(measured.frequency_hz(static_cast<Eigen::Index>(i)), units), mac,
                           comparison.model[static_cast<std::size_t>(nearest)] + 1,
                           words::frequency_text(comparison.model_frequency(nearest), units)),
               summary);
  }
  if (!facts.model_alone.empty()) {
    std::vector<std::string> names;
    for (const int mode : facts.model_alone) names.push_back(std::to_string(mode));
    add_remark(fmt::format("{} of the model between the measured frequencies {} no partner ({}); {}-{} tells how much "
                           "of each the points see",
                           words::count_of(static_cast<long>(names.size()), "mode"), names.size() == 1 ? "has" : "have",
                           some_of(names), name, model_part),
               summary);
  }
  if (!comparison.unknown.empty()) {
    add_remark(fmt::format("{} not compared, since the model has no such point: {}",
                           words::count_of(static_cast<long>(comparison.unknown.size()), "channel"),
                           some_of(comparison.unknown)),
               summary);
  }
  if (!comparison.no_orthogonality.empty()) {
    add_remark("there is no cross-orthogonality: " + comparison.no_orthogonality, summary);
  }
}

}  // namespace

ordered_json CompareModesFacts::to_json() const {
  ordered_json json;
  json["points"] = points;
  json["pairs"] = ordered_json::array();
  for (const Pair& pair : pairs) {
    json["pairs"].push_back({{"measured", pair.measured},
                             {"model", pair.model},
                             {"frequency_hz", pair.frequency_hz},
                             {"frequency_hz_model", pair.frequency_hz_model},
                             {"difference", pair.difference},
                             {"mac", pair.mac}});
  }
  json["measured_alone"] = alone;
  json["model_alone"] = model_alone;
  return json;
}

ordered_json CompareModesAnalysis::settings() const {
  ordered_json json;
  json[from.empty() ? "shapes" : "from"] = from.empty() ? file : from;
  if (options.modes > 0) json["modes"] = options.modes;
  json["min_mac"] = options.pairing.least_mac;
  json["frequency_spread"] = options.pairing.frequency_spread;
  json["mass"] = word_of(options.reduction, mass_reductions);
  return json;
}

std::string CompareModesAnalysis::describe() const {
  return from.empty() ? fmt::format("{} of {} against the stuck modes",
                                    words::count_of(static_cast<long>(measured->numbers.size()), "shape"), file)
                      : fmt::format("the modes of {} against the stuck modes", from);
}

std::vector<std::string> CompareModesAnalysis::tables() const {
  return {"", mac_part, orthogonality_part, points_part, pair_shapes_part, model_part};
}

std::vector<std::string> CompareModesAnalysis::sources() const {
  return from.empty() ? std::vector<std::string>{} : std::vector<std::string>{from};
}

AnalysisSummary CompareModesAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary = completed_summary();
  const MeasuredModes* modes = from.empty() ? &*measured : with.results.left<MeasuredModes>(from);
  ModeComparison comparison;
  if (modes == nullptr || modes->shapes.cols() == 0) {
    comparison.fault = fmt::format("analysis {} left no modes", from);
  } else {
    comparison = compare_modes(*modes, with.system, options);
  }
  if (!comparison.fault.empty()) {
    summary.ending = Ending::no_convergence;
    summary.message = comparison.fault;
    return summary;
  }
  write_comparison(name, comparison, with.system, with.results, summary);
  CompareModesFacts facts = facts_of(comparison);
  tell(name, comparison, facts, with.results.units(), summary);
  if (facts.pairs.empty()) summary.ending = Ending::no_convergence;
  summary.sum_up(std::move(facts));
  return summary;
}

void CompareModesAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  const MemorySink* table = tables.find();
  if (table == nullptr) return;
  const std::vector<double> numbers = table->column("measured");
  for (const char* column : {"difference", "mac"}) {
    const std::vector<double> values = table->column(column);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      result.add({fmt::format("{}[{}]", column, numbers[i]), "-", "of this measured mode"}, values[i]);
    }
  }
}

}  // namespace microslip
