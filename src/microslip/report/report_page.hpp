#pragma once
// report.html: one file that needs nothing else. Built from a directory of results alone, or from several of them on
// the same axes.

#include <span>
#include <string>

namespace microslip {

/// The page of one run, or of several with the same figures overlaid. Throws InputError when a directory is not one of
/// results; whatever else is missing is said in its place in the page.
[[nodiscard]] std::string report_page(std::span<const std::string> directories);

/// Builds the page of one directory and writes DIR/report.html. Throws InputError or OutputError.
void write_report(const std::string& directory);

}  // namespace microslip
