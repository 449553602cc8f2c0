#include "microslip/input/read_signal.hpp"

#include <fmt/format.h>

#include <limits>
#include <numbers>
#include <utility>

#include "microslip/io/data_table.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr std::size_t most_terms = 10'000;

double angular_frequency(const TableReader& signal, const NumberRange& range) {
  if (signal.exactly_one_of({"omega", "frequency_hz"}) == "omega") return signal.number("omega", range);
  return 2.0 * std::numbers::pi * signal.number("frequency_hz", range);
}

Signal::Kind read_constant(const TableReader& signal) {
  signal.allow_only({"kind", "amplitude"});
  return Constant{signal.number("amplitude", any_number)};
}

Signal::Kind read_half_sine(const TableReader& signal) {
  signal.allow_only({"kind", "amplitude", "duration"});
  return HalfSine{signal.number("amplitude", any_number), signal.number("duration", positive_number)};
}

Signal::Kind read_sine(const TableReader& signal) {
  signal.allow_only({"kind", "amplitude", "omega", "frequency_hz", "phase"});
  return Sine{signal.number("amplitude", any_number), angular_frequency(signal, nonnegative_number),
              signal.number_or("phase", 0.0, any_number)};
}

Signal::Kind read_sine_beat(const TableReader& signal) {
  signal.allow_only({"kind", "amplitude", "omega", "frequency_hz", "bandwidth_hz", "dwell"});
  return SineBeat{signal.number("amplitude", any_number), angular_frequency(signal, positive_number),
                  signal.number("bandwidth_hz", positive_number), signal.number_or("dwell", 0.0, nonnegative_number)};
}

Signal::Kind read_random(const TableReader& signal) {
  signal.allow_only({"kind", "amplitude", "cutoff_hz", "seed", "duration"});
  RandomNoise noise;
  noise.amplitude = signal.number("amplitude", any_number);
  noise.cutoff = signal.number("cutoff_hz", positive_number);
  noise.seed = static_cast<unsigned long long>(signal.integer_or("seed", 1, 0, std::numeric_limits<long long>::max()));
  noise.duration = signal.number_or("duration", 0.0, positive_number);
  return noise;
}

Signal::Kind read_ramped_sine(const TableReader& signal) {
  signal.allow_only({"kind", "from", "to", "over", "omega", "frequency_hz"});
  return RampedSine{signal.number("from", any_number), signal.number("to", any_number),
                    signal.number("over", positive_number), angular_frequency(signal, positive_number)};
}

Signal::Kind read_table(const TableReader& signal) {
  signal.allow_only({"kind", "file", "channel"});
  const std::string channel = signal.string_or("channel", "value");
  return read_named_file(signal, "file", [&](const std::string& path) -> Signal::Kind {
    const CsvTable table = read_data_table(path);
    TableSignal points{table.column("time"), data_column(table, channel)};
    if (points.times.empty()) throw InputError({path, table.header_line, 1}, "the table has no points");
    for (std::size_t i = 1; i < points.times.size(); ++i) {
      if (points.times[i] > points.times[i - 1]) continue;
      throw InputError({path, table.lines[i], 1},
                       fmt::format("time must increase: {} comes after {}", points.times[i], points.times[i - 1]));
    }
    return points;
  });
}

Signal::Kind read_fourier(const TableReader& signal) {
  signal.allow_only({"kind", "omega", "frequency_hz", "mean", "cosines", "sines"});
  Fourier series{angular_frequency(signal, positive_number), signal.number_or("mean", 0.0, any_number), {}, {}};
  if (!signal.has("cosines") && !signal.has("sines")) {
    throw signal.error("kind", "kind = \"fourier\" needs cosines, sines or both: lists with one number a harmonic");
  }
  for (const auto& [key, list] : {std::pair{"cosines", &series.cosines}, std::pair{"sines", &series.sines}}) {
    if (!signal.has(key)) continue;
    *list = signal.numbers(key, any_number);
    if (list->empty()) throw signal.error(key, fmt::format("{}: the list is empty", key));
    if (list->size() > most_terms) {
      throw signal.error(key, fmt::format("{}: at most {} harmonics, got {}", key, most_terms, list->size()));
    }
  }
  return series;
}

}  // namespace

Signal::Kind read_signal(const TableReader& owner, std::string_view key, SignalNotes* notes) {
  const TableReader signal = owner.table(key);
  using Read = Signal::Kind (*)(const TableReader&);
  const std::string kind = signal.choice(
      "kind", {"constant", "half_sine", "sine", "sine_beat", "random", "ramped_sine", "table", "measured", "fourier"});
  if (kind == "measured") {
    SignalNotes unheard;
    return read_measured_signal(signal, notes != nullptr ? *notes : unheard);
  }
  const std::pair<std::string_view, Read> readers[] = {{"constant", read_constant}, {"half_sine", read_half_sine},
                                                       {"sine", read_sine},         {"sine_beat", read_sine_beat},
                                                       {"random", read_random},     {"ramped_sine", read_ramped_sine},
                                                       {"table", read_table},       {"fourier", read_fourier}};
  for (const auto& [name, read] : readers) {
    if (kind == name) return read(signal);
  }
  throw signal.error("kind", "kind is not read");
}

}  // namespace microslip
