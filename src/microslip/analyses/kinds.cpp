#include "microslip/analyses/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "microslip/analyses/averaging/analysis.hpp"
#include "microslip/analyses/compare_modes/analysis.hpp"
#include "microslip/analyses/compare_records/analysis.hpp"
#include "microslip/analyses/fit_bouc_wen/analysis.hpp"
#include "microslip/analyses/fit_ignl/analysis.hpp"
#include "microslip/analyses/fit_iwan_distribution/analysis.hpp"
#include "microslip/analyses/fit_modal_iwan/analysis.hpp"
#include "microslip/analyses/frf/analysis.hpp"
#include "microslip/analyses/frf_estimate/analysis.hpp"
#include "microslip/analyses/joint_methods.hpp"
#include "microslip/analyses/level_sweep/analysis.hpp"
#include "microslip/analyses/loop/analysis.hpp"
#include "microslip/analyses/modal_fit/analysis.hpp"
#include "microslip/analyses/modes/analysis.hpp"
#include "microslip/analyses/nonlinear_mode/analysis.hpp"
#include "microslip/analyses/orbit/analysis.hpp"
#include "microslip/analyses/parameter_study/analysis.hpp"
#include "microslip/analyses/peaks/analysis.hpp"
#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/analyses/transient/analysis.hpp"
#include "microslip/analyses/update/analysis.hpp"

namespace microslip {
namespace {

/// Which joints a kind takes. Rigid friction sticks and slides: only methods that find its events take it.
enum class JointsTaken { all, all_but_rigid_friction, those_its_reader_takes };

/// Whether a kind works without a structure, on measurements alone.
enum class Structure { needed, as_its_reader_tells };

struct AnalysisKind {
  std::string_view name;  ///< kind = "name"
  /// Reads and checks every key of the table; throws StudyError. The name of the analysis is set by the caller.
  std::unique_ptr<Analysis> (*read)(const TableReader& reader, const StudyParts& parts);
  JointsTaken joints;
  Structure structure = Structure::needed;
};

// To add a kind: its folder, and its line here.
constexpr AnalysisKind all_kinds[] = {
    {ModesAnalysis::kind, read_modes_analysis, JointsTaken::all},
    {TransientAnalysis::kind, read_transient_analysis, JointsTaken::those_its_reader_takes},
    {AveragingAnalysis::kind, read_averaging_analysis, JointsTaken::all_but_rigid_friction},
    {QsmaAnalysis::kind, read_qsma_analysis, JointsTaken::all_but_rigid_friction},
    {RingdownAnalysis::kind, read_ringdown_analysis, JointsTaken::those_its_reader_takes,
     Structure::as_its_reader_tells},
    {ModalFitAnalysis::kind, read_modal_fit_analysis, JointsTaken::all, Structure::as_its_reader_tells},
    {CompareModesAnalysis::kind, read_compare_modes_analysis, JointsTaken::all},
    {CompareRecordsAnalysis::kind, read_compare_records_analysis, JointsTaken::all},
    {FitModalIwanAnalysis::kind, read_fit_modal_iwan_analysis, JointsTaken::all, Structure::as_its_reader_tells},
    {FrfAnalysis::kind, read_frf_analysis, JointsTaken::those_its_reader_takes},
    {LevelSweepAnalysis::kind, read_level_sweep_analysis, JointsTaken::those_its_reader_takes},
    {PeaksAnalysis::kind, read_peaks_analysis, JointsTaken::all_but_rigid_friction},
    {OrbitAnalysis::kind, read_orbit_analysis, JointsTaken::those_its_reader_takes},
    {LoopAnalysis::kind, read_loop_analysis, JointsTaken::those_its_reader_takes},
    {NonlinearModeAnalysis::kind, read_nonlinear_mode_analysis, JointsTaken::all_but_rigid_friction},
    {FitIwanDistributionAnalysis::kind, read_fit_iwan_distribution_analysis, JointsTaken::all,
     Structure::as_its_reader_tells},
    {FitBoucWenAnalysis::kind, read_fit_bouc_wen_analysis, JointsTaken::all, Structure::as_its_reader_tells},
    {FitIgnlAnalysis::kind, read_fit_ignl_analysis, JointsTaken::all, Structure::as_its_reader_tells},
    {FrfEstimateAnalysis::kind, read_frf_estimate_analysis, JointsTaken::all, Structure::as_its_reader_tells},
    {UpdateAnalysis::kind, read_update_analysis, JointsTaken::all_but_rigid_friction},
    {ParameterStudyAnalysis::kind, read_parameter_study_analysis, JointsTaken::those_its_reader_takes},
};

const AnalysisKind& kind_in(const TableReader& reader) {
  const std::string name = reader.choice("kind", analysis_kinds());
  return *std::find_if(std::begin(all_kinds), std::end(all_kinds),
                       [&](const AnalysisKind& kind) { return kind.name == name; });
}

std::unique_ptr<Analysis> read_as(const AnalysisKind& kind, const TableReader& reader, const StudyParts& parts) {
  if (parts.system.empty() && kind.structure == Structure::needed) {
    throw reader.error("kind", fmt::format("{} needs a [structure]", in_quotes(kind.name)));
  }
  if (kind.joints == JointsTaken::all_but_rigid_friction) refuse_rigid_friction(reader, kind.name, parts.system);
  return kind.read(reader, parts);
}

/// Names become names of files.
std::string read_name(const TableReader& reader, std::string_view kind) {
  const std::string name = reader.string_or("name", std::string(kind));
  const bool safe =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == std::string::npos;
  if (name.empty() || !safe || name.front() == '.' || name.size() > 100) {
    throw reader.error(
        "name",
        fmt::format("name must be 1 to 100 letters, digits, _, - or ., since it names files, got {}", in_quotes(name)));
  }
  return name;
}

}  // namespace

std::vector<std::string_view> analysis_kinds() {
  std::vector<std::string_view> names;
  for (const AnalysisKind& kind : all_kinds) names.push_back(kind.name);
  return names;
}

std::unique_ptr<Analysis> read_analysis(const TableReader& reader, const StudyParts& parts) {
  const AnalysisKind& kind = kind_in(reader);
  if (kind.name == ParameterStudyAnalysis::kind)
    throw reader.error("kind", "a parameter study cannot hold another one");
  return read_as(kind, reader, parts);
}

std::vector<AnalysisPointer> read_analyses(const TableReader& root, StudyParts parts) {
  std::vector<AnalysisPointer> analyses;
  std::map<std::string, std::string> tables;  // and the analysis that writes them
  for (TableReader& reader : root.tables("analysis")) {
    const AnalysisKind& kind = kind_in(reader);
    const std::string name = read_name(reader, kind.name);
    reader.rename(fmt::format("analysis \"{}\"", name));
    std::unique_ptr<Analysis> analysis = read_as(kind, reader, parts);
    analysis->name = name;
    for (const std::string& table : analysis->table_names()) {
      const auto [other, added] = tables.emplace(table, name);
      if (added) continue;
      throw reader.error("name", other->second == name ? "another analysis has this name; give each a name of its own"
                                                       : fmt::format("{}.csv is written by analysis \"{}\" as well",
                                                                     table, other->second));
    }
    std::vector<int> modes = analysis->mode_numbers();
    analyses.push_back(std::move(analysis));
    parts.earlier.push_back({std::string(kind.name), name, std::move(modes), analyses.back()});
  }
  return analyses;
}

}  // namespace microslip
