#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "commands.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/joints/catalogue.hpp"
#include "microslip/joints/joint_memory.hpp"
#include "microslip/joints/make_law.hpp"
#include "microslip/results/csv_sink.hpp"
#include "microslip/results/law_curves.hpp"

namespace microslip::cli {
namespace {

struct LawsArguments {
  std::string law;                      ///< empty: list all
  std::vector<std::string> parameters;  ///< "--FS", "10", ... as typed
  std::optional<double> amplitude;
  int points = 200;
  std::string directory = ".";
};

const std::string command_line = "command line";

void print_parameter(const ParameterInfo& parameter) {
  const std::string fallback =
      parameter.default_value ? fmt::format(", default {:g}", *parameter.default_value) : std::string();
  fmt::print("    {:<10} [{}] {}{}: {}\n", parameter.name, parameter.unit, parameter.range(), fallback,
             parameter.meaning);
}

void print_law(const LawInfo& law) {
  fmt::print("{}: {}\n", law.name, law.summary);
  bool first = true;
  for (const auto& set : law.sets) {
    if (!first && !set.empty()) fmt::print("  or\n");
    for (const ParameterInfo& parameter : set) print_parameter(parameter);
    first = false;
  }
  if (law.series) fmt::print("    k1, k2, ...  [force/length^j] finite: coefficients\n");
  for (const ParameterInfo& parameter : law.optional) {
    ParameterInfo info = parameter;
    info.meaning += " (optional)";
    print_parameter(info);
  }
  for (const ExtraKey& extra : law.extra) fmt::print("    {:<10} {}\n", extra.name, extra.meaning);
}

/// As one may type them.
std::string parameters_of(const LawSpec& spec) {
  std::string text;
  for (const auto& [key, value] : spec.numbers) text += fmt::format(" --{}={:g}", key, value);
  for (const auto& [key, points] : {std::pair{"u", &spec.table_u}, std::pair{"f", &spec.table_f}}) {
    if (!points->empty()) text += fmt::format(" --{}={:g}", key, fmt::join(*points, ","));
  }
  return text;
}

int list_laws() {
  for (const LawInfo& law : law_catalogue()) print_law(law);
  fmt::print(
      "\nUnits are those of the study. Curves of a law, e.g.:\n"
      "  microslip laws iwan4 --FS 10 --KT 1 --chi -0.5 --beta 5 --amplitude 2\n");
  return exit_completed;
}

std::vector<double> number_list(const std::string& text, const std::string& option) {
  LineReader lines(text);
  std::vector<Token> tokens;
  std::vector<double> numbers;
  if (lines.next()) lines.split(',', tokens);
  for (const Token& token : tokens) numbers.push_back(parse_number({token.text, 0, 0}, command_line, option));
  return numbers;
}

void set_parameter(LawSpec& spec, const LawInfo& law, const std::string& key, const std::string& value) {
  const bool table_law = law.points != PointsOf::nothing;
  const bool takes_file = law.points == PointsOf::backbone;
  const auto keys = law.keys();
  if (key == "normal" && std::find(keys.begin(), keys.end(), key) != keys.end()) {
    throw std::invalid_argument(
        fmt::format("--normal belongs to a joint in a study; the curves of {} are for a normal load of 1", law.name));
  }
  if (takes_file && key == "backbone") {
    const CsvTable table = read_csv_table(value);
    spec.table_u = table.column("u");
    spec.table_f = table.column("f");
  } else if (table_law && key == "u") {
    spec.table_u = number_list(value, "--u");
  } else if (table_law && key == "f") {
    spec.table_f = number_list(value, "--f");
  } else if (takes_file && key == "interpolation") {
    spec.interpolation = value;
  } else if (spec.has(key)) {
    throw std::invalid_argument(fmt::format("--{} is there twice", key));
  } else {
    spec.numbers.emplace_back(key, parse_number({value, 0, 0}, command_line, "--" + key));
  }
}

/// "--FS", "10" or "--FS=10".
LawSpec parse_parameters(const LawInfo& law, const std::vector<std::string>& words) {
  LawSpec spec;
  spec.law = law.name;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() < 3 || word.compare(0, 2, "--") != 0) {
      throw std::invalid_argument(fmt::format("expected --PARAMETER VALUE, got {}", in_quotes(word)));
    }
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) {
      set_parameter(spec, law, word.substr(2, equals - 2), word.substr(equals + 1));
    } else if (i + 1 < words.size()) {
      set_parameter(spec, law, word.substr(2), words[i + 1]);
      ++i;
    } else {
      throw std::invalid_argument(fmt::format("{} needs a value", word));
    }
  }
  return spec;
}

