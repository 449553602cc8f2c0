#include "microslip/analyses/parameter_study/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/kinds.hpp"
#include "microslip/analyses/parameter_study/analysis.hpp"
#include "microslip/analyses/study_path.hpp"
#include "microslip/input/read_joints.hpp"
#include "microslip/input/read_structure.hpp"
#include "microslip/toml/toml_edit.hpp"

namespace microslip {
namespace {

constexpr std::size_t most_combinations = 100'000;
constexpr std::ptrdiff_t most_dots = 32;

/// `{ from = 1.0, to = 10.0, points = 10, spacing = "log" }`. Integers stay integers where all of them are.
std::vector<TomlValue> read_range(const TableReader& range) {
  range.allow_only({"from", "to", "points", "spacing"});
  const double from = range.number("from", any_number), to = range.number("to", any_number);
  const auto points = static_cast<int>(range.integer("points", 2, most_combinations));
  const bool log = range.has("spacing") && range.choice("spacing", {"linear", "log"}) == "log";
  if (log && !(from * to > 0.0)) {
    throw range.error("spacing", "spacing = \"log\" needs from and to of the same sign and not 0");
  }
  const bool integers = !log && range.need("from").type == TomlValue::Type::integer &&
                        range.need("to").type == TomlValue::Type::integer && std::fmod(to - from, points - 1) == 0.0;
  std::vector<TomlValue> values;
  for (int i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / (points - 1);
    TomlValue value;
    value.line = range.value().line;
    value.column = range.value().column;
    value.real = log ? from * std::pow(to / from, share) : from + share * (to - from);
    if (i + 1 == points) value.real = to;
    value.type = integers ? TomlValue::Type::integer : TomlValue::Type::real;
    if (integers) value.integer = std::llround(value.real), value.real = static_cast<double>(value.integer);
    values.push_back(std::move(value));
  }
  return values;
}

/// Keys of `vary`. A path without quotes is a table in a table: its parts are joined.
void collect_keys(const TableReader& vary, const std::string& prefix, std::vector<VariedKey>& keys) {
  for (const auto& entry : vary.value().entries) {
    VariedKey key{prefix + entry.key, entry.line, entry.column, {}};
    if (std::count(key.path.begin(), key.path.end(), '.') > most_dots) {
      throw vary.error_at_key(entry, fmt::format("a path may have at most {} dots", most_dots));
    }
    TableReader below(entry.value, vary.file(), fmt::format("{}: {}", vary.where(), in_quotes(key.path)));
    if (entry.value.type == TomlValue::Type::table) {
      if (!below.has("from") && !below.has("points")) {
        below.rename(vary.where());
        collect_keys(below, key.path + ".", keys);
        continue;
      }
      key.values = read_range(below);
    } else if (entry.value.type == TomlValue::Type::array) {
      key.values = entry.value.items;
    } else {
      throw vary.error(entry.value, fmt::format("{} must be a list of values or {{ from, to, points }}, got {}",
                                                in_quotes(key.path), entry.value.describe()));
    }
    if (key.values.empty()) throw below.error("the list is empty");
    keys.push_back(std::move(key));
  }
}

/// The position is that of the value or of one inside it.
bool holds(const TomlValue& value, const FilePosition& at) {
  if (value.line == at.line && value.column == at.column) return true;
  return std::any_of(value.items.begin(), value.items.end(), [&](const auto& item) { return holds(item, at); }) ||
         std::any_of(value.entries.begin(), value.entries.end(), [&](const auto& entry) {
           return (entry.line == at.line && entry.column == at.column) || holds(entry.value, at);
         });
}

std::string short_text(const TomlValue& value) {
  constexpr std::size_t longest = 60;
  std::string text = to_json(value).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest - 3) + "...";
  return text;
}

}  // namespace

bool VariedKey::numeric() const {
  return std::all_of(values.begin(), values.end(), [](const TomlValue& value) { return value.is_number(); });
}

ParameterGrid::ParameterGrid(const TableReader& reader, const StudyParts& parts)
    : file_(reader.file()), where_(reader.where()), loads_(parts.loads), earlier_(parts.earlier) {
  assert(parts.root != nullptr);  // a parameter study is never inside another
  const TableReader& root = *parts.root;
  for (const char* key : {"structure", "joint", "load"}) {
    if (const auto* entry = root.value().find(key)) tree_.entries.push_back(*entry);
  }
  read_analysis_table(reader, root);
  read_keys(reader);
  check_all(parts.system);
}

