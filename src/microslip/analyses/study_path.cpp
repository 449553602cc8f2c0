#include "microslip/analyses/study_path.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "microslip/toml/table_reader.hpp"
#include "microslip/toml/toml_edit.hpp"

namespace microslip {
namespace {

std::string in_words(const std::vector<std::string>& sections) {
  return fmt::format("{} or {}", fmt::join(sections.begin(), sections.end() - 1, ", "), sections.back());
}

}  // namespace

void put_in_study(TomlValue& tree, const StudyPath& path, const std::vector<std::string>& sections,
                  const TomlValue& value) {
  const auto error = [&](const std::string& message) {
    return StudyError(path.at, fmt::format("{}: {}: {}", path.where, in_quotes(path.path), message));
  };
  const std::string section = path.path.substr(0, path.path.find('.'));
  if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
    throw error(fmt::format("a path begins with {}{}", in_words(sections), suggestion(section, sections)));
  }
  if (section.size() + 1 >= path.path.size()) throw error(fmt::format("which key of {}?", section));
  TomlValue* table = nullptr;
  for (auto& entry : tree.entries) {
    if (entry.key == section) table = &entry.value;
  }
  std::string_view rest = std::string_view(path.path).substr(section.size() + 1);
  if (section == "joint" || section == "load") {
    std::vector<std::string> names;
    if (table != nullptr) {
      for (const TomlValue& item : table->items) names.push_back(item.find("name")->value.text);
    }
    const NamedItem named = table != nullptr ? find_named(*table, rest) : NamedItem{};
    if (named.item == nullptr) {
      const std::string name(rest.substr(0, rest.find('.')));
      throw error(fmt::format("unknown {} {}{}", section, in_quotes(name), suggestion(name, names)));
    }
    if (named.rest.empty()) throw error(fmt::format("which key of the {}?", section));
    table = named.item;
    rest = named.rest;
  }
  const std::string fault = put(*table, {rest, path.at.line, path.at.column}, value);
  if (!fault.empty()) throw error(fault);
}

}  // namespace microslip