void print_derived(const LawSpec& spec, const Law& law) {
  const auto print = [](std::string_view name, double value) { fmt::print("{:<22} {:.9g}\n", name, value); };
  if (const auto distribution = iwan_distribution(spec)) {
    print("FS", distribution->yield_force());
    print("KT", distribution->initial_slope());
    print("chi", distribution->chi());
    print("beta", distribution->beta());
    print("R", distribution->r());
    print("S", distribution->s());
    print("phi_max", distribution->phi_max());
    print("share", distribution->share());
  }
  std::visit(
      [&]<class L>(const L& l) {
        if constexpr (!UsersLaw<L>) {
          print("stuck stiffness", l.stuck_stiffness());
          print("slipped stiffness", l.slipped_stiffness());
        }
      },
      law);
}

/// Closed forms where the law has them, else the numbers of the loop.
void print_at_amplitude(const Law& law, double amplitude, LoopNumbers numbers) {
  std::visit(
      [&]<class L>(const L& l) {
        if constexpr (TellsDissipation<L>) numbers.dissipation = l.dissipation(amplitude);
        if constexpr (TellsSecant<L>) numbers.secant_stiffness = l.secant_stiffness(amplitude);
      },
      law);
  fmt::print("at amplitude {:g}\n", amplitude);
  fmt::print("{:<22} {:.9g}\n", "dissipation per cycle", numbers.dissipation);
  fmt::print("{:<22} {:.9g}\n", "secant stiffness", numbers.secant_stiffness);
}

void require_finite_force(const Law& law, double amplitude) {
  if (!(amplitude > 0.0) || !std::isfinite(amplitude)) {
    throw std::invalid_argument(fmt::format("--amplitude must be a number > 0, got {}", amplitude));
  }
  const Law* laws[] = {&law};
  JointMemory memory(laws);
  JointResponse response = memory.make_response();
  const double rate = 0.0;
  memory.evaluate(&amplitude, &rate, 0.0, response);
  if (!std::isfinite(response.force[0])) {
    throw std::invalid_argument(fmt::format("the force at --amplitude {:g} is beyond any number", amplitude));
  }
}

void write_curves(const LawsArguments& arguments, const Law& law) {
  std::error_code error;
  const std::filesystem::path folder(arguments.directory);
  std::filesystem::create_directories(folder, error);
  const std::string backbone_path = (folder / (arguments.law + "-backbone.csv")).string();
  const std::string loop_path = (folder / (arguments.law + "-loop.csv")).string();
  CsvSink backbone(backbone_path);
  write_backbone(law, *arguments.amplitude, arguments.points, backbone);
  backbone.close();
  CsvSink loop(loop_path);
  const LoopNumbers numbers = write_loop(law, *arguments.amplitude, arguments.points, loop);
  loop.close();
  print_at_amplitude(law, *arguments.amplitude, numbers);
  fmt::print("wrote {}, {}\n", backbone_path, loop_path);
}

int laws_command(const LawsArguments& arguments) {
  if (arguments.law.empty()) {
    if (!arguments.parameters.empty()) throw std::invalid_argument("name a law before its parameters");
    return list_laws();
  }
  const LawInfo* info = find_law(arguments.law);
  if (info == nullptr) check_law(LawSpec{arguments.law, {}, {}, {}, {}});  // throws with the nearest name
  if (arguments.parameters.empty() && !arguments.amplitude) {
    print_law(*info);
    fmt::print("Curves of it, e.g.:\n");
    for (const LawExample& example : info->examples) {
      fmt::print("  microslip laws {}{} --amplitude 1.5\n", info->name, parameters_of(example.spec));
    }
    return exit_completed;
  }
  const LawSpec spec = parse_parameters(*info, arguments.parameters);
  const Law law = make_law(spec);
  if (arguments.amplitude) require_finite_force(law, *arguments.amplitude);
  print_derived(spec, law);
  if (arguments.amplitude) write_curves(arguments, law);
  return exit_completed;
}

}  // namespace

Command add_laws(CLI::App& app) {
  auto arguments = std::make_shared<LawsArguments>();
  auto* command = app.add_subcommand("laws", "List the joint laws, or compute the curves of one");
  command->add_option("LAW", arguments->law, "Its parameters follow as --NAME VALUE");
  command->add_option("--amplitude", arguments->amplitude, "Of the backbone and the loop")
      ->check(CLI::PositiveNumber.description("> 0"));
  command->add_option("--points", arguments->points, "Steps of the backbone and of each branch of the loop")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  command->add_option("--out", arguments->directory, "Directory of <law>-backbone.csv and <law>-loop.csv")
      ->capture_default_str();
  command->allow_extras();
  command->footer(
      "Examples:\n  microslip laws\n  microslip laws iwan4 --FS 10 --KT 1 --chi -0.5 --beta 5 --amplitude 2");
  return {command, [arguments, command] {
            arguments->parameters = command->remaining();
            return laws_command(*arguments);
          }};
}

}  // namespace microslip::cli