/// A table, or the name of another analysis.
void ParameterGrid::read_analysis_table(const TableReader& reader, const TableReader& root) {
  const TomlValue& value = reader.need("analysis");
  TomlValue table = value;
  if (value.type == TomlValue::Type::string) {
    std::vector<std::string> names;
    const TomlValue* found = nullptr;
    for (const TableReader& other : root.tables("analysis")) {
      if (&other.value() == &reader.value()) continue;
      names.push_back(other.string_or("name", other.string("kind")));
      if (names.back() == value.text) found = &other.value();
    }
    if (found == nullptr) {
      throw reader.error(
          value, fmt::format("analysis: unknown analysis {}{}", in_quotes(value.text), suggestion(value.text, names)));
    }
    table = *found;
    std::erase_if(table.entries, [](const auto& entry) { return entry.key == "name"; });
  } else if (value.type != TomlValue::Type::table) {
    throw reader.error(
        value, fmt::format("analysis must be a table or the name of another analysis, got {}", value.describe()));
  }
  const TableReader inner(table, file_, reader.where() + ": analysis");
  inner_kind_ = inner.string("kind");
  if (inner_kind_ == ParameterStudyAnalysis::kind) {
    throw reader.error(value, "analysis: a parameter study cannot hold another one; give it more keys in vary");
  }
  tree_.entries.push_back({"analysis", value.line, value.column, std::move(table)});
}

void ParameterGrid::read_keys(const TableReader& reader) {
  collect_keys(reader.table("vary"), "", keys_);
  if (keys_.empty()) throw reader.error("vary", "vary: there is no key in it");
  for (const VariedKey& a : keys_) {
    for (const VariedKey& b : keys_) {
      if (!b.path.starts_with(a.path + ".")) continue;
      throw StudyError({file_, b.line, b.column}, fmt::format("{}: vary: {} is part of {}: vary one of them", where_,
                                                              in_quotes(b.path), in_quotes(a.path)));
    }
  }
  list_ = reader.has("combine") && reader.choice("combine", {"grid", "list"}) == "list";
  size_ = list_ ? keys_.front().values.size() : 1;
  for (const VariedKey& key : keys_) {
    if (list_ && key.values.size() != size_) {
      throw StudyError(
          {file_, key.line, key.column},
          fmt::format("{}: vary: combine = \"list\" needs as many values of each key, but {} has {} and {} "
                      "has {}",
                      where_, in_quotes(key.path), key.values.size(), in_quotes(keys_.front().path), size_));
    }
    if (!list_) size_ = std::min(most_combinations + 1, size_ * std::min(most_combinations + 1, key.values.size()));
  }
  if (size_ > most_combinations) {
    throw reader.error("vary", fmt::format("vary: there are more than {} combinations", most_combinations));
  }
}

std::vector<std::size_t> ParameterGrid::places(std::size_t combination) const {
  std::vector<std::size_t> result(keys_.size(), combination);
  if (list_) return result;
  for (std::size_t k = keys_.size(); k-- > 0;) {
    result[k] = combination % keys_[k].values.size();
    combination /= keys_[k].values.size();
  }
  return result;
}

std::string ParameterGrid::describe(std::size_t combination) const {
  const std::vector<std::size_t> at = places(combination);
  std::string text;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    text += fmt::format("{}{} = {}", k > 0 ? ", " : "", keys_[k].path, short_text(keys_[k].values[at[k]]));
  }
  return text;
}

bool ParameterGrid::varies(std::string_view section) const {
  return std::any_of(keys_.begin(), keys_.end(), [&](const VariedKey& key) { return key.section() == section; });
}

std::string ParameterGrid::inner_table() const {
  return text_of(to_json(tree_.find("analysis")->value));
}

bool ParameterGrid::same(std::string_view section, const std::vector<std::size_t>& a,
                         const std::vector<std::size_t>& b) const {
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    if (keys_[k].section() == section && a[k] != b[k]) return false;
  }
  return true;
}

TomlValue ParameterGrid::edited(const std::vector<std::size_t>& at) const {
  TomlValue tree = tree_;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const VariedKey& key = keys_[k];
    put_in_study(tree, {key.path, {file_, key.line, key.column}, where_ + ": vary"},
                 {"structure", "joint", "load", "analysis"}, key.values[at[k]]);
  }
  return tree;
}

