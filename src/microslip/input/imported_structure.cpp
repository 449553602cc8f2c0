#include "microslip/input/imported_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/input/imported_matrices.hpp"
#include "microslip/input/node_patches.hpp"
#include "microslip/input/read_damping.hpp"
#include "microslip/input/read_geometry.hpp"
#include "microslip/input/read_matrix.hpp"
#include "microslip/input/read_points.hpp"
#include "microslip/input/read_structure.hpp"
#include "microslip/input/rigid_labels.hpp"
#include "microslip/input/structure_keys.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/structure/constrained_solver.hpp"
#include "microslip/structure/craig_bampton.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

void require_no_negative_mass(const MatrixFile& mass) {
  for (int i = 0; i < mass.rows; ++i) {
    const auto* entry = mass.find(i, i);
    if (entry == nullptr || entry->value >= 0.0) continue;
    throw InputError(mass.position(*entry),
                     fmt::format("the mass matrix must be positive definite: entry ({0},{0}) must be > 0, got {1}",
                                 i + 1, entry->value));
  }
}

void note_rigid_motions(const SparseMatrix& stiffness, const SparseMatrix& mass, const Eigen::MatrixXd& motions,
                        StructureFacts& facts) {
  const SparseMatrix magnitude = stiffness.cwiseAbs();
  for (Eigen::Index m = 0; m < motions.cols(); ++m) {
    const Eigen::VectorXd r = motions.col(m);
    if (r.isZero(0.0)) continue;
    const double scale = (magnitude * r.cwiseAbs()).norm();
    if (scale > 0.0)
      facts.rigid_residuals[six_directions[static_cast<std::size_t>(m)]] = (stiffness * r).norm() / scale;
    if (m < 3) facts.mass[static_cast<std::size_t>(m)] = r.dot(mass * r);
  }
}

/// What joints and loads hold on to: of a spider all six directions.
std::vector<std::string> named_by_joints(const TableReader& root, const std::vector<NodePatch>& patches) {
  std::vector<std::string> labels;
  std::set<std::string> seen;
  const auto add_one = [&](const std::string& label) {
    if (label != ground_label && seen.insert(label).second) labels.push_back(label);
  };
  const auto add = [&](const std::string& label) {
    const std::size_t dot = label.rfind('.');
    const auto is_patch = [&](const NodePatch& patch) {
      return dot != std::string::npos && patch.name == label.substr(0, dot);
    };
    if (std::none_of(patches.begin(), patches.end(), is_patch)) return add_one(label);
    std::vector<std::string> six;
    append_six(label.substr(0, dot), six);
    std::for_each(six.begin(), six.end(), add_one);
  };
  const auto add_keys = [&](const TomlValue& table) {
    if (table.type != TomlValue::Type::table) return;
    for (const TomlValue::Entry& entry : table.entries) add(entry.key);
  };
  for (const TableReader& joint : root.tables("joint")) {
    if (const TomlValue* between = joint.find("between"); between != nullptr) {
      for (const TomlValue& item : between->items) {
        if (item.type == TomlValue::Type::string) add(item.text);
      }
    }
    if (const TomlValue* direction = joint.find("direction"); direction != nullptr) add_keys(*direction);
  }
  for (const TableReader& load : root.tables("load")) {
    if (const TomlValue* at = load.find("at"); at != nullptr && at->type == TomlValue::Type::string) add(at->text);
    if (const TomlValue* vector = load.find("vector"); vector != nullptr) add_keys(*vector);
  }
  return labels;
}

std::vector<std::string> read_boundary(const TableReader& root, const TableReader& structure,
                                       const std::vector<NodePatch>& patches) {
  if (!structure.has("boundary")) {
    std::vector<std::string> labels = named_by_joints(root, patches);
    if (labels.empty()) {
      throw structure.error("boundary must be a list of labels: there are no joints or loads that name any");
    }
    return labels;
  }
  std::vector<std::string> labels;
  std::set<std::string> seen;
  for (const TomlValue& item : structure.as_list(structure.need("boundary"), "boundary")) {
    const std::string& label = structure.as_string(item, "a label of the boundary");
    const auto is_patch = [&](const NodePatch& patch) { return patch.name == label; };
    std::vector<std::string> added = {label};
    if (std::any_of(patches.begin(), patches.end(), is_patch)) {
      added.clear();
      append_six(label, added);
    }
    for (const std::string& one : added) {
      if (!seen.insert(one).second) throw structure.error(item, fmt::format("{} is there twice", in_quotes(one)));
      labels.push_back(one);
    }
  }
  if (labels.empty()) throw structure.error("boundary", "boundary must have at least one label, got none");
  return labels;
}

