#include "microslip/report/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace microslip {
namespace {

// Dark and middle lightness by turns; every one has a contrast of 3 or more to white paper.
constexpr std::array<std::string_view, palette_size> colours = {"#0b4ea2", "#d55e00", "#006b52", "#cc6699",
                                                                "#222222", "#3d95d6", "#6a1452"};
constexpr std::array<MarkerShape, 8> markers = {MarkerShape::circle,  MarkerShape::square, MarkerShape::triangle,
                                                MarkerShape::diamond, MarkerShape::plus,   MarkerShape::triangle_down,
                                                MarkerShape::cross,   MarkerShape::star};

struct Rgb {
  double r, g, b;
};
// Ten points of the viridis scale (S. van der Walt, N. Smith; CC0).
constexpr std::array<Rgb, 10> map_points = {{{68, 1, 84},
                                             {72, 40, 120},
                                             {62, 73, 137},
                                             {49, 104, 142},
                                             {38, 130, 142},
                                             {31, 158, 137},
                                             {53, 183, 121},
                                             {110, 206, 88},
                                             {181, 222, 43},
                                             {253, 231, 37}}};

}  // namespace

CurveLook curve_look(int number) {
  if (number < 0) return {"#8c8c8c", MarkerShape::circle, false};
  const int round = number / palette_size;
  const auto colour = static_cast<std::size_t>(number % palette_size);
  const auto marker = (colour + static_cast<std::size_t>(round)) % markers.size();
  return {colours[colour], markers[marker], round % 2 == 0};
}

std::string map_colour(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (map_points.size() - 1);
  const auto below = std::min<std::size_t>(static_cast<std::size_t>(place), map_points.size() - 2);
  const double t = place - static_cast<double>(below);
  const auto mix = [&](double Rgb::*part) {
    return static_cast<int>(std::lround((1.0 - t) * (map_points[below].*part) + t * (map_points[below + 1].*part)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(&Rgb::r), mix(&Rgb::g), mix(&Rgb::b));
}

}  // namespace microslip
