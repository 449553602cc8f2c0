#include "microslip/input/imported_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/input/node_patches.hpp"
#include "microslip/input/read_damping.hpp"
#include "microslip/input/read_geometry.hpp"
#include "microslip/input/read_matrix.hpp"
#include "microslip/input/read_structure.hpp"
#include "microslip/input/rigid_labels.hpp"
#include "microslip/input/structure_keys.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/structure/constrained_solver.hpp"
#include "microslip/structure/craig_bampton.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

/// Matrices, and coordinates that follow from theirs: mean motions of patches, nodes of rigid ties.
struct Imported {
  SparseMatrix mass, stiffness;
  std::vector<std::string> labels;            ///< of the matrices
  SparseMatrix dependent;                     ///< rows in the coordinates of the matrices
  std::vector<std::string> dependent_labels;  ///< of these rows
  Eigen::MatrixXd rigid;                      ///< RigidMotions::columns of a reduced model; else empty
};

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

void append_rows(std::vector<Eigen::Triplet<double>>& entries, Eigen::Index first, const SparseMatrix& rows) {
  for (Eigen::Index j = 0; j < rows.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(rows, j); entry; ++entry) {
      entries.emplace_back(first + entry.row(), entry.col(), entry.value());
    }
  }
}

void append_six(const std::string& name, std::vector<std::string>& labels) {
  for (const char* direction : six_directions) labels.push_back(name + "." + direction);
}

/// The ties of the patches, unless a node is in two of them.
RigidTies tied_structure(const TableReader& structure, const std::vector<std::vector<PatchNode>>& ties,
                         const std::vector<Eigen::Vector3d>& points, const std::vector<std::string>& names,
                         const std::vector<std::string>& labels) {
  std::unordered_map<int, std::size_t> tie_of;
  for (std::size_t t = 0; t < ties.size(); ++t) {
    for (const PatchNode& node : ties[t]) {
      for (const int dof : node.dofs) {
        const auto [at, added] = tie_of.emplace(dof, t);
        if (dof < 0 || added) continue;
        throw structure.error(
            "spider", fmt::format("spiders \"{}\" and \"{}\" are rigid and share {}", names[at->second], names[t],
                                  in_quotes(labels[static_cast<std::size_t>(dof)])));
      }
    }
  }
  return rigid_ties(ties, points, static_cast<int>(labels.size()));
}

