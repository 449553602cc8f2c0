#pragma once
// What trials need of SQLite: a connection, a statement, errors as exceptions.

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace microslip {

class SqliteError : public std::runtime_error {
 public:
  SqliteError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}

  /// Primary result code.
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// A connection, for one thread at a time. Double quotes mean names only; what a file says of itself is not trusted.
class Sqlite {
 public:
  enum class Mode { read, write, create };
  Sqlite(const std::string& path, Mode mode);

  /// Statements without results.
  void run(const std::string& sql);
  /// The first value of the first row; 0 where there is none.
  [[nodiscard]] std::int64_t number(const std::string& sql);
  [[nodiscard]] std::string text(const std::string& sql);
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

class SqliteStatement {
 public:
  /// Of one statement; throws SqliteError where something follows it.
  SqliteStatement(const Sqlite& database, std::string_view sql);

  /// For values to bind; they count from 0.
  [[nodiscard]] int places() const;
  void bind(int place, std::int64_t value);
  /// NaN becomes NULL.
  void bind(int place, double value);
  /// The text must live until the statement has run.
  void bind(int place, std::string_view text);
  /// Numbers as they lie in memory, which must live until the statement has run.
  void bind_bytes(int place, std::span<const double> values);

  /// To the next row; false: there is none.
  bool step();
  /// For another run; what is bound stays.
  void reset();

  [[nodiscard]] int columns() const;
  [[nodiscard]] std::string_view name(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] bool is_number(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  /// NaN where it is NULL.
  [[nodiscard]] double real(int column) const;
  /// Until the next step.
  [[nodiscard]] std::string_view text(int column) const;

 private:
  struct Finish {
    void operator()(sqlite3_stmt* statement) const;
  };
  void check(int code) const;

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finish> handle_;
};

/// "a" -> "\"a\"": a name in SQL, whatever it holds.
[[nodiscard]] std::string sql_name(std::string_view name);

}  // namespace microslip
