#include "microslip/analyses/compare_records/modal_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/compare_records/common_times.hpp"
#include "microslip/io/channel_name.hpp"

namespace microslip {
namespace {

/// Rows of the transient without a last one that is off the grid.
SampledMotion grid_of_rows(const std::vector<double>& time, double shift, Quantity quantity) {
  SampledMotion grid;
  grid.quantity = quantity;
  grid.start = time.front() - shift;
  grid.step = time[1] - time[0];
  return grid;
}

std::size_t rows_on_grid(const std::vector<double>& time) {
  const double step = time[1] - time[0];
  std::size_t count = time.size();
  while (count > 2 && std::abs(time[count - 1] - time[0] - step * static_cast<double>(count - 1)) > 0.01 * step)
    --count;
  return count;
}

/// Modes of the model with a partner among the measured ones, of a compare_modes; or the modes of `shapes` themselves.
void take_pairs(const CompareRecordsAnalysis& analysis, const AnalysisRun& with, RecordPair& result) {
  if (analysis.pairs.empty()) {
    result.model = result.partner = analysis.shapes->numbers;
    result.scale.assign(result.model.size(), 1.0);
    return;
  }
  const MemorySink& table = with.results.kept(analysis.pairs);
  if (table.rows() == 0) throw std::invalid_argument(fmt::format("analysis {} left no pairs", analysis.pairs));
  const std::vector<double> measured = table.column("measured"), model = table.column("model"),
                            scale = table.column("scale");
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (model[i] < 1.0) continue;
    result.partner.push_back(static_cast<int>(measured[i]));
    result.model.push_back(static_cast<int>(model[i]));
    result.scale.push_back(scale[i]);
  }
}

/// phi^T M q'' of the model's modes, (3.36).
std::vector<SampledMotion> by_mass_of(const CompareRecordsAnalysis& analysis, const MemorySink& rows, std::size_t count,
                                      const SampledMotion& grid, const AnalysisRun& with,
                                      const std::vector<int>& model) {
  const LinearStructure& structure = with.system.structure();
  const Eigen::Index size = structure.independent();
  Eigen::MatrixXd shapes(size, static_cast<Eigen::Index>(model.size()));
  for (std::size_t r = 0; r < model.size(); ++r) {
    shapes.col(static_cast<Eigen::Index>(r)) = with.system.stuck_modes().shapes.col(model[r] - 1).head(size);
  }
  const Eigen::MatrixXd filter = shapes.transpose() * structure.independent_mass();
  std::vector<SampledMotion> modal(model.size(), grid);
  for (SampledMotion& each : modal) each.values.assign(count, 0.0);
  for (Eigen::Index d = 0; d < size; ++d) {
    const std::vector<double> values = rows.column(analysis.all_columns[static_cast<std::size_t>(d)]);
    for (std::size_t r = 0; r < modal.size(); ++r) {
      const double weight = filter(static_cast<Eigen::Index>(r), d);
      for (std::size_t i = 0; i < count; ++i) modal[r].values[i] += weight * values[i];
    }
  }
  return modal;
}

/// The shapes of the analysis, in the order of its channels or fewer.
const MeasuredModes& shapes_of(const CompareRecordsAnalysis& analysis, const AnalysisRun& with) {
  if (analysis.shapes) return *analysis.shapes;
  const MeasuredModes* modes = with.results.left<MeasuredModes>(analysis.from);
  if (modes == nullptr || modes->shapes.cols() == 0) {
    throw std::invalid_argument(fmt::format("analysis {} left no modes", analysis.from));
  }
  return *modes;
}

/// The modes of `modes` that stand in `numbers`.
MeasuredModes some_modes(const MeasuredModes& modes, const std::vector<int>& numbers) {
  std::vector<Eigen::Index> kept;
  for (std::size_t i = 0; i < modes.numbers.size(); ++i) {
    const bool wanted = std::find(numbers.begin(), numbers.end(), modes.numbers[i]) != numbers.end();
    if (wanted) kept.push_back(static_cast<Eigen::Index>(i));
  }
  MeasuredModes result;
  result.channels = modes.channels;
  for (const Eigen::Index i : kept) result.numbers.push_back(modes.numbers[static_cast<std::size_t>(i)]);
  result.frequency_hz = modes.frequency_hz(kept);
  result.shapes = modes.shapes(Eigen::all, kept);
  result.unit_modal_mass = modes.unit_modal_mass;
  return result;
}

/// The modal coordinates of the model in the place of those by shapes.
void replace_by_mass(const RecordPair& pair, const std::vector<int>& numbers, MeasuredMotion& simulated) {
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    const auto at = std::find(pair.partner.begin(), pair.partner.end(), numbers[r]) - pair.partner.begin();
    const auto i = static_cast<std::size_t>(at);
    simulated.signals[r] = pair.modal[i];
    for (double& value : simulated.signals[r].values) value /= pair.scale[i];
  }
}

}  // namespace