/// Rigid ties take nodes out of the matrices, averages follow from them.
void add_patches(const TableReader& structure, const std::vector<NodePatch>& patches, Imported& imported,
                 StructureFacts& facts) {
  const auto size = static_cast<int>(imported.labels.size());
  std::vector<std::vector<PatchNode>> tied;
  std::vector<Eigen::Vector3d> points;
  std::vector<std::string> tie_labels, tied_names;
  for (const NodePatch& patch : patches) {
    if (!patch.rigid) continue;
    tied.push_back(patch.nodes);
    points.push_back(patch.point);
    append_six(patch.name, tie_labels);
    tied_names.push_back(patch.name);
    facts.patches.push_back({patch.name, patch.nodes.size(), 0.0});
  }
  std::vector<Eigen::Triplet<double>> rows;
  Eigen::Index count = 0;
  SparseMatrix transformation;
  if (!tied.empty()) {
    RigidTies ties = tied_structure(structure, tied, points, tied_names, imported.labels);
    transformation = std::move(ties.transformation);
    const SparseMatrix transposed = transformation.transpose();
    imported.mass = transposed * imported.mass * transformation;
    imported.stiffness = transposed * imported.stiffness * transformation;
    std::vector<std::string> labels;
    std::vector<bool> kept(static_cast<std::size_t>(size));
    for (const int dof : ties.kept) {
      kept[static_cast<std::size_t>(dof)] = true;
      labels.push_back(imported.labels[static_cast<std::size_t>(dof)]);
    }
    labels.insert(labels.end(), tie_labels.begin(), tie_labels.end());
    const SparseMatrix by_row = transposed;  // column i is row i of T
    for (int dof = 0; dof < size; ++dof) {
      if (kept[static_cast<std::size_t>(dof)]) continue;
      for (SparseMatrix::InnerIterator entry(by_row, dof); entry; ++entry) {
        rows.emplace_back(count, entry.row(), entry.value());
      }
      ++count;
      imported.dependent_labels.push_back(imported.labels[static_cast<std::size_t>(dof)]);
    }
    imported.labels = std::move(labels);
  }
  for (const NodePatch& patch : patches) {
    if (patch.rigid) continue;
    try {
      const Spider spider = averaging_spider(patch.nodes, patch.point, size);
      append_rows(rows, count, tied.empty() ? spider.rows : SparseMatrix(spider.rows * transformation));
      facts.patches.push_back({patch.name, patch.nodes.size(), spider.condition});
    } catch (const std::invalid_argument& error) {
      throw structure.error("spider", fmt::format("spider \"{}\": {}", patch.name, error.what()));
    }
    count += 6;
    append_six(patch.name, imported.dependent_labels);
  }
  imported.dependent.resize(count, imported.mass.rows());
  imported.dependent.setFromTriplets(rows.begin(), rows.end());
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

/// Rows of coordinates, by label, in those of the matrices.
SparseMatrix rows_of(const TableReader& structure, std::string_view key, const std::vector<std::string>& wanted,
                     const Imported& imported) {
  const LabelPlaces own = places_of(imported.labels), dependent = places_of(imported.dependent_labels);
  const SparseMatrix by_row = imported.dependent.transpose();
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (const auto at = own.find(wanted[i]); at != own.end()) {
      entries.emplace_back(row, at->second, 1.0);
    } else if (const auto other = dependent.find(wanted[i]); other != dependent.end()) {
      for (SparseMatrix::InnerIterator entry(by_row, other->second); entry; ++entry) {
        entries.emplace_back(row, entry.row(), entry.value());
      }
    } else {
      throw structure.error(key, fmt::format("{}: no degree of freedom is called {}", key, in_quotes(wanted[i])));
    }
  }
  SparseMatrix rows(static_cast<Eigen::Index>(wanted.size()), imported.mass.rows());
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

/// `recover`: a list of labels, or "all".
std::vector<std::string> read_recover(const TableReader& structure, const Imported& imported,
                                      const std::set<std::string>& boundary) {
  std::vector<std::string> labels;
  const TomlValue* value = structure.find("recover");
  if (value == nullptr) return labels;
  std::vector<std::string> wanted;
  if (value->type == TomlValue::Type::string) {
    static_cast<void>(structure.choice("recover", {"all"}));
    wanted = imported.labels;
    wanted.insert(wanted.end(), imported.dependent_labels.begin(), imported.dependent_labels.end());
  } else {
    for (const TomlValue& item : structure.as_list(*value, "recover")) {
      wanted.push_back(structure.as_string(item, "a label to recover"));
    }
  }
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
                const Imported& full, const RigidMotions& rigid, StructureFacts& facts) {
  const std::vector<std::string> boundary = read_boundary(root, structure, patches);
  const SparseMatrix rows = rows_of(structure, "boundary", boundary, full);
  const auto modes = static_cast<int>(structure.integer("modes", 0, most_modes));
  const std::vector<std::string> recover =
      read_recover(structure, full, std::set<std::string>(boundary.begin(), boundary.end()));
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

}  // namespace

LinearStructure read_imported_structure(const TableReader& root, StructureFacts& facts) {
  const TableReader structure = root.table("structure");
  const bool reduced = structure.string("kind") == "reduced";
  if (reduced) {
    structure.allow_only({"kind", "mass", "stiffness", "labels", "damping", "dampers", "constrain_rigid_body",
                          "geometry", "nodes", "spider", "modes", "boundary", "recover", "inertia_shapes"});
  } else {
    structure.allow_only({"kind", "mass", "stiffness", "labels", "damping", "dampers", "constrain_rigid_body",
                          "geometry", "nodes", "spider", "modes"});
  }
  Imported imported;
  MatrixRows rows;
  {
    const StructureMatrices files = read_structure_matrices(structure);
    require_no_negative_mass(files.mass);
    imported.mass = sparse(files.mass);
    imported.stiffness = sparse(files.stiffness);
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
  add_patches(structure, patches, imported, facts);
  RigidMotions rigid = rigid_motions(imported.labels, places, patches);
  if (reduced) {
    imported = reduce(root, structure, patches, imported, rigid, facts);
    rigid = rigid_motions(imported.labels, places, patches);
    rigid.columns = std::move(imported.rigid);
  }
  const RigidMotions followers = rigid_motions(imported.dependent_labels, places, patches);
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