/// Reads no more than the keys change: matrices only with the structure, modes only with the stiffness at rest.
Combination ParameterGrid::read_tree(const TomlValue& tree, std::vector<std::size_t> at, const System& system,
                                     const Combination* before) const {
  const TableReader root(tree, file_, "");
  std::shared_ptr<const System> reference;  // of the same structure; it does not own that of the study
  if (!varies("structure") && !varies("joint")) {
    reference = {std::shared_ptr<const System>(), &system};
  } else if (before != nullptr && same("structure", at, before->places)) {
    reference = before->system;
  } else if (!varies("structure")) {
    reference = {std::shared_ptr<const System>(), &system};
  }
  std::shared_ptr<const System> own;
  const bool known = !varies("joint") || (before != nullptr && same("joint", at, before->places));
  if (reference && known) {
    own = reference;
  } else if (reference) {
    std::vector<Joint> joints = read_joints(root, reference->structure());
    std::optional<System> with_modes = reference->with_laws(joints);
    own = std::make_shared<const System>(with_modes ? std::move(*with_modes)
                                                    : build_system(root, reference->structure(), std::move(joints)));
  } else {
    StructureFacts facts;
    LinearStructure structure = read_structure(root, facts);
    std::vector<Joint> joints = read_joints(root, structure);
    own = std::make_shared<const System>(build_system(root, std::move(structure), std::move(joints)));
  }
  const bool same_loads = !varies("structure") && !varies("joint") && !varies("load");
  const std::vector<LoadDefinition> loads = same_loads ? loads_ : read_loads(root, *own);
  const TableReader inner(root.need("analysis"), file_, "");
  if (inner.has("name")) {
    throw inner.error_at_key(*inner.value().find("name"), "the analysis of a parameter study has no name of its own");
  }
  std::shared_ptr<Analysis> analysis = read_analysis(inner, {*own, loads, earlier_, nullptr, nullptr});
  return {std::move(at), std::move(own), std::move(analysis)};
}

Combination ParameterGrid::read(std::size_t combination, const System& system, const Combination* before) const {
  std::vector<std::size_t> at = places(combination);
  const TomlValue tree = edited(at);
  try {
    return read_tree(tree, std::move(at), system, before);
  } catch (const InputError& error) {
    throw blamed(combination, error, system);
  }
}

/// With the place of the value to blame: where the complaint is about a varied value, that one; else the value that is
/// new since the combination before. A study that is wrong without the values keeps its own place.
StudyError ParameterGrid::blamed(std::size_t combination, const InputError& error, const System& system) const {
  const std::vector<std::size_t> at = places(combination);
  FilePosition position = error.position();
  const std::string message =
      fmt::format("{}: combination {} ({}): {}", where_, combination + 1, describe(combination), error.message());
  if (position.file != file_) return {position, message};
  const std::vector<std::size_t> last = combination > 0 ? places(combination - 1) : at;
  const VariedKey* changed = nullptr;
  const TomlValue* value = nullptr;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const VariedKey& key = keys_[k];
    if ((key.line == position.line && key.column == position.column) || holds(key.values[at[k]], position)) {
      return {position, message};
    }
    if (changed == nullptr && (combination == 0 || at[k] != last[k])) {
      changed = &key;
      value = &key.values[at[k]];
    }
  }
  if (combination == 0) {
    try {
      static_cast<void>(read_tree(tree_, at, system, nullptr));
    } catch (const InputError& plain) {
      if (plain.message() == error.message()) return {position, fmt::format("{}: {}", where_, error.message())};
    }
  }
  return {{file_, value->line, value->column}, message};
}

void ParameterGrid::check_all(const System& system) {
  Combination before;
  for (std::size_t i = 0; i < size_; ++i) {
    Combination next = read(i, system, i > 0 ? &before : nullptr);
    if (i == 0) inner_description_ = next.analysis->describe();
    for (std::string& name : next.analysis->sources()) {
      if (std::find(sources_.begin(), sources_.end(), name) == sources_.end()) sources_.push_back(std::move(name));
    }
    warm_start_ = std::max(warm_start_, next.analysis->warm_start());
    before = std::move(next);
  }
  for (const VariedKey& key : keys_) {
    if (sources_.empty() || key.section() == "analysis") continue;
    throw StudyError({file_, key.line, key.column},
                     fmt::format("{}: vary: {} would not change analysis {}, which runs once, before; vary keys of the "
                                 "analysis only",
                                 where_, in_quotes(key.path), in_quotes(sources_.front())));
  }
}

}  // namespace microslip
