// What a parameter study tells of curves.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/response/response_curves.hpp"

namespace microslip {
namespace {

std::string amplitude_column(const System& system, int dof) {
  return fmt::format("amplitude[{}]", system.structure().labels()[static_cast<std::size_t>(dof)]);
}

/// Row of the highest of the located peaks. By the one that peaks; where it is not recorded, by the first that is.
std::optional<std::size_t> highest_peak(const MemorySink& special, const ResponseRecord& record, const System& system) {
  auto height = place_of(special, amplitude_column(system, record.peak_dof));
  if (!height && !record.dofs.empty()) height = place_of(special, amplitude_column(system, record.dofs.front()));
  std::optional<std::size_t> peak;
  for (std::size_t row = 0; row < special.rows(); ++row) {
    if (special.at(row, 0) != static_cast<double>(SpecialKind::peak)) continue;
    if (!peak || (height && special.at(row, *height) > special.at(*peak, *height))) peak = row;
  }
  return peak;
}

void add_highest_peak(const MemorySink& special, const ResponseRecord& record, const System& system, bool levels,
                      Headline& result) {
  const std::optional<std::size_t> peak = highest_peak(special, record, system);
  const auto add = [&](const std::string& name) {
    const auto c = place_of(special, name);
    if (!c) return;
    const Column& column = special.columns()[*c];
    result.add({"peak_" + name, column.unit, "at the highest peak: " + column.description},
               peak ? special.at(*peak, *c) : std::numeric_limits<double>::quiet_NaN());
  };
  if (levels) add("level");
  add("omega");
  add("frequency_hz");
  for (const int dof : record.dofs) add(amplitude_column(system, dof));
  add("multiplier");
  add("multiplier_error");
  for (const Joint& joint : system.joints()) {  // of piecewise-linear orbits
    for (const char* what : {"stick_fraction", "friction_energy", "case"}) {
      add(fmt::format("{}[{}]", what, joint.name));
    }
  }
}

}  // namespace

void ResponseCurves::add_headline(const TablesInMemory& tables, const System& system, Headline& result) const {
  const MemorySink* points = tables.find();
  if (points == nullptr) return;
  const MemorySink* special = tables.find("special");
  if (special != nullptr && motions.record.peak_dof >= 0) {
    add_highest_peak(*special, motions.record, system, abscissa().level || curve_count() > 1, result);
  }
  for (const int dof : motions.record.dofs) {
    const std::string column = amplitude_column(system, dof);
    double largest = 0.0;
    for (const MemorySink* table : {points, special}) {
      const auto c = table != nullptr ? place_of(*table, column) : std::nullopt;
      if (!c) continue;
      for (std::size_t row = 0; row < table->rows(); ++row) largest = std::max(largest, table->at(row, *c));
    }
    result.add({"largest_" + column, "length", "of all points and peaks"}, largest);
  }
}

std::vector<HeadlineNumber> ResponseCurves::drawn_headline(const System& system) const {
  std::vector<HeadlineNumber> numbers;
  for (const std::string& label : labels_of(system, motions.record.dofs)) {
    if (numbers.size() == figures_of_a_kind) break;
    numbers.push_back(
        {fmt::format("largest_amplitude[{}]", label), fmt::format("Largest amplitude of {}", label), "length"});
  }
  if (has_curves()) numbers.push_back({"peak_frequency_hz", "Frequency of the highest peak", "1/time"});
  return numbers;
}

}  // namespace microslip
