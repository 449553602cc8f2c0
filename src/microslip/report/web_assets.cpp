#include "microslip/report/web_assets.hpp"

// The assembler takes the files in as they are. CMake names them, and none where one is missing.
#define MICROSLIP_INCLUDE_FILE(symbol, path)  \
  asm(".pushsection .rodata\n"                \
      ".balign 16\n" #symbol                  \
      "_begin:\n"                             \
      ".incbin \"" path "\"\n" #symbol        \
      "_end:\n"                               \
      ".byte 0\n"                             \
      ".popsection\n");                       \
  extern "C" {                                \
  extern const std::uint8_t symbol##_begin[]; \
  extern const std::uint8_t symbol##_end[];   \
  }

MICROSLIP_INCLUDE_FILE(microslip_page_css, MICROSLIP_PAGE_CSS)
MICROSLIP_INCLUDE_FILE(microslip_page_js, MICROSLIP_PAGE_JS)
#ifdef MICROSLIP_PLOTLY_BASIC
MICROSLIP_INCLUDE_FILE(microslip_plotly_basic, MICROSLIP_PLOTLY_BASIC)
#endif
#ifdef MICROSLIP_PLOTLY_CARTESIAN
MICROSLIP_INCLUDE_FILE(microslip_plotly_cartesian, MICROSLIP_PLOTLY_CARTESIAN)
#endif
#ifdef MICROSLIP_PLOTLY_GL3D
MICROSLIP_INCLUDE_FILE(microslip_plotly_gl3d, MICROSLIP_PLOTLY_GL3D)
#endif

namespace microslip {
namespace {

std::string_view text(const std::uint8_t* begin, const std::uint8_t* end) {
  return {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view page_style() {
  return text(microslip_page_css_begin, microslip_page_css_end);
}

std::string_view page_script() {
  return text(microslip_page_js_begin, microslip_page_js_end);
}

std::string_view engine_name(PlotEngine engine) {
  switch (engine) {
    case PlotEngine::basic:
      return "basic";
    case PlotEngine::cartesian:
      return "cartesian";
    case PlotEngine::space:
      return "space";
  }
  return "basic";
}

std::span<const std::uint8_t> engine_script(PlotEngine engine) {
  switch (engine) {
    case PlotEngine::basic:
#ifdef MICROSLIP_PLOTLY_BASIC
      return {microslip_plotly_basic_begin, microslip_plotly_basic_end};
#else
      break;
#endif
    case PlotEngine::cartesian:
#ifdef MICROSLIP_PLOTLY_CARTESIAN
      return {microslip_plotly_cartesian_begin, microslip_plotly_cartesian_end};
#else
      break;
#endif
    case PlotEngine::space:
#ifdef MICROSLIP_PLOTLY_GL3D
      return {microslip_plotly_gl3d_begin, microslip_plotly_gl3d_end};
#else
      break;
#endif
  }
  return {};
}

}  // namespace microslip
