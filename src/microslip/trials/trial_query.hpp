#pragma once
// Rows of a database of trials, chosen and sorted by what a user asks for.

#include <optional>
#include <string>
#include <vector>

namespace microslip {

struct TrialQuery {
  std::string where;                ///< an expression of SQL in the names of the columns; empty: all
  std::optional<std::size_t> best;  ///< so many rows, those with the least value first; nothing: all, by number
  std::string by;                   ///< the column of which less is better; empty: that of the plan
};

/// A number, a text, or nothing: a value that is not known.
struct TrialCell {
  std::string text;
  std::optional<double> number;
};

struct TrialTable {
  std::vector<std::string> columns;  ///< trial, parameters, results, ending, message
  std::vector<std::vector<TrialCell>> rows;
  std::size_t of = 0;  ///< rows that the database has
};

/// Nothing but columns, numbers, texts, operators and a few functions can be in the expression: it is compiled with a
/// connection that reads only, and everything else is refused. Throws InputError where the file is no database of
/// trials, std::invalid_argument for a query that is wrong.
[[nodiscard]] TrialTable query_trials(const std::string& path, const TrialQuery& query);

}  // namespace microslip
