#include "microslip/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "microslip/io/text_file.hpp"
#include "microslip/io/write_file.hpp"
#include "microslip/report/number_text.hpp"
#include "microslip/report/overlay.hpp"
#include "microslip/report/page_html.hpp"
#include "microslip/report/svg_text.hpp"
#include "microslip/report/thin_curve.hpp"

namespace microslip {
namespace {

constexpr std::size_t longest_heading = 120;
constexpr std::size_t longest_lead = 1100;  ///< characters of one paragraph; longer, and each analysis has its own

std::string name_html(const std::string& name) {
  return escaped(shortened(name, longest_heading));
}

/// "no_convergence" -> "no convergence".
std::string ending_in_words(std::string ending) {
  std::replace(ending.begin(), ending.end(), '_', ' ');
  return ending.empty() ? "unknown" : ending;
}

/// What the reader must see before believing a number.
std::vector<std::string> warnings_of(const ReportedAnalysis& analysis) {
  std::vector<std::string> warnings;
  if (analysis.ending != "completed") {
    warnings.push_back("did not complete: " + ending_in_words(analysis.ending) +
                       (analysis.message.empty() ? "" : ", " + analysis.message));
  } else if (!analysis.message.empty()) {
    warnings.push_back(analysis.message);
  }
  for (const std::string& mistake : analysis.mistakes) warnings.push_back(mistake);
  return warnings;
}

/// Of the points of long curves, how many there is room for in a page.
double share_of_details(std::span<const RunDirectory> runs) {
  double histories = 0.0, others = 0.0;  // points
  for (const RunDirectory& run : runs) {
    for (const ReportedAnalysis& analysis : run.analyses) {
      for (const Figure& figure : analysis.figures) {
        for (const Curve& curve : figure.curves) {
          const auto table = std::find_if(analysis.tables.begin(), analysis.tables.end(),
                                          [&](const TableRecord& t) { return t.part == curve.table; });
          if (table == analysis.tables.end() || table->rows <= static_cast<long>(first_view_points)) continue;
          (curve.x == "time" ? histories : others) += static_cast<double>(table->rows);
        }
      }
    }
  }
  // Four bytes a number; the times of a history need none as long as it is whole. What is thinned are the histories.
  constexpr auto budget = static_cast<double>(detail_budget);
  if (4.0 * histories + 8.0 * others <= budget) return 1.0;
  return std::min(0.999, budget / (8.0 * std::max(1.0, histories)));
}

class ReportWriter {
 public:
  explicit ReportWriter(std::span<const std::string> directories) {
    for (const std::string& directory : directories) runs_.emplace_back(directory);
    labels_ = run_labels(runs_);
    matches_ = match_analyses(runs_);
    share_ = share_of_details(runs_);
  }

  std::string run() {
    std::string sections;
    for (std::size_t i = 0; i < matches_.size(); ++i) sections += section(i);
    std::string body = head();
    body += sections;
    body += end();
    return page_html({title(), {engines_.begin(), engines_.end()}, std::move(details_)}, body);
  }

 private:
  [[nodiscard]] bool several() const { return runs_.size() > 1; }

  [[nodiscard]] std::string title() const {
    if (!several()) return runs_.front().title.empty() ? runs_.front().study_file : runs_.front().title;
    std::string result;
    for (const std::string& label : labels_) result += (result.empty() ? "" : " · ") + shortened(label, 60);
    return result;
  }

  /// The name of an analysis, of several if they differ.
  [[nodiscard]] static std::string heading(const MatchedAnalyses& match) {
    std::string names;
    for (const ReportedAnalysis* analysis : match) {
      if (analysis == nullptr || names == analysis->name) continue;
      names += (names.empty() ? "" : " · ") + analysis->name;
    }
    return names;
  }

  [[nodiscard]] static std::string kind_of(const MatchedAnalyses& match) {
    for (const ReportedAnalysis* analysis : match) {
      if (analysis != nullptr) return analysis->kind;
    }
    return "";
  }

