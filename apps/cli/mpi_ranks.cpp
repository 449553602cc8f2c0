#include "mpi_ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace microslip::cli {
namespace {

std::unique_ptr<Ranks> running;

/// Ranks that the environment tells of; 0: it does not say, but that there are some; 1: none but this.
long ranks_in_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    long size = 0;
    std::from_chars(text, text + std::strlen(text), size);
    return size > 0 ? size : 1;
  }
  return std::getenv("PMIX_RANK") != nullptr ? 0 : 1;
}

/// Beside the program as it is built, or where it is installed.
void* open_plugin() {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& path : {here / "microslip-mpi.so", here / MICROSLIP_MPI_INSTALLED}) {
    // MPI loads parts of itself, which look for its symbols among those of the program.
    if (void* plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return plugin;
    if (!std::filesystem::exists(path)) continue;
    const char* why = dlerror();
    throw std::invalid_argument(fmt::format("{}: cannot be loaded: {}", path.string(), why != nullptr ? why : ""));
  }
  throw std::invalid_argument(
      "this program was built without MPI: install libopenmpi-dev, or the like, and build it again; or use --shard");
}

}  // namespace

Ranks* join_ranks() {
  const long expected = ranks_in_environment();
  if (expected == 1) return nullptr;
  using Make = Ranks* (*)(const char* version);
  const auto make = reinterpret_cast<Make>(dlsym(open_plugin(), "microslip_ranks"));
  running.reset(make != nullptr ? make(MICROSLIP_VERSION) : nullptr);
  if (!running) throw std::invalid_argument("microslip-mpi.so is of another version than the program");
  if (expected > 1 && running->size() != expected) {
    throw std::invalid_argument(
        fmt::format("there are to be {} ranks, and MPI knows of {}: start them with the mpirun of the MPI that the "
                    "program was built with",
                    expected, running->size()));
  }
  return running.get();
}

void go_on_together(Ranks& ranks) {
  constexpr char word[] = "g";
  for (int rank = 1; ranks.rank() == 0 && rank < ranks.size(); ++rank) ranks.send(rank, word);
  while (ranks.rank() != 0 && !ranks.receive()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void leave_ranks() {
  running.reset();
}

void end_ranks(int exit_code) {
  if (running) running->abort(exit_code);
}

}  // namespace microslip::cli
