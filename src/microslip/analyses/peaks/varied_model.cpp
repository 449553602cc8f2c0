#include "microslip/analyses/peaks/varied_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/analyses/response/motion_request.hpp"
#include "microslip/input/read_joints.hpp"
#include "microslip/input/read_structure.hpp"

namespace microslip {

VariedModel::VariedModel(const TableReader& reader, const StudyParts& parts, int idle_dof)
    : file_(reader.file()), analysis_(reader.value()), idle_dof_(idle_dof) {
  const TomlValue& over = reader.need("over");
  path_ = {reader.string("over"), {file_, over.line, over.column}, reader.where() + ": over"};
  if (parts.root == nullptr) {
    throw reader.error(over, "over: inside a parameter study peaks go over the level only; vary the number there");
  }
  for (const char* key : {"structure", "joint", "load"}) {
    if (const auto* entry = parts.root->value().find(key)) tree_.entries.push_back(*entry);
  }
  values_ = reader.numbers("values", any_number);
  const bool ordered = std::ranges::is_sorted(values_) || std::ranges::is_sorted(values_, std::ranges::greater());
  if (values_.size() < 2 || !ordered || std::ranges::adjacent_find(values_) != values_.end()) {
    throw reader.error("values", "values must be [from, .., to], two different numbers at least, rising or falling");
  }
  check_all(reader, parts.system);
}

void VariedModel::check_all(const TableReader& reader, const System& system) const {
  for (TomlValue value : reader.need("values").items) {
    value.type = TomlValue::Type::real;  // any number between has to do
    try {
      static_cast<void>(read(value, system));
    } catch (const InputError& error) {
      if (error.position().line == path_.at.line && error.position().column == path_.at.column) throw;
      throw reader.error(value, fmt::format("{} = {:g}: {}", path_.path, value.real, error.message()));
    } catch (const std::invalid_argument& error) {
      throw reader.error(value, fmt::format("{} = {:g}: {}", path_.path, value.real, error.what()));
    }
  }
}

/// Reads no more than the number changes, as a parameter study does.
std::shared_ptr<const System> VariedModel::read_system(const TableReader& root, const System& system) const {
  const std::string section = path_.path.substr(0, path_.path.find('.'));
  std::shared_ptr<const System> result;
  if (section == "load") {
    result = {std::shared_ptr<const System>(), &system};
  } else if (section == "joint") {
    std::vector<Joint> joints = read_joints(root, system.structure());
    std::optional<System> with_modes = system.with_laws(joints);
    result = std::make_shared<const System>(with_modes ? std::move(*with_modes)
                                                       : build_system(root, system.structure(), std::move(joints)));
  } else {
    StructureFacts facts;
    LinearStructure structure = read_structure(root, facts);
    std::vector<Joint> joints = read_joints(root, structure);
    result = std::make_shared<const System>(build_system(root, std::move(structure), std::move(joints)));
  }
  if (result->components() > 0) return result;
  return std::make_shared<const System>(with_idle_joint(*result, idle_dof_));
}

LoadedSystem VariedModel::read(const TomlValue& value, const System& system) const {
  TomlValue tree = tree_;
  put_in_study(tree, path_, {"structure", "joint", "load"}, value);
  const TableReader root(tree, file_, ""), analysis(analysis_, file_, path_.where);
  LoadedSystem result{read_system(root, system), {}};
  const std::vector<Load> loads = read_load_names(analysis, read_loads(root, *result.system), 0.0);
  result.load = harmonic_load(*result.system, loads);
  return result;
}

LoadedSystem VariedModel::at(double value, const System& system) const {
  TomlValue number;
  number.type = TomlValue::Type::real;
  number.real = value;
  number.line = path_.at.line;
  number.column = path_.at.column;
  return read(number, system);
}

}  // namespace microslip