  [[nodiscard]] std::string head() const {
    std::string html = "<header>\n<h1>" + escaped(shortened(title(), 300)) + "</h1>\n<p class=\"byline\">";
    const RunDirectory& first = runs_.front();
    if (several()) {
      html += fmt::format("{} runs on the same axes", runs_.size());
    } else {
      html += fmt::format("{} · microslip {} · {} · computed in {}", name_html(first.study_file),
                          name_html(first.version), name_html(first.started), duration_in_words(first.wall_seconds));
    }
    html += "</p>\n<div class=\"lead\">\n" + lead() + "</div>\n" + warnings() + contents() + "</header>\n";
    return html;
  }

  /// What was computed, in plain words.
  [[nodiscard]] std::string lead() const {
    std::string html;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const RunDirectory& run = runs_[r];
      std::vector<std::string> sentences;
      std::size_t length = 0;
      for (const ReportedAnalysis& analysis : run.analyses) {
        if (analysis.words.empty()) continue;
        const std::string name = run.analyses.size() > 1 ? "<b>" + name_html(analysis.name) + "</b>: " : "";
        sentences.push_back(name + escaped(analysis.words));
        length += analysis.words.size();
      }
      std::string first = several() ? "<b>" + name_html(labels_[r]) + "</b>: " : "";
      first += escaped(overview(run));
      html += "<p>" + first;
      for (const std::string& sentence : sentences) {
        html += (length <= longest_lead ? std::string(" ") : std::string("</p>\n<p>")) + sentence;
      }
      html += "</p>\n";
    }
    return html;
  }

  [[nodiscard]] static std::string overview(const RunDirectory& run) {
    const std::size_t count = run.analyses.size();
    const auto completed = std::count_if(run.analyses.begin(), run.analyses.end(),
                                         [](const ReportedAnalysis& a) { return a.ending == "completed"; });
    const std::string all = count == 1 ? "One analysis" : fmt::format("{} analyses", count);
    if (completed == static_cast<std::ptrdiff_t>(count)) {
      return fmt::format("{} of this study, {}completed.", all, count > 1 ? "all " : "");
    }
    return fmt::format("{} of this study; {} did not complete.", all, count - static_cast<std::size_t>(completed));
  }

  [[nodiscard]] std::string warnings() const {
    std::string list;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      for (const ReportedAnalysis& analysis : runs_[r].analyses) {
        for (const std::string& warning : warnings_of(analysis)) {
          list += "<li>" + (several() ? name_html(labels_[r]) + ", " : std::string()) + escaped(analysis.kind) +
                  " <b>" + name_html(analysis.name) + "</b>: " + escaped(shortened(warning, 600)) + "</li>\n";
        }
      }
    }
    if (list.empty()) return "";
    return "<div class=\"warnings\" role=\"note\">\n<h2>To be seen before the numbers</h2>\n<ul>\n" + list +
           "</ul>\n</div>\n";
  }

