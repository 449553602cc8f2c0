#include "microslip/structure/linear_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace microslip {

void require_symmetric(const SparseMatrix& matrix, const std::string& what) {
  if (matrix.rows() != matrix.cols()) {
    throw std::invalid_argument(fmt::format("{} must be square, got {} x {}", what, matrix.rows(), matrix.cols()));
  }
  double largest = 0.0;
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      if (!std::isfinite(entry.value())) {
        throw std::invalid_argument(
            fmt::format("{} must be finite, entry ({}, {}) is not", what, entry.row() + 1, entry.col() + 1));
      }
      largest = std::max(largest, std::abs(entry.value()));
    }
  }
  const SparseMatrix mirrored = matrix.transpose();
  const SparseMatrix difference = matrix - mirrored;
  for (Eigen::Index j = 0; j < difference.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(difference, j); entry; ++entry) {
      if (entry.row() > entry.col() || std::abs(entry.value()) <= 1e-9 * largest) continue;
      throw std::invalid_argument(fmt::format("{} must be symmetric, entries ({}, {}) and ({}, {}) are {} and {}", what,
                                              entry.row() + 1, entry.col() + 1, entry.col() + 1, entry.row() + 1,
                                              matrix.coeff(entry.row(), entry.col()),
                                              matrix.coeff(entry.col(), entry.row())));
    }
  }
}

namespace {

/// Exactly symmetric, without stored zeros.
void symmetrize(SparseMatrix& matrix) {
  const SparseMatrix mirrored = matrix.transpose();
  matrix = 0.5 * (matrix + mirrored);
  matrix.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0.0; });
  matrix.makeCompressed();
}

Eigen::VectorXd link_direction(const LumpedLink& link, Eigen::Index n) {
  Eigen::VectorXd w = Eigen::VectorXd::Zero(n);
  if (link.from >= 0) w(link.from) -= 1.0;
  if (link.to >= 0) w(link.to) += 1.0;
  return w;
}

}  // namespace

LinearStructure::LinearStructure(Parts parts) : parts_(std::move(parts)) {
  Eigen::Index n = parts_.mass.rows();
  if (n == 0) throw std::invalid_argument("a structure needs at least one degree of freedom");
  require_symmetric(parts_.mass, "the mass matrix");
  require_symmetric(parts_.stiffness, "the stiffness matrix");
  if (parts_.stiffness.rows() != n) {
    throw std::invalid_argument("mass and stiffness differ in size: " + std::to_string(n) + " and " +
                                std::to_string(parts_.stiffness.rows()));
  }
  symmetrize(parts_.mass);
  symmetrize(parts_.stiffness);
  if (parts_.dependent.rows() > 0 && parts_.dependent.cols() != n) {
    throw std::invalid_argument(
        fmt::format("dependent coordinates must follow from {} others, got {}", n, parts_.dependent.cols()));
  }
  const Eigen::Index matrices = n;
  n += parts_.dependent.rows();
  parts_.mass.conservativeResize(n, n);
  parts_.stiffness.conservativeResize(n, n);
  if (auto* damping = std::get_if<MatrixDamping>(&parts_.damping)) {
    require_symmetric(damping->matrix.sparseView(), "the damping matrix");
    if (damping->matrix.rows() != matrices) {
      throw std::invalid_argument("mass and damping differ in size: " + std::to_string(matrices) + " and " +
                                  std::to_string(damping->matrix.rows()));
    }
    damping->matrix = (0.5 * (damping->matrix + damping->matrix.transpose())).eval();
    damping->matrix.conservativeResizeLike(Eigen::MatrixXd::Zero(n, n));
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
  const RigidMotions& rigid = parts_.rigid;
  if (rigid.columns.size() != 0 &&
      (rigid.columns.rows() != matrices || static_cast<Eigen::Index>(rigid.known.size()) != n)) {
    throw std::invalid_argument("rigid motions must have one row a degree of freedom");
  }
}

LinearStructure LinearStructure::lumped(const std::vector<double>& masses, std::vector<std::string> labels,
                                        const std::vector<LumpedLink>& springs, const std::vector<LumpedLink>& dampers,
                                        Damping damping, bool constrain_rigid_body, Geometry geometry,
                                        DependentCoordinates points) {
  const auto n = static_cast<Eigen::Index>(masses.size());
  const Eigen::Index all = n + points.rows.rows();
  Parts parts;
  std::vector<Eigen::Triplet<double>> diagonal, entries;
  for (Eigen::Index i = 0; i < n; ++i) diagonal.emplace_back(i, i, masses[static_cast<std::size_t>(i)]);
  parts.mass.resize(n, n);
  parts.mass.setFromTriplets(diagonal.begin(), diagonal.end());
  for (const auto& [from, to, k] : springs) {
    if (from >= 0) entries.emplace_back(from, from, k);
    if (to >= 0) entries.emplace_back(to, to, k);
    if (from < 0 || to < 0) continue;
    entries.emplace_back(from, to, -k);
    entries.emplace_back(to, from, -k);
  }
  parts.stiffness.resize(n, n);
  parts.stiffness.setFromTriplets(entries.begin(), entries.end());
  for (const LumpedLink& damper : dampers) parts.dampers.push_back({link_direction(damper, all), damper.value});
  parts.labels = std::move(labels);
  parts.labels.insert(parts.labels.end(), points.labels.begin(), points.labels.end());
  parts.damping = std::move(damping);
  parts.constrain_rigid_body = constrain_rigid_body;
  parts.base_shape = Eigen::VectorXd::Ones(all);
  if (all > n) parts.base_shape.tail(all - n) = points.rows * Eigen::VectorXd::Ones(n);
  parts.dependent = std::move(points.rows);
  parts.geometry = geometry.empty() ? chain_geometry(static_cast<int>(n)) : std::move(geometry);
  return LinearStructure(std::move(parts));
}

Eigen::MatrixXd LinearStructure::with_dependent(const Eigen::MatrixXd& x) const {
  if (parts_.dependent.rows() == 0) return x;
  Eigen::MatrixXd all(size(), x.cols());
  all << x, parts_.dependent * x;
  return all;
}

Eigen::VectorXd LinearStructure::made_consistent(const Eigen::VectorXd& q) const {
  return with_dependent(q.head(independent()));
}

Eigen::MatrixXd LinearStructure::on_independent(const Eigen::MatrixXd& directions) const {
  if (parts_.dependent.rows() == 0) return directions;
  return directions.topRows(independent()) +
         parts_.dependent.transpose() * directions.bottomRows(parts_.dependent.rows());
}

SparseMatrix LinearStructure::independent_mass() const {
  return parts_.mass.topLeftCorner(independent(), independent());
}

SparseMatrix LinearStructure::independent_stiffness() const {
  return parts_.stiffness.topLeftCorner(independent(), independent());
}

int LinearStructure::index_of(const std::string& label) const {
  const auto found = std::find(parts_.labels.begin(), parts_.labels.end(), label);
  return found == parts_.labels.end() ? -1 : static_cast<int>(found - parts_.labels.begin());
}

}  // namespace microslip
