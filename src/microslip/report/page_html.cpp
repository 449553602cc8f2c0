#include "microslip/report/page_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "microslip/report/base64.hpp"
#include "microslip/report/number_text.hpp"
#include "microslip/report/svg_text.hpp"

namespace microslip {
namespace {

constexpr std::size_t shown_rows = 5;       ///< of a long table
constexpr std::size_t whole_rows = 20;      ///< a table up to here is shown whole
constexpr std::size_t upright_columns = 9;  ///< more, and each column of the table becomes a row
constexpr std::size_t most_columns = 60;
constexpr std::size_t longest_name = 80;
constexpr int digits = 6;

std::string unit_html(const std::string& unit) {
  if (unit.empty() || unit == "-") return "";
  return "<span class=\"unit\">" + escaped(shortened(unit, longest_name)) + "</span>";
}

std::string cell(double value) {
  return "<td class=\"number\">" + engineering(value, digits) + "</td>";
}

/// Columns of the table as columns of the page.
std::string upright(const TableRecord& table, const std::vector<std::vector<double>>& rows) {
  std::string html = "<table><thead><tr>";
  for (const Column& column : table.columns) {
    html += "<th class=\"number\">" + escaped(shortened(column.name, longest_name)) + "<br>" + unit_html(column.unit) +
            "</th>";
  }
  html += "</tr></thead><tbody>";
  for (const auto& row : rows) {
    html += "<tr>";
    for (const double value : row) html += cell(value);
    html += "</tr>";
  }
  html += "</tbody></table></div><div class=\"note\">";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    html += fmt::format("{}<b>{}</b> {}", i == 0 ? "" : "; ", escaped(shortened(column.name, longest_name)),
                        escaped(shortened(column.description, 200)));
  }
  return html;
}

/// Columns of the table as rows of the page: for tables with many.
std::string lying(const TableRecord& table, const std::vector<std::vector<double>>& rows) {
  std::string html = "<table><thead><tr><th>column</th><th>unit</th><th class=\"description\">description</th>";
  for (std::size_t i = 0; i < rows.size(); ++i) html += fmt::format("<th class=\"number\">row {}</th>", i + 1);
  html += "</tr></thead><tbody>";
  const std::size_t count = std::min(table.columns.size(), most_columns);
  for (std::size_t k = 0; k < count; ++k) {
    const Column& column = table.columns[k];
    html += "<tr><th>" + escaped(shortened(column.name, longest_name)) + "</th><td>" + unit_html(column.unit) +
            "</td><td class=\"description\">" + escaped(shortened(column.description, 200)) + "</td>";
    for (const auto& row : rows) html += cell(row[k]);
    html += "</tr>";
  }
  html += "</tbody></table>";
  if (table.columns.size() > count) {
    html += fmt::format("<p class=\"note\">{} more columns are in the file.</p>", table.columns.size() - count);
  }
  return html;
}

/// A link to a file beside the page: any name, percent-encoded.
std::string link_to(const std::string& file) {
  std::string address = "./";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return "<a href=\"" + address + "\">" + escaped(shortened(file, longest_name)) + "</a>";
}

/// Scripts run only with this word, which whoever wrote a label cannot foresee: it depends on the whole page.
std::string nonce_of(std::string_view text) {
  return fmt::format("{:016x}", std::hash<std::string_view>()(text));
}

}  // namespace

std::string escaped_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    result += escaped(line);
    result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string anchor(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 60)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    result += plain ? c : '-';
  }
  return result;
}

std::string duration_in_words(double seconds) {
  if (!(seconds >= 0.0)) return "unknown time";
  if (seconds < 1e-3) return fmt::format("{:.2g} ms", 1e3 * seconds);
  if (seconds < 1.0) return fmt::format("{:.0f} ms", 1e3 * seconds);
  if (seconds < 60.0) return fmt::format("{:.2g} s", seconds);
  const double whole = std::round(seconds);
  if (whole < 3600.0) return fmt::format("{:.0f} min {:.0f} s", std::floor(whole / 60.0), std::fmod(whole, 60.0));
  return fmt::format("{:.0f} h {:.0f} min", std::floor(whole / 3600.0), std::floor(std::fmod(whole, 3600.0) / 60.0));
}

std::string table_html(const RunDirectory& run, const ReportedAnalysis& analysis, const TableRecord& table) {
  const bool whole = table.rows <= static_cast<long>(whole_rows) && table.columns.size() <= upright_columns;
  std::string html = fmt::format("<details{}><summary>{} <span class=\"note\">{} row{}, {} column{}</span></summary>",
                                 whole ? " open" : "", link_to(table.file), table.rows, table.rows == 1 ? "" : "s",
                                 table.columns.size(), table.columns.size() == 1 ? "" : "s");
  html += "<div class=\"scroll\">";
  try {
    const auto rows = run.first_rows(analysis, table, whole ? whole_rows : shown_rows);
    html += table.columns.size() <= upright_columns ? upright(table, rows) : lying(table, rows);
    if (static_cast<long>(rows.size()) < table.rows) {
      html += fmt::format("<p class=\"note\">The first {} rows of {}.</p>", rows.size(), table.rows);
    }
  } catch (const std::exception& error) {
    html += "<p class=\"problem\">" + escaped(shortened(error.what(), 500)) + "</p>";
  }
  return html + "</div></details>\n";
}

std::string page_html(const PageFrame& frame, std::string_view body) {
  const std::string nonce = nonce_of(body);
  const bool space = std::find(frame.engines.begin(), frame.engines.end(), PlotEngine::space) != frame.engines.end();
  std::size_t size = body.size() + page_style().size() + page_script().size() + 4096;
  for (const std::string& detail : frame.details) size += detail.size();
  for (const PlotEngine engine : frame.engines) size += engine_script(engine).size() * 4 / 3 + 128;
  std::string html;
  html.reserve(size);
  html += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  // Nothing may be loaded from anywhere. Plotly compiles its shaders' helpers for figures in space.
  html += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{}'{}; style-src "
      "'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n",
      nonce, space ? " 'unsafe-eval'" : "");
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
          escaped(shortened(frame.title, 200)) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n";
  html += page_style();
  html += "</style>\n</head>\n<body>\n<main>\n";
  html += body;
  html += "</main>\n";
  for (const std::string& detail : frame.details) html += detail;
  for (const PlotEngine engine : frame.engines) {
    const auto script = engine_script(engine);
    if (script.empty()) continue;
    html += fmt::format("<script type=\"application/gzip\" id=\"engine-{}\">", engine_name(engine));
    append_base64(script, html);
    html += "</script>\n";
  }
  html += "<script nonce=\"" + nonce + "\">\n";
  html += page_script();
  return html + "</script>\n</body>\n</html>\n";
}

}  // namespace microslip
