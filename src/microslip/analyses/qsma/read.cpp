#include "microslip/analyses/mode_numbers.hpp"
#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/read_ramp.hpp"

namespace microslip {
namespace {

constexpr int modes_told = 20;

std::vector<int> lowest_modes(const System& system, int most) {
  std::vector<int> modes;
  for (int s = system.stuck_modes().rigid; s < system.computed_modes() && std::ssize(modes) < most; ++s) {
    modes.push_back(s);
  }
  return modes;
}

}  // namespace

std::unique_ptr<Analysis> read_qsma_analysis(const TableReader& reader, const StudyParts& parts) {
  constexpr long long most_points = 1'000'000;
  reader.allow_only({"kind", "name", "mode", "alpha", "points", "spacing", "load_shape", "other_modes", "ratios"});
  auto analysis = std::make_unique<QsmaAnalysis>();
  analysis->modes = read_modes(reader, parts.system);
  analysis->ratios =
      reader.has("ratios") ? read_modes(reader, parts.system, "ratios") : lowest_modes(parts.system, modes_told);
  analysis->ramp = read_ramp(reader, "alpha", most_points);
  QsmaOptions& options = analysis->options;
  options.load_shape = read_choice_or(reader, "load_shape", options.load_shape, load_shapes);
  options.other_modes = read_choice_or(reader, "other_modes", options.other_modes, other_mode_motions);
  if (options.other_modes == OtherModes::vibrating && options.load_shape == LoadShape::slipped) {
    throw reader.error("other_modes", "other_modes = \"vibrating\" needs load_shape = \"stuck\"");
  }
  return analysis;
}

}  // namespace microslip
