#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/read_earlier.hpp"
#include "microslip/analyses/read_measured_modes.hpp"
#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/analyses/study_identity.hpp"
#include "microslip/analyses/update/analysis.hpp"
#include "microslip/analyses/update/predicted_curves.hpp"
#include "microslip/analyses/update/targets.hpp"
#include "microslip/inference/sobol.hpp"
#include "microslip/io/channel_name.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

constexpr std::string_view test_curve_kinds[] = {QsmaAnalysis::kind, RingdownAnalysis::kind};
constexpr std::string_view test_modes_kinds[] = {"modal_fit"};
constexpr NumberRange relative_error{0.0, 1.0, false, true};

/// What of the target is compared: each word once, of these.
std::vector<std::string> read_compared(const TableReader& reader, const std::vector<std::string>& words,
                                       std::vector<std::string> usual) {
  if (!reader.has("compare")) return usual;
  std::vector<std::string> result;
  for (const TomlValue& item : reader.as_list(reader.need("compare"), "compare")) {
    const std::string& word = reader.as_string(item, "compare");
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      throw reader.error(item, fmt::format("compare: unknown word {}{}", in_quotes(word), suggestion(word, words)));
    }
    if (std::find(result.begin(), result.end(), word) != result.end()) {
      throw reader.error(item, fmt::format("compare: {} is there twice", in_quotes(word)));
    }
    result.push_back(word);
  }
  if (result.empty()) throw reader.error("compare", "compare: the list is empty");
  return result;
}

