#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>

#include "commands.hpp"
#include "microslip/trials/merge_trials.hpp"
#include "microslip/trials/trial_query.hpp"

namespace microslip::cli {
namespace {

struct TrialsArguments {
  std::string database, where, by;
  int best = 0;
  bool csv = false;
};

/// All 17 digits: the number itself.
std::string exact(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 17).ptr};
}

/// RFC 4180, where it has to be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void print_csv(const TrialTable& table) {
  const auto line = [](const auto& fields, const auto& text) {
    for (std::size_t k = 0; k < fields.size(); ++k) fmt::print("{}{}", k > 0 ? "," : "", text(fields[k]));
    fmt::print("\n");
  };
  line(table.columns, csv_field);
  for (const auto& row : table.rows) {
    line(row, [](const TrialCell& cell) { return cell.number ? exact(*cell.number) : csv_field(cell.text); });
  }
}

/// A line a trial, columns in line. A message keeps to its line.
void print_table(const TrialTable& table) {
  std::vector<std::vector<std::string>> lines{table.columns};
  for (const auto& row : table.rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const TrialCell& cell : row) {
      line.push_back(cell.number ? fmt::format("{:.6g}", *cell.number) : cell.text);
      for (char& c : line.back()) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
      }
    }
  }
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], line[k].size());
  }
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t k = 0; k < line.size(); ++k) text += fmt::format("{:<{}}  ", line[k], widths[k]);
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  }
  fmt::print("{} of {} trials\n", table.rows.size(), table.of);
}

int trials_command(const TrialsArguments& arguments) {
  TrialQuery query;
  query.where = arguments.where;
  query.by = arguments.by;
  if (arguments.best > 0) query.best = static_cast<std::size_t>(arguments.best);
  const TrialTable table = query_trials(arguments.database, query);
  arguments.csv ? print_csv(table) : print_table(table);
  return exit_completed;
}

int merge_command(const std::vector<std::string>& directories) {
  const std::vector<std::string> others(directories.begin() + 1, directories.end());
  bool whole = true;
  for (const MergedTrials& merged : merge_trials(directories.front(), others)) {
    fmt::print("{}: {} of {} trials, from {} {}\n", merged.file, merged.trials, merged.of, merged.sources,
               merged.sources == 1 ? "database" : "databases");
    whole = whole && merged.trials >= merged.of;
  }
  fmt::print("{}\n", whole ? "all are there: `microslip run` makes the tables"
                           : "some are missing: `microslip run` does them and makes the tables");
  return exit_completed;
}

}  // namespace

Command add_trials(CLI::App& app) {
  auto arguments = std::make_shared<TrialsArguments>();
  auto* command =
      app.add_subcommand("trials", "Look at the trials of a parameter study or an update, while it runs or after");
  command->add_option("DB", arguments->database, "NAME-trials.db among the results")->required();
  command->add_option("--best", arguments->best, "The N trials with the least error, or value of --by")
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--by", arguments->by, "Column of which less is better");
  command->add_option("--where", arguments->where, "Those for which an expression of SQL holds");
  command->add_flag("--csv", arguments->csv, "As CSV, every number with all its digits");
  command->footer(
      "Examples:\n  microslip trials study-results/grid-trials.db --where \"ending <> 'completed'\"\n"
      "  microslip trials study-results/grid-trials.db --by 'zeta[1]' --best 10\n"
      "  microslip trials study-results/grid-trials.db --where '\"joint.lap.FS\" > 5 and \"zeta[1]\" < 1e-4' --csv\n\n"
      "Columns: trial (from 1), parameters, results, ending, message, seconds (of a processor). A name that is more "
      "than\n"
      "letters, digits and _ stands in double quotes, a text in single ones. A value that is not known is null.\n"
      "Exit code 2: not a database of trials, or an expression that is none.");
  return {command, [arguments] { return trials_command(*arguments); }};
}

Command add_merge(CLI::App& app) {
  auto directories = std::make_shared<std::vector<std::string>>();
  auto* command = app.add_subcommand("merge", "Put the trials of shards together");
  command->add_option("DIR", *directories, "Directory of the results; of others, the trials are copied into it")
      ->required();
  command->footer(
      "Example:\n  microslip run study.toml --shard 1/2       # here, and --shard 2/2 on another machine\n"
      "  microslip merge study-results other/study-results\n"
      "  microslip run study.toml                   # all trials are there: makes tables and report\n\n"
      "Exit code 2: no trials of shards, a database is spoilt, or they are of different studies; nothing has changed "
      "then.");
  return {command, [directories] { return merge_command(*directories); }};
}

}  // namespace microslip::cli
