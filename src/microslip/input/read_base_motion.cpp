#include "microslip/input/read_base_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using Known = RigidMotions::Known;

constexpr double vector_tolerance = 1e-6;  // of the largest entry: vectors are written with few digits
constexpr double strain_tolerance = 1e-6;
constexpr std::size_t most_named = 4;  // in messages

/// The motion as a body that a vector is meant to be, and where the vector is not it.
struct Meant {
  Eigen::VectorXd shape;                  ///< of all coordinates
  std::vector<Eigen::Index> differences;  ///< rows
  bool translation = true;
};

class GivenVector {
 public:
  GivenVector(const TableReader& load, const LinearStructure& structure)
      : structure_(&structure),
        values_(weighted_labels(load, "vector", structure.labels(), false)),
        named_(structure.labels().size(), false) {
    if (values_.isZero(0.0)) throw load.error("vector", "vector must have an entry other than 0");
    for (const auto& entry : load.table("vector").value().entries) {
      named_[static_cast<std::size_t>(structure.index_of(entry.key))] = true;
    }
  }

  [[nodiscard]] const Eigen::VectorXd& values() const { return values_; }

  /// Rows of dependent coordinates that the vector names but does not move as they follow from the others.
  [[nodiscard]] Meant followed() const {
    Meant meant;
    meant.shape = structure_->made_consistent(values_);
    for (Eigen::Index i = structure_->independent(); i < values_.size(); ++i) {
      if (named(i) && differs(i, meant.shape)) meant.differences.push_back(i);
    }
    return meant;
  }

  /// The translation, or where places are known the motion with rotations, that the named entries tell.
  [[nodiscard]] Meant meant() const {
    const Eigen::MatrixXd motions = structure_->with_dependent(structure_->rigid().columns);
    Meant best = compared(motions.leftCols(3) * translation(motions), Known::translations);
    if (best.differences.empty() || motions.cols() < 6) return best;
    Meant turning = compared(motions * rotation(motions), Known::all);
    turning.translation = false;
    return turning.differences.size() < best.differences.size() ? turning : best;
  }

 private:
  [[nodiscard]] bool named(Eigen::Index i) const { return named_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Known known(Eigen::Index i) const { return structure_->rigid().known[static_cast<std::size_t>(i)]; }
  [[nodiscard]] bool differs(Eigen::Index i, const Eigen::VectorXd& shape) const {
    return !(std::abs(values_(i) - shape(i)) <= vector_tolerance * values_.cwiseAbs().maxCoeff());
  }

  /// Along each axis the value that most of the named entries have.
  [[nodiscard]] Eigen::Vector3d translation(const Eigen::MatrixXd& motions) const {
    Eigen::Vector3d result = Eigen::Vector3d::Zero();
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<double> values;
      for (Eigen::Index i = 0; i < values_.size(); ++i) {
        if (named(i) && known(i) != Known::nothing && values_(i) != 0.0 && std::abs(motions(i, axis) - 1.0) < 1e-6) {
          values.push_back(values_(i));
        }
      }
      std::sort(values.begin(), values.end());
      std::ptrdiff_t most = 0;
      for (auto at = values.begin(); at != values.end();) {
        const auto end = std::upper_bound(at, values.end(), *at);
        if (end - at > most) {
          most = end - at;
          result(axis) = *at;
        }
        at = end;
      }
    }
    return result;
  }

  /// Least squares over the named entries, rotations measured in the size of the structure.
  [[nodiscard]] Eigen::VectorXd rotation(const Eigen::MatrixXd& motions) const {
    std::vector<Eigen::Index> rows;
    for (Eigen::Index i = 0; i < values_.size(); ++i) {
      if (named(i) && known(i) == Known::all) rows.push_back(i);
    }
    Eigen::VectorXd scale = motions.cwiseAbs().colwise().maxCoeff().transpose();
    for (double& value : scale) value = value > 0.0 ? 1.0 / value : 1.0;
    const Eigen::MatrixXd scaled = motions(rows, Eigen::all) * scale.asDiagonal();
    return scale.cwiseProduct(least_squares(scaled, Eigen::VectorXd(values_(rows))));
  }

  /// Entries that labels tell of must be as meant; others stay as given, or follow where they are not.
  [[nodiscard]] Meant compared(const Eigen::VectorXd& expected, Known least) const {
    Meant result;
    Eigen::VectorXd shape = expected;
    for (Eigen::Index i = 0; i < structure_->independent(); ++i) {
      if (known(i) < least && named(i)) shape(i) = values_(i);
    }
    result.shape = structure_->made_consistent(shape);
    for (Eigen::Index i = 0; i < values_.size(); ++i) {
      const bool follows = i >= structure_->independent();
      if (follows ? !named(i) : known(i) < least) continue;
      if (differs(i, result.shape)) result.differences.push_back(i);
    }
    return result;
  }

  const LinearStructure* structure_;
  Eigen::VectorXd values_;
  std::vector<bool> named_;
};

std::string differing(const Meant& meant, const Eigen::VectorXd& given, const std::vector<std::string>& labels) {
  std::vector<std::string> parts;
  for (const Eigen::Index i : meant.differences) {
    if (parts.size() == most_named) break;
    parts.push_back(fmt::format("{} is {:g}, must be {:.9g}", in_quotes(labels[static_cast<std::size_t>(i)]), given(i),
                                std::abs(meant.shape(i)) < 1e-12 ? 0.0 : meant.shape(i)));
  }
  const std::size_t rest = meant.differences.size() - parts.size();
  return fmt::format("{}{}", fmt::join(parts, ", "), rest > 0 ? fmt::format(", and {} more", rest) : "");
}

bool labels_tell(const LinearStructure& structure) {
  const auto& known = structure.rigid().known;
  return std::any_of(known.begin(), known.end(), [](Known k) { return k != Known::nothing; });
}

