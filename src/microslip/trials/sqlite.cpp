#include "microslip/trials/sqlite.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

namespace microslip {
namespace {

/// Of what the system says where it was the system that refused.
SqliteError error_of(sqlite3* database, int code) {
  const int primary = code & 0xff;
  const int system = database != nullptr ? sqlite3_system_errno(database) : 0;
  const bool of_disk =
      primary == SQLITE_FULL || primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY;
  if (of_disk && system != 0) return {primary, std::strerror(system)};
  if (primary == SQLITE_FULL) return {primary, std::strerror(ENOSPC)};
  return {primary, database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code)};
}

constexpr int wait_for_readers = 60'000;  // [ms]

}  // namespace

void Sqlite::Close::operator()(sqlite3* handle) const {
  sqlite3_close(handle);
}

Sqlite::Sqlite(const std::string& path, Mode mode) {
  const int flags = mode == Mode::read    ? SQLITE_OPEN_READONLY
                    : mode == Mode::write ? SQLITE_OPEN_READWRITE
                                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw error_of(handle, code);
  sqlite3_busy_timeout(handle, wait_for_readers);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

void Sqlite::run(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw error_of(handle(), code);
}

std::int64_t Sqlite::number(const std::string& sql) {
  SqliteStatement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Sqlite::text(const std::string& sql) {
  SqliteStatement statement(*this, sql);
  return statement.step() ? std::string(statement.text(0)) : "";
}

void SqliteStatement::Finish::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

SqliteStatement::SqliteStatement(const Sqlite& database, std::string_view sql) : database_(database.handle()) {
  sqlite3_stmt* handle = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &handle, &rest);
  handle_.reset(handle);
  check(code);
  if (handle == nullptr) throw SqliteError(SQLITE_ERROR, "there is nothing in it");
  const std::string_view behind = sql.substr(static_cast<std::size_t>(rest - sql.data()));
  if (behind.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    throw SqliteError(SQLITE_ERROR, "there is more than one statement");
  }
}

int SqliteStatement::places() const {
  return sqlite3_bind_parameter_count(handle_.get());
}

void SqliteStatement::check(int code) const {
  if (code != SQLITE_OK) throw error_of(database_, code);
}

void SqliteStatement::bind(int place, std::int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), place + 1, value));
}

void SqliteStatement::bind(int place, double value) {
  check(std::isnan(value) ? sqlite3_bind_null(handle_.get(), place + 1)
                          : sqlite3_bind_double(handle_.get(), place + 1, value));
}

void SqliteStatement::bind(int place, std::string_view text) {
  check(sqlite3_bind_text(handle_.get(), place + 1, text.data() != nullptr ? text.data() : "",
                          static_cast<int>(text.size()), SQLITE_STATIC));
}

void SqliteStatement::bind_bytes(int place, std::span<const double> values) {
  check(values.empty() ? sqlite3_bind_null(handle_.get(), place + 1)
                       : sqlite3_bind_blob(handle_.get(), place + 1, values.data(),
                                           static_cast<int>(values.size_bytes()), SQLITE_STATIC));
}

bool SqliteStatement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) throw error_of(database_, code);
  return false;
}

void SqliteStatement::reset() {
  sqlite3_reset(handle_.get());
}

int SqliteStatement::columns() const {
  return sqlite3_column_count(handle_.get());
}

std::string_view SqliteStatement::name(int column) const {
  const char* name = sqlite3_column_name(handle_.get(), column);
  return name != nullptr ? name : "";
}

bool SqliteStatement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

bool SqliteStatement::is_number(int column) const {
  const int type = sqlite3_column_type(handle_.get(), column);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

std::int64_t SqliteStatement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double SqliteStatement::real(int column) const {
  return is_null(column) ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(handle_.get(), column);
}

std::string_view SqliteStatement::text(int column) const {
  const void* text = sqlite3_column_blob(handle_.get(), column);
  const int bytes = sqlite3_column_bytes(handle_.get(), column);
  return text != nullptr ? std::string_view(static_cast<const char*>(text), static_cast<std::size_t>(bytes)) : "";
}

std::string sql_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace microslip
