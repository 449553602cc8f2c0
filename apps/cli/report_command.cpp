#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "commands.hpp"
#include "microslip/io/input_error.hpp"
#include "microslip/io/write_file.hpp"
#include "microslip/report/report_page.hpp"

namespace microslip::cli {

int report_command(const ReportArguments& arguments) {
  std::string out = arguments.out;
  if (out.empty()) {
    out = arguments.directories.size() > 1
              ? std::string("overlay.html")
              : (std::filesystem::path(arguments.directories.front()) / "report.html").string();
  }
  const std::string ending = std::filesystem::path(out).extension().string();
  if (ending != ".html" && ending != ".htm") {
    throw std::invalid_argument(fmt::format("--out must end in .html, got {}", in_quotes(out)));
  }
  const std::string html = report_page(arguments.directories);
  write_file(out, html);
  fmt::print("wrote {}\n", out);
  return exit_completed;
}

}  // namespace microslip::cli
