#include "microslip/analyses/channel_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "microslip/analyses/read_channels.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {
namespace {

std::string_view unit_behind(char letter) {
  return letter == 'a'   ? "length/time^2"
         : letter == 'v' ? "length/time"
         : letter == 'q' ? "length"
         : letter == 'f' ? "force"
                         : "";
}

}  // namespace

void add_channel_units(const CsvTable& table, const std::string& file, std::vector<ChannelUnit>& units) {
  for (std::size_t c = 0; c < table.units.size(); ++c) {
    if (!table.units[c].empty() && table.units[c] != "NONE") units.push_back({file, table.names[c], table.units[c]});
  }
}

std::string foreign_units(const std::vector<ChannelUnit>& channels, const UnitLabels& study) {
  std::map<char, const ChannelUnit*> first;  // of a study without units
  for (const ChannelUnit& each : channels) {
    const char letter = split_letter(each.column).letter;
    const std::string_view unit = unit_behind(letter);
    if (unit.empty()) continue;
    const bool named =
        letter == 'f' ? !study.force.empty() : !study.length.empty() && (letter == 'q' || !study.time.empty());
    const ChannelUnit*& other = first[letter];
    if (other == nullptr) other = &each;
    const std::string expected = named ? study.of(unit) : other->unit;
    if (same_unit(each.unit, expected)) continue;
    return fmt::format(
        "{}: {} is in {}, {} in {}, and nothing is converted: channels = {{ ... = {{ name = ..., scale = ... }} }} "
        "scales a channel",
        each.file, each.column, each.unit, named ? "the study" : other->column, expected);
  }
  return "";
}

}  // namespace microslip
