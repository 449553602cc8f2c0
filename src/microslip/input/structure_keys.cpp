#include "microslip/input/structure_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/toml/named_file.hpp"

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

std::vector<std::string> read_label_list(const TableReader& structure, int size, std::string_view what) {
  const auto& items = structure.as_list(structure.need("labels"), "labels");
  if (static_cast<int>(items.size()) != size) {
    throw structure.error("labels", fmt::format("labels must be {} like the {}, got {}", size, what, items.size()));
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

}  // namespace

std::vector<std::string> read_labels(const TableReader& structure, int size, const std::vector<std::string>& of_files,
                                     std::string_view what) {
  const TomlValue* value = structure.find("labels");
  if (value == nullptr) return of_files.empty() ? numbered_labels(size) : of_files;
  return value->type == TomlValue::Type::string ? read_label_file(structure, size)
                                                : read_label_list(structure, size, what);
}

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

double read_stiffness_factor(const TableReader& structure) {
  return structure.number_or("stiffness_factor", 1.0, positive_number);
}

}  // namespace microslip
