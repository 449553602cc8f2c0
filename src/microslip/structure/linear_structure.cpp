#include "microslip/structure/linear_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace microslip {

void require_symmetric(const Eigen::MatrixXd& matrix, const std::string& what) {
  if (matrix.rows() != matrix.cols()) {
    throw std::invalid_argument(what + " must be square, got " + std::to_string(matrix.rows()) + " x " +
                                std::to_string(matrix.cols()));
  }
  const double limit = 1e-9 * (matrix.size() > 0 ? matrix.cwiseAbs().maxCoeff() : 0.0);
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      const auto at = [&](Eigen::Index r, Eigen::Index c) {
        return "(" + std::to_string(r + 1) + ", " + std::to_string(c + 1) + ")";
      };
      if (!std::isfinite(matrix(i, j)) || !std::isfinite(matrix(j, i))) {
        throw std::invalid_argument(what + " must be finite, entry " + at(i, j) + " is not");
      }
      if (std::abs(matrix(i, j) - matrix(j, i)) > limit) {
        throw std::invalid_argument(fmt::format("{} must be symmetric, entries {} and {} are {} and {}", what, at(i, j),
                                                at(j, i), matrix(i, j), matrix(j, i)));
      }
    }
  }
}

namespace {

void symmetrize(Eigen::MatrixXd& matrix) {
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
}

Eigen::VectorXd link_direction(const LumpedLink& link, Eigen::Index n) {
  Eigen::VectorXd w = Eigen::VectorXd::Zero(n);
  if (link.from >= 0) w(link.from) -= 1.0;
  if (link.to >= 0) w(link.to) += 1.0;
  return w;
}

}  // namespace

LinearStructure::LinearStructure(Parts parts) : parts_(std::move(parts)) {
  const Eigen::Index n = parts_.mass.rows();
  if (n == 0) throw std::invalid_argument("a structure needs at least one degree of freedom");
  require_symmetric(parts_.mass, "the mass matrix");
  require_symmetric(parts_.stiffness, "the stiffness matrix");
  if (parts_.stiffness.rows() != n) {
    throw std::invalid_argument("mass and stiffness differ in size: " + std::to_string(n) + " and " +
                                std::to_string(parts_.stiffness.rows()));
  }
  symmetrize(parts_.mass);
  symmetrize(parts_.stiffness);
  if (auto* damping = std::get_if<MatrixDamping>(&parts_.damping)) {
    require_symmetric(damping->matrix, "the damping matrix");
    if (damping->matrix.rows() != n) {
      throw std::invalid_argument("mass and damping differ in size: " + std::to_string(n) + " and " +
                                  std::to_string(damping->matrix.rows()));
    }
    symmetrize(damping->matrix);
  }
  if (parts_.labels.empty()) {
    for (Eigen::Index i = 0; i < n; ++i) parts_.labels.push_back(std::to_string(i + 1));
  }
  if (static_cast<Eigen::Index>(parts_.labels.size()) != n) {
    throw std::invalid_argument("there are " + std::to_string(n) + " degrees of freedom but " +
                                std::to_string(parts_.labels.size()) + " labels");
  }
  std::set<std::string> seen;
  for (const std::string& label : parts_.labels) {
    if (!seen.insert(label).second) throw std::invalid_argument("the label \"" + label + "\" occurs twice");
  }
  for (const Damper& damper : parts_.dampers) {
    if (damper.direction.size() != n || !(damper.coefficient >= 0.0)) {
      throw std::invalid_argument(fmt::format("a damper must have a coefficient >= 0, got {}", damper.coefficient));
    }
  }
  if (parts_.base_shape.size() != 0 && parts_.base_shape.size() != n) {
    throw std::invalid_argument("the shape of the base motion must have one entry a degree of freedom");
  }
}

LinearStructure LinearStructure::lumped(const std::vector<double>& masses, std::vector<std::string> labels,
                                        const std::vector<LumpedLink>& springs, const std::vector<LumpedLink>& dampers,
                                        Damping damping, bool constrain_rigid_body, Geometry geometry) {
  const auto n = static_cast<Eigen::Index>(masses.size());
  Parts parts;
  parts.mass = Eigen::Map<const Eigen::VectorXd>(masses.data(), n).asDiagonal();
  parts.stiffness = Eigen::MatrixXd::Zero(n, n);
  for (const LumpedLink& spring : springs) {
    const Eigen::VectorXd w = link_direction(spring, n);
    parts.stiffness += spring.value * w * w.transpose();
  }
  for (const LumpedLink& damper : dampers) parts.dampers.push_back({link_direction(damper, n), damper.value});
  parts.labels = std::move(labels);
  parts.damping = std::move(damping);
  parts.constrain_rigid_body = constrain_rigid_body;
  parts.base_shape = Eigen::VectorXd::Ones(n);
  parts.geometry = geometry.empty() ? chain_geometry(static_cast<int>(n)) : std::move(geometry);
  return LinearStructure(std::move(parts));
}

int LinearStructure::index_of(const std::string& label) const {
  const auto found = std::find(parts_.labels.begin(), parts_.labels.end(), label);
  return found == parts_.labels.end() ? -1 : static_cast<int>(found - parts_.labels.begin());
}

}  // namespace microslip
