#pragma once
// A database of trials: one SQLite file. Table `trials` has a row for each finished trial; its columns are named after
// the parameters and results. Table `fields` says what they are, table `plan` whose trials they are.
//
// A rollback journal, not a write-ahead log: the log needs memory that all processes share, which network file systems
// do not have, and leaves two more files beside a database that is in use. The journal is there for milliseconds,
// twenty times a second at most.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "microslip/trials/sqlite.hpp"
#include "microslip/trials/trial_layouts.hpp"
#include "microslip/trials/trial_plan.hpp"

namespace microslip {

/// Whose trials a database holds.
struct TrialDescription {
  std::string name, identity, least;  ///< see TrialPlan
  std::size_t count = 0;
  std::vector<Column> parameters;
};
[[nodiscard]] TrialDescription description_of(const TrialPlan& plan);

/// A row on its way into a database.
struct TrialEntry {
  std::size_t trial = 0;
  double seconds = 0.0;  ///< of a processor
  std::span<const double> parameters;
  const TrialRow* row = nullptr;
};

class TrialStore {
 public:
  /// Opens a database, and takes back what a killed process has left half written. Throws InputError where the file is
  /// spoilt, or something else.
  static TrialStore open(const std::string& path);
  /// Makes a database. Throws OutputError.
  static TrialStore make(const std::string& path, const TrialDescription& description);

  [[nodiscard]] const TrialDescription& description() const { return description_; }
  /// A process was killed while it made the file.
  [[nodiscard]] bool empty() const { return empty_; }
  [[nodiscard]] std::size_t rows() const;
  /// Of a processor, all trials together.
  [[nodiscard]] double seconds() const;
  /// Results that rows have, by their names in the table of trials.
  [[nodiscard]] std::vector<std::string> result_fields() const { return result_fields_; }
  [[nodiscard]] std::vector<std::string> parameter_fields() const { return parameter_fields_; }
  /// Of a result, by its name; empty: there is none.
  [[nodiscard]] std::string field_of(const std::string& result) const;

  /// Count and aim, which may change while the identity stays. Throws OutputError.
  void update(const TrialDescription& description);

  using Visit = std::function<void(const TrialEntry& entry, TrialRow&& row)>;
  /// Every trial, by number. `entry.row` is null. Throws InputError.
  void read(const Visit& visit);
  /// All of them or none. A trial that is there already stays as it is. Throws OutputError; then what was there before
  /// stays.
  void write(std::span<const TrialEntry> entries);
  /// Writes every trial of another database that is not here. Throws InputError, OutputError.
  void copy(TrialStore& other);

 private:
  /// Of a layout. Columns beyond the names have no field of their own, as a table has 2000 at most: their values are
  /// together in the field `rest`, as they lie in memory.
  struct Fields {
    std::vector<std::string> names;
    std::size_t columns = 0;
  };

  TrialStore(const std::string& path, Sqlite::Mode mode);
  void create(const TrialDescription& description);
  void load();
  void load_plan();
  void load_fields();
  void remember(const std::vector<Column>& columns, std::vector<std::string> names);
  void insert_fields(std::size_t layout, const std::vector<Column>& columns, const std::vector<std::string>& fields);
  [[nodiscard]] std::string new_field(const std::string& name);
  void add_layout(std::size_t layout);
  [[nodiscard]] SqliteStatement& insertion(std::size_t layout);
  void insert(const TrialEntry& entry);
  void read_rows(const Visit& visit);

  std::string path_;
  bool empty_ = false;
  std::unique_ptr<Sqlite> database_;
  TrialDescription description_;
  std::vector<std::string> parameter_fields_;
  TrialLayouts layouts_;
  std::vector<Fields> fields_;                   ///< of each layout
  std::map<std::string, std::string> field_of_;  ///< result -> its field
  std::set<std::string> taken_;                  ///< fields in lower case, as SQLite compares them
  std::vector<std::string> result_fields_;
  std::map<std::size_t, SqliteStatement> insertions_;  ///< by layout
};

/// Removes a database and the journal that belongs to it. Throws OutputError.
void remove_trials(const std::string& path);

}  // namespace microslip
