#include "microslip/input/degrees_of_freedom.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace microslip {
namespace {

/// -1 for the ground, -2 for an unknown label.
int index_of(const std::string& label, const std::vector<std::string>& labels) {
  if (label == ground_label) return ground;
  const auto at = std::find(labels.begin(), labels.end(), label);
  return at == labels.end() ? -2 : static_cast<int>(at - labels.begin());
}

std::string unknown_label(const std::string& label, std::vector<std::string> labels, bool ground_allowed) {
  if (ground_allowed) labels.emplace_back(ground_label);
  return fmt::format("unknown label {}{}", in_quotes(label), suggestion(label, labels));
}

}  // namespace

int degree_of_freedom(const TableReader& reader, const TomlValue& value, std::string_view what,
                      const std::vector<std::string>& labels, bool ground_allowed) {
  const std::string& label = reader.as_string(value, what);
  const int index = index_of(label, labels);
  if (index >= 0 || (index == ground && ground_allowed)) return index;
  throw reader.error(value, fmt::format("{}: {}", what, unknown_label(label, labels, ground_allowed)));
}

Eigen::VectorXd weighted_labels(const TableReader& reader, std::string_view key, const std::vector<std::string>& labels,
                                bool ground_allowed) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(labels.size()));
  const TableReader weights = reader.table(key);
  for (const auto& entry : weights.value().entries) {
    const double weight = weights.as_number(entry.value, entry.key, any_number);
    const int index = index_of(entry.key, labels);
    if (index >= 0) result(index) = weight;
    const bool known = index >= 0 || (index == ground && ground_allowed);
    if (!known) throw weights.error_at_key(entry, unknown_label(entry.key, labels, ground_allowed));
  }
  return result;
}

std::vector<int> shape_dofs(const System& system) {
  std::vector<int> dofs;
  for (int i = 0; i < system.size(); ++i) {
    const bool held = !system.directions().row(i).isZero(0.0);
    if (!system.truncated() || held || i >= system.structure().independent()) dofs.push_back(i);
  }
  return dofs;
}

}  // namespace microslip
