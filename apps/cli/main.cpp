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
#include "microslip/toml/study_error.hpp"
#include "mpi_ranks.hpp"

namespace {

using namespace microslip;
using namespace microslip::cli;

int dispatch(int argc, char** argv) {
  CLI::App app("Structures with friction joints", "microslip");
  app.set_version_flag("--version", "microslip " MICROSLIP_VERSION);
  app.require_subcommand(1);
  app.footer("Example:\n  microslip new demo && microslip run demo/study.toml");
  Command commands[] = {add_run(app),     add_check(app),  add_new(app),    add_laws(app), add_plot(app),
                        add_gallery(app), add_report(app), add_trials(app), add_merge(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_completed : exit_wrong_input;
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return exit_wrong_input;  // CLI11 asks for one of them
}

/// The exit code, whatever is thrown.
int guarded(int argc, char** argv) {
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

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Columns of long tables come and go, megabytes each: keep their memory instead of asking the system again.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is said like a full disk, not by dying
  const int code = guarded(argc, argv);
  end_ranks(code);
  return code;
}
