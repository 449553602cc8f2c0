#pragma once
// The largest amplitude of a curve of periodic motions, and the stability of a motion.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "microslip/periodic/frequency_response.hpp"

namespace microslip {

/// Of a motion whose multiplier is known.
struct Stability {
  double multiplier = 0.0;
  double multiplier_error = 0.0;
  std::optional<bool> stable;  ///< nothing: the error hides it

  /// true, false or null.
  [[nodiscard]] nlohmann::ordered_json stable_json() const;
};

/// Nothing where the multiplier is not known.
[[nodiscard]] std::optional<Stability> stability_of(const ResponsePoint& point);
/// 1: stable, 0: unstable, nan: not known.
[[nodiscard]] double stability_mark(const ResponsePoint& point);

struct HighestResponse {
  std::string dof;  ///< label
  double level = 0.0;
  double frequency_hz = 0.0;
  double amplitude = 0.0;  ///< [length]
  std::optional<Stability> stability;

  [[nodiscard]] nlohmann::ordered_json to_json() const;
};

/// The largest amplitude among points and special points of a piece: of the degree of freedom whose peaks are located,
/// if it is recorded, else of the first one. Nothing where there is no point with an amplitude, or nothing is recorded.
[[nodiscard]] std::optional<HighestResponse> highest_of(const ResponseRecord& record, const System& system,
                                                        const FrequencyResponse& response, int piece = 0);

}  // namespace microslip
