#include "microslip/analyses/study_identity.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "microslip/io/files_read.hpp"
#include "microslip/toml/toml_edit.hpp"
#include "microslip/trials/trial_identity.hpp"

namespace microslip {
namespace {

void add_table(TomlValue table, std::initializer_list<std::string_view> without, std::string_view name,
               TrialIdentity& identity) {
  std::erase_if(table.entries, [&](const auto& entry) {
    return std::find(without.begin(), without.end(), entry.key) != without.end();
  });
  identity.add(name, text_of(to_json(table)));
}

}  // namespace

std::string study_identity(const TableReader& own, const StudyParts& parts, const std::vector<std::string>& sources,
                           std::initializer_list<std::string_view> free) {
  TrialIdentity identity;
  if (parts.root != nullptr) {
    for (const char* key : {"structure", "joint", "load"}) {
      if (const TomlValue* value = parts.root->find(key)) identity.add(key, text_of(to_json(*value)));
    }
    for (const TableReader& earlier : parts.root->tables("analysis")) {
      if (&earlier.value() == &own.value()) break;
      if (!sources.empty()) add_table(earlier.value(), {}, "earlier", identity);
    }
  }
  TomlValue table = own.value();
  std::erase_if(table.entries, [](const auto& entry) { return entry.key == "name"; });
  add_table(std::move(table), free, "analysis", identity);
  if (parts.files != nullptr) {
    for (const std::string& path : parts.files->paths()) identity.add_file(path);
  }
  return identity.text();
}

}  // namespace microslip
