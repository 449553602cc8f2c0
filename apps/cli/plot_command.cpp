#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/io/write_file.hpp"
#include "microslip/report/png_picture.hpp"
#include "microslip/report/run_directory.hpp"
#include "microslip/report/svg_plot.hpp"
#include "microslip/report/table_plot.hpp"

namespace microslip::cli {
namespace {

struct PlotArguments {
  std::vector<std::string> files;
  std::string x;
  std::vector<std::string> y, split, where;
  std::string map, log, title, x_label, y_label;
  int width = 640;
  int height = 400;
  double font_size = 13.0;
  bool dots = false;
  std::string out;  ///< empty: the first file with the ending .svg
};

/// "mode=1".
Condition parse_condition(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    throw std::invalid_argument(fmt::format("--where must be COLUMN=VALUE, got {}", in_quotes(text)));
  }
  const std::string value = text.substr(equals + 1);
  return {text.substr(0, equals), parse_number({value, 0, 0}, "command line", "--where")};
}

/// From the report.json beside a file; none where there is no such thing.
class ColumnsBeside final : public DeclaredColumns {
 public:
  explicit ColumnsBeside(const std::vector<std::string>& files) {
    for (const std::string& file : files) tables_.push_back(columns_of(file));
  }

  [[nodiscard]] const Column* find(std::size_t table, const std::string& column) const override {
    const auto at = tables_[table].find(column);
    return at != tables_[table].end() ? &at->second : nullptr;
  }

 private:
  static std::map<std::string, Column> columns_of(const std::filesystem::path& file) {
    std::map<std::string, Column> columns;
    try {
      const RunDirectory run(file.has_parent_path() ? file.parent_path().string() : ".");
      for (const ReportedAnalysis& analysis : run.analyses) {
        for (const TableRecord& table : analysis.tables) {
          if (table.file != file.filename().string()) continue;
          for (const Column& column : table.columns) columns[column.name] = column;
        }
      }
    } catch (const InputError&) {  // a CSV file of other origin
    }
    return columns;
  }

  std::vector<std::map<std::string, Column>> tables_;
};

/// Size and phase [rad] of complex columns, abs[x] and phase[x] from re[x] and im[x], where they are asked for.
void add_complex_columns(const PlotArguments& arguments, CsvTable& table) {
  std::vector<std::string> asked = arguments.y;
  asked.push_back(arguments.map);
  for (const std::string& name : asked) {
    const bool size = name.starts_with("abs["), phase = name.starts_with("phase[");
    if ((!size && !phase) || table.has(name)) continue;
    const std::string of = name.substr(name.find('['));
    if (!table.has("re" + of) || !table.has("im" + of)) continue;
    const std::vector<double>&re = table.column("re" + of), &im = table.column("im" + of);
    std::vector<double> values;
    for (std::size_t i = 0; i < re.size(); ++i)
      values.push_back(size ? std::hypot(re[i], im[i]) : std::atan2(im[i], re[i]));
    table.names.push_back(name);
    table.columns.push_back(std::move(values));
  }
}

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

int plot_command(const PlotArguments& arguments) {
  const std::string out = arguments.out.empty()
                              ? std::filesystem::path(arguments.files.front()).replace_extension(".svg").string()
                              : arguments.out;
  const std::string ending = ending_of(out);
  if (ending != ".svg" && ending != ".png") {
    throw std::invalid_argument(fmt::format("--out must end in .svg or .png, got {}", in_quotes(out)));
  }
  for (const std::string& file : arguments.files) {
    std::error_code none;
    if (std::filesystem::equivalent(file, out, none)) {
      throw std::invalid_argument(fmt::format("--out would overwrite {}", in_quotes(file)));
    }
  }
  PlotRequest request;
  request.x = arguments.x;
  request.y = arguments.y;
  request.map = arguments.map;
  request.split = arguments.split;
  for (const std::string& text : arguments.where) request.where.push_back(parse_condition(text));
  request.dots = arguments.dots;
  request.title = arguments.title;
  if (arguments.log.find('z') != std::string::npos && arguments.map.empty())
    throw std::invalid_argument("--log z is the colour of a map: it needs --map");
  request.declared_scales = arguments.log.empty();
  const auto has_log = [&](char axis) { return arguments.log.find(axis) != std::string::npos; };
  request.x_axis = {arguments.x_label, "", has_log('x')};
  request.y_axis = {arguments.y_label, "", has_log('y')};
  request.z_axis = {"", "", has_log('z')};
  std::vector<CsvTable> tables;
  for (const std::string& file : arguments.files) {
    tables.push_back(read_data_table(file, CsvGaps::allowed));
    add_complex_columns(arguments, tables.back());
  }
  const ColumnsBeside declared(arguments.files);
  const Plot plot = table_plot(tables, request, &declared);
  SvgOptions options;
  options.width = arguments.width;
  options.height = arguments.height;
  options.font_size = arguments.font_size;
  const std::string picture = svg(plot, options);
  write_file(out, ending == ".png" ? png(picture) : picture);
  fmt::print("wrote {}\n", out);
  return exit_completed;
}

}  // namespace

