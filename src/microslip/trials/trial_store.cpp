#include "microslip/trials/trial_store.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "microslip/io/input_error.hpp"
#include "microslip/io/output_file.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr int application = 0x6d736c70;  // "mslp": says whose file it is
constexpr int format = 1;
constexpr std::size_t most_fields = 1900;  // SQLite allows 2000 columns

constexpr Ending endings[] = {Ending::completed, Ending::no_convergence, Ending::limit_load, Ending::step_too_small};
constexpr const char* own_fields[] = {"trial", "ending", "message", "seconds", "layout", "rest"};
constexpr int own_count = 6;

InputError spoilt(const std::string& path, const std::string& why) {
  return InputError({path, 0, 0}, "is not a whole database of trials: " + why);
}

OutputError not_written(const std::string& path, const std::string& why) {
  return OutputError(fmt::format("{}: cannot be written: {}", path, why));
}

Scale scale_of(std::string_view word) {
  return word == to_string(Scale::logarithmic) ? Scale::logarithmic : Scale::linear;
}

/// Takes back what a transaction has done unless it was committed.
class Transaction {
 public:
  explicit Transaction(Sqlite& database) : database_(&database) { database.run("BEGIN IMMEDIATE"); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (database_ == nullptr) return;
    try {
      database_->run("ROLLBACK");
    } catch (const SqliteError&) {  // it was rolled back already, or is when the file is opened next
    }
  }
  void commit() {
    database_->run("COMMIT");
    database_ = nullptr;
  }

 private:
  Sqlite* database_;
};

}  // namespace

TrialDescription description_of(const TrialPlan& plan) {
  return {plan.name, plan.identity, plan.least, plan.count, plan.parameters};
}

TrialStore::TrialStore(const std::string& path, Sqlite::Mode mode)
    : path_(path), database_(std::make_unique<Sqlite>(path, mode)) {
  // A commit is on the disk when it is over, whatever happens to the machine then.
  database_->run("PRAGMA synchronous = FULL");
  for (const char* field : own_fields) taken_.insert(field);
}

TrialStore TrialStore::open(const std::string& path) {
  try {
    TrialStore store(path, Sqlite::Mode::write);
    store.load();
    return store;
  } catch (const SqliteError& error) {
    throw spoilt(path, error.what());
  }
}

TrialStore TrialStore::make(const std::string& path, const TrialDescription& description) {
  try {
    TrialStore store(path, Sqlite::Mode::create);
    store.create(description);
    return store;
  } catch (const SqliteError& error) {
    throw not_written(path, error.what());
  }
}

void TrialStore::create(const TrialDescription& description) {
  Transaction transaction(*database_);
  description_ = description;
  database_->run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", application, format));
  database_->run(
      "CREATE TABLE plan (name TEXT, identity TEXT, count INTEGER, least TEXT);"
      "CREATE TABLE fields (layout INTEGER, place INTEGER, field TEXT, name TEXT, unit TEXT, description TEXT,"
      " scale TEXT, PRIMARY KEY (layout, place)) WITHOUT ROWID;");
  SqliteStatement plan(*database_, "INSERT INTO plan VALUES (?, ?, ?, ?)");
  plan.bind(0, std::string_view(description.name));
  plan.bind(1, std::string_view(description.identity));
  plan.bind(2, static_cast<std::int64_t>(description.count));
  plan.bind(3, std::string_view(description.least));
  plan.step();
  for (const Column& column : description.parameters) parameter_fields_.push_back(new_field(column.name));
  // Values have no type: SQLite would keep whole numbers as integers, and -0 as 0.
  std::string table =
      "CREATE TABLE trials (trial INTEGER PRIMARY KEY, ending TEXT, message TEXT, seconds REAL,"
      " layout INTEGER, rest BLOB";
  for (const std::string& field : parameter_fields_) table += ", " + sql_name(field);
  database_->run(table + ")");
  insert_fields(0, description.parameters, parameter_fields_);
  transaction.commit();
}

/// Layout 0 is that of the parameters.
void TrialStore::insert_fields(std::size_t layout, const std::vector<Column>& columns,
                               const std::vector<std::string>& fields) {
  SqliteStatement row(*database_, "INSERT INTO fields VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& column = columns[k];
    row.bind(0, static_cast<std::int64_t>(layout));
    row.bind(1, static_cast<std::int64_t>(k));
    row.bind(2, k < fields.size() ? std::string_view(fields[k]) : std::string_view());
    row.bind(3, std::string_view(column.name));
    row.bind(4, std::string_view(column.unit));
    row.bind(5, std::string_view(column.description));
    row.bind(6, to_string(column.scale));
    row.step();
    row.reset();
  }
}

