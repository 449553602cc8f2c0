#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "microslip/analyses/mode_numbers.hpp"
#include "microslip/analyses/nonlinear_mode/analysis.hpp"
#include "microslip/analyses/read_ramp.hpp"
#include "microslip/periodic/joint_receptance.hpp"

namespace microslip {
namespace {

std::vector<double> read_amplitudes(const TableReader& reader) {
  constexpr long long most_amplitudes = 100'000;
  const auto [from, to, points, spacing] = read_ramp(reader, "amplitude", most_amplitudes);
  std::vector<double> amplitudes;
  for (int i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / (points - 1);
    amplitudes.push_back(spacing == Spacing::linear ? from + share * (to - from) : from * std::pow(to / from, share));
  }
  amplitudes.back() = to;
  return amplitudes;
}

void read_load(const TableReader& reader, const StudyParts& parts, NonlinearModeAnalysis& analysis) {
  if (!reader.has("load")) {
    if (reader.has("levels")) {
      throw reader.error_at_key(*reader.value().find("levels"), "levels goes with load: they scale it");
    }
    return;
  }
  const std::vector<Load> loads = read_load_names(reader, parts.loads, 0.0);
  for (const Load& load : loads) analysis.loads.push_back(load.name);
  try {
    const HarmonicLoad load = harmonic_load(parts.system, loads);
    if (load.ground.size() > 0) throw std::invalid_argument("the response of a mode takes forces, no base motion");
    analysis.force = load.force;
  } catch (const std::invalid_argument& error) {
    throw reader.error("load", fmt::format("load: {}", error.what()));
  }
  analysis.levels = reader.has("levels") ? reader.numbers("levels", positive_number) : std::vector<double>{1.0};
  if (analysis.levels.empty()) throw reader.error("levels", "levels: the list is empty");
}

}  // namespace

std::unique_ptr<Analysis> read_nonlinear_mode_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "mode", "amplitude", "points", "spacing", "harmonics", "samples", "tolerance",
                     "load", "levels"});
  auto analysis = std::make_unique<NonlinearModeAnalysis>();
  analysis->modes = read_modes(reader, parts.system);
  analysis->amplitudes = read_amplitudes(reader);
  analysis->options.harmonics = static_cast<int>(reader.integer_or("harmonics", 0, 1, 500));
  analysis->options.samples = static_cast<int>(reader.integer_or("samples", 0, 16, 1 << 20));
  analysis->options.tolerance = reader.number_or("tolerance", analysis->options.tolerance, {1e-13, 0.1});
  read_load(reader, parts, *analysis);
  try {
    check_nonlinear_mode(parts.system, analysis->modes.front(), analysis->amplitudes);
  } catch (const std::invalid_argument& error) {
    throw reader.error(error.what());
  }
  return analysis;
}

}  // namespace microslip
