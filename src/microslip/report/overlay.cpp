#include "microslip/report/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "microslip/report/svg_legend.hpp"

namespace microslip {
namespace {

bool distinct(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size() &&
         std::find(names.begin(), names.end(), "") == names.end();
}

std::string folder_name(const std::string& directory) {
  std::filesystem::path path = std::filesystem::path(directory).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  std::string name = path.filename().string();
  constexpr std::string_view ending = "-results";
  if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

const ReportedAnalysis* find_same(const RunDirectory& run, const ReportedAnalysis& wanted) {
  for (const ReportedAnalysis& analysis : run.analyses) {
    if (analysis.kind == wanted.kind && analysis.name == wanted.name) return &analysis;
  }
  return nullptr;
}

/// The analysis of a kind, if there is only one.
const ReportedAnalysis* only_one(const RunDirectory& run, const std::string& kind) {
  const ReportedAnalysis* found = nullptr;
  for (const ReportedAnalysis& analysis : run.analyses) {
    if (analysis.kind != kind) continue;
    if (found != nullptr) return nullptr;
    found = &analysis;
  }
  return found;
}

std::string named(const std::string& run, const std::string& label) {
  return label.empty() ? run : run + ": " + label;
}

/// Why two plots cannot share their axes; empty when they can.
std::string difference(const Plot& a, const Plot& b) {
  if (a.kind != FigureKind::curves || b.kind != FigureKind::curves) return "only curves can be overlaid";
  const auto units = [](const Axis& one, const Axis& other, const char* name) {
    if (one.unit == other.unit) return std::string();
    const auto shown = [](const std::string& unit) { return unit.empty() ? std::string("none") : unit; };
    return fmt::format("the units of {} differ, {} and {}", name, shown(one.unit), shown(other.unit));
  };
  for (std::string why : {units(a.x, b.x, "x"), units(a.y, b.y, "y"), units(a.z, b.z, "z")}) {
    if (!why.empty()) return why;
  }
  const auto space = [](const Plot& plot) {
    return std::any_of(plot.lines.begin(), plot.lines.end(), [](const PlotLine& line) { return !line.z.empty(); });
  };
  return space(a) != space(b) ? "one is in the plane and the other in space" : "";
}

}  // namespace

std::vector<std::string> run_labels(std::span<const RunDirectory> runs) {
  std::vector<std::string> folders, titles, paths;
  for (const RunDirectory& run : runs) {
    folders.push_back(folder_name(run.directory()));
    titles.push_back(run.title);
    paths.push_back(run.directory());
  }
  return distinct(folders) ? folders : distinct(titles) ? titles : paths;
}

std::vector<MatchedAnalyses> match_analyses(std::span<const RunDirectory> runs) {
  std::vector<MatchedAnalyses> result;
  std::set<const ReportedAnalysis*> taken;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const ReportedAnalysis& analysis : runs[r].analyses) {
      if (taken.contains(&analysis)) continue;
      MatchedAnalyses match(runs.size(), nullptr);
      match[r] = &analysis;
      for (std::size_t other = r + 1; other < runs.size(); ++other) {
        const ReportedAnalysis* same = find_same(runs[other], analysis);
        if (same == nullptr && only_one(runs[r], analysis.kind) != nullptr) same = only_one(runs[other], analysis.kind);
        if (same != nullptr && !taken.contains(same)) match[other] = same;
      }
      for (const ReportedAnalysis* one : match) taken.insert(one);
      result.push_back(std::move(match));
    }
  }
  return result;
}

Resolved overlaid(std::span<Resolved> parts, std::span<const std::string> labels) {
  if (parts.size() == 1) return std::move(parts.front());
  Resolved result;
  bool begun = false;
  int colours = 0;
  // Where all are of one method it heads the legend, else each curve names its own.
  std::set<std::string> methods;
  for (const Resolved& part : parts) {
    if (part.problem.empty()) methods.insert(part.plot.method);
  }
  if (methods.size() == 1) result.plot.method = *methods.begin();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Resolved& part = parts[i];
    for (const std::string& note : part.notes) result.notes.push_back(labels[i] + ": " + note);
    if (!part.problem.empty()) {
      result.notes.push_back(labels[i] + ": " + part.problem);
      continue;
    }
    if (begun) {
      const std::string why = difference(result.plot, part.plot);
      if (!why.empty()) {
        result.notes.push_back(fmt::format("{} is not in this figure: {}.", labels[i], why));
        continue;
      }
    } else {
      result.plot.title = part.plot.title;
      result.plot.kind = part.plot.kind;
      result.plot.x = part.plot.x;
      result.plot.y = part.plot.y;
      result.plot.z = part.plot.z;
      result.plot.map = std::move(part.plot.map);
      result.plot.shapes = std::move(part.plot.shapes);
      if (part.plot.kind != FigureKind::curves) result.notes.push_back("Of " + labels[i] + ".");
      begun = true;
    }
    int used = 0;
    for (PlotLine& line : part.plot.lines) {
      used = std::max(used, line.colour + 1);
      line.colour += colours;
      if (methods.size() > 1) line.label = joined_label(part.plot.method, line.label);
      line.label = named(labels[i], line.label);
    }
    colours += used;
    for (PlotMarks& marks : part.plot.marks) marks.label = named(labels[i], marks.label);
    std::move(part.plot.lines.begin(), part.plot.lines.end(), std::back_inserter(result.plot.lines));
    std::move(part.plot.marks.begin(), part.plot.marks.end(), std::back_inserter(result.plot.marks));
  }
  if (!begun) {
    result.problem = "none of the runs has it";
    if (!result.notes.empty()) result.problem = result.notes.front();
  }
  return result;
}

}  // namespace microslip
