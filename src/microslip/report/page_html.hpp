#pragma once
// Pieces of a page that do not depend on what is reported.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/report/page_figure.hpp"
#include "microslip/report/run_directory.hpp"

namespace microslip {

/// Escaped, lines kept.
[[nodiscard]] std::string escaped_lines(std::string_view text);
/// Letters, digits and "-" of a text, for an address inside the page.
[[nodiscard]] std::string anchor(std::string_view text);
/// "0.26 s", "3 min 20 s".
[[nodiscard]] std::string duration_in_words(double seconds);

/// A table of the results: its columns with units and descriptions, and its first rows.
[[nodiscard]] std::string table_html(const RunDirectory& run, const ReportedAnalysis& analysis,
                                     const TableRecord& table);

/// Head and foot of a page around its body. The body's figures use `engines`.
struct PageFrame {
  std::string title;
  std::vector<PlotEngine> engines;
  std::vector<std::string> details;  ///< script elements that hold data only
};
[[nodiscard]] std::string page_html(const PageFrame& frame, std::string_view body);

}  // namespace microslip
