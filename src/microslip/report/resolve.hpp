#pragma once
// Figure + tables -> Plot.

#include <stdexcept>
#include <string>
#include <vector>

#include "microslip/report/plot.hpp"
#include "microslip/report/unit_labels.hpp"

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

/// Most curves in a figure; the rest is left out, and a note says so.
inline constexpr std::size_t most_curves = 40;

/// Never throws for what the tables hold or do not hold. Numbers that are infinite become gaps.
[[nodiscard]] Resolved resolve(const Figure& figure, ColumnSource& source, const UnitLabels& units);

}  // namespace microslip
