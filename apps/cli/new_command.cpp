#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "microslip/io/write_file.hpp"
#include "starter_studies.hpp"

namespace microslip::cli {
namespace {

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const StarterStudy& study : starter_studies()) names.emplace_back(study.name);
  return names;
}

int new_command(const std::string& directory, const std::string& example) {
  const auto studies = starter_studies();
  const auto study = std::find_if(studies.begin(), studies.end(), [&](const auto& s) { return s.name == example; });
  const std::filesystem::path folder(directory);
  for (const StarterFile& file : study->files) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(folder / file.name))) continue;
    fmt::print(stderr, "{} exists already; nothing was written\n", (folder / file.name).string());
    return exit_wrong_input;
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw OutputError(fmt::format("{}: the directory cannot be made: {}", directory, error.message()));
  for (const StarterFile& file : study->files) {
    write_file((folder / file.name).string(), file.text);
    fmt::print("wrote {}\n", (folder / file.name).string());
  }
  fmt::print("next: microslip run {}\n", (folder / "study.toml").string());
  return exit_completed;
}

}  // namespace

Command add_new(CLI::App& app) {
  auto directory = std::make_shared<std::string>();
  auto example = std::make_shared<std::string>(example_names().front());
  auto* command = app.add_subcommand("new", "Write a starter study");
  command->add_option("DIR", *directory, "Directory, made if need be")->required();
  command->add_option("--example", *example, "Which one")->check(CLI::IsMember(example_names()))->capture_default_str();
  command->footer("Example:\n  microslip new bolted --example matrices");
  return {command, [directory, example] { return new_command(*directory, *example); }};
}

}  // namespace microslip::cli