/// `recover`: a list of labels, or "all"; points are recovered in any case.
std::vector<std::string> read_recover(const TableReader& structure, const Imported& imported,
                                      const std::vector<std::string>& points, const std::set<std::string>& boundary) {
  std::vector<std::string> labels, wanted;
  const TomlValue* value = structure.find("recover");
  if (value == nullptr) {
    // only the points
  } else if (value->type == TomlValue::Type::string) {
    static_cast<void>(structure.choice("recover", {"all"}));
    wanted = imported.labels;
    wanted.insert(wanted.end(), imported.dependent_labels.begin(), imported.dependent_labels.end());
  } else {
    for (const TomlValue& item : structure.as_list(*value, "recover")) {
      wanted.push_back(structure.as_string(item, "a label to recover"));
    }
  }
  wanted.insert(wanted.end(), points.begin(), points.end());
  std::set<std::string> seen;
  for (std::string& label : wanted) {
    if (!boundary.contains(label) && seen.insert(label).second) labels.push_back(std::move(label));
  }
  return labels;
}

/// Rigid motions in the coordinates of a reduced model. At the boundary they are G r. In the modes, what the static
/// answers Psi G r lack, nearest in the mass: nothing where the structure is free, for then Psi G r = r; a structure
/// that its own stiffness holds to ground moves along between there and the boundary. Rows of r that nothing is known
/// of count as Psi G r.
Eigen::MatrixXd reduced_rigid_motions(const Imported& full, const RigidMotions& rigid, const SparseMatrix& boundary,
                                      const ReducedModel& model) {
  constexpr double rounding = 1e-8;
  const Eigen::Index b = boundary.rows(), modes = model.held_omega.size();
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(b + modes, rigid.columns.cols());
  result.topRows(b) = boundary * rigid.columns;
  Eigen::MatrixXd rest = rigid.columns - model.recovery.leftCols(b) * result.topRows(b);
  for (std::size_t i = 0; i < full.labels.size(); ++i) {
    if (rigid.known[i] == RigidMotions::Known::nothing) rest.row(static_cast<Eigen::Index>(i)).setZero();
  }
  for (Eigen::Index m = 0; m < rest.cols() && modes > 0; ++m) {
    if (rest.col(m).cwiseAbs().maxCoeff() <= rounding * rigid.columns.col(m).cwiseAbs().maxCoeff()) continue;
    const Eigen::VectorXd inertia = full.mass * rest.col(m);
    result.col(m).tail(modes) = solve_positive(model.mass.bottomRightCorner(modes, modes),
                                               transpose_times(model.recovery.rightCols(modes), inertia));
  }
  return result;
}

Imported reduce(const TableReader& root, const TableReader& structure, const std::vector<NodePatch>& patches,
                const std::vector<std::string>& points, const Imported& full, const RigidMotions& rigid,
                StructureFacts& facts) {
  const std::vector<std::string> boundary = read_boundary(root, structure, patches);
  const SparseMatrix rows = rows_of(structure, "boundary", boundary, full);
  const auto modes = static_cast<int>(structure.integer("modes", 0, most_modes));
  const std::vector<std::string> recover =
      read_recover(structure, full, points, std::set<std::string>(boundary.begin(), boundary.end()));
  const SparseMatrix outputs = rows_of(structure, "recover", recover, full);
  ReducedModel model;
  try {
    model = craig_bampton(full.stiffness, full.mass, rows, modes, structure.flag_or("inertia_shapes", true));
  } catch (const std::runtime_error& error) {
    throw structure.error("modes", error.what());
  } catch (const std::invalid_argument& error) {
    throw structure.error(structure.has("boundary") ? "boundary" : "modes", error.what());
  }
  facts.boundary = static_cast<int>(boundary.size());
  facts.held_frequencies.assign(model.held_omega.begin(), model.held_omega.begin() + modes);
  facts.inertia_shapes = static_cast<int>(model.held_omega.size()) - modes;
  Imported reduced;
  reduced.mass = model.mass.sparseView();
  reduced.stiffness = model.stiffness.sparseView();
  reduced.labels = boundary;
  for (Eigen::Index m = 1; m <= model.held_omega.size(); ++m) reduced.labels.push_back(fmt::format("m{}", m));
  const Eigen::MatrixXd recovered = outputs * model.recovery;
  reduced.dependent = recovered.sparseView();
  reduced.dependent_labels = recover;
  reduced.rigid = reduced_rigid_motions(full, rigid, rows, model);
  return reduced;
}

