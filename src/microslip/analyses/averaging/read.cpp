#include <fmt/format.h>

#include <utility>

#include "microslip/analyses/averaging/analysis.hpp"
#include "microslip/analyses/motion/read_motion.hpp"

namespace microslip {
namespace {

void refuse_base_motion(const TableReader& reader, const std::vector<Load>& loads) {
  for (const Load& load : loads) {
    if (!load.base) continue;
    throw reader.error("load", fmt::format("averaging takes forces, but load {} moves the base: take transient",
                                           in_quotes(load.name)));
  }
}

InitialConditions read_moving_start(const TableReader& reader, const StudyParts& parts, double duration) {
  if (reader.has("initial") && reader.table("initial").has("static")) {
    throw reader.table("initial").error("static", "averaging keeps no joint memory to start from: give q and v");
  }
  InitialState start = read_initial(reader, parts, duration);
  return {std::move(start.q), std::move(start.v), {}};
}

}  // namespace

std::unique_ptr<Analysis> read_averaging_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only(
      {"kind", "name", "load", "duration", "step", "form", "initial", "record", "psd", "tolerance", "modes"});
  if (const std::string why = AveragedMode::obstacle(parts.system); !why.empty()) throw reader.error("kind", why);
  auto analysis = std::make_unique<AveragingAnalysis>();
  AveragingOptions& options = analysis->options;
  options.modes = static_cast<int>(reader.integer_or("modes", 0, 1, parts.system.computed_modes()));
  analysis->modes = options.modes > 0 ? options.modes : parts.system.computed_modes();
  options.form = read_choice_or(reader, "form", options.form, averaging_forms);
  options.duration = reader.number("duration", positive_number);
  options.step = reader.number("step", positive_number);
  check_step_count(reader, "step", options.duration, options.step);
  options.tolerance = reader.number_or("tolerance", options.tolerance, {0.0, 1e-2, false});
  analysis->loads = read_load_names(reader, parts.loads, options.duration);
  refuse_base_motion(reader, analysis->loads);
  analysis->initial = read_moving_start(reader, parts, options.duration);
  analysis->record = read_record(reader, parts.system);
  analysis->psd = read_psd(reader, analysis->record, options.duration, options.step);
  return analysis;
}

}  // namespace microslip
