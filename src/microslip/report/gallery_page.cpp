#include "microslip/report/gallery_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "microslip/report/svg_text.hpp"

namespace microslip {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1360px; padding: 24px 20px 60px; color: #1c1c1c; background: #fff;
       font: 15px/1.5 "DejaVu Sans", Verdana, "Segoe UI", Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 26px; margin: 0 0 6px; }
h2 { font-size: 20px; margin: 40px 0 12px; }
p { margin: 6px 0; max-width: 80ch; }
a { color: #0b4ea2; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 18px; padding: 0; list-style: none; }
.card { border: 1px solid #cfcfcf; border-radius: 6px; overflow: hidden; display: flex; flex-direction: column; }
.card a.picture { display: block; border-bottom: 1px solid #e6e6e6; background: #fff; min-height: 60px; }
.card svg { display: block; width: 100%; height: auto; }
.card .none { display: flex; align-items: center; justify-content: center; height: 190px; color: #777; font-style: italic; }
.card div.text { padding: 10px 14px 12px; flex: 1; display: flex; flex-direction: column; }
.card h3 { font-size: 15px; margin: 0 0 4px; line-height: 1.35; }
.card p { font-size: 13px; margin: 2px 0; color: #333; }
.card p.end { margin-top: auto; padding-top: 6px; color: #555; }
.warn { color: #a33c00; font-weight: bold; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; font-size: 13.5px; line-height: 1.4; }
th, td { text-align: left; vertical-align: top; padding: 5px 10px 5px 0; border-bottom: 1px solid #e2e2e2; }
thead th { border-bottom: 2px solid #555; }
th.paper { padding-top: 18px; font-size: 15px; border-bottom: 1px solid #888; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
th:nth-child(1) { width: 11%; } th:nth-child(3) { width: 13%; } th:nth-child(4) { width: 14%; } th:nth-child(5) { width: 13%; }
th:nth-child(6) { width: 12%; } th:nth-child(7) { width: 11%; }
td small { white-space: normal; display: block; color: #555; max-width: 60ch; }
.verdict { font-weight: bold; }
.good { color: #00604a; } .bad { color: #a33c00; } .remark { color: #6a1452; } .failure { color: #b00020; }
.good::before { content: "✓ "; } .bad::before { content: "≠ "; } .remark::before { content: "¶ "; } .failure::before { content: "✗ "; }
table.items { table-layout: auto; }
table.items th, table.items td { width: auto; }
.counts span { margin-right: 1.6em; white-space: nowrap; }
@media (max-width: 760px) {
  body { padding: 16px 12px 40px; }
  .cards { grid-template-columns: 1fr; }
  thead { display: none; }
  table, tbody, tr, td, th.paper { display: block; width: 100%; }
  tr { border-bottom: 1px solid #cfcfcf; padding: 8px 0; }
  td { border: 0; padding: 1px 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: #555; }
  td.number, .verdict { white-space: normal; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .cards { grid-template-columns: repeat(3, 1fr); gap: 10px; }
  .card, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  thead { display: table-header-group; }
  a { color: inherit; text-decoration: none; }
  td, th { font-size: 8pt; }
}
)";

std::string_view class_of(RowColour colour) {
  switch (colour) {
    case RowColour::good:
      return "good";
    case RowColour::bad:
      return "bad";
    case RowColour::remark:
      return "remark";
    case RowColour::failure:
      break;
  }
  return "failure";
}

/// A path in a link: bytes other than plain ones as %xx.
std::string link(const std::string& path) {
  std::string result;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("._-/~").find(c) != std::string_view::npos;
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string duration(double seconds) {
  return seconds < 1.0 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.1f} s", seconds);
}

void add_card(std::string& out, const GalleryCard& card) {
  const std::string title = escaped(shortened(card.title.empty() ? card.name : card.title, 120));
  const std::string href = link(card.report);
  out += "<li class=\"card\">\n";
  out += fmt::format("<a class=\"picture\" href=\"{}\" aria-label=\"{}\">{}</a>\n", href, title,
                     card.picture.empty() ? "<span class=\"none\">no figure</span>" : card.picture);
  out += fmt::format("<div class=\"text\"><h3><a href=\"{}\">{}</a></h3>\n", href, title);
  if (!card.words.empty()) out += fmt::format("<p>{}</p>\n", escaped(shortened(card.words, 260)));
  const bool completed = card.ending == "completed";
  out +=
      fmt::format("<p class=\"end\">{} · <span{}>{}</span> · {}</p>\n", escaped(shortened(card.name, 80)),
                  completed ? "" : " class=\"warn\"", escaped(shortened(card.ending, 60)), duration(card.wall_seconds));
  if (!completed && !card.message.empty()) {
    out += fmt::format("<p class=\"warn\">{}</p>\n", escaped(shortened(card.message, 300)));
  }
  out += "</div></li>\n";
}

/// A name that may be broken after its underscores.
std::string breakable(const std::string& name) {
  std::string result;
  for (const char c : escaped(shortened(name, 60))) result += c == '_' ? std::string("_<wbr>") : std::string(1, c);
  return result;
}

void add_row(std::string& out, const GalleryRow& row) {
  const auto with_unit = [&](const std::string& number) {
    return row.unit.empty() ? escaped(number) : fmt::format("{} {}", escaped(number), escaped(shortened(row.unit, 40)));
  };
  out += fmt::format("<tr><td data-label=\"where\">{}</td><td data-label=\"quantity\">{}",
                     escaped(shortened(row.where, 120)), escaped(shortened(row.what, 300)));
  if (!row.note.empty()) out += fmt::format("<small>{}</small>", escaped(shortened(row.note, 1500)));
  out += fmt::format(
      "</td><td class=\"number\" data-label=\"printed\">{}</td><td class=\"number\" data-label=\"ours\">{}</td>"
      "<td class=\"number\" data-label=\"difference\">{}<small>{}</small></td>"
      "<td data-label=\"verdict\"><span class=\"verdict {}\">{}</span></td>"
      "<td data-label=\"run\"><a href=\"{}\">{}</a></td></tr>\n",
      with_unit(row.printed), row.ours.empty() ? "–" : with_unit(row.ours), escaped(row.difference),
      escaped(shortened(row.tolerance, 200)), class_of(row.colour), escaped(shortened(row.verdict, 400)),
      link(row.report), breakable(row.name));
}

std::string_view words_of(GalleryItem::State state) {
  switch (state) {
    case GalleryItem::State::reproduced:
      return "reproduced";
    case GalleryItem::State::tested:
      return "in a test";
    case GalleryItem::State::nothing:
      return "nothing to compute";
    case GalleryItem::State::cannot:
      return "cannot be had";
    case GalleryItem::State::missing:
      return "missing";
    case GalleryItem::State::incomplete:
      break;
  }
  return "run did not complete";
}

RowColour colour_of(GalleryItem::State state) {
  switch (state) {
    case GalleryItem::State::reproduced:
    case GalleryItem::State::tested:
      return RowColour::good;
    case GalleryItem::State::nothing:
    case GalleryItem::State::cannot:
      return RowColour::remark;
    case GalleryItem::State::missing:
      return RowColour::bad;
    case GalleryItem::State::incomplete:
      break;
  }
  return RowColour::failure;
}

void add_item(std::string& out, const GalleryItem& item) {
  out += fmt::format(
      "<tr><td data-label=\"item\">{}</td><td data-label=\"state\"><span class=\"verdict {}\">{}</span></td><td>",
      escaped(shortened(item.item, 120)), class_of(colour_of(item.state)), words_of(item.state));
  out += escaped(shortened(item.words, 400));
  for (std::size_t i = 0; i < item.runs.size(); ++i) {
    out += fmt::format("{}<a href=\"{}\">{}</a>", i > 0 ? ", " : "", link(item.runs[i].report),
                       breakable(item.runs[i].text));
  }
  if (!item.note.empty()) out += fmt::format("<small>{}</small>", escaped(shortened(item.note, 200)));
  out += "</td></tr>\n";
}

/// Every table and figure of the papers.
void add_items(std::string& out, const GalleryPage& page) {
  using State = GalleryItem::State;
  int all = 0;
  for (const GalleryItem& item : page.items) all += item.count;
  out += "<h2 id=\"papers\">Tables and figures of the papers</h2>\n";
  out += fmt::format("<p class=\"counts\"><span>{} in all:</span>", all);
  for (const State state :
       {State::reproduced, State::tested, State::nothing, State::cannot, State::missing, State::incomplete}) {
    const int count = count_of(page, state);
    if (count > 0)
      out += fmt::format(" <span class=\"{}\">{} {}</span>", class_of(colour_of(state)), count, words_of(state));
  }
  out += "</p>\n<table class=\"items\">\n<tbody>\n";
  const std::string* paper = nullptr;
  for (const GalleryItem& item : page.items) {
    if (paper == nullptr || *paper != item.paper) {
      out += fmt::format("<tr><th class=\"paper\" colspan=\"3\">{}</th></tr>\n", escaped(shortened(item.paper, 200)));
    }
    paper = &item.paper;
    add_item(out, item);
  }
  out += "</tbody>\n</table>\n";
}

}  // namespace

int count_of(const GalleryPage& page, GalleryItem::State state) {
  int count = 0;
  for (const GalleryItem& item : page.items) count += item.state == state ? item.count : 0;
  return count;
}

std::string html(const GalleryPage& page) {
  const auto count = [&](RowColour colour) {
    return std::count_if(page.rows.begin(), page.rows.end(),
                         [&](const GalleryRow& row) { return row.colour == colour; });
  };
  const auto completed = std::count_if(page.cards.begin(), page.cards.end(),
                                       [](const GalleryCard& card) { return card.ending == "completed"; });
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>microslip: "
      "gallery</title>\n<style>";
  out += style;
  out += "</style>\n</head>\n<body>\n<h1>microslip: gallery</h1>\n";
  out += fmt::format("<p>{} studies, {} completed. Each picture opens the report of its run.</p>\n", page.cards.size(),
                     completed);
  out += "<ul class=\"cards\">\n";
  for (const GalleryCard& card : page.cards) add_card(out, card);
  out += "</ul>\n";
  if (!page.rows.empty()) {
    out += "<h2 id=\"verification\">Printed values and ours</h2>\n";
    out +=
        "<p>Ours are read from the results of the runs above. A value agrees when it is within the accuracy of the "
        "print: "
        "the rounding of its digits, or what is said beside it.</p>\n";
    out += fmt::format(
        "<p class=\"counts\"><span class=\"good\">{} agree</span> <span class=\"bad\">{} differ</span> "
        "<span class=\"remark\">{} misprints</span>",
        count(RowColour::good), count(RowColour::bad), count(RowColour::remark));
    if (count(RowColour::failure) > 0)
      out += fmt::format(" <span class=\"failure\">{} not read</span>", count(RowColour::failure));
    out +=
        "</p>\n<table>\n<thead><tr><th>where</th><th>quantity</th><th>printed</th><th>ours</th>"
        "<th>difference, accuracy</th><th>verdict</th><th>run</th></tr></thead>\n<tbody>\n";
    std::string paper;
    for (const GalleryRow& row : page.rows) {
      if (row.paper != paper || &row == &page.rows.front()) {
        out += fmt::format("<tr><th class=\"paper\" colspan=\"7\">{}</th></tr>\n", escaped(shortened(row.paper, 200)));
      }
      paper = row.paper;
      add_row(out, row);
    }
    out += "</tbody>\n</table>\n";
  }
  if (!page.items.empty()) add_items(out, page);
  out += fmt::format("<p><small>microslip {}</small></p>\n</body>\n</html>\n", escaped(page.version));
  return out;
}

}  // namespace microslip
