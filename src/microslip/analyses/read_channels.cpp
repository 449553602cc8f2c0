#include "microslip/analyses/read_channels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <unordered_set>

#include "microslip/io/data_table.hpp"
#include "microslip/toml/study_error.hpp"

namespace microslip {
namespace {

/// "12.z" <-> "12.-z", with or without a letter.
bool is_turned(const std::string& a, const std::string& b) {
  return opposite_channel(a) == b;
}

std::string with_letter_of(const LetteredName& column, const std::string& name) {
  return column.letter == '\0' ? name : fmt::format("{}[{}]", column.letter, name);
}

}  // namespace

LetteredName split_letter(const std::string& column) {
  const bool lettered = column.size() > 3 && column[1] == '[' && column.back() == ']' &&
                        std::string_view("qvaf").find(column[0]) != std::string_view::npos;
  if (!lettered) return {'\0', column};
  return {column[0], column.substr(2, column.size() - 3)};
}

ChannelMap::ChannelMap(const TableReader& reader) {
  if (!reader.has("channels")) return;
  const TableReader table = reader.table("channels");
  where_ = table.where();
  for (const TomlValue::Entry& entry : table.value().entries) {
    Entry made;
    made.from = entry.key;
    made.at = {table.file(), entry.line, entry.column};
    const TomlValue* name = &entry.value;
    if (entry.value.type == TomlValue::Type::table) {
      const TableReader channel(entry.value, table.file(), fmt::format("{}: {}", table.where(), in_quotes(entry.key)));
      channel.allow_only({"name", "scale"});
      name = &channel.need("name");
      made.scale = channel.number_or("scale", 1.0, any_number);
      if (made.scale == 0.0) throw channel.error("scale", "scale must not be 0: the channel would be dead");
    }
    made.to = table.as_string(*name, in_quotes(entry.key));
    if (made.to.starts_with('-')) {
      made.to.erase(0, 1);
      made.sign = -1.0;
    }
    const std::string inner = split_letter(made.to).name;
    const std::string fault = name_fault(inner, "the name of a channel");
    if (!fault.empty()) throw table.error(*name, fault);
    if (entry.key.empty()) throw table.error_at_key(entry, "the name of a channel of the file must not be empty");
    entries_.push_back(std::move(made));
  }
}

ChannelMap::Entry* ChannelMap::find(const std::string& column, bool& turned) {
  const std::string inner = split_letter(column).name;
  for (const bool against : {false, true}) {
    for (const std::string* name : {&column, &inner}) {  // "a[1.y]" goes before "1.y"
      for (Entry& entry : entries_) {
        if (against ? !is_turned(entry.from, *name) : entry.from != *name) continue;
        turned = against;
        return &entry;
      }
    }
  }
  return nullptr;
}

void ChannelMap::apply(CsvTable& table) {
  if (entries_.empty()) return;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    bool turned = false;
    Entry* entry = find(table.names[c], turned);
    if (entry == nullptr) continue;
    entry->used = true;
    const LetteredName column = split_letter(table.names[c]), wanted = split_letter(entry->to);
    if (column.letter != '\0' && wanted.letter != '\0' && column.letter != wanted.letter) {
      throw StudyError(entry->at, fmt::format("{}: column {} of {} cannot become {}: the file says what it holds",
                                              where_, in_quotes(table.names[c]), table.file, in_quotes(entry->to)));
    }
    table.names[c] = wanted.letter != '\0' ? entry->to : with_letter_of(column, entry->to);
    const bool force_by_point = column.letter == 'f' && entry->from == column.name;
    const double scale = (turned ? -entry->sign : entry->sign) * (force_by_point ? 1.0 : entry->scale);
    if (scale != 1.0) {
      for (double& value : table.columns[c]) value *= scale;
      if (std::abs(scale) != 1.0 && c < table.units.size()) table.units[c].clear();
    }
    for (std::size_t other = 0; other < table.names.size(); ++other) {
      if (other == c || table.names[other] != table.names[c]) continue;
      bool ignored = false;  // of a column further on that is to be renamed itself
      if (other > c && find(table.names[other], ignored) != nullptr) continue;
      throw StudyError(entry->at, fmt::format("{}: {} has two channels that would be called {}", where_, table.file,
                                              in_quotes(table.names[c])));
    }
  }
}

void ChannelMap::require_used(const std::vector<std::string>& files, const std::vector<std::string>& known) const {
  for (const Entry& entry : entries_) {
    if (entry.used) continue;
    throw StudyError(entry.at, fmt::format("{}: no channel {} in {}{}", where_, in_quotes(entry.from),
                                           fmt::join(files, ", "), suggestion(entry.from, known)));
  }
}

ChannelMap::Named ChannelMap::of(const std::string& name) {
  bool turned = false;
  Entry* entry = find(name, turned);
  if (entry == nullptr) return {name, 1.0, 1.0};
  entry->used = true;
  const double sign = turned ? -entry->sign : entry->sign;
  return {split_letter(entry->to).name, sign * entry->scale, sign};
}

}  // namespace microslip
