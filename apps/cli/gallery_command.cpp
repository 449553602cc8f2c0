#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "commands.hpp"
#include "microslip/gallery/gallery.hpp"
#include "microslip/io/write_file.hpp"

namespace microslip::cli {
namespace {

struct GalleryArguments {
  std::string examples;  ///< empty: ./examples, or those of the repository
  std::string directory;
  int jobs = 0;  ///< runs at a time; 0: one a core
  bool quiet = false;
};

volatile std::sig_atomic_t interrupted = 0;

/// Ctrl-C reaches the runs by themselves, which then stop and write what they have; no new one is started.
void start_no_more_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// A study in a process of its own, since HDF5 is for one thread at a time.
pid_t start(const GalleryStudy& study, const std::string& directory) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  int code = exit_incomplete;
  try {
    RunArguments arguments;
    arguments.study = study.path;
    arguments.directory = (std::filesystem::path(directory) / study.name).string();
    arguments.quiet = true;
    code = run_command(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  std::fflush(nullptr);
  _exit(code);
}

struct Finished {
  pid_t child = -1;
  int code = exit_incomplete;
};

Finished wait_for_one() {
  int status = 0;
  pid_t child = -1;
  child = waitpid(-1, &status, 0);  // -1 also when a signal comes
  return {child, WIFEXITED(status) ? WEXITSTATUS(status) : exit_incomplete};
}

/// Not where the studies are: results would overwrite what lies beside them.
void refuse_their_own_folders(const std::vector<GalleryStudy>& studies, const std::string& directory) {
  namespace fs = std::filesystem;
  for (const GalleryStudy& study : studies) {
    const fs::path results = fs::weakly_canonical(fs::path(directory) / study.name);
    if (results != fs::weakly_canonical(fs::path(study.path)).parent_path()) continue;
    throw InputError(
        {study.path, 0, 0},
        fmt::format("its results would be written beside it; give another --out than {}", in_quotes(directory)));
  }
}

/// The worst of the exit codes of the runs.
int run_all(const std::vector<GalleryStudy>& studies, const GalleryArguments& arguments) {
  const std::size_t jobs =
      arguments.jobs > 0 ? static_cast<std::size_t>(arguments.jobs) : std::max(1U, std::thread::hardware_concurrency());
  std::map<pid_t, std::size_t> running;
  std::size_t next = 0, done = 0;
  int worst = exit_completed;
  bool told = false;  // the running ones, to stop
  while (!running.empty() || (next < studies.size() && interrupted == 0)) {
    while (running.size() < jobs && next < studies.size() && interrupted == 0) {
      const pid_t child = start(studies[next], arguments.directory);
      if (child < 0) throw OutputError("no process can be started");
      running[child] = next++;
    }
    if (interrupted != 0 && !told) {
      told = true;
      for (const auto& [child, study] : running) kill(child, SIGTERM);
    }
    const Finished finished = wait_for_one();
    const auto at = running.find(finished.child);
    if (at == running.end()) continue;
    ++done;
    worst = std::max(worst, finished.code);
    if (!arguments.quiet) {
      fmt::print("[{}/{}] {}: {}\n", done, studies.size(), studies[at->second].name,
                 finished.code == 0     ? "completed"
                 : finished.code == 130 ? "interrupted"
                                        : "did not complete");
      std::fflush(stdout);
    }
    running.erase(at);
  }
  return interrupted != 0 ? 130 : worst;
}

int gallery_command(const GalleryArguments& arguments) {
  std::error_code error;
  std::string folder = arguments.examples;
  if (folder.empty()) folder = std::filesystem::is_directory("examples", error) ? "examples" : MICROSLIP_EXAMPLES;
  const std::vector<GalleryStudy> studies = find_gallery_studies(folder);
  const std::vector<PaperItem> items = read_paper_items(folder);
  check_paper_items(items, studies);
  refuse_their_own_folders(studies, arguments.directory);
  std::filesystem::create_directories(arguments.directory, error);
  if (error)
    throw OutputError(fmt::format("{}: the directory cannot be made: {}", arguments.directory, error.message()));
  start_no_more_on_signals();
  int code = run_all(studies, arguments);
  const GalleryPage page = gallery_page(studies, items, arguments.directory, MICROSLIP_VERSION);
  const std::string path = (std::filesystem::path(arguments.directory) / "index.html").string();
  write_file(path, html(page));
  const auto count = [&](RowColour colour) {
    return std::count_if(page.rows.begin(), page.rows.end(), [&](const auto& row) { return row.colour == colour; });
  };
  if (!arguments.quiet) {
    fmt::print("{} printed values: {} agree, {} differ, {} misprints\n", page.rows.size(), count(RowColour::good),
               count(RowColour::bad), count(RowColour::remark));
    if (!page.items.empty()) {
      using State = GalleryItem::State;
      fmt::print(
          "tables and figures of papers: {} reproduced, {} in a test, {} with nothing to compute, {} cannot be had, "
          "{} missing\n",
          count_of(page, State::reproduced), count_of(page, State::tested), count_of(page, State::nothing),
          count_of(page, State::cannot), count_of(page, State::missing) + count_of(page, State::incomplete));
    }
    fmt::print("wrote {}\n", path);
  }
  // A value that cannot be read is a mistake in printed.toml, unless its run came to nothing.
  for (const GalleryStudy& study : studies) {
    ResultFiles results((std::filesystem::path(arguments.directory) / study.name).string());
    for (const PrintedValue& value : study.values) {
      const Comparison comparison = compare(value, results);
      if (comparison.verdict != Comparison::Verdict::not_read) continue;
      fmt::print(stderr, "{}: {}: {}\n", to_string(value.position), value.what, comparison.message);
      if (code == exit_completed) code = exit_wrong_input;
    }
  }
  return code;
}

}  // namespace

Command add_gallery(CLI::App& app) {
  auto arguments = std::make_shared<GalleryArguments>();
  auto* command = app.add_subcommand("gallery", "Run all studies of a folder and write a page that shows them");
  command->add_option("EXAMPLES", arguments->examples, "Folder; every study below it is run (default: examples)");
  command->add_option("--out", arguments->directory, "Directory of index.html and of the results, one folder a study")
      ->required();
  command->add_option("--jobs", arguments->jobs, "Studies at a time (default: one a core)")->check(CLI::Range(1, 1000));
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->footer(
      "Example:\n  microslip gallery examples --out site\n\n"
      "Values that a paper prints stand in printed.toml beside a study; the page compares them with the results.\n"
      "Exit codes: 0 completed, 1 an analysis did not complete, 2 a study or a printed.toml is wrong, 130 "
      "interrupted.");
  return {command, [arguments] { return gallery_command(*arguments); }};
}

}  // namespace microslip::cli
