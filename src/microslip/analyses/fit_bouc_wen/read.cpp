#include <fmt/format.h>

#include "microslip/analyses/fit_bouc_wen/analysis.hpp"
#include "microslip/joints/law_traits.hpp"
#include "microslip/joints/make_law.hpp"

namespace microslip {
namespace {

constexpr double least_n = 0.01, most_n = 100.0;

void read_exponent(const TableReader& reader, BoucWenFitOptions& options) {
  constexpr NumberRange range{least_n, most_n, true, true};
  if (reader.has("n")) {
    if (reader.need("n").type == TomlValue::Type::array) {
      const std::vector<double> ends = reader.numbers("n", range);
      if (ends.size() != 2 || !(ends[0] < ends[1])) {
        throw reader.error("n", "n must be a number or a range [from, to] with from < to");
      }
      options.n_low = ends[0];
      options.n_high = ends[1];
    } else {
      options.n = reader.number("n", range);
    }
  }
  if (!reader.has("exponents")) return;
  if (options.n) {
    throw reader.error_at_key(*reader.value().find("exponents"), "exponents goes with a range n = [from, to]");
  }
  options.n_points = static_cast<int>(reader.integer("exponents", 2, 1000));
}

void read_given(const TableReader& reader, BoucWenFitOptions& options) {
  if (reader.has("k0")) options.k0 = reader.number("k0", positive_number);
  if (reader.has("alpha")) options.alpha = reader.number("alpha", {0.0, 1.0, true, false});
  if (!reader.has("A")) return;
  if (reader.need("A").type != TomlValue::Type::string) {
    options.a = reader.number("A", positive_number);
    return;
  }
  static_cast<void>(reader.choice("A", {"free"}));
  if (!options.k0) throw reader.error("A", "A and k0 say the same where both are free: give k0, or leave A at 1");
  options.a.reset();
}

PowerMicroslip iwan_of(const TableReader& start, const StudyParts& parts) {
  std::vector<std::string> names;
  const std::string name = start.string("joint");
  for (const Joint& joint : parts.system.joints()) {
    names.push_back(joint.name);
    if (joint.name != name) continue;
    if (const auto iwan = power_microslip_of(joint.law)) return *iwan;
    throw start.error("joint",
                      fmt::format("joint {} has no power law of microslip, as {} have", in_quotes(name),
                                  laws_that([](const Law& law) { return power_microslip_of(law).has_value(); })));
  }
  throw start.error("joint", fmt::format("there is no joint {}{}", in_quotes(name), suggestion(name, names)));
}

/// The law whose steady cycles are those of an Iwan element.
void read_start(const TableReader& reader, const StudyParts& parts, BoucWenFitOptions& options) {
  if (!reader.has("start")) return;
  const TableReader start = reader.table("start");
  PowerMicroslip iwan;
  if (start.has("joint")) {
    start.allow_only({"joint", "Kinf"});
    iwan = iwan_of(start, parts);
  } else {
    start.allow_only({"FS", "KT", "chi", "beta", "Kinf"});
    iwan.slope = Iwan4Backbone<double>::from_physical(
                     start.number("FS", positive_number), start.number("KT", positive_number),
                     start.number("chi", {-1.0, 1.0, false, true}), start.number("beta", nonnegative_number))
                     .power_slope();
  }
  if (start.has("Kinf")) iwan.residual += start.number("Kinf", nonnegative_number);
  if (!(iwan.slope.power - 1.0 > -0.99)) {
    throw start.error(start.has("chi") ? "chi" : "joint", "chi must be > -0.99: n = 1 + chi must be >= 0.01");
  }
  options.starts.push_back(bouc_wen_like(iwan.slope, iwan.residual));
}

}  // namespace

std::unique_ptr<Analysis> read_fit_bouc_wen_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only(
      {"kind", "name", "data", "motion", "k0", "alpha", "A", "n", "exponents", "method", "start", "max_iterations"});
  auto analysis = std::make_unique<FitBoucWenAnalysis>();
  BoucWenFitOptions& options = analysis->options;
  analysis->data = read_curves(reader, "data", parts);
  if (reader.has("motion")) analysis->motion = read_choice(reader, "motion", FitBoucWenAnalysis::motions);
  read_given(reader, options);
  read_exponent(reader, options);
  options.polish = read_choice_or(reader, "method", options.polish, FitBoucWenAnalysis::methods);
  options.max_iterations = static_cast<int>(reader.integer_or("max_iterations", options.max_iterations, 1, 1'000'000));
  read_start(reader, parts, options);
  for (const CurveSource& source : analysis->data) {
    if (!source.from.empty()) continue;
    const Motion motion = analysis->motion.value_or(motion_of(source.curve));
    if (const auto fault = record_fault(source.curve, motion)) throw fault_error(reader, source, *fault);
  }
  return analysis;
}

}  // namespace microslip