RecordPair record_pair(const CompareRecordsAnalysis& analysis, const AnalysisRun& with) {
  const MemorySink& rows = with.results.kept(analysis.simulated);
  if (rows.rows() < 16) {
    throw std::invalid_argument(fmt::format("analysis {} left fewer than 16 rows", analysis.simulated));
  }
  const std::vector<double> time = rows.column("time");
  const std::size_t count = rows_on_grid(time);
  const SampledMotion grid = grid_of_rows(time, analysis.shift, analysis.measured.signals.front().quantity);
  std::vector<SampledMotion> simulated;
  for (const CompareRecordsAnalysis::Channel& channel : analysis.channels) {
    simulated.push_back(grid);
    simulated.back().values = rows.column(channel.column);
    simulated.back().values.resize(count);
    for (double& value : simulated.back().values) value *= channel.sign;
  }
  RecordPair result;
  if (analysis.mass_filter) {
    take_pairs(analysis, with, result);
    for (SampledMotion& each : by_mass_of(analysis, rows, count, grid, with, result.model)) {
      simulated.push_back(std::move(each));
    }
  }
  CommonTimes common = at_common_times(std::move(simulated), analysis.measured.signals);
  if (common.first.empty()) {
    throw std::invalid_argument(
        fmt::format("{}, {:.6g} to {:.6g} in times of the record, and the record overlap by fewer than 16 samples",
                    analysis.simulated, grid.start, grid.time(static_cast<double>(count - 1))));
  }
  result.resampled = common.resampled;
  result.resampling_error = common.error;
  const auto own = static_cast<std::ptrdiff_t>(analysis.channels.size());
  result.measured = analysis.measured;
  result.measured.signals = std::move(common.second);
  result.simulated = result.measured;
  result.simulated.name = analysis.simulated;
  result.simulated.signals = {common.first.begin(), common.first.begin() + own};
  result.modal = {common.first.begin() + own, common.first.end()};
  return result;
}

ModalPair modal_pair(const CompareRecordsAnalysis& analysis, const RecordPair& pair, std::size_t point,
                     const AnalysisRun& with) {
  const MeasuredModes& all = shapes_of(analysis, with);
  const MeasuredModes modes = analysis.mass_filter ? some_modes(all, pair.partner) : all;
  if (modes.numbers.empty()) throw std::invalid_argument(fmt::format("analysis {} left no pairs", analysis.pairs));
  ModalPair result;
  result.measured = filtered_by(modes, pair.measured);
  result.measured.unit_modal_mass = modes.unit_modal_mass;
  result.notes = result.measured.notes;
  result.simulated = filtered_by(modes, pair.simulated);
  result.simulated.unit_modal_mass = modes.unit_modal_mass;
  if (analysis.mass_filter) {
    replace_by_mass(pair, modes.numbers, result.simulated);
  } else {
    for (const std::string& note : result.simulated.notes) result.notes.push_back(analysis.simulated + ": " + note);
  }
  if (result.measured.bands.empty()) {
    throw std::invalid_argument(
        "the frequencies of the shapes must be known, and below 0.45 of the rate of the common times");
  }
  result.frequency_hz.assign(modes.frequency_hz.begin(), modes.frequency_hz.end());
  const std::string& name = analysis.channels[point].name;
  const SignedChannel at = channel_or_opposite(name, modes.channels);
  if (at.place < 0) {
    throw std::invalid_argument(fmt::format("the shapes have no channel {}: say point", name));
  }
  result.at_point = at.sign * modes.shapes.row(at.place).real().transpose();
  return result;
}

}  // namespace microslip
