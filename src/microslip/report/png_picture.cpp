#include "microslip/report/png_picture.hpp"

#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

namespace microslip {
namespace {

struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(GError* error) const { g_error_free(error); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

[[noreturn]] void fail(GError* error) {
  const Owned<GError> owner(error);
  throw OutputError(fmt::format("the picture cannot be drawn: {}", error != nullptr ? error->message : "no reason"));
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string png(std::string_view svg_text, double scale) {
  GError* error = nullptr;
  const Owned<RsvgHandle> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg_text.data()), svg_text.size(), &error));
  if (!handle) fail(error);
  double width = 0.0, height = 0.0;
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height) == FALSE) {
    throw OutputError("the picture has no size");
  }
  const Owned<cairo_surface_t> surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32,
                                                                  static_cast<int>(std::lround(width * scale)),
                                                                  static_cast<int>(std::lround(height * scale))));
  const Owned<cairo_t> context(cairo_create(surface.get()));
  const RsvgRectangle viewport = {0.0, 0.0, width * scale, height * scale};
  if (rsvg_handle_render_document(handle.get(), context.get(), &viewport, &error) == FALSE) fail(error);
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) {
    throw OutputError(fmt::format("the picture cannot be drawn: {}", cairo_status_to_string(status)));
  }
  return bytes;
}

}  // namespace microslip
