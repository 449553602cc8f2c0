#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "microslip/io/output_file.hpp"
#include "microslip/report/report_page.hpp"

namespace microslip::cli {

int report_command(const ReportArguments& arguments) {
  std::string out = arguments.out;
  if (out.empty()) {
    out = arguments.directories.size() > 1
              ? std::string("overlay.html")
              : (std::filesystem::path(arguments.directories.front()) / "report.html").string();
  }
  const std::string html = report_page(arguments.directories);
  OutputFile file(out);
  file.write(html);
  file.close();
  fmt::print("wrote {}\n", out);
  return exit_completed;
}

}  // namespace microslip::cli
