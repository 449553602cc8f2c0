#include <malloc.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "commands.hpp"
#include "microslip/io/output_file.hpp"
#include "microslip/joints/catalogue.hpp"
#include "microslip/study/study_error.hpp"

namespace {

using namespace microslip;
using namespace microslip::cli;

CLI::App* add_run(CLI::App& app, RunArguments& arguments) {
  auto* command = app.add_subcommand("run", "Run every analysis of a study");
  command->add_option("STUDY", arguments.study, "TOML file")->required();
  command->add_option("--out", arguments.directory, "Directory of the results (default: <study>-results)");
  command->add_flag("--quiet", arguments.quiet, "Print nothing but errors");
  command->add_flag("--mat", arguments.mat, "Write results.mat, for MATLAB, as well");
  command->add_flag("--no-report", arguments.no_report, "No report.html; `microslip report` makes it later");
  command->footer(
      "Example:\n  microslip run study.toml --out results\n\n"
      "Leaves <name>.csv for each analysis, results.h5, summary.json and report.html; with --mat results.mat, a "
      "struct\n"
      "for each table.\n"
      "Exit codes: 0 completed, 1 an analysis did not complete, 2 the study is wrong (nothing written), 130 "
      "interrupted.");
  return command;
}

CLI::App* add_check(CLI::App& app, std::string& study) {
  auto* command = app.add_subcommand("check", "Read a study and say what it means; write nothing");
  command->add_option("STUDY", study, "TOML file")->required();
  command->footer("Example:\n  microslip check study.toml");
  return command;
}

CLI::App* add_new(CLI::App& app, std::string& directory, std::string& example) {
  auto* command = app.add_subcommand("new", "Write a starter study");
  command->add_option("DIR", directory, "Directory, made if need be")->required();
  command->add_option("--example", example, "Which one")->check(CLI::IsMember(example_names()))->capture_default_str();
  command->footer("Example:\n  microslip new bolted --example matrices");
  return command;
}

CLI::App* add_laws(CLI::App& app, LawsArguments& arguments) {
  auto* command = app.add_subcommand("laws", "List the joint laws, or compute the curves of one");
  command->add_option("LAW", arguments.law, "Its parameters follow as --NAME VALUE");
  command->add_option("--amplitude", arguments.amplitude, "Of the backbone and the loop")
      ->check(CLI::PositiveNumber.description("> 0"));
  command->add_option("--points", arguments.points, "Steps of the backbone and of each branch of the loop")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  command->add_option("--out", arguments.directory, "Directory of <law>-backbone.csv and <law>-loop.csv")
      ->capture_default_str();
  command->allow_extras();
  command->footer(
      "Examples:\n  microslip laws\n  microslip laws iwan4 --FS 10 --KT 1 --chi -0.5 --beta 5 --amplitude 2");
  return command;
}

CLI::App* add_plot(CLI::App& app, PlotArguments& arguments) {
  auto* command = app.add_subcommand("plot", "Draw columns of CSV files: SVG or PNG");
  command->add_option("FILE", arguments.files, "CSV file with names in its first line; several are overlaid")
      ->required();
  command->add_option("--x", arguments.x, "Column (default: the first)");
  command->add_option("--y", arguments.y, "Columns, with commas between (default: the second)")->delimiter(',');
  command->add_option("--split", arguments.split, "A curve for each value of these columns")->delimiter(',');
  command->add_option("--where", arguments.where, "Only rows where COLUMN=VALUE; may be repeated")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--map", arguments.map, "Column drawn as colour over --x and --y");
  command
      ->add_option("--log", arguments.log,
                   "Logarithmic axes: x, y, xy; z for the colours of a map; none (default: as "
                   "the columns of results declare, else none)")
      ->check(CLI::IsMember({"none", "x", "y", "z", "xy", "yx", "xz", "yz", "xyz"}));
  command->add_flag("--dots", arguments.dots, "Dots instead of lines");
  command->add_option("--title", arguments.title, "Above the picture");
  command->add_option("--xlabel", arguments.x_label, "Instead of the name of the column");
  command->add_option("--ylabel", arguments.y_label, "Instead of the name of the column");
  command->add_option("--width", arguments.width, "Pixels; a PNG has twice as many")
      ->check(CLI::Range(120, 4000))
      ->capture_default_str();
  command->add_option("--height", arguments.height, "Pixels; a PNG has twice as many")
      ->check(CLI::Range(90, 4000))
      ->capture_default_str();
  command->add_option("--font", arguments.font_size, "Size of the words in pixels")
      ->check(CLI::Range(6.0, 60.0))
      ->capture_default_str();
  command->add_option("--out", arguments.out, "FILE.svg or FILE.png (default: the first FILE, ending in .svg)");
  command->footer(
      "Examples:\n  microslip plot study-results/ring.csv --x time --y 'q[3]' --out ring.svg\n"
      "  microslip plot study-results/qsma.csv --x alpha --y zeta --split mode --log xy --out damping.png\n\n"
      "Where a table has a column \"stable\", curves are dashed where it is 0. Exit code 2: a wrong file or column.");
  return command;
}

CLI::App* add_gallery(CLI::App& app, GalleryArguments& arguments) {
  auto* command = app.add_subcommand("gallery", "Run all studies of a folder and write a page that shows them");
  command->add_option("EXAMPLES", arguments.examples, "Folder; every study below it is run (default: examples)");
  command->add_option("--out", arguments.directory, "Directory of index.html and of the results, one folder a study")
      ->required();
  command->add_option("--jobs", arguments.jobs, "Studies at a time (default: one a core)")->check(CLI::Range(1, 1000));
  command->add_flag("--quiet", arguments.quiet, "Print nothing but errors");
  command->footer(
      "Example:\n  microslip gallery examples --out site\n\n"
      "Values that a paper prints stand in printed.toml beside a study; the page compares them with the results.\n"
      "Exit codes: 0 completed, 1 an analysis did not complete, 2 a study or a printed.toml is wrong, 130 "
      "interrupted.");
  return command;
}

CLI::App* add_report(CLI::App& app, ReportArguments& arguments) {
  auto* command = app.add_subcommand("report", "Rebuild the report of a run, or overlay several runs");
  command->add_option("DIR", arguments.directories, "Directory that `microslip run` wrote; several are overlaid")
      ->required();
  command->add_option("--out", arguments.out, "HTML file (default: DIR/report.html, of several overlay.html)");
  command->footer(
      "Examples:\n  microslip report study-results\n"
      "  microslip report before-results after-results --out comparison.html\n\n"
      "Figures of the same kind, name and title share their axes; the legend tells the runs apart.\n"
      "Exit code 2: not a directory of results.");
  return command;
}

int dispatch(int argc, char** argv) {
  CLI::App app("Structures with friction joints", "microslip");
  app.set_version_flag("--version", "microslip " MICROSLIP_VERSION);
  app.require_subcommand(1);
  app.footer("Example:\n  microslip new demo && microslip run demo/study.toml");
  RunArguments run;
  std::string study;
  std::string directory;
  std::string example = example_names().front();
  LawsArguments laws;
  const auto* run_app = add_run(app, run);
  const auto* check_app = add_check(app, study);
  const auto* new_app = add_new(app, directory, example);
  const auto* laws_app = add_laws(app, laws);
  PlotArguments plot;
  const auto* plot_app = add_plot(app, plot);
  GalleryArguments gallery;
  const auto* gallery_app = add_gallery(app, gallery);
  ReportArguments report;
  const auto* report_app = add_report(app, report);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_completed : exit_wrong_input;
  }
  if (run_app->parsed()) return run_command(run);
  if (check_app->parsed()) return check_command(study);
  if (new_app->parsed()) return new_command(directory, example);
  if (report_app->parsed()) return report_command(report);
  if (plot_app->parsed()) return plot_command(plot);
  if (gallery_app->parsed()) return gallery_command(gallery);
  laws.parameters = laws_app->remaining();
  return laws_command(laws);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Columns of long tables come and go, megabytes each: keep their memory instead of asking the system again.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is said like a full disk, not by dying
  try {
    const int code = dispatch(argc, argv);
    if (std::fflush(stdout) == 0) return code;
    std::fprintf(stderr, "standard output: %s\n", std::strerror(errno));
    return exit_incomplete;
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (const OutputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (const LawError& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "not enough memory\n");
    return exit_incomplete;
  } catch (const std::system_error& error) {  // of fmt::print
    std::fprintf(stderr, "standard output: %s\n", error.what());
    return exit_incomplete;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "unexpected: %s\n", error.what());
    return exit_incomplete;
  }
  return exit_wrong_input;
}
