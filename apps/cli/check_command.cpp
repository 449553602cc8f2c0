#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <numbers>

#include "commands.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/damping_remark.hpp"
#include "microslip/study/study.hpp"

namespace microslip::cli {
namespace {

std::string shortened(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 12;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size()));
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), names.size() > shown ? ", ..." : "");
}

void print_joints(const System& system) {
  for (const Joint& joint : system.joints()) {
    std::vector<std::string> terms;
    for (Eigen::Index i = 0; i < joint.directions.rows(); ++i) {
      if (joint.directions(i, 0) == 0.0) continue;
      terms.push_back(fmt::format("{:+g} q[{}]", joint.directions(i, 0), system.structure().labels()[i]));
    }
    fmt::print("joint \"{}\": u = {}\n", joint.name, shortened(terms));
  }
}

void print_frequencies(const System& system, const UnitLabels& units) {
  constexpr Eigen::Index shown = 10;
  const Modes& modes = system.stuck_modes();
  const Eigen::VectorXd zeta = system.damping_ratios();
  const auto computed = static_cast<Eigen::Index>(system.computed_modes());
  fmt::print("stuck modes: {}{}\n", computed,
             system.truncated() ? ", the rest of the structure answers statically" : "");
  for (Eigen::Index i = 0; i < std::min(shown, computed); ++i) {
    fmt::print("  {:>3}  omega = {:<12.6g} {}  ({:.6g} per {}), zeta = {:.3g}\n", i + 1, modes.omega(i),
               units.of("rad/time"), modes.omega(i) / (2.0 * std::numbers::pi), units.of("time"), zeta(i));
  }
  if (computed > shown) fmt::print("  ...\n");
}

/// What Rayleigh's a M damps where the ground moves.
void print_mass_term(const Study& study) {
  const auto* rayleigh = std::get_if<RayleighDamping>(&study.system.structure().damping());
  const auto moves = [](const LoadDefinition& load) { return load.base; };
  if (rayleigh == nullptr || rayleigh->a == 0.0 || std::none_of(study.loads.begin(), study.loads.end(), moves)) return;
  fmt::print("rayleigh damping: a M acts on the {} motion (mass_term)\n",
             rayleigh->absolute_mass_term ? "absolute" : "relative");
}

int check_command(const std::string& file) {
  const Study study = load_study(file);
  const auto& labels = study.system.structure().labels();
  if (!study.title.empty()) fmt::print("{}\n", study.title);
  if (study.system.empty()) {
    fmt::print("no structure: measurements alone\n");
  } else {
    fmt::print("degrees of freedom: {} ({})\n", labels.size(), shortened(labels));
    for (const std::string& line : in_lines(study.facts, study.units)) fmt::print("{}\n", line);
    print_joints(study.system);
    print_frequencies(study.system, study.units);
  }
  const std::string odd = damping_remark(study.system);
  if (!odd.empty()) fmt::print("  warning: {}\n", odd);
  for (const LoadDefinition& load : study.loads) {
    fmt::print("load \"{}\"{}\n", load.name, load.base ? ": base motion" : "");
    if (!load.note.empty()) fmt::print("  warning: {}\n", load.note);
  }
  print_mass_term(study);
  for (const AnalysisPointer& analysis : study.analyses) {
    fmt::print("{} \"{}\": {}\n", analysis->kind_word, analysis->name, analysis->describe());
  }
  fmt::print("{} is right; nothing was written\n", file);
  return exit_completed;
}

}  // namespace

Command add_check(CLI::App& app) {
  auto study = std::make_shared<std::string>();
  auto* command = app.add_subcommand("check", "Read a study and say what it means; write nothing");
  command->add_option("STUDY", *study, "TOML file")->required();
  command->footer("Example:\n  microslip check study.toml");
  return {command, [study] { return check_command(*study); }};
}

}  // namespace microslip::cli
