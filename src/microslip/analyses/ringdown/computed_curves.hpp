#pragma once
// Curves of frequency and damping that the model has, beside those of a ring-down.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"

namespace microslip {

struct ModeRingdown;

/// Keys `computed` and `pairs`.
struct ComputedSources {
  struct Source {
    std::string name;
    bool qsma = false;  ///< or nonlinear_mode
  };
  std::vector<Source> curves;  ///< analyses further up
  std::string pairs;  ///< the compare_modes that tells which mode of the model is which; empty: the same numbers
};

struct ComputedPoint {
  double q = 0.0, frequency_hz = 0.0, zeta = 0.0;
};

/// A mode of one analysis, in rising q.
struct ComputedCurve {
  int source = 0;      ///< number in `computed`, from 1
  int mode = 0;        ///< number in the ring-down
  int model = 0;       ///< number of the mode in the model
  double scale = 1.0;  ///< measured shape over that of the model; 1: not known
  std::vector<ComputedPoint> points;
};

/// What lies between a ring-down and a computed curve at equal amplitude: means over the clean rows that it reaches.
struct CurveDifference {
  std::string source;
  int mode = 0, model = 0;
  std::string record;                  ///< of several
  long rows = 0, out = 0;              ///< rows compared, and clean rows beyond its amplitudes
  double frequency = 0.0, zeta = 0.0;  ///< computed over measured, less 1
};

[[nodiscard]] ComputedSources read_computed_sources(const TableReader& reader, const StudyParts& parts);

/// The curves of these modes. Modes without a partner have none.
[[nodiscard]] std::vector<ComputedCurve> computed_curves(const ComputedSources& sources, const std::vector<int>& modes,
                                                         const Results& results);
[[nodiscard]] CurveDifference difference_of(const ModeRingdown& measured, const ComputedCurve& computed);

inline constexpr const char* computed_part = "computed";
/// `length`: unit of q.
void write_computed_table(const std::string& analysis, const std::string& length,
                          const std::vector<ComputedCurve>& curves, Results& results);

}  // namespace microslip
