#include "shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "microslip/io/input_error.hpp"

namespace microslip::cli {
namespace {

constexpr long most_shards = 1'000'000;

std::optional<long> whole_number(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<long> environment(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? whole_number(text) : std::nullopt;
}

TrialShare share_of(long number, long of) {
  return {static_cast<std::size_t>(number), static_cast<std::size_t>(of)};
}

/// First and last number of an array, and the step between two.
struct ArrayJob {
  const char* task;
  const char* first;
  const char* last;
  const char* step;
};
constexpr ArrayJob array_jobs[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"},
    {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"}};

/// Only of an array that is whole: of one that does a few tasks again nobody knows how many there were.
TrialShare from_array_job() {
  for (const ArrayJob& job : array_jobs) {
    const std::optional<long> task = environment(job.task);
    if (!task) continue;
    const long first = environment(job.first).value_or(-1), last = environment(job.last).value_or(-1);
    const long of = environment("SLURM_ARRAY_TASK_COUNT").value_or(last - first + 1);
    const bool whole = environment(job.step).value_or(1) == 1 && (first == 0 || first == 1) && last > first &&
                       of == last - first + 1 && of <= most_shards && *task >= first && *task <= last;
    if (whole) return share_of(*task - first + 1, of);
    throw std::invalid_argument(fmt::format(
        "--shard auto: {} is {}, of an array that does not go from 0 or 1 on through two or more tasks; write --shard "
        "NUMBER/ALL, as --shard ${}/16",
        job.task, *task, job.task));
  }
  throw std::invalid_argument("--shard auto: this is no array job, SLURM_ARRAY_TASK_ID and SGE_TASK_ID are not set");
}

}  // namespace

TrialShare parse_shard(const std::string& text) {
  if (text == "auto") return from_array_job();
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const std::optional<long> number = whole_number(std::string_view(text).substr(0, slash));
    const std::optional<long> of = whole_number(std::string_view(text).substr(slash + 1));
    if (number && of && *number >= 1 && *number <= *of && *of <= most_shards) return share_of(*number, *of);
  }
  throw std::invalid_argument(
      fmt::format("--shard must be K/N with K from 1 to N, as 3/16, or auto, got {}", in_quotes(text)));
}

}  // namespace microslip::cli