Command add_plot(CLI::App& app) {
  auto arguments = std::make_shared<PlotArguments>();
  auto* command = app.add_subcommand("plot", "Draw columns of CSV, MATLAB and universal files: SVG or PNG");
  command
      ->add_option("FILE", arguments->files,
                   "CSV file with names in its first line, FILE.mat:NAME or FILE.unv; several are overlaid")
      ->required();
  command->add_option("--x", arguments->x, "Column (default: the first)");
  command->add_option("--y", arguments->y, "Columns, with commas between (default: the second)")->delimiter(',');
  command->add_option("--split", arguments->split, "A curve for each value of these columns")->delimiter(',');
  command->add_option("--where", arguments->where, "Only rows where COLUMN=VALUE; may be repeated")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--map", arguments->map, "Column drawn as colour over --x and --y");
  command
      ->add_option("--log", arguments->log,
                   "Logarithmic axes: x, y, xy; z for the colours of a map; none (default: as "
                   "the columns of results declare, else none)")
      ->check(CLI::IsMember({"none", "x", "y", "z", "xy", "yx", "xz", "yz", "xyz"}));
  command->add_flag("--dots", arguments->dots, "Dots instead of lines");
  command->add_option("--title", arguments->title, "Above the picture");
  command->add_option("--xlabel", arguments->x_label, "Instead of the name of the column");
  command->add_option("--ylabel", arguments->y_label, "Instead of the name of the column");
  command->add_option("--width", arguments->width, "Pixels; a PNG has twice as many")
      ->check(CLI::Range(120, 4000))
      ->capture_default_str();
  command->add_option("--height", arguments->height, "Pixels; a PNG has twice as many")
      ->check(CLI::Range(90, 4000))
      ->capture_default_str();
  command->add_option("--font", arguments->font_size, "Size of the words in pixels")
      ->check(CLI::Range(6.0, 60.0))
      ->capture_default_str();
  command->add_option("--out", arguments->out, "FILE.svg or FILE.png (default: the first FILE, ending in .svg)");
  command->footer(
      "Examples:\n  microslip plot study-results/ring.csv --x time --y 'q[3]' --out ring.svg\n"
      "  microslip plot study-results/qsma.csv --x alpha --y zeta --split mode --log xy --out damping.png\n"
      "  microslip plot test.unv --y 'a[1.y]' --out test.svg\n"
      "  microslip plot frf.unv:frequency --y 'abs[1.y/24.y]' --log y --out frf.svg\n\n"
      "Where a table has a column \"stable\", curves are dashed where it is 0. Exit code 2: a wrong file or column.");
  return {command, [arguments] { return plot_command(*arguments); }};
}

}  // namespace microslip::cli