void TrialStore::load() {
  // Whatever a file claims to be, every page is looked at before anything is believed.
  if (const std::string check = database_->text("PRAGMA quick_check(1)"); check != "ok") throw spoilt(path_, check);
  empty_ = database_->number("SELECT count(*) FROM sqlite_schema") == 0 &&
           database_->number("PRAGMA application_id") == 0 && database_->number("PRAGMA user_version") == 0;
  if (empty_) return;
  if (database_->number("PRAGMA application_id") != application) {
    throw spoilt(path_, "it is a database of another program");
  }
  if (const std::int64_t found = database_->number("PRAGMA user_version"); found != format) {
    throw spoilt(path_, fmt::format("it has format {}, and this program knows {}", found, format));
  }
  load_plan();
  load_fields();
}

void TrialStore::load_plan() {
  SqliteStatement plan(*database_, "SELECT name, identity, count, least FROM plan");
  if (!plan.step()) throw spoilt(path_, "it does not say whose trials it holds");
  description_.name = plan.text(0);
  description_.identity = plan.text(1);
  description_.count = static_cast<std::size_t>(std::max<std::int64_t>(0, plan.integer(2)));
  description_.least = plan.text(3);
}

void TrialStore::load_fields() {
  SqliteStatement row(*database_,
                      "SELECT layout, place, field, name, unit, description, scale FROM fields ORDER BY layout, place");
  std::vector<std::vector<Column>> columns(1);
  std::vector<std::vector<std::string>> names(1);
  while (row.step()) {
    const auto layout = static_cast<std::size_t>(row.integer(0));
    if (layout == columns.size()) columns.emplace_back(), names.emplace_back();
    if (layout + 1 != columns.size() || static_cast<std::size_t>(row.integer(1)) != columns[layout].size()) {
      throw spoilt(path_, "its fields are not in order");
    }
    columns[layout].push_back(
        {std::string(row.text(3)), std::string(row.text(4)), std::string(row.text(5)), scale_of(row.text(6))});
    const std::string field(row.text(2));
    if (!field.empty()) names[layout].push_back(field), taken_.insert(lower_case(field));
  }
  description_.parameters = std::move(columns[0]);
  parameter_fields_ = std::move(names[0]);
  if (parameter_fields_.size() != description_.parameters.size()) throw spoilt(path_, "a parameter has no field");
  for (std::size_t layout = 1; layout < columns.size(); ++layout) {
    remember(columns[layout], names[layout]);
    layouts_.add(std::make_shared<const std::vector<Column>>(std::move(columns[layout])));
  }
}

/// Fields of a new layout.
void TrialStore::remember(const std::vector<Column>& columns, std::vector<std::string> names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (field_of_.emplace(columns[k].name, names[k]).second) result_fields_.push_back(names[k]);
  }
  fields_.push_back({std::move(names), columns.size()});
}

void TrialStore::update(const TrialDescription& description) {
  if (description.count == description_.count && description.least == description_.least) return;
  try {
    SqliteStatement plan(*database_, "UPDATE plan SET count = ?, least = ?");
    plan.bind(0, static_cast<std::int64_t>(description.count));
    plan.bind(1, std::string_view(description.least));
    plan.step();
  } catch (const SqliteError& error) {
    throw not_written(path_, error.what());
  }
  description_.count = description.count;
  description_.least = description.least;
}

std::size_t TrialStore::rows() const {
  return static_cast<std::size_t>(database_->number("SELECT count(*) FROM trials"));
}

double TrialStore::seconds() const {
  SqliteStatement sum(*database_, "SELECT total(seconds) FROM trials");
  return sum.step() ? sum.real(0) : 0.0;
}

std::string TrialStore::field_of(const std::string& result) const {
  const auto found = field_of_.find(result);
  return found != field_of_.end() ? found->second : "";
}

/// The name itself as far as SQL can take it, with a number behind it where another field has it.
std::string TrialStore::new_field(const std::string& name) {
  std::string field = name.empty() ? "unnamed" : name;
  for (char& c : field) {
    if (static_cast<unsigned char>(c) < 0x20) c = '_';
  }
  const std::string base = field;
  for (int k = 2; !taken_.insert(lower_case(field)).second; ++k) field = fmt::format("{}_{}", base, k);
  return field;
}

void TrialStore::add_layout(std::size_t layout) {
  const std::vector<Column>& columns = *layouts_.columns(layout);
  std::vector<std::string> names;
  for (const Column& column : columns) {
    std::string field = field_of(column.name);
    if (field.empty() || std::find(names.begin(), names.end(), field) != names.end()) {
      if (taken_.size() >= most_fields) break;
      field = new_field(column.name);
      database_->run(fmt::format("ALTER TABLE trials ADD COLUMN {}", sql_name(field)));
    }
    names.push_back(std::move(field));
  }
  insert_fields(layout, columns, names);
  remember(columns, std::move(names));
}