  [[nodiscard]] std::string contents() const {
    if (matches_.size() < 2 && figure_links_.size() < 3) return "";
    std::string html = "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ul>\n";
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      html += fmt::format("<li><a href=\"#analysis-{}\">{}</a> <span class=\"note\">{}</span>", i + 1,
                          name_html(heading(matches_[i])), escaped(kind_of(matches_[i])));
      std::string parts;
      for (const auto& [section, id, figure] : figure_links_) {
        if (section != i) continue;
        parts += (parts.empty() ? "" : " · ") + ("<a href=\"#" + id + "\">" + escaped(shortened(figure, 60)) + "</a>");
      }
      if (!parts.empty()) html += "<span class=\"parts\">" + parts + "</span>";
      html += "</li>\n";
    }
    return html + "<li><a href=\"#run\">The run and the study file</a></li>\n</ul>\n</nav>\n";
  }

  std::string section(std::size_t index) {
    const MatchedAnalyses& match = matches_[index];
    std::string html =
        fmt::format("<section class=\"analysis\" id=\"analysis-{}\">\n<h2>{}<span class=\"kind\">{}</span></h2>\n",
                    index + 1, name_html(heading(match)), escaped(kind_of(match)));
    for (std::size_t r = 0; r < match.size(); ++r) {
      if (match[r] == nullptr) {
        html += "<p class=\"describe\">" + name_html(labels_[r]) + " has no such analysis.</p>\n";
        continue;
      }
      html += "<p class=\"describe\">" + (several() ? "<b>" + name_html(labels_[r]) + "</b>: " : std::string()) +
              escaped(shortened(match[r]->describe, 1000)) + " · " + ending_html(*match[r]) + "</p>\n";
    }
    html += figures_html(index);
    for (std::size_t r = 0; r < match.size(); ++r) {
      if (match[r] == nullptr || several()) continue;
      for (const TableRecord& table : match[r]->tables) html += table_html(runs_[r], *match[r], table);
    }
    return html + "</section>\n";
  }

  static std::string ending_html(const ReportedAnalysis& analysis) {
    return escaped(ending_in_words(analysis.ending)) + " in " + duration_in_words(analysis.wall_seconds);
  }

  std::string figures_html(std::size_t index) {
    const MatchedAnalyses& match = matches_[index];
    std::vector<AnalysisColumns> columns;
    std::vector<std::string> names;  // of figures, in the order of the first run that has them
    for (std::size_t r = 0; r < match.size(); ++r) {
      static const ReportedAnalysis none;
      columns.emplace_back(runs_[r], match[r] != nullptr ? *match[r] : none);
      if (match[r] == nullptr) continue;
      for (const Figure& figure : match[r]->figures) {
        if (std::find(names.begin(), names.end(), figure.name) == names.end()) names.push_back(figure.name);
      }
    }
    if (names.empty()) return "";
    std::string html = "<div class=\"figures\">\n";
    for (const std::string& name : names) html += figure_html(index, name, columns, names.size() == 1);
    return html + "</div>\n";
  }

  std::string figure_html(std::size_t index, const std::string& name, std::vector<AnalysisColumns>& columns,
                          bool alone) {
    const MatchedAnalyses& match = matches_[index];
    std::vector<Resolved> parts;
    std::vector<std::string> labels;
    std::vector<std::string> without;
    const Figure* declared = nullptr;
    for (std::size_t r = 0; r < match.size(); ++r) {
      const Figure* figure = nullptr;
      for (std::size_t i = 0; match[r] != nullptr && figure == nullptr && i < match[r]->figures.size(); ++i) {
        if (match[r]->figures[i].name == name) figure = &match[r]->figures[i];
      }
      if (figure == nullptr) {
        without.push_back(labels_[r]);
        continue;
      }
      if (declared == nullptr) declared = figure;
      parts.push_back(resolve(*figure, columns[r], runs_[r].units, runs_[r].geometry, {share_}));
      labels.push_back(labels_[r]);
    }
    const std::size_t with = parts.size();
    Resolved resolved = overlaid(parts, labels);
    if (several() && with == 1) {
      for (PlotLine& line : resolved.plot.lines)
        line.label = labels.front() + (line.label.empty() ? "" : ": ") + line.label;
    }
    for (const std::string& label : without) resolved.notes.push_back(label + " has no such figure.");

    const int number = ++figures_;
    const std::string id = anchor(heading(match) + "-" + name + "-" + std::to_string(number));
    figure_links_.push_back({index, id, declared->title});
    PageFigure page;
    if (resolved.problem.empty()) {
      try {
        page = page_figure(resolved.plot, number, share_);
      } catch (const std::exception& error) {
        resolved.problem = error.what();
      }
    }
    std::string html = fmt::format("<figure id=\"{}\"{}{}>\n<h3>{}</h3>\n", id,
                                   page.wide ? " class=\"wide\""
                                   : alone   ? " class=\"alone\""
                                             : "",
                                   resolved.problem.empty() ? fmt::format(" data-figure=\"{}\"", number) : "",
                                   escaped(shortened(declared->title, 200)));
    if (!resolved.problem.empty()) {
      html +=
          "<p class=\"problem\">This figure cannot be drawn: " + escaped(shortened(resolved.problem, 500)) + "</p>\n";
    } else {
      if (page.engine) engines_.insert(*page.engine);
      html +=
          "<div class=\"picture\"><div class=\"still\">" + page.picture + "</div><div class=\"live\"></div></div>\n";
      html += "<div class=\"tools\"></div>\n";
      if (!resolved.plot.picking.key.empty()) {
        html += "<div class=\"picks\"><p class=\"note\">" + escaped(shortened(resolved.plot.picking.advice, 600)) +
                "</p></div>\n";
      }
      html +=
          fmt::format("<script type=\"application/json\" id=\"figure-data-{}\">", number) + page.data + "</script>\n";
      details_.push_back(std::move(page.details));
    }
    return html + caption_html(*declared, match, resolved, page) + "</figure>\n";
  }

  [[nodiscard]] std::string caption_html(const Figure& figure, const MatchedAnalyses& match, const Resolved& resolved,
                                         const PageFigure& page) const {
    std::string html = "<figcaption>\n";
    if (!figure.caption.empty()) html += "<p>" + escaped(shortened(figure.caption, 2000)) + "</p>\n";
    std::vector<std::string> notes = resolved.notes;
    notes.insert(notes.end(), page.notes.begin(), page.notes.end());
    if (!resolved.problem.empty()) notes.clear();
    for (const std::string& note : notes) {
      html += "<p class=\"note\">" + escaped(shortened(note, 600)) + "</p>\n";
    }
    std::string before;
    for (std::size_t r = 0; r < match.size(); ++r) {
      if (match[r] == nullptr || match[r]->how.empty() || match[r]->how == before) continue;
      before = match[r]->how;
      html += "<p class=\"how\">" + (several() ? "<b>" + name_html(labels_[r]) + "</b>: " : std::string()) +
              escaped(shortened(match[r]->how, 4000)) + "</p>\n";
    }
    return html + "</figcaption>\n";
  }

  [[nodiscard]] std::string end() const {
    std::string html = "<section class=\"end\" id=\"run\">\n";
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const RunDirectory& run = runs_[r];
      html += "<h2>" + (several() ? name_html(labels_[r]) : std::string("The run")) + "</h2>\n<dl class=\"run\">\n";
      const auto row = [&](const char* name, const std::string& value) {
        if (!value.empty()) html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, value);
      };
      if (several()) row("title", name_html(run.title));
      row("program", "microslip " + name_html(run.version));
      row("command", "<code>" + escaped(shortened(run.command, 1000)) + "</code>");
      row("started", name_html(run.started));
      row("wall time", duration_in_words(run.wall_seconds));
      for (const std::string& line : run.structure) row("structure", name_html(line));
      row("processor", name_html(run.machine.processor));
      row("threads", std::to_string(run.machine.threads));
      row("system", name_html(run.machine.system));
      html += "</dl>\n<h3>" + name_html(run.study_file) + "</h3>\n<pre>" + escaped_lines(run.study) + "</pre>\n";
    }
    for (const PlotEngine engine : engines_) {
      if (!engine_script(engine).empty()) continue;
      html +=
          "<p class=\"note\">The figures are static: the program was built without Plotly, which draws them in a "
          "browser.</p>\n";
      break;
    }
    return html + "</section>\n";
  }

  struct FigureLink {
    std::size_t section = 0;
    std::string id;
    std::string title;
  };

  std::vector<RunDirectory> runs_;
  std::vector<std::string> labels_;
  std::vector<MatchedAnalyses> matches_;
  double share_ = 1.0;
  int figures_ = 0;
  std::set<PlotEngine> engines_;
  std::vector<FigureLink> figure_links_;
  std::vector<std::string> details_;  ///< of long curves
};

}  // namespace

std::string report_page(std::span<const std::string> directories) {
  return ReportWriter(directories).run();
}

void write_report(const std::string& directory) {
  const std::string html = report_page({&directory, 1});
  write_file(file_in(directory, "report.html"), html);
}

}  // namespace microslip
