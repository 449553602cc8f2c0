#include "microslip/report/palette.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

namespace microslip {
namespace palette_test {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

/// sRGB -> linear light.
Vector linear(std::string_view colour) {
  Vector rgb{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double v = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    rgb[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  return rgb;
}

Vector times(const Matrix& matrix, const Vector& v) {
  Vector result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * v[j];
  }
  return result;
}

double luminance(const Vector& rgb) {
  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

/// CIE L*a*b*, white D65.
Vector lab(Vector rgb) {
  for (double& v : rgb) v = std::min(1.0, std::max(0.0, v));
  const Matrix to_xyz = {
      {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
  Vector xyz = times(to_xyz, rgb);
  const Vector white = {0.95047, 1.0, 1.08883};
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = xyz[i] / white[i];
    xyz[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0;
  }
  return {116.0 * xyz[1] - 16.0, 500.0 * (xyz[0] - xyz[1]), 200.0 * (xyz[1] - xyz[2])};
}

double distance(const Vector& a, const Vector& b) {
  return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2));
}

// WCAG 2.1, 1.4.11: graphics need a contrast of 3 to their background.
TEST(Palette, StandsOutFromPaper) {
  for (int i = 0; i < palette_size; ++i) EXPECT_GE(1.05 / (luminance(linear(curve_look(i).colour)) + 0.05), 3.0) << i;
}

// Machado, Oliveira, Fernandes (2009), severity 1: protanopia, deuteranopia, tritanopia. A distance of 10 in L*a*b* is
// seen at a glance.
TEST(Palette, IsDistinctForEveryEye) {
  const std::array<Matrix, 4> eyes = {
      {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
       {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
       {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
       {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};
  for (std::size_t eye = 0; eye < eyes.size(); ++eye) {
    for (int i = 0; i < palette_size; ++i) {
      for (int j = 0; j < i; ++j) {
        EXPECT_GT(distance(lab(times(eyes[eye], linear(curve_look(i).colour))),
                           lab(times(eyes[eye], linear(curve_look(j).colour)))),
                  10.0)
            << "eye " << eye << ", " << i << " and " << j;
      }
    }
  }
}

TEST(Palette, GreyPrintDiffersByMarker) {
  std::set<MarkerShape> shapes;
  for (int i = 0; i < palette_size; ++i) shapes.insert(curve_look(i).marker);
  EXPECT_EQ(shapes.size(), static_cast<std::size_t>(palette_size));
  std::set<std::tuple<std::string_view, MarkerShape, bool>> looks;
  for (int i = 0; i < 8 * palette_size; ++i) {
    const CurveLook look = curve_look(i);
    looks.insert({look.colour, look.marker, look.filled});
  }
  EXPECT_EQ(looks.size(), 8U * palette_size);
}

TEST(Palette, LightnessOfMapsRises) {
  EXPECT_EQ(map_colour(0.0), "#440154");
  EXPECT_EQ(map_colour(1.0), "#fde725");
  EXPECT_EQ(map_colour(-1.0), map_colour(0.0));
  EXPECT_EQ(map_colour(2.0), map_colour(1.0));
  double before = -1.0;
  for (int i = 0; i <= 50; ++i) {
    const double lightness = lab(linear(map_colour(i / 50.0)))[0];
    EXPECT_GT(lightness, before);
    before = lightness;
  }
}

}  // namespace palette_test
}  // namespace microslip
