#include "microslip/study/read_structure.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "microslip/io/text_file.hpp"
#include "microslip/study/degrees_of_freedom.hpp"
#include "microslip/study/named_file.hpp"
#include "microslip/study/read_damping.hpp"
#include "microslip/study/read_geometry.hpp"
#include "microslip/study/read_matrix.hpp"

namespace microslip {
namespace {

std::vector<std::string> numbered_labels(int size) {
  std::vector<std::string> labels;
  for (int i = 1; i <= size; ++i) labels.push_back(std::to_string(i));
  return labels;
}

/// Why a label cannot be one; empty when it can.
std::string label_fault(const std::string& label, std::set<std::string>& seen) {
  std::string fault = name_fault(label, "a label");
  if (!fault.empty()) return fault;
  if (label == ground_label) return "\"ground\" cannot be a label";
  if (!seen.insert(label).second) return fmt::format("label {} is there twice", in_quotes(label));
  return "";
}

std::vector<std::string> read_label_list(const TableReader& structure, int size) {
  const auto& items = structure.as_list(structure.need("labels"), "labels");
  if (static_cast<int>(items.size()) != size) {
    throw structure.error("labels",
                          fmt::format("labels must be {} like the degrees of freedom, got {}", size, items.size()));
  }
  std::vector<std::string> labels;
  std::set<std::string> seen;
  for (const auto& item : items) {
    const std::string& label = structure.as_string(item, "a label");
    const std::string fault = label_fault(label, seen);
    if (!fault.empty()) throw structure.error(item, fault);
    labels.push_back(label);
  }
  return labels;
}

std::vector<std::string> read_label_file(const TableReader& structure, int size) {
  return read_named_file(structure, "labels", [&](const std::string& path) {
    const std::string text = read_text_file(path);
    LineReader lines(text);
    std::vector<Token> tokens;
    std::vector<std::string> labels;
    std::set<std::string> seen;
    while (lines.next()) {
      if (lines.blank()) continue;
      lines.split('\n', tokens);  // the whole line, trimmed
      const std::string label(tokens[0].text);
      const std::string fault = label_fault(label, seen);
      if (!fault.empty()) throw InputError({path, tokens[0].line, tokens[0].column}, fault);
      labels.push_back(label);
    }
    if (static_cast<int>(labels.size()) != size) {
      throw InputError({path, std::max(1, lines.number()), 1},
                       fmt::format("there must be {} labels, one a line, got {}", size, labels.size()));
    }
    return labels;
  });
}

/// A list, or the name of a file with one a line; else those that the files of the matrices give.
std::vector<std::string> read_labels(const TableReader& structure, int size,
                                     const std::vector<std::string>& of_files = {}) {
  const TomlValue* value = structure.find("labels");
  if (value == nullptr) return of_files.empty() ? numbered_labels(size) : of_files;
  return value->type == TomlValue::Type::string ? read_label_file(structure, size) : read_label_list(structure, size);
}

/// springs or dampers: [["ground", "1", 9.0], ...]
std::vector<LumpedLink> read_links(const TableReader& structure, std::string_view key, const NumberRange& range,
                                   const std::vector<std::string>& labels) {
  std::vector<LumpedLink> links;
  if (!structure.has(key)) return links;
  for (const auto& item : structure.as_list(structure.need(key), key)) {
    const std::string what = fmt::format("{}[{}]", key, links.size() + 1);
    if (item.type != TomlValue::Type::array || item.items.size() != 3) {
      throw structure.error(item, fmt::format("{} must be [\"from\", \"to\", value], got {}", what, item.describe()));
    }
    const LumpedLink link{degree_of_freedom(structure, item.items[0], what, labels, true),
                          degree_of_freedom(structure, item.items[1], what, labels, true),
                          structure.as_number(item.items[2], what, range)};
    if (link.from == link.to) {
      throw structure.error(item.items[1], fmt::format("{} must join two different degrees of freedom, got {} twice",
                                                       what, in_quotes(item.items[0].text)));
    }
    links.push_back(link);
  }
  return links;
}

LinearStructure read_lumped(const TableReader& structure) {
  structure.allow_only(
      {"kind", "masses", "springs", "dampers", "damping", "labels", "constrain_rigid_body", "geometry"});
  const auto masses = structure.numbers("masses", positive_number);
  if (masses.empty() || masses.size() > most_degrees_of_freedom) {
    throw structure.error("masses", fmt::format("masses must be a list of 1 to {} numbers, got {}",
                                                most_degrees_of_freedom, masses.size()));
  }
  const auto size = static_cast<int>(masses.size());
  const auto labels = read_labels(structure, size);
  const auto springs = read_links(structure, "springs", any_number, labels);
  const auto dampers = read_links(structure, "dampers", nonnegative_number, labels);
  return LinearStructure::lumped(masses, labels, springs, dampers, read_damping(structure, {size, {}, {}, {}}),
                                 structure.flag_or("constrain_rigid_body", false), read_geometry(structure, labels));
}

void require_positive_diagonal(const MatrixFile& mass) {
  for (int i = 0; i < mass.rows; ++i) {
    const auto* entry = mass.find(i, i);
    if (entry == nullptr) {
      throw InputError({mass.file, mass.size_line, 1},
                       fmt::format("the mass matrix must be positive definite: entry ({0},{0}) is missing", i + 1));
    }
    if (!(entry->value > 0.0)) {
      throw InputError(mass.position(*entry),
                       fmt::format("the mass matrix must be positive definite: entry ({0},{0}) must be > 0, got {1}",
                                   i + 1, entry->value));
    }
  }
}

LinearStructure read_matrices(const TableReader& structure) {
  structure.allow_only(
      {"kind", "mass", "stiffness", "labels", "damping", "dampers", "constrain_rigid_body", "geometry"});
  const auto [mass, stiffness, rows] = read_structure_matrices(structure);
  require_positive_diagonal(mass);
  const int size = rows.size();
  LinearStructure::Parts parts;
  parts.stiffness = sparse(stiffness);
  parts.mass = sparse(mass);
  parts.labels = read_labels(structure, size, rows.labels);
  parts.damping = read_damping(structure, rows);
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

/// The key of [structure] that is to blame when a system has no modes.
std::string faulty_key(const TableReader& structure, const LinearStructure& linear, const std::vector<Joint>& joints) {
  const bool lumped = structure.string("kind") == "lumped";
  if (Eigen::LLT<Eigen::MatrixXd>(linear.mass()).info() != Eigen::Success) return lumped ? "masses" : "mass";
  try {
    const auto* modal = std::get_if<ModalDamping>(&linear.damping());
    if (modal != nullptr && modal->ratios.size() > 1) {
      LinearStructure::Parts undamped;
      undamped.mass = linear.mass();
      undamped.stiffness = linear.stiffness();
      const System system(LinearStructure(std::move(undamped)), joints);
      return "damping";
    }
  } catch (const std::invalid_argument&) {
    // the stiffness, then
  }
  return lumped ? "springs" : "stiffness";
}

}  // namespace

LinearStructure read_structure(const TableReader& root) {
  const TableReader structure = root.table("structure");
  const std::string kind = structure.choice("kind", {"lumped", "matrices"});
  try {
    return kind == "lumped" ? read_lumped(structure) : read_matrices(structure);
  } catch (const std::invalid_argument& error) {
    throw structure.error(error.what());
  }
}

System build_system(const TableReader& root, LinearStructure structure, std::vector<Joint> joints) {
  try {
    System system(structure, joints);
    if (!system.stuck_modes().omega.allFinite() || !system.stuck_modes().shapes.allFinite()) {
      throw std::invalid_argument("the numbers of the structure are too large or too small for its modes");
    }
    return system;
  } catch (const std::invalid_argument& error) {
    const TableReader table = root.table("structure");
    throw table.error(faulty_key(table, structure, joints), error.what());
  }
}

}  // namespace microslip
