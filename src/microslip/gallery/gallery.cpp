#include "microslip/gallery/gallery.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "microslip/io/text_file.hpp"
#include "microslip/report/number_text.hpp"
#include "microslip/report/resolve.hpp"
#include "microslip/report/run_directory.hpp"
#include "microslip/report/shape_picture.hpp"
#include "microslip/report/svg_plot.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/study.hpp"
#include "microslip/toml/table_reader.hpp"
#include "microslip/toml/toml_document.hpp"

namespace microslip {
namespace {

namespace fs = std::filesystem;

bool is_results_folder(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 8 && name.compare(name.size() - 8, 8, "-results") == 0;
}

/// TOML files below the folder, printed.toml among them, in order.
std::vector<fs::path> toml_files(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw InputError({folder, 0, 0}, "there is no such folder");
  std::vector<fs::path> files;
  auto walk = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
  for (; walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (walk->is_directory() && (is_results_folder(walk->path()) || fs::exists(walk->path() / "summary.json"))) {
      walk.disable_recursion_pending();
    } else if (walk->is_regular_file() && walk->path().extension() == ".toml") {
      files.push_back(walk->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A file with a [structure] is a study; one that cannot be read may be one.
bool may_be_study(const fs::path& path) {
  if (path.filename() == "printed.toml") return false;
  try {
    return parse_toml(read_text_file(path.string()), path.string()).root.find("structure") != nullptr;
  } catch (const InputError&) {
    return true;
  }
}

std::string name_of_results(const fs::path& study, const std::string& folder) {
  fs::path inside = fs::relative(study.parent_path(), folder);
  std::string name = inside == "." ? "" : inside.string();
  std::replace(name.begin(), name.end(), '/', '-');
  const std::string stem = study.stem().string();
  if (name.empty()) return stem;
  return stem == "study" ? name : name + "-" + stem;
}

/// More than a few points: something to look at.
bool has_curve(const Plot& plot) {
  const auto long_enough = [](const PlotLine& line) { return line.x.size() > 4; };
  return plot.kind != FigureKind::curves || std::any_of(plot.lines.begin(), plot.lines.end(), long_enough);
}

struct Picture {
  const ReportedAnalysis* analysis = nullptr;
  std::string svg;
};

/// The first figure that shows a curve; shapes of modes, or single points, only where there is nothing else.
Picture picture_of(const RunDirectory& run) {
  SvgOptions options;
  options.width = 340;
  options.height = 210;
  options.font_size = 11.0;
  options.legend = false;
  options.title = false;
  Picture fallback;
  for (const bool modes : {false, true}) {
    for (const ReportedAnalysis& analysis : run.analyses) {
      if ((analysis.kind == "modes") != modes) continue;
      AnalysisColumns columns(run, analysis);
      for (const Figure& figure : analysis.figures) {
        const Resolved resolved = resolve(figure, columns, run.units);
        const bool curve = resolved.problem.empty() && has_curve(resolved.plot);
        if (!resolved.problem.empty() || (!curve && fallback.analysis != nullptr)) continue;
        Picture picture{&analysis, figure.kind == FigureKind::shapes ? shape_picture(resolved.plot.shapes)
                                                                     : svg(resolved.plot, options)};
        if (curve) return picture;
        fallback = std::move(picture);
      }
    }
  }
  return fallback;
}

/// "Completed", unless one did not; the message of that one.
void add_ending(const RunDirectory& run, GalleryCard& card) {
  card.ending = "completed";
  for (const ReportedAnalysis& analysis : run.analyses) {
    if (analysis.ending == "completed") continue;
    card.ending = analysis.ending;
    std::replace(card.ending.begin(), card.ending.end(), '_', ' ');
    card.message = analysis.name + ": " + analysis.message;
    return;
  }
}

/// Whole sentences from the start, as many as a card holds.
std::string first_sentences(const std::string& words) {
  constexpr std::size_t most = 230;
  std::size_t end = 0;
  for (std::size_t i = 0; i < words.size() && (i < most || end == 0); ++i) {
    if (words[i] == '.' && (i + 1 == words.size() || words[i + 1] == ' ' || words[i + 1] == '\n')) end = i + 1;
  }
  return end == 0 ? words : words.substr(0, end);
}

GalleryCard card_of(const GalleryStudy& study, const std::string& directory) {
  GalleryCard card;
  card.name = study.name;
  card.title = study.title;
  card.report = study.name + "/report.html";
  std::error_code none;
  if (!fs::exists(fs::path(directory) / study.name, none)) {
    card.ending = "not started";
    return card;
  }
  try {
    const RunDirectory run((fs::path(directory) / study.name).string());
    card.wall_seconds = run.wall_seconds;
    add_ending(run, card);
    Picture picture = picture_of(run);
    if (picture.analysis == nullptr && !run.analyses.empty()) picture.analysis = &run.analyses.front();
    if (picture.analysis != nullptr) {
      const ReportedAnalysis& analysis = *picture.analysis;
      card.words = first_sentences(analysis.words.empty() ? analysis.describe : analysis.words);
    }
    card.picture = std::move(picture.svg);
  } catch (const std::exception& error) {
    card.ending = "failed";
    card.message = error.what();
  }
  return card;
}

std::string accuracy_of(const PrintedValue& value) {
  if (value.relation != PrintedValue::Relation::equal) {
    return value.relation == PrintedValue::Relation::at_most ? "at most that" : "at least that";
  }
  std::string tolerance = engineering(value.tolerance, 2);
  if (value.tolerance >= 1e-6 && value.tolerance < 1e-3) {  // 0.0005 rather than 500×10⁻⁶
    tolerance = fmt::format("{:.7f}", value.tolerance);
    tolerance.erase(tolerance.find_last_not_of('0') + 1);
  }
  return fmt::format("± {}: {}", tolerance, value.reason);
}

GalleryRow row_of(const PrintedValue& value, const Comparison& comparison, const GalleryStudy& study) {
  GalleryRow row;
  row.paper = value.paper;
  row.where = value.where;
  row.what = value.what;
  row.unit = value.unit;
  row.note = value.note;
  row.name = study.name;
  row.report = study.name + "/report.html";
  const int digits = value.digits > 0 ? value.digits : 3;
  row.printed = value.digits > 0 ? engineering_in_full(value.printed, digits) : engineering(value.printed, 6);
  if (value.relation != PrintedValue::Relation::equal) {
    row.printed = (value.relation == PrintedValue::Relation::at_most ? "≤ " : "≥ ") + row.printed;
  }
  row.tolerance = accuracy_of(value);
  row.verdict = in_words(comparison);
  switch (comparison.verdict) {
    case Comparison::Verdict::agrees:
      row.colour = RowColour::good;
      break;
    case Comparison::Verdict::differs:
      row.colour = RowColour::bad;
      break;
    case Comparison::Verdict::misprint:
      row.colour = RowColour::remark;
      break;
    case Comparison::Verdict::not_read:
      row.colour = RowColour::failure;
      row.verdict += ": " + comparison.message;
      return row;
  }
  row.ours = engineering(comparison.ours, digits + 2);
  if (value.relation != PrintedValue::Relation::equal) return row;
  const std::string sign = comparison.difference > 0.0 ? "+" : "";
  row.difference = value.printed == 0.0 ? sign + engineering(comparison.difference, 2)
                                        : sign + engineering(100.0 * comparison.difference, 2) + " %";
  return row;
}

/// How the analyses of the runs ended, read once each.
class EndingsOfRuns {
 public:
  explicit EndingsOfRuns(std::string directory) : directory_(std::move(directory)) {}

  bool completed(const GalleryRun& run) {
    auto [study, is_new] = completed_.try_emplace(run.study);
    if (is_new) study->second = completed_analyses((fs::path(directory_) / run.study).string());
    return study->second.count(run.analysis) > 0;
  }

 private:
  static std::set<std::string> completed_analyses(const std::string& run_directory) {
    std::set<std::string> names;
    try {
      for (const ReportedAnalysis& analysis : RunDirectory(run_directory).analyses) {
        if (analysis.ending == "completed") names.insert(analysis.name);
      }
    } catch (const std::exception&) {  // the card of the study tells it
    }
    return names;
  }

  std::string directory_;
  std::map<std::string, std::set<std::string>> completed_;
};

GalleryItem gallery_item(const PaperItem& from, EndingsOfRuns& endings) {
  using State = GalleryItem::State;
  GalleryItem item;
  item.paper = from.paper;
  item.item = from.item;
  item.count = from.count;
  item.words = from.nothing + from.cannot + fmt::format("{}", fmt::join(from.tests, ", "));
  item.note = from.note;
  bool all = true;
  for (const GalleryRun& run : from.runs) {
    all = all && endings.completed(run);
    item.runs.push_back({run.study + ": " + run.analysis, run.study + "/report.html"});
  }
  item.state = !from.runs.empty()      ? (all ? State::reproduced : State::incomplete)
               : !from.tests.empty()   ? State::tested
               : !from.nothing.empty() ? State::nothing
               : !from.cannot.empty()  ? State::cannot
                                       : State::missing;
  return item;
}

}  // namespace

std::vector<GalleryStudy> find_gallery_studies(const std::string& folder) {
  std::vector<GalleryStudy> studies;
  std::vector<std::string> complaints;
  std::map<fs::path, std::vector<PrintedValue>> printed;
  const std::vector<fs::path> files = toml_files(folder);
  const auto attempt = [&](const auto& read) {
    try {
      read();
    } catch (const InputError& error) {
      complaints.emplace_back(error.what());
    }
  };
  for (const fs::path& file : files) {
    if (file.filename() == "printed.toml") {
      attempt([&] { printed[file.parent_path()] = read_printed_values(file.string()); });
    }
  }
  for (const fs::path& file : files) {
    if (!may_be_study(file)) continue;
    attempt([&] {
      const Study study = load_study(file.string());
      if (study.analyses.empty()) return;
      studies.push_back({name_of_results(file, folder), study.title, file.string(), {}, {}});
      for (const AnalysisPointer& analysis : study.analyses) studies.back().analyses.push_back(analysis->name);
      for (PrintedValue& value : printed[file.parent_path()]) {
        if (value.study == file.filename().string()) studies.back().values.push_back(value);
      }
    });
  }
  for (const auto& [place, values] : printed) {
    for (const PrintedValue& value : values) {
      if (!fs::exists(place / value.study)) {
        complaints.push_back(
            fmt::format("{}: there is no study {} beside it", to_string(value.position), in_quotes(value.study)));
      }
    }
  }
  std::map<std::string, std::string> names;
  for (const GalleryStudy& study : studies) {
    const auto [other, is_new] = names.emplace(study.name, study.path);
    if (is_new) continue;
    complaints.push_back(fmt::format("{}: its results would be called {} as those of {}; rename one of them",
                                     study.path, in_quotes(study.name), other->second));
  }
  if (!complaints.empty()) throw StudyError({}, fmt::format("{}", fmt::join(complaints, "\n")));
  if (studies.empty()) throw InputError({folder, 0, 0}, "there is no study in this folder");
  return studies;
}

void check_paper_items(const std::vector<PaperItem>& items, const std::vector<GalleryStudy>& studies) {
  std::vector<std::string> names;
  for (const GalleryStudy& study : studies) names.push_back(study.name);
  for (const PaperItem& item : items) {
    for (const GalleryRun& run : item.runs) {
      const auto study =
          std::find_if(studies.begin(), studies.end(), [&](const auto& s) { return s.name == run.study; });
      if (study == studies.end()) {
        throw StudyError(item.position, fmt::format("runs: there is no study {}{}", in_quotes(run.study),
                                                    suggestion(run.study, names)));
      }
      const auto& analyses = study->analyses;
      if (std::find(analyses.begin(), analyses.end(), run.analysis) == analyses.end()) {
        throw StudyError(item.position, fmt::format("runs: study {} has no analysis {}{}", in_quotes(run.study),
                                                    in_quotes(run.analysis), suggestion(run.analysis, analyses)));
      }
    }
  }
}

GalleryPage gallery_page(const std::vector<GalleryStudy>& studies, const std::vector<PaperItem>& items,
                         const std::string& directory, const std::string& version) {
  GalleryPage page;
  page.version = version;
  for (const GalleryStudy& study : studies) {
    page.cards.push_back(card_of(study, directory));
    ResultFiles results((fs::path(directory) / study.name).string());
    for (const PrintedValue& value : study.values) page.rows.push_back(row_of(value, compare(value, results), study));
  }
  std::stable_sort(page.rows.begin(), page.rows.end(),
                   [](const GalleryRow& a, const GalleryRow& b) { return a.paper < b.paper; });
  EndingsOfRuns endings(directory);
  for (const PaperItem& item : items) page.items.push_back(gallery_item(item, endings));
  return page;
}

}  // namespace microslip
