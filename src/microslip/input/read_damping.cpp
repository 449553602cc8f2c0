#include "microslip/input/read_damping.hpp"

#include <fmt/format.h>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

ModalDamping read_modal(const TableReader& damping) {
  const TomlValue& value = damping.need("modal");
  if (value.is_number()) return {{damping.number("modal", nonnegative_number)}};
  if (value.type != TomlValue::Type::array) {
    throw damping.error(value, fmt::format("modal must be a ratio or a list of ratios, got {}", value.describe()));
  }
  std::vector<double> ratios = damping.numbers("modal", nonnegative_number);
  if (ratios.empty()) throw damping.error(value, "modal must have one ratio, or one a mode, got an empty list");
  return {std::move(ratios)};
}

RayleighDamping read_rayleigh(const TableReader& damping) {
  const auto ab = damping.numbers("rayleigh", nonnegative_number);
  if (ab.size() != 2) {
    throw damping.error("rayleigh", fmt::format("rayleigh must be [a, b], got a list of {}", ab.size()));
  }
  const bool absolute = damping.has("mass_term") && damping.choice("mass_term", {"relative", "absolute"}) == "absolute";
  return {ab[0], ab[1], absolute};
}

MatrixDamping read_matrix_damping(const TableReader& damping, const MatrixRows& rows) {
  Eigen::MatrixXd matrix = read_matrix_like(damping, "matrix", "damping", rows).dense();
  const Eigen::VectorXd values = symmetric_eigenvalues(matrix);
  const double smallest = values(0);
  if (smallest < -1e-9 * values.cwiseAbs().maxCoeff()) {
    throw damping.error(
        "matrix",
        fmt::format("the damping matrix must be positive semidefinite: it has the eigenvalue {:.6g}", smallest));
  }
  return {std::move(matrix)};
}

}  // namespace

Damping read_damping(const TableReader& structure, const MatrixRows& rows) {
  if (!structure.has("damping")) return ModalDamping{};
  const TableReader damping = structure.table("damping");
  damping.allow_only({"modal", "rayleigh", "matrix", "mass_term"});
  const std::string kind = damping.exactly_one_of({"modal", "rayleigh", "matrix"});
  if (kind != "rayleigh" && damping.has("mass_term")) {
    throw damping.error_at_key(*damping.value().find("mass_term"),
                               "mass_term goes with rayleigh: it says which motion its a M damps");
  }
  if (kind == "modal") return read_modal(damping);
  if (kind == "rayleigh") return read_rayleigh(damping);
  return read_matrix_damping(damping, rows);
}

}  // namespace microslip