SqliteStatement& TrialStore::insertion(std::size_t layout) {
  while (fields_.size() < layout) add_layout(fields_.size() + 1);
  const auto found = insertions_.find(layout);
  if (found != insertions_.end()) return found->second;
  std::string fields, values;
  const auto add = [&](const std::string& field) {
    fields += (fields.empty() ? "" : ", ") + sql_name(field);
    values += values.empty() ? "?" : ", ?";
  };
  for (const char* field : own_fields) add(field);
  for (const std::string& field : parameter_fields_) add(field);
  if (layout > 0) std::for_each(fields_[layout - 1].names.begin(), fields_[layout - 1].names.end(), add);
  const std::string sql = fmt::format("INSERT OR IGNORE INTO trials ({}) VALUES ({})", fields, values);
  return insertions_.emplace(layout, SqliteStatement(*database_, sql)).first->second;
}

void TrialStore::insert(const TrialEntry& entry) {
  const TrialRow& row = *entry.row;
  const std::size_t layout = layouts_.number(row.columns);
  SqliteStatement& statement = insertion(layout);
  const std::size_t named = layout > 0 ? fields_[layout - 1].names.size() : 0;
  statement.bind(0, static_cast<std::int64_t>(entry.trial + 1));
  statement.bind(1, to_string(row.ending));
  statement.bind(2, std::string_view(row.message));
  statement.bind(3, entry.seconds);
  statement.bind(4, static_cast<std::int64_t>(layout));
  statement.bind_bytes(5, std::span(row.values).subspan(named));
  int place = own_count;
  for (const double value : entry.parameters) statement.bind(place++, value);
  for (std::size_t k = 0; k < named; ++k) statement.bind(place++, row.values[k]);
  statement.step();
  statement.reset();
}

void TrialStore::write(std::span<const TrialEntry> entries) {
  if (entries.empty()) return;
  try {
    Transaction transaction(*database_);
    for (const TrialEntry& entry : entries) insert(entry);
    transaction.commit();
  } catch (const SqliteError& error) {
    throw not_written(path_, error.what());
  }
}

void TrialStore::copy(TrialStore& other) {
  try {
    Transaction transaction(*database_);
    other.read([&](TrialEntry entry, TrialRow&& row) {
      entry.row = &row;
      insert(entry);
    });
    transaction.commit();
  } catch (const SqliteError& error) {
    throw not_written(path_, error.what());
  }
}

void TrialStore::read(const Visit& visit) {
  try {
    read_rows(visit);
  } catch (const SqliteError& error) {
    throw spoilt(path_, error.what());
  }
}

/// Rows come in the order of their numbers; the columns are asked for by name.
void TrialStore::read_rows(const Visit& visit) {
  std::string fields;
  std::map<std::string, int> places;
  const auto add = [&](const std::string& field) {
    if (!places.emplace(field, static_cast<int>(places.size())).second) return;
    fields += (fields.empty() ? "" : ", ") + sql_name(field);
  };
  for (const char* field : own_fields) add(field);
  for (const std::string& field : parameter_fields_) add(field);
  std::vector<std::vector<int>> places_of;  // of each layout
  for (const Fields& layout : fields_) {
    std::vector<int>& own = places_of.emplace_back();
    for (const std::string& field : layout.names) {
      add(field);
      own.push_back(places.at(field));
    }
  }
  SqliteStatement row(*database_, fmt::format("SELECT {} FROM trials ORDER BY trial", fields));
  std::vector<double> parameters(parameter_fields_.size());
  while (row.step()) {
    const std::int64_t trial = row.integer(0);
    const std::string_view word = row.text(1);
    const auto ending = std::find_if(std::begin(endings), std::end(endings),
                                     [&](Ending candidate) { return to_string(candidate) == word; });
    const std::int64_t layout = row.integer(4);
    if (trial < 1 || ending == std::end(endings) || layout < 0 || static_cast<std::size_t>(layout) > places_of.size()) {
      throw spoilt(path_, fmt::format("trial {} is none", trial));
    }
    for (std::size_t k = 0; k < parameters.size(); ++k) parameters[k] = row.real(places.at(parameter_fields_[k]));
    TrialRow result{*ending, std::string(row.text(2)), layouts_.columns(static_cast<std::size_t>(layout)), {}};
    if (layout > 0) {
      const auto at = static_cast<std::size_t>(layout) - 1;
      for (const int place : places_of[at]) result.values.push_back(row.real(place));
      const std::string_view rest = row.text(5);
      const std::size_t more = fields_[at].columns - places_of[at].size();
      if (rest.size() != more * sizeof(double)) throw spoilt(path_, fmt::format("trial {} is not whole", trial));
      result.values.resize(fields_[at].columns);
      if (more > 0) std::memcpy(result.values.data() + places_of[at].size(), rest.data(), rest.size());
    }
    visit({static_cast<std::size_t>(trial) - 1, row.real(3), parameters, nullptr}, std::move(result));
  }
}

void remove_trials(const std::string& path) {
  // The file first: a journal without one is empty talk, and a file without its journal may be half written.
  for (const char* ending : {"", "-journal"}) {
    std::error_code error;
    std::filesystem::remove(path + ending, error);
    if (error) throw OutputError(fmt::format("{}{}: cannot be removed: {}", path, ending, error.message()));
  }
}

}  // namespace microslip