/// How points move is what their rows tell, not their labels.
void forget(const std::vector<std::string>& points, const std::vector<std::string>& labels, RigidMotions& rigid) {
  const std::set<std::string> names(points.begin(), points.end());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (names.contains(labels[i])) rigid.known[i] = RigidMotions::Known::nothing;
  }
}

}  // namespace

LinearStructure read_imported_structure(const TableReader& root, StructureFacts& facts) {
  const TableReader structure = root.table("structure");
  const bool reduced = structure.string("kind") == "reduced";
  if (reduced) {
    structure.allow_only({"kind", "mass", "stiffness", "stiffness_factor", "labels", "points", "damping", "dampers",
                          "constrain_rigid_body", "geometry", "nodes", "spider", "modes", "boundary", "recover",
                          "inertia_shapes"});
  } else {
    structure.allow_only({"kind", "mass", "stiffness", "stiffness_factor", "labels", "points", "damping", "dampers",
                          "constrain_rigid_body", "geometry", "nodes", "spider", "modes"});
  }
  Imported imported;
  MatrixRows rows;
  {
    const StructureMatrices files = read_structure_matrices(structure);
    require_no_negative_mass(files.mass);
    imported.mass = sparse(files.mass);
    facts.stiffness_factor = read_stiffness_factor(structure);
    imported.stiffness = facts.stiffness_factor * sparse(files.stiffness);
    rows = files.rows;
  }
  imported.labels = read_labels(structure, rows.size(), rows.labels);
  facts.imported = rows.size();
  facts.held = static_cast<int>(rows.removed.size());
  NodeTable nodes;
  const bool known_nodes = structure.has("nodes");
  if (known_nodes) {
    nodes = read_named_file(structure, "nodes", [](const std::string& path) { return read_node_table(path); });
  } else if (structure.has("spider")) {
    throw structure.error("spider", "spiders need nodes = \"FILE\", a table (label,x,y,z) or an input deck");
  }
  const NodeTable* places = known_nodes ? &nodes : nullptr;
  note_rigid_motions(imported.stiffness, imported.mass, rigid_motions(imported.labels, places, {}).columns, facts);
  facts.zero_modes =
      static_cast<int>(motions_without_strain(imported.stiffness, factors_of_free_bodies(imported.stiffness)).cols());

  LinearStructure::Parts parts;
  parts.damping = read_damping(structure, rows);
  const std::vector<NodePatch> patches = read_node_patches(structure, nodes, places_of(imported.labels));
  const auto is_rigid = [](const NodePatch& patch) { return patch.rigid; };
  if (std::holds_alternative<MatrixDamping>(parts.damping) &&
      (reduced || std::any_of(patches.begin(), patches.end(), is_rigid) || rows.size() > Truncation::most_dense)) {
    throw structure.table("damping").error(
        "matrix",
        fmt::format("a damping matrix goes with kind = \"matrices\", up to {} degrees of freedom and no rigid "
                    "spiders; give modal or rayleigh",
                    Truncation::most_dense));
  }
  const DependentCoordinates points = read_points(structure, rows, imported.labels);
  add_dependent(structure, patches, points, imported, facts);
  RigidMotions rigid = rigid_motions(imported.labels, places, patches);
  if (reduced) {
    imported = reduce(root, structure, patches, points.labels, imported, rigid, facts);
    rigid = rigid_motions(imported.labels, places, patches);
    rigid.columns = std::move(imported.rigid);
  }
  RigidMotions followers = rigid_motions(imported.dependent_labels, places, patches);
  forget(points.labels, imported.dependent_labels, followers);
  rigid.known.insert(rigid.known.end(), followers.known.begin(), followers.known.end());
  parts.rigid = std::move(rigid);

  parts.mass = std::move(imported.mass);
  parts.stiffness = std::move(imported.stiffness);
  parts.dependent = std::move(imported.dependent);
  parts.labels = std::move(imported.labels);
  parts.labels.insert(parts.labels.end(), imported.dependent_labels.begin(), imported.dependent_labels.end());
  const auto size = static_cast<Eigen::Index>(parts.labels.size());
  for (const LumpedLink& link : read_links(structure, "dampers", nonnegative_number, parts.labels)) {
    Damper damper{Eigen::VectorXd::Zero(size), link.value};
    if (link.from != ground) damper.direction(link.from) = -1.0;
    if (link.to != ground) damper.direction(link.to) = 1.0;
    parts.dampers.push_back(std::move(damper));
  }
  parts.constrain_rigid_body = structure.flag_or("constrain_rigid_body", false);
  parts.geometry = read_geometry(structure, parts.labels);
  return LinearStructure(std::move(parts));
}

}  // namespace microslip
