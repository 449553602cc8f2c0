// Random systems on which two ways must agree within what both state.
//   differential [--minutes M] [--seed N] [--only NAME] [--cases N] [--case SEED]
// Without options: the same cases every time, in less than a minute. --case is one case again, by the seed that was
// printed when it failed. A case that fails is made smaller as long as it
// fails, and printed as a study. Exit code 1 when one failed, or when fewer than half of the cases of a comparison
// could be compared.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string_view>

#include "comparisons.hpp"

namespace microslip::differential {
namespace {

struct Options {
  double minutes = 0.0;  ///< 0: the cases of the short run
  std::uint64_t seed = 1;
  std::string only;
  int cases = 0;  ///< of each comparison; 0: its own number
  std::optional<std::uint64_t> one_case;
};

struct Count {
  long cases = 0, compared = 0, comparisons = 0, failed = 0;
  double seconds = 0.0;
  std::map<std::string, long> left;
};

std::vector<Comparison> comparisons(const Options& options) {
  std::vector<Comparison> all;
  for (const auto group : {steady_comparisons(), mode_comparisons(), same_comparisons(), record_comparisons()}) {
    for (const Comparison& comparison : group) {
      if (options.only.empty() || options.only == comparison.name) all.push_back(comparison);
    }
  }
  return all;
}

Verdict judge(const Comparison& comparison, const Model& model, Runner& runner) {
  Verdict verdict;
  runner.begin_case();
  comparison.compare(model, runner, verdict);
  return verdict;
}

bool still_fails(const Comparison& comparison, const Model& model, Runner& runner) {
  try {
    return !judge(comparison, model, runner).wrong().empty();
  } catch (const std::exception&) {  // no such study
    return false;
  }
}

/// The smallest model that fails, one thing after another left out.
Model shrunk(const Comparison& comparison, Model model, Runner& runner) {
  for (bool going = true; going;) {
    going = false;
    for (const Model& candidate : smaller(model)) {
      if (study_text(candidate) == study_text(model) || !still_fails(comparison, candidate, runner)) continue;
      model = candidate;
      going = true;
      break;
    }
  }
  return model;
}

void report(const Comparison& comparison, std::uint64_t seed, const Model& model, Runner& runner) {
  const Model least = shrunk(comparison, model, runner);
  const Verdict verdict = judge(comparison, least, runner);
  fmt::print("FAILED {} seed {}\n{}# dice {} {} {} {}, deflection {}\n", comparison.name, seed, runner.first_study(),
             least.dice[0], least.dice[1], least.dice[2], least.dice[3], least.deflection);
  for (const std::string& wrong : verdict.wrong()) fmt::print("  {}\n", wrong);
  std::fflush(stdout);
}

/// Cases of one comparison have seeds of their own, whatever else is run.
std::uint64_t seed_of(const Options& options, const Comparison& comparison, long number) {
  if (options.one_case) return *options.one_case;
  std::uint64_t seed = options.seed;
  for (const char c : std::string_view(comparison.name)) seed = seed * 1099511628211ULL + static_cast<unsigned char>(c);
  return seed * 1000003ULL + static_cast<std::uint64_t>(number);
}

void run_case(const Comparison& comparison, std::uint64_t seed, Count& count) {
  const auto start = std::chrono::steady_clock::now();
  Runner runner(5.0);
  Random random(seed);
  const Model model = comparison.draw(random);
  ++count.cases;
  try {
    const Verdict verdict = judge(comparison, model, runner);
    count.compared += verdict.comparisons() > 0;
    count.comparisons += verdict.comparisons();
    for (const std::string& why : verdict.left()) ++count.left[why.substr(0, 60)];
    if (!verdict.wrong().empty()) {
      ++count.failed;
      report(comparison, seed, model, runner);
    }
  } catch (const std::exception& error) {
    ++count.failed;
    fmt::print("FAILED {} seed {}\n{}\n{}\n", comparison.name, seed, study_text(model), error.what());
  }
  count.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int run(const Options& options) {
  const std::vector<Comparison> all = comparisons(options);
  if (all.empty()) {
    fmt::print(stderr, "no comparison \"{}\"\n", options.only);
    return 2;
  }
  std::vector<Count> counts(all.size());
  const auto start = std::chrono::steady_clock::now();
  const auto minutes = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 60.0;
  };
  for (long number = 0;; ++number) {
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int limit = options.cases > 0 ? options.cases : all[i].cases;
      if (options.minutes > 0.0 ? minutes() >= options.minutes : number >= limit) continue;
      run_case(all[i], seed_of(options, all[i], number), counts[i]);
      any = true;
    }
    if (!any) break;
  }
  long failed = 0, comparisons = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Count& count = counts[i];
    fmt::print("{:<12} {:>5} cases, {:>5} compared, {:>7} bounds, {:>3} failed, {:.1f} s\n", all[i].name, count.cases,
               count.compared, count.comparisons, count.failed, count.seconds);
    for (const auto& [why, times] : count.left) fmt::print("    {} times: {}\n", times, why);
    failed += count.failed;
    if (!options.one_case && 2 * count.compared < count.cases) {
      fmt::print("FAILED {}: too few cases could be compared\n", all[i].name);
      ++failed;
    }
    comparisons += count.comparisons;
  }
  fmt::print("seed {}: {} comparisons, {} cases failed, {:.0f} s\n", options.seed, comparisons, failed,
             60.0 * minutes());
  return failed > 0 ? 1 : 0;
}

Options read(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view key = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(fmt::format("{} needs a value", key));
    const std::string value = argv[++i];
    if (key == "--minutes") {
      options.minutes = std::stod(value);
    } else if (key == "--seed") {
      options.seed = value == "random" ? std::random_device{}() : std::stoull(value);
    } else if (key == "--only") {
      options.only = value;
    } else if (key == "--cases") {
      options.cases = std::stoi(value);
    } else if (key == "--case") {
      options.one_case = std::stoull(value);
      options.cases = 1;
    } else {
      throw std::invalid_argument(
          fmt::format("unknown option {}; there are --minutes, --seed, --only, --cases, --case", key));
    }
  }
  return options;
}

}  // namespace
}  // namespace microslip::differential

int main(int argc, char** argv) {
  try {
    return microslip::differential::run(microslip::differential::read(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