bool compares(const std::vector<std::string>& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void read_curve_source(const TableReader& reader, const StudyParts& parts, TestCurve& curve) {
  std::vector<int> known;
  if (reader.has("curve")) {
    const EarlierAnalysis& source = find_earlier(reader, reader.need("curve"), "curve", test_curve_kinds, parts);
    curve.from = source.name;
    curve.columns.qsma = source.kind == QsmaAnalysis::kind;
    known = source.modes;
  } else {
    curve.data = read_named_file(reader, "data",
                                 [](const std::string& path) { return amplitude_curves_of(read_data_table(path)); });
    for (const AmplitudeCurve& each : curve.data) known.push_back(each.mode);
  }
  if (!reader.has("mode") && known.size() == 1) {
    curve.mode = known.front();
  } else {
    curve.mode = static_cast<int>(reader.integer("mode", 1, 1'000'000));
  }
  if (!known.empty() && std::find(known.begin(), known.end(), curve.mode) == known.end()) {
    throw reader.error("mode", fmt::format("mode must be one of {}, got {}", fmt::join(known, ", "), curve.mode));
  }
}

TestCurve read_test_curve(const TableReader& reader, const StudyParts& parts, const ModelOfStudy& model) {
  reader.allow_only({"curve", "data", "name", "mode", "model_mode", "compare", "form", "range", "errors", "weight",
                     "clean_only", "discrepancy", "per_decade"});
  TestCurve curve;
  read_curve_source(reader, parts, curve);
  CurveTarget& target = curve.target;
  const ModelModes& modes = model.model->modes();
  const auto count = static_cast<int>(modes.omega.size());
  const bool own = reader.has("model_mode");
  const char* key = own ? "model_mode" : "mode";
  target.mode = (own ? static_cast<int>(reader.integer("model_mode", 1, count)) : curve.mode) - 1;
  if (target.mode >= count) {
    throw reader.error(key, fmt::format("the model has modes 1 to {}: say which of them it is, model_mode", count));
  }
  if (target.mode < modes.rigid) {
    throw reader.error(key, fmt::format("mode {} of the model is a rigid motion{}", target.mode + 1,
                                        own ? "" : ": say which mode of the model it is, model_mode"));
  }
  const auto compared =
      read_compared(reader, {"frequency", "frequency_shift", "damping"}, {"frequency_shift", "damping"});
  if (compares(compared, "frequency") && compares(compared, "frequency_shift")) {
    throw reader.error("compare", "compare: either the frequency or its shift");
  }
  target.shift = compares(compared, "frequency_shift");
  curve.omega = target.shift || compares(compared, "frequency");
  curve.zeta = compares(compared, "damping");
  target.secant = reader.has("form") && reader.choice("form", {"ringdown", "secant"}) == "secant";
  curve.columns.secant_omega = curve.columns.secant_zeta = target.secant;
  if (reader.has("clean_only") && (curve.columns.qsma || curve.from.empty())) {
    throw reader.error_at_key(*reader.value().find("clean_only"), "clean_only goes with ring-downs");
  }
  curve.columns.clean_only = reader.flag_or("clean_only", true);
  if (reader.has("range")) {
    const std::vector<double> range = reader.numbers("range", positive_number);
    if (range.size() != 2 || !(range[0] < range[1])) {
      throw reader.error("range", "range must be [from, to], amplitudes q with 0 < from < to");
    }
    curve.q_low = range[0];
    curve.q_high = range[1];
  }
  if (reader.has("errors")) {
    const TableReader errors = reader.table("errors");
    errors.allow_only({"frequency", "damping"});
    if (errors.has("frequency")) curve.omega_error = errors.number("frequency", relative_error);
    if (errors.has("damping")) curve.zeta_error = errors.number("damping", relative_error);
  }
  if (curve.columns.qsma && ((curve.omega && !curve.omega_error) || (curve.zeta && !curve.zeta_error))) {
    throw reader.error("errors",
                       "a computed curve has no errors: give errors = { frequency = .., damping = .. }, "
                       "relative standard errors");
  }
  curve.weight = reader.number_or("weight", 1.0, positive_number);
  target.discrepancy = reader.flag_or("discrepancy", true);
  target.per_decade = static_cast<int>(reader.integer_or("per_decade", target.per_decade, 4, 200));
  target.name = reader.string_or("name", fmt::format("mode {}", curve.mode));
  return curve;
}

void read_test_shapes(const TableReader& reader, const std::vector<std::string>& compared, TestModes& modes) {
  ModeTarget& target = modes.target;
  if (compares(compared, "shapes") && compares(compared, "mac")) {
    throw reader.error("compare", "compare: either the shapes or 1 - MAC");
  }
  target.shape_rows = compares(compared, "shapes") ? ShapeRows::components
                      : compares(compared, "mac")  ? ShapeRows::mac
                                                   : ShapeRows::none;
  modes.frequencies = compares(compared, "frequency");
  if (reader.has("errors")) {
    const TableReader errors = reader.table("errors");
    errors.allow_only({"frequency", "shapes", "mac"});
    if (errors.has("frequency")) modes.frequency_error = errors.number("frequency", relative_error);
    if (errors.has("shapes")) modes.shape_error = errors.number("shapes", relative_error);
    target.mac_error = errors.number_or("mac", target.mac_error, relative_error);
  }
}

TestModes read_test_modes(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"modes", "shapes", "name", "mode", "compare", "errors", "weight", "discrepancy"});
  TestModes modes;
  const auto compared = read_compared(reader, {"frequency", "shapes", "mac"}, {"frequency", "shapes"});
  read_test_shapes(reader, compared, modes);
  if (reader.has("modes")) {
    modes.from = find_earlier(reader, reader.need("modes"), "modes", test_modes_kinds, parts).name;
  } else {
    modes.data = read_measured_modes(reader);
    if (!(modes.data->frequency_hz.minCoeff() > 0.0)) {
      throw reader.error("shapes", "shapes: every mode needs its frequency, a column frequency_hz with numbers > 0");
    }
    const LinearStructure& structure = parts.system.structure();
    const auto known = [&](const std::string& name) {
      return channel_or_opposite(name, [&](const std::string& each) { return structure.index_of(each); }).place >= 0;
    };
    if (std::none_of(modes.data->channels.begin(), modes.data->channels.end(), known)) {
      throw reader.error("shapes", fmt::format("shapes: no channel is a degree of freedom or a point of the model; the "
                                               "first is {}{}",
                                               in_quotes(modes.data->channels.front()),
                                               suggestion(modes.data->channels.front(), structure.labels())));
    }
    if (modes.frequencies && modes.data->frequency_error.size() == 0 && !modes.frequency_error) {
      throw reader.error("errors",
                         "the file has no frequency_hz_error: give errors = { frequency = .. }, a relative "
                         "standard error");
    }
    if (modes.target.shape_rows == ShapeRows::components && !modes.shape_error) {
      throw reader.error("errors",
                         "the file has no errors of shapes: give errors = { shapes = .. }, a share of the "
                         "largest component");
    }
  }
  if (reader.has("mode")) {
    const TomlValue& value = reader.need("mode");
    for (const TomlValue& item : value.type == TomlValue::Type::array ? value.items : std::vector<TomlValue>{value}) {
      if (item.type != TomlValue::Type::integer || item.integer < 1 || item.integer > 1'000'000) {
        throw reader.error(item, fmt::format("mode must be an integer from 1, got {}", item.describe_no_integer()));
      }
      modes.modes.push_back(static_cast<int>(item.integer));
      if (!modes.data) continue;
      const std::vector<int>& numbers = modes.data->numbers;
      if (std::find(numbers.begin(), numbers.end(), modes.modes.back()) == numbers.end()) {
        throw reader.error(item, fmt::format("mode must be one of {}, got {}", fmt::join(numbers, ", "), item.integer));
      }
    }
  }
  modes.weight = reader.number_or("weight", 1.0, positive_number);
  modes.target.discrepancy = reader.flag_or("discrepancy", false);
  modes.target.name = reader.string_or("name", "modes");
  return modes;
}