/// What the terms of a row of K r may be, whose rounding is no strain: the largest sqrt(K_ii K_jj) |r_j|, j coupled to
/// i, with stuck joints in K_ii: at a boundary that just holds a free body K itself is rounding.
Eigen::VectorXd row_scale(const System& system, const Eigen::VectorXd& shape) {
  const SparseMatrix& stiffness = system.structure().stiffness();
  Eigen::VectorXd root = stiffness.diagonal().cwiseAbs();
  for (int c = 0; c < system.components(); ++c) {
    root += std::abs(system.stuck_joint_stiffness()(c, c)) * system.directions().col(c).cwiseAbs2();
  }
  root = root.cwiseSqrt().eval();
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(shape.size());
  for (Eigen::Index j = 0; j < stiffness.outerSize(); ++j) {
    const double moved = std::abs(shape(j));
    for (SparseMatrix::InnerIterator entry(stiffness, j); entry; ++entry) {
      double& row = scale(entry.row());
      row = std::max({row, root(entry.row()) * root(j) * moved, std::abs(entry.value()) * moved});
    }
  }
  return scale;
}

Eigen::VectorXd along(const TableReader& load, const LinearStructure& structure) {
  if (!labels_tell(structure)) {
    throw load.error("direction",
                     "direction needs labels such as \"12.x\", which tell where each degree of freedom points; give "
                     "vector = { label = value, ... }");
  }
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  if (load.need("direction").type == TomlValue::Type::array) {
    const std::vector<double> values = load.numbers("direction", any_number);
    if (values.size() != 3) {
      throw load.error(
          "direction",
          fmt::format("direction must be \"x\", \"y\", \"z\" or three numbers, got a list of {}", values.size()));
    }
    axis = {values[0], values[1], values[2]};
  } else {
    const std::string name = load.choice("direction", {"x", "y", "z"});
    axis(name[0] - 'x') = 1.0;
  }
  Eigen::VectorXd shape = structure.with_dependent(structure.rigid().columns.leftCols(3) * axis);
  if (shape.isZero(0.0)) throw load.error("direction", "direction: no degree of freedom moves along it");
  return shape;
}

}  // namespace

Eigen::VectorXd read_base_shape(const TableReader& load, const LinearStructure& structure) {
  if (const Eigen::VectorXd& whole = structure.base_shape(); whole.size() != 0) {
    for (const char* key : {"vector", "direction", "rigid"}) {
      if (!load.has(key)) continue;
      throw load.error_at_key(
          *load.value().find(key),
          fmt::format("{} does not go with base in a lumped structure: all of it moves with the ground", key));
    }
    return whole;
  }
  if (load.has("direction")) {
    for (const char* key : {"vector", "rigid"}) {
      if (!load.has(key)) continue;
      throw load.error_at_key(*load.value().find(key), fmt::format("direction and {} exclude each other", key));
    }
    return along(load, structure);
  }
  if (!load.has("vector")) {
    throw load.error("base", fmt::format("base needs {}vector = {{ label = value, ... }}, the displacement of every "
                                         "degree of freedom when the ground moves by one",
                                         labels_tell(structure) ? "direction = \"x\", \"y\" or \"z\", or " : ""));
  }
  const GivenVector given(load, structure);
  if (!load.flag_or("rigid", true) || !labels_tell(structure)) {
    Meant meant = given.followed();
    if (meant.differences.empty()) return std::move(meant.shape);
    throw load.error("vector", fmt::format("vector: what follows from other degrees of freedom moves with them: {}",
                                           differing(meant, given.values(), structure.labels())));
  }
  Meant meant = given.meant();
  if (!meant.differences.empty()) {
    throw load.error("vector",
                     fmt::format("vector is not the motion of the structure as one body: {}. Give {}, or rigid = false "
                                 "for a vector that is meant so",
                                 differing(meant, given.values(), structure.labels()),
                                 meant.translation ? "direction = \"x\" (y, z, [1, 0, 0]) instead" : "all of them"));
  }
  return std::move(meant.shape);
}

std::string strained_by_base(const Eigen::VectorXd& shape, const System& system) {
  const LinearStructure& structure = system.structure();
  if (structure.base_shape().size() != 0) return "";
  const Eigen::VectorXd force = structure.stiffness() * shape, scale = row_scale(system, shape);
  std::vector<std::string> rows, joints;
  for (Eigen::Index i = 0; i < force.size(); ++i) {
    if (std::abs(force(i)) > strain_tolerance * scale(i))
      rows.push_back(structure.labels()[static_cast<std::size_t>(i)]);
  }
  for (int c = 0; c < system.components(); ++c) {
    const Eigen::VectorXd direction = system.directions().col(c);
    if ((direction.array() != 0.0).count() < 2) continue;  // to ground
    const double largest = direction.cwiseAbs().dot(shape.cwiseAbs());
    if (std::abs(direction.dot(shape)) > strain_tolerance * largest) joints.push_back(system.component_name(c));
  }
  const auto listed = [](const std::vector<std::string>& names) {
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most_named, names.size()));
    return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), names.size() > most_named ? ", ..." : "");
  };
  std::vector<std::string> parts;
  if (!rows.empty()) {
    parts.push_back(
        fmt::format("K r is not zero at {} of {} degrees of freedom ({}): there the structure holds on to the "
                    "ground, or r is no motion with it",
                    rows.size(), structure.independent(), listed(rows)));
  }
  if (!joints.empty()) {
    parts.push_back(fmt::format("r strains {} joint{} that {} not to ground ({})", joints.size(),
                                joints.size() > 1 ? "s" : "", joints.size() > 1 ? "are" : "is", listed(joints)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace microslip
