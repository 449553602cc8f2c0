#include "microslip/study/study.hpp"

#include <fmt/format.h>

#include <utility>

#include "microslip/analyses/kinds.hpp"
#include "microslip/input/read_joints.hpp"
#include "microslip/input/read_structure.hpp"
#include "microslip/io/files_read.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr std::size_t largest_study = std::size_t{4} << 20U;

UnitLabels read_units(const TableReader& root) {
  if (!root.has("units")) return {};
  const TableReader units = root.table("units");
  units.allow_only({"length", "force", "time"});
  return {units.string_or("length", ""), units.string_or("force", ""), units.string_or("time", "")};
}

/// Of a study of measurements alone there is none, and nothing may ask for it.
System read_system(const TableReader& root, StructureFacts& facts) {
  if (!root.has("structure")) {
    for (const char* key : {"joint", "load"}) {
      if (root.has(key)) throw root.error(key, fmt::format("[[{}]] needs a [structure]", key));
    }
    if (root.has("analysis")) return System::none();
  }
  LinearStructure structure = read_structure(root, facts);
  std::vector<Joint> joints = read_joints(root, structure);
  return build_system(root, std::move(structure), std::move(joints));
}

Study read_study(std::string text, const std::string& path) {
  const FilesRead files;
  const TomlDocument document = parse_toml(std::move(text), path);
  const TableReader root(document.root, document.file, "");
  root.allow_only({"title", "units", "structure", "joint", "load", "analysis"});
  std::string title = root.string_or("title", "");
  UnitLabels units = read_units(root);
  StructureFacts facts;
  System system = read_system(root, facts);
  std::vector<LoadDefinition> loads = read_loads(root, system);
  std::vector<AnalysisPointer> analyses = read_analyses(root, {system, loads, {}, &root, &files});
  return {path,
          document.text,
          std::move(title),
          std::move(units),
          std::move(system),
          std::move(loads),
          std::move(analyses),
          std::move(facts)};
}

}  // namespace

Study parse_study(std::string text, const std::string& path) {
  try {
    return read_study(std::move(text), path);
  } catch (const StudyError&) {
    throw;
  } catch (const InputError& error) {
    throw StudyError(error.position(), error.message());
  }
}

Study load_study(const std::string& path) {
  std::string text;
  try {
    text = read_text_file(path, largest_study);
  } catch (const InputError& error) {
    throw StudyError(error.position(), error.message());
  }
  return parse_study(std::move(text), path);
}

}  // namespace microslip
