#include "microslip/trials/trial_query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "microslip/io/input_error.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/trials/trial_store.hpp"

namespace microslip {
namespace {

constexpr int longest_expression = 10'000, deepest_expression = 200, longest_pattern = 200;

/// Functions whose cost and result are bounded by their arguments.
constexpr std::string_view functions[] = {"abs",  "acos",   "asin",  "atan",   "atan2",  "ceil",  "ceiling", "coalesce",
                                          "cos",  "exp",    "floor", "glob",   "ifnull", "iif",   "instr",   "length",
                                          "like", "ln",     "log",   "log10",  "log2",   "lower", "max",     "min",
                                          "mod",  "nullif", "pi",    "pow",    "power",  "round", "sign",    "sin",
                                          "sqrt", "tan",    "trunc", "typeof", "upper"};

/// Called for each thing that a statement would do. `selects`: SELECTs so far, of which there may be one.
int allow(void* selects, int action, const char* first, const char* second, const char*, const char* inside) {
  switch (action) {
    case SQLITE_READ:
      return first != nullptr && std::string_view(first) == "trials" && inside == nullptr ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
      return second != nullptr &&
                     std::find(std::begin(functions), std::end(functions), lower_case(second)) != std::end(functions)
                 ? SQLITE_OK
                 : SQLITE_DENY;
    case SQLITE_SELECT:
      return ++*static_cast<int*>(selects) > 1 ? SQLITE_DENY : SQLITE_OK;
    default:
      return SQLITE_DENY;
  }
}

/// A snapshot of the database that can be read, and nothing else.
class Snapshot {
 public:
  explicit Snapshot(const std::string& path) : database_(path, Sqlite::Mode::read) {
    database_.run("BEGIN");
    rows_ = static_cast<std::size_t>(database_.number("SELECT count(*) FROM trials"));
    sqlite3_limit(database_.handle(), SQLITE_LIMIT_EXPR_DEPTH, deepest_expression);
    sqlite3_limit(database_.handle(), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, longest_pattern);
    sqlite3_limit(database_.handle(), SQLITE_LIMIT_COMPOUND_SELECT, 1);
    sqlite3_limit(database_.handle(), SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_set_authorizer(database_.handle(), allow, &selects_);
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] SqliteStatement compiled(const std::string& sql) {
    selects_ = 0;
    return {database_, sql};
  }

 private:
  int selects_ = 0;
  Sqlite database_;
  std::size_t rows_ = 0;
};

std::string names_in_words(const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& column : columns) {
    const bool plain = std::all_of(column.begin(), column.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    names.push_back(plain ? column : sql_name(column));
  }
  constexpr std::size_t most = 40;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

/// SQLite shows what it does not understand up to the end of the line, and may go on with what is ours.
std::invalid_argument wrong(const std::string& where, std::string why, const std::vector<std::string>& columns) {
  const std::size_t end = why.find('\n');
  if (end != std::string::npos) why = why.substr(0, end) + "\"";
  std::string help;
  if (why.starts_with("no such column")) {
    help = fmt::format("; the columns are {}{}", names_in_words(columns),
                       why.find('.') != std::string::npos ? "; a name with a dot in it stands in double quotes" : "");
  } else if (why.starts_with("not authorized") || why.find("prohibited") != std::string::npos) {
    help =
        fmt::format("; an expression has columns, numbers, texts, operators and {} in it", fmt::join(functions, ", "));
  }
  return std::invalid_argument(fmt::format("--where {}: {}{}", in_quotes(where), why, help));
}

/// A subquery (but for one that is a look-up in the same table), or a second statement, is no expression. It stands on
/// a line of its own, for it may end in a comment, and is compiled in two places: what is no expression can be in one
/// of them at most.
void check_expression(Snapshot& database, const std::string& where, const std::vector<std::string>& columns) {
  if (where.size() > longest_expression) {
    throw std::invalid_argument(fmt::format("--where is longer than {} characters", longest_expression));
  }
  if (where.find('\0') != std::string::npos) throw wrong(where, "there is a zero byte in it", columns);
  try {
    const SqliteStatement value = database.compiled(fmt::format("SELECT typeof(\n{}\n) FROM trials", where));
    if (value.places() > 0) throw SqliteError(SQLITE_ERROR, "?, :name, @name and $name have no value here");
    static_cast<void>(database.compiled(fmt::format("SELECT trial FROM trials WHERE (\n{}\n) LIMIT 1", where)));
  } catch (const SqliteError& error) {
    throw wrong(where, error.what(), columns);
  }
}

TrialCell cell(const SqliteStatement& row, int column) {
  TrialCell result;
  if (row.is_null(column)) return result;
  if (row.is_number(column)) {
    result.number = row.real(column);
  } else {
    result.text = row.text(column);
  }
  return result;
}

/// The column to sort by.
std::string aim(const TrialStore& store, const TrialQuery& query, const std::vector<std::string>& columns) {
  const std::string& least = store.description().least;
  const std::string column = query.by.empty() ? store.field_of(least) : query.by;
  if (column.empty()) {
    throw std::invalid_argument(least.empty()
                                    ? "--best: these trials have no number that is to be small; say which, by --by"
                                    : fmt::format("--best: no trial has {} yet", in_quotes(least)));
  }
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
    throw std::invalid_argument(
        fmt::format("--by {}: there is no such column; they are {}", in_quotes(column), names_in_words(columns)));
  }
  return column;
}

std::string sql_of(const TrialQuery& query, const std::string& aim, const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& column : columns) names.push_back(sql_name(column));
  std::string sql = fmt::format("SELECT {} FROM trials WHERE ", fmt::join(names, ", "));
  sql += query.where.empty() ? "1" : fmt::format("(\n{}\n)", query.where);
  if (!query.best) return sql + " ORDER BY trial";
  const std::string by = sql_name(aim);
  return sql + fmt::format(" AND typeof({0}) IN ('real', 'integer') ORDER BY {0}, trial LIMIT {1}", by, *query.best);
}

}  // namespace

TrialTable query_trials(const std::string& path, const TrialQuery& query) {
  TrialTable table;
  const TrialStore store = TrialStore::open(path);  // takes back what a killed run has left half written
  if (store.empty()) throw InputError({path, 0, 0}, "is not a whole database of trials: there is nothing in it");
  table.columns = {"trial"};
  const std::vector<std::string> parameters = store.parameter_fields(), results = store.result_fields();
  table.columns.insert(table.columns.end(), parameters.begin(), parameters.end());
  table.columns.insert(table.columns.end(), results.begin(), results.end());
  table.columns.insert(table.columns.end(), {"ending", "message"});
  const std::string by = query.best ? aim(store, query, table.columns) : "";
  try {
    Snapshot database(path);
    table.of = database.rows();
    if (!query.where.empty()) check_expression(database, query.where, table.columns);
    SqliteStatement row = database.compiled(sql_of(query, by, table.columns));
    while (row.step()) {
      std::vector<TrialCell>& cells = table.rows.emplace_back();
      for (int k = 0; k < row.columns(); ++k) cells.push_back(cell(row, k));
    }
  } catch (const SqliteError& error) {
    if (!query.where.empty()) throw wrong(query.where, error.what(), table.columns);
    throw InputError({path, 0, 0}, fmt::format("cannot be read: {}", error.what()));
  }
  return table;
}

}  // namespace microslip
