#pragma once
// A load of a study before an analysis uses it.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

struct LoadDefinition {
  std::string name;
  Eigen::VectorXd direction;
  Signal::Kind signal;
  bool base = false;
  std::string note;  ///< what its shape strains (strained_by_base), what is to be known of its record; empty: nothing

  /// For an analysis of this duration. Throws std::invalid_argument like Signal.
  [[nodiscard]] Load over(double duration) const;
};

/// Of loads on degrees of freedom and of base motions, for the static part of a large structure's answer.
[[nodiscard]] Eigen::MatrixXd static_load_directions(const TableReader& root, const LinearStructure& structure);

[[nodiscard]] std::vector<LoadDefinition> read_loads(const TableReader& root, const System& system);

/// The load that a value names; complains with the nearest name.
[[nodiscard]] const LoadDefinition& find_load(const TableReader& reader, const TomlValue& value, std::string_view what,
                                              const std::vector<LoadDefinition>& loads);
/// The same, for an analysis of this duration.
[[nodiscard]] Load load_over(const TableReader& reader, const TomlValue& value, std::string_view what,
                             const std::vector<LoadDefinition>& loads, double duration);
/// `load = "name"` or a list of names; none when there is no such key.
[[nodiscard]] std::vector<Load> read_load_names(const TableReader& reader, const std::vector<LoadDefinition>& loads,
                                                double duration);

}  // namespace microslip
