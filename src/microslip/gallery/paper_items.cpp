#include "microslip/gallery/paper_items.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "microslip/io/text_file.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {
namespace {

GalleryRun read_run(const TableReader& reader, const TomlValue& value) {
  const std::string& text = reader.as_string(value, "runs");
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string::npos || colon + 1 == text.size()) {
    throw reader.error(value, fmt::format("runs: an analysis is \"FOLDER:ANALYSIS\", got {}", in_quotes(text)));
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// One of the four, or none of them.
void read_answer(const TableReader& reader, PaperItem& item) {
  std::string first;
  for (const char* key : {"runs", "tests", "nothing", "cannot"}) {
    if (!reader.has(key)) continue;
    if (!first.empty()) reader.refuse(key, first);
    first = key;
  }
  if (first == "runs") {
    for (const TomlValue& value : reader.as_list(reader.need("runs"), "runs")) {
      item.runs.push_back(read_run(reader, value));
    }
    if (item.runs.empty()) throw reader.error("runs", "runs: the list is empty");
  }
  if (first == "tests") {
    for (const TomlValue& value : reader.as_list(reader.need("tests"), "tests")) {
      item.tests.push_back(reader.as_string(value, "tests"));
    }
    if (item.tests.empty()) throw reader.error("tests", "tests: the list is empty");
  }
  item.nothing = reader.string_or("nothing", "");
  item.cannot = reader.string_or("cannot", "");
}

}  // namespace

std::vector<PaperItem> read_paper_items(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / "papers.toml";
  if (!std::filesystem::exists(path)) return {};
  const TomlDocument document = parse_toml(read_text_file(path.string()), path.string());
  const TableReader root(document.root, document.file, "");
  root.allow_only({"paper"});
  std::vector<PaperItem> items;
  for (const TableReader& paper : root.tables("paper")) {
    paper.allow_only({"name", "items"});
    for (const TomlValue& value : paper.as_list(paper.need("items"), "items")) {
      if (value.type != TomlValue::Type::table) {
        throw paper.error(value, fmt::format("items must be tables, got {}", value.describe()));
      }
      const TableReader reader(value, document.file, paper.where());
      reader.allow_only({"item", "count", "runs", "tests", "nothing", "cannot", "note"});
      PaperItem item;
      item.position = {document.file, value.line, value.column};
      item.paper = paper.string("name");
      item.item = reader.string("item");
      item.count = static_cast<int>(reader.integer_or("count", 1, 1, 1000));
      read_answer(reader, item);
      item.note = reader.string_or("note", "");
      items.push_back(std::move(item));
    }
  }
  return items;
}

}  // namespace microslip
