#pragma once
// Figure + tables -> Plot.

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "microslip/report/plot.hpp"
#include "microslip/system/unit_labels.hpp"

namespace microslip {

/// Where the columns of an analysis are found.
class ColumnSource {
 public:
  virtual ~ColumnSource() = default;
  /// Throws MissingColumn; another exception where it cannot be read.
  virtual const std::vector<double>& column(const std::string& table, const std::string& name) = 0;
  /// The user's label; "-" or empty: none.
  [[nodiscard]] virtual std::string unit(const std::string& table, const std::string& name) const = 0;
};

class MissingColumn : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Resolved {
  Plot plot;
  std::string problem;             ///< why there is nothing to draw; empty: there is
  std::vector<std::string> notes;  ///< what is not as it was asked for: curves left out, a log axis that cannot be
};

/// Where the degrees of freedom of a structure are in space, as report.json has it: displacement of a point = sum over
/// its motions of q[dof] * direction.
struct ShapeGeometry {
  struct Motion {
    std::size_t point = 0;
    std::string dof;  ///< label
    std::array<double, 3> direction{};
  };
  std::vector<std::array<double, 3>> points;
  std::vector<Motion> motions;
  std::vector<std::vector<int>> lines;  ///< numbers of points, all of them there
  bool assumed = false;
};

/// Most curves in a figure; the rest is left out, and a note says so.
inline constexpr std::size_t most_curves = 40;

/// Of the points of each curve with more than `first_view_points`, the share that is wanted: the rest is thinned, see
/// PlotLine::of. Curves that go to and fro keep what a picture needs.
struct ResolveOptions {
  double share = 1.0;
};
/// The most points that remain of a long curve that does not go to and fro.
[[nodiscard]] std::size_t points_of_share(double share, std::size_t points);

/// Never throws for what the tables hold or do not hold. Numbers that are infinite become gaps.
/// `geometry`: for shapes.
[[nodiscard]] Resolved resolve(const Figure& figure, ColumnSource& source, const UnitLabels& units,
                               const ShapeGeometry& geometry = {}, const ResolveOptions& options = {});

/// "phi" and "3" -> "phi[3]".
[[nodiscard]] std::string column_of_dof(const std::string& quantity, const std::string& dof);

}  // namespace microslip
