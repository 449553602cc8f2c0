#pragma once
// Measured records of a study: tables (CSV, MATLAB or universal files) with a column `time` and channels.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/channel_units.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/input/record_table.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/measurement/force_hits.hpp"
#include "microslip/measurement/measured_record.hpp"
#include "microslip/measurement/quantity.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

inline constexpr Choice<Quantity> quantities[] = {{"acceleration", Quantity::acceleration},
                                                  {"velocity", Quantity::velocity},
                                                  {"displacement", Quantity::displacement}};

/// "length/time^2"
[[nodiscard]] std::string unit_of(Quantity quantity);
/// 'q', 'v', 'a': of the columns that hold it.
[[nodiscard]] char letter_of(Quantity quantity);

/// A table with the value of the study that named its file.
struct RecordTable {
  const TomlValue* at;
  CsvTable table;
  TimeGrid grid;
};
/// The tables of the files under a key, their columns by the names that `channels` gives them. Throws StudyError,
/// InputError. `who` needs at least so many rows.
[[nodiscard]] std::vector<RecordTable> read_record_tables(const TableReader& reader, std::string_view key,
                                                          std::size_t fewest, std::string_view who);

/// When the forces of a table hit (force_hits.hpp).
[[nodiscard]] ForceHits hits_in(const CsvTable& table, std::size_t least);

struct RecordsRead {
  MeasuredTest test;
  Quantity quantity = Quantity::acceleration;
  std::vector<std::string> notes;  ///< what people should know of the choice
  std::vector<ChannelUnit> units;
};

/// Keys `records` (a file, a list of files), `channels`, `reference` (a name or a list; default: the only force of each
/// record), `responses` (a list; default: all that moves) and `quantity` (default: what the files say). Throws
/// StudyError.
[[nodiscard]] RecordsRead read_records(const TableReader& reader);

/// Names of files under a key: a text or a list of texts.
[[nodiscard]] std::vector<const TomlValue*> one_or_several(const TableReader& reader, std::string_view key);

}  // namespace microslip
