#include <fmt/format.h>

#include <algorithm>

#include "microslip/analyses/compare_modes/analysis.hpp"
#include "microslip/analyses/read_measured_modes.hpp"

namespace microslip {
namespace {

/// Shapes of a file at points of the model, with frequencies.
MeasuredModes read_shapes(const TableReader& reader, const System& system) {
  MeasuredModes modes = read_measured_modes(reader);
  if (!(modes.frequency_hz.minCoeff() > 0.0)) {
    throw reader.error("shapes", "shapes: every mode needs its frequency, a column frequency_hz with numbers > 0");
  }
  const LinearStructure& structure = system.structure();
  const auto is_point = [&](const std::string& channel) { return structure.index_of(channel) >= 0; };
  if (std::none_of(modes.channels.begin(), modes.channels.end(), is_point)) {
    throw reader.error("shapes", fmt::format("shapes: no channel is a degree of freedom or a point of the model; the "
                                             "first is {}{}",
                                             in_quotes(modes.channels.front()),
                                             suggestion(modes.channels.front(), structure.labels())));
  }
  return modes;
}

}  // namespace

std::unique_ptr<Analysis> read_compare_modes_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "from", "shapes", "modes", "min_mac", "frequency_spread", "mass"});
  auto analysis = std::make_unique<CompareModesAnalysis>();
  if (reader.exactly_one_of({"from", "shapes"}) == "from") {
    analysis->from = read_modal_fit_source(reader, parts);
  } else {
    analysis->measured = read_shapes(reader, parts.system);
    analysis->file = reader.string("shapes");
  }
  ComparisonOptions& options = analysis->options;
  const int all = parts.system.computed_modes();
  options.modes = static_cast<int>(reader.integer_or("modes", 0, 1, all));
  options.pairing.least_mac = reader.number_or("min_mac", options.pairing.least_mac, {0.0, 1.0, false, true});
  options.pairing.frequency_spread =
      reader.number_or("frequency_spread", options.pairing.frequency_spread, positive_number);
  options.reduction = read_choice_or(reader, "mass", options.reduction, mass_reductions);
  return analysis;
}

}  // namespace microslip