TestLoop read_test_loop(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"loop", "name", "joint", "settled", "errors", "weight", "discrepancy"});
  TestLoop loop;
  std::vector<CurveSource> sources = read_curves(reader, "loop", parts);
  if (sources.size() != 1) {
    throw reader.error("loop", fmt::format("loop: a target is one loop, here are {}", sources.size()));
  }
  loop.source = std::move(sources.front());
  if (!loop.source.weight.empty() || !loop.source.curve.weight.empty()) {
    throw reader.error("loop", "loop: rows of a loop count alike: no weight, but errors = { force = .. }");
  }
  LoopTarget& target = loop.target;
  std::vector<std::string> names;
  for (const Joint& joint : parts.system.joints()) names.push_back(joint.name);
  const std::string joint = names.size() == 1 ? reader.string_or("joint", names.front()) : reader.string("joint");
  const auto found = std::find(names.begin(), names.end(), joint);
  if (found == names.end()) {
    throw reader.error("joint", fmt::format("unknown joint {}{}", in_quotes(joint), suggestion(joint, names)));
  }
  target.joint = static_cast<int>(found - names.begin());
  target.settled = reader.flag_or("settled", true);
  const TableReader errors = reader.table("errors");
  errors.allow_only({"force"});
  loop.force_error = errors.number("force", relative_error);
  target.weight = reader.number_or("weight", 1.0, positive_number);
  target.discrepancy = reader.flag_or("discrepancy", true);
  target.name = reader.string_or("name", fmt::format("joint {}", joint));
  if (!loop.source.from.empty()) return loop;
  try {
    static_cast<void>(loop_target(loop, loop.source.curve));
  } catch (const std::invalid_argument& fault) {
    throw reader.error("loop", fault.what());
  }
  return loop;
}

