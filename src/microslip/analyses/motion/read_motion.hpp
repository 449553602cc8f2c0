#pragma once
// Keys that the kinds of motion in time share, and their loads in words.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

struct InitialState {
  Eigen::VectorXd q;                ///< empty: zero
  Eigen::VectorXd v;                ///< empty: zero
  std::optional<Load> static_load;  ///< the equilibrium under it instead
};

/// `initial = { q = { "1" = 0.1 }, v = { .. } }` or `initial = { static = "load" }`; `duration` of the analysis.
[[nodiscard]] InitialState read_initial(const TableReader& reader, const StudyParts& parts, double duration);

/// A list of names of joints, each once: their numbers, from 0.
[[nodiscard]] std::vector<int> read_joint_names(const TableReader& reader, std::string_view key, const System& system);

/// `record = { dofs = [..], joints = [..], every = 10 }`; everything without the key.
[[nodiscard]] Record read_record(const TableReader& reader, const System& system);

/// The number of steps is one that a computer can take.
void check_step_count(const TableReader& reader, const char* step_key, double duration, double step);

[[nodiscard]] std::vector<std::string> names_of(const std::vector<Load>& loads);
/// "load a, b" or "no load".
[[nodiscard]] std::string loads_in_words(const std::vector<Load>& loads);

}  // namespace microslip
