#pragma once
// What universal files say of the units of their channels. Nothing is converted; what is not the study's unit is told.

#include <string>
#include <vector>

#include "microslip/io/csv_table.hpp"
#include "microslip/system/unit_labels.hpp"

namespace microslip {

/// A column whose file names its unit.
struct ChannelUnit {
  std::string file;
  std::string column;  ///< "a[1.y]", by the study's names
  std::string unit;
};

/// Of a table; columns that were scaled have none.
void add_channel_units(const CsvTable& table, const std::string& file, std::vector<ChannelUnit>& units);

/// A sentence where channels are in other units than the study, or, of a study that names none, in several; else empty.
[[nodiscard]] std::string foreign_units(const std::vector<ChannelUnit>& channels, const UnitLabels& study);

}  // namespace microslip