/// choose = "knee", { point = 3 } or { weights = [1.0, 10.0] }, of a front; of trials "least", "knee", { trial = 3 } or
/// weights.
void read_chosen_point(const TableReader& reader, UpdateAnalysis& analysis) {
  const bool trials = analysis.method == UpdateMethod::sample;
  if (!reader.has("choose")) return;
  if (reader.need("choose").type == TomlValue::Type::string) {
    analysis.choose_knee =
        (trials ? reader.choice("choose", {"least", "knee"}) : reader.choice("choose", {"knee"})) == "knee";
    return;
  }
  const TableReader choose = reader.table("choose");
  const char* number = trials ? "trial" : "point";
  choose.allow_only({number, "weights"});
  if (choose.exactly_one_of({number, "weights"}) == number) {
    const auto last = trials ? static_cast<long long>(analysis.samples) : 1'000'000;
    analysis.chosen_point = static_cast<std::size_t>(choose.integer(number, 1, last));
    return;
  }
  analysis.chosen_weights = choose.numbers("weights", nonnegative_number);
  const bool two = analysis.chosen_weights.size() == 2 && analysis.chosen_weights[0] + analysis.chosen_weights[1] > 0.0;
  if (!two) throw choose.error("weights", "weights must be [of frequency, of damping], not both 0");
}

/// An update further up that samples the same parameters, to begin from its best trials.
void read_from(const TableReader& reader, const StudyParts& parts, UpdateAnalysis& analysis) {
  if (!reader.has("from")) return;
  constexpr std::string_view kinds[] = {UpdateAnalysis::kind};
  const EarlierAnalysis& earlier = find_earlier(reader, reader.need("from"), "from", kinds, parts);
  const auto* sample = dynamic_cast<const UpdateAnalysis*>(earlier.analysis.get());
  if (sample == nullptr || sample->method != UpdateMethod::sample) {
    throw reader.error("from", fmt::format("from: {} has no trials; it must be an update with method = \"sample\"",
                                           in_quotes(earlier.name)));
  }
  for (const UpdateParameter& own : analysis.model.parameters) {
    const auto& theirs = sample->model.parameters;
    if (std::any_of(theirs.begin(), theirs.end(), [&](const auto& p) { return p.name == own.name; })) continue;
    throw reader.error("from",
                       fmt::format("from: {} has no parameter {}", in_quotes(earlier.name), in_quotes(own.name)));
  }
  if (analysis.method == UpdateMethod::pareto && !(sample->compares_frequency() && sample->compares_damping())) {
    throw reader.error("from", fmt::format("from: {} compares no frequencies, or no damping: its trials have no front",
                                           in_quotes(earlier.name)));
  }
  analysis.from = earlier.name;
}

