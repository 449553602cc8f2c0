#include "microslip/input/imported_matrices.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "microslip/structure/spider.hpp"

namespace microslip {
namespace {

/// Rows of dependent coordinates, as they come.
struct Rows {
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::Index count = 0;

  void append(const SparseMatrix& rows) {
    for (Eigen::Index j = 0; j < rows.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(rows, j); entry; ++entry) {
        entries.emplace_back(count + entry.row(), entry.col(), entry.value());
      }
    }
    count += rows.rows();
  }
};

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

/// Takes the nodes of rigid ties out of the matrices; they become dependent rows. The transformation from what is left,
/// empty where there are no ties.
SparseMatrix tie_nodes(const TableReader& structure, const std::vector<NodePatch>& patches, Imported& imported,
                       Rows& rows, StructureFacts& facts) {
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
  if (tied.empty()) return {};
  RigidTies ties = tied_structure(structure, tied, points, tied_names, imported.labels);
  const SparseMatrix transposed = ties.transformation.transpose();  // column i is row i of T
  imported.mass = transposed * imported.mass * ties.transformation;
  imported.stiffness = transposed * imported.stiffness * ties.transformation;
  std::vector<std::string> labels;
  std::vector<bool> kept(imported.labels.size());
  for (const int dof : ties.kept) {
    kept[static_cast<std::size_t>(dof)] = true;
    labels.push_back(imported.labels[static_cast<std::size_t>(dof)]);
  }
  labels.insert(labels.end(), tie_labels.begin(), tie_labels.end());
  for (std::size_t dof = 0; dof < kept.size(); ++dof) {
    if (kept[dof]) continue;
    for (SparseMatrix::InnerIterator entry(transposed, static_cast<Eigen::Index>(dof)); entry; ++entry) {
      rows.entries.emplace_back(rows.count, entry.row(), entry.value());
    }
    ++rows.count;
    imported.dependent_labels.push_back(imported.labels[dof]);
  }
  imported.labels = std::move(labels);
  return std::move(ties.transformation);
}

}  // namespace

void append_six(const std::string& name, std::vector<std::string>& labels) {
  for (const char* direction : six_directions) labels.push_back(name + "." + direction);
}

void add_dependent(const TableReader& structure, const std::vector<NodePatch>& patches,
                   const DependentCoordinates& points, Imported& imported, StructureFacts& facts) {
  const auto size = static_cast<int>(imported.labels.size());
  Rows rows;
  const SparseMatrix transformation = tie_nodes(structure, patches, imported, rows, facts);
  const auto append = [&](const SparseMatrix& of_all) {
    if (of_all.rows() == 0) return;
    rows.append(transformation.size() == 0 ? of_all : SparseMatrix(of_all * transformation));
  };
  for (const NodePatch& patch : patches) {
    if (patch.rigid) continue;
    try {
      const Spider spider = averaging_spider(patch.nodes, patch.point, size);
      append(spider.rows);
      facts.patches.push_back({patch.name, patch.nodes.size(), spider.condition});
    } catch (const std::invalid_argument& error) {
      throw structure.error("spider", fmt::format("spider \"{}\": {}", patch.name, error.what()));
    }
    append_six(patch.name, imported.dependent_labels);
  }
  append(points.rows);
  imported.dependent_labels.insert(imported.dependent_labels.end(), points.labels.begin(), points.labels.end());
  imported.dependent.resize(rows.count, imported.mass.rows());
  imported.dependent.setFromTriplets(rows.entries.begin(), rows.entries.end());
}

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

}  // namespace microslip
