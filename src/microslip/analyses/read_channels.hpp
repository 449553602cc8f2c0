#pragma once
// Names of measured channels: from those of a file to those of the study, wherever records enter.
//
//   channels = { "1.y" = "a1.y", "2.y" = "-a2.y", "3.y" = { name = "a3.y", scale = 9.81 }, "ch1" = "f[s.y]" }
//
// A name of the file stands for the column of that name and for q[..], v[..], a[..] and f[..] of it; 12.-z of a column
// 12.z is that column with its sign turned. What a column holds, its letter, stays as it is: a[1.y] becomes a[a1.y]. A
// minus before the name of the study turns the sign of what is measured there and of the force. `scale` is that of a
// channel: of a bare name not of the force there, which has a sensor of its own. Columns that are not named keep
// theirs.

#include <optional>
#include <string>
#include <vector>

#include "microslip/io/csv_table.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

class ChannelMap {
 public:
  ChannelMap() = default;
  /// Key `channels`; without it an empty map. Throws StudyError.
  explicit ChannelMap(const TableReader& reader);

  /// Gives columns their names and scales. Throws StudyError at the entry where two columns come to one name.
  void apply(CsvTable& table);
  /// Throws StudyError at an entry that none of the tables had.
  void require_used(const std::vector<std::string>& files, const std::vector<std::string>& known) const;

  struct Named {
    std::string name;
    double scale = 1.0;  ///< with its sign
    double sign = 1.0;
  };
  /// The same of a single name without a letter, as those of frequency responses are.
  [[nodiscard]] Named of(const std::string& name);

 private:
  struct Entry {
    std::string from, to;
    double scale = 1.0, sign = 1.0;
    bool used = false;
    FilePosition at;
  };
  /// The entry of a column, and whether the column points against it.
  [[nodiscard]] Entry* find(const std::string& column, bool& turned);

  std::vector<Entry> entries_;
  std::string where_;  ///< begins messages
};

/// "a[12.z]" -> 'a' and "12.z"; names without a letter: '\0' and all of it.
struct LetteredName {
  char letter = '\0';
  std::string name;
};
[[nodiscard]] LetteredName split_letter(const std::string& column);

}  // namespace microslip