/// Options of one method, each refused by the others.
void read_method_options(const TableReader& reader, const StudyParts& parts, UpdateAnalysis& analysis) {
  const auto count = [&](std::string_view key, std::size_t usual, long long low, long long high) {
    return static_cast<std::size_t>(reader.integer_or(key, static_cast<long long>(usual), low, high));
  };
  const auto only = [&](std::initializer_list<UpdateMethod> methods, std::initializer_list<std::string_view> keys) {
    if (std::find(methods.begin(), methods.end(), analysis.method) != methods.end()) return;
    std::vector<std::string> words;
    for (const UpdateMethod method : methods) words.push_back(fmt::format("\"{}\"", word_of(method, update_methods)));
    for (const std::string_view key : keys) reader.refuse(key, fmt::format("method = {}", fmt::join(words, " or ")));
  };
  using enum UpdateMethod;
  only({least_squares}, {"starts"});
  only({posterior}, {"chains", "warmup", "draws", "predictions"});
  only({pareto}, {"points"});
  only({sample}, {"sampling"});
  only({pareto, sample}, {"samples", "choose"});
  only({least_squares, pareto}, {"from"});
  const bool trials = analysis.method == sample;
  analysis.options.starts = count("starts", analysis.options.starts, 1, 10'000);
  analysis.posterior.chains = count("chains", analysis.posterior.chains, 2, 64);
  analysis.posterior.warmup = count("warmup", analysis.posterior.warmup, 100, 100'000);
  analysis.posterior.draws = count("draws", analysis.posterior.draws, 100, 100'000);
  analysis.predictions = read_predictions(reader, analysis.model);
  analysis.pareto.points = count("points", analysis.pareto.points, 3, 1'000);
  (trials ? analysis.samples : analysis.pareto.samples) =
      count("samples", trials ? analysis.samples : analysis.pareto.samples, 1, trials ? 10'000'000 : 1'000'000);
  analysis.sampling = read_choice_or(reader, "sampling", analysis.sampling, sample_kinds);
  if (analysis.sampling == SampleKind::sobol && trials && analysis.model.parameters.size() > most_sobol_dimensions) {
    throw reader.error("sampling", fmt::format("Sobol' points have up to {} parameters, here are {}: take sampling = "
                                               "\"latin_hypercube\"",
                                               most_sobol_dimensions, analysis.model.parameters.size()));
  }
  read_chosen_point(reader, analysis);
  const auto seed = static_cast<std::uint64_t>(reader.integer_or("seed", 1, 0, 1'000'000'000));
  analysis.options.seed = analysis.posterior.seed = analysis.pareto.seed = seed;
  constexpr long long most_threads = 1024;
  const auto cores = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), most_threads);
  const std::size_t threads = count("threads", trials ? cores : 1, 1, most_threads);
  analysis.options.threads = analysis.posterior.threads = analysis.pareto.threads = threads;
  analysis.threads_given = reader.has("threads");
  read_from(reader, parts, analysis);
  const bool both = analysis.compares_frequency() && analysis.compares_damping();
  if (trials && !both && (analysis.choose_knee || !analysis.chosen_weights.empty())) {
    throw reader.error("choose",
                       "a front is one of frequencies (and shapes) against damping, and the targets do not "
                       "hold both: choose \"least\" or a trial");
  }
  if (analysis.method == pareto && !analysis.loops.empty()) {
    throw reader.error("targets", "a front is one of frequencies (and shapes) against damping: no loops");
  }
  if (analysis.method != pareto || both) return;
  throw reader.error("targets",
                     "a front is one of frequencies (and shapes) against damping: the targets must hold "
                     "both");
}

/// What the trials depend on. Samples but those of a Latin hypercube are the same however many there are.
std::string identity_of_trials(const TableReader& reader, const StudyParts& parts, const UpdateAnalysis& analysis) {
  if (analysis.method != UpdateMethod::sample) return "";
  if (analysis.sampling == SampleKind::latin_hypercube) {
    return study_identity(reader, parts, analysis.sources(), {"threads", "choose"});
  }
  return study_identity(reader, parts, analysis.sources(), {"threads", "choose", "samples"});
}

}  // namespace

std::unique_ptr<Analysis> read_update_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "method", "parameters", "targets", "starts", "chains", "warmup", "draws", "points",
                     "samples", "sampling", "choose", "from", "predictions", "seed", "threads"});
  auto analysis = std::make_unique<UpdateAnalysis>();
  analysis->method = read_choice_or(reader, "method", analysis->method, update_methods);
  analysis->model = read_model_of_study(reader, parts);
  const std::vector<TableReader> targets = reader.tables("targets");
  if (targets.empty()) throw reader.error("targets", "targets: there must be one or more");
  for (TableReader target : targets) {
    target.rename(fmt::format("{}: {}", reader.where(), target.where()));
    const std::string what = target.exactly_one_of({"curve", "data", "modes", "shapes", "loop"});
    if (what == "loop") {
      analysis->loops.push_back(read_test_loop(target, parts));
    } else if (what == "curve" || what == "data") {
      analysis->curves.push_back(read_test_curve(target, parts, analysis->model));
    } else {
      analysis->modes.push_back(read_test_modes(target, parts));
    }
  }
  read_method_options(reader, parts, *analysis);
  analysis->place = fmt::format("{}: {}", reader.file(), reader.where());
  analysis->identity = identity_of_trials(reader, parts, *analysis);
  return analysis;
}

}  // namespace microslip
