#pragma once
// What analyses of periodic motions under harmonic loads ask for alike: frf, level_sweep, orbit.

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/choice.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/periodic/steady_request.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

inline constexpr Choice<SteadyMethod> response_methods[] = {{"harmonic_balance", SteadyMethod::harmonic_balance},
                                                            {"shooting", SteadyMethod::shooting},
                                                            {"piecewise_linear", SteadyMethod::piecewise_linear}};
/// For people: "harmonic balance".
[[nodiscard]] std::string in_words(SteadyMethod method);

inline constexpr Choice<HarmonicSolver> harmonic_solvers[] = {{"newton", HarmonicSolver::newton},
                                                              {"fixed_point", HarmonicSolver::fixed_point}};

struct MotionRequest {
  std::vector<std::string> loads;  ///< names
  ResponseRecord record;
  FrequencyResponseOptions options;
  HarmonicLoad load;                            ///< of harmonic balance and shooting
  std::shared_ptr<const PiecewiseModel> model;  ///< of exact orbits, with its loads

  [[nodiscard]] SteadyMethod method() const { return options.method; }
  [[nodiscard]] bool shooting() const { return method() == SteadyMethod::shooting; }
  [[nodiscard]] bool piecewise() const { return method() == SteadyMethod::piecewise_linear; }
  /// Of the solver that is used.
  [[nodiscard]] double tolerance() const;
  /// "10 modes", of exact orbits.
  [[nodiscard]] std::string modes_in_words() const;
  /// The answer of the method; `no_convergence` where it throws: a law that gave no number.
  [[nodiscard]] FrequencyResponse respond(const System& system, const SteadyRequest& request,
                                          const Observer& observer) const;
};

/// "2 frequencies".
[[nodiscard]] std::string count_of_frequencies(std::size_t count);
/// Load, levels, `frequencies` in words, method: the line that describes an analysis.
[[nodiscard]] std::string describe_motions(const MotionRequest& motions, std::span<const double> levels,
                                           const std::string& frequencies);

/// Settings for results.h5: load and levels come first, ...
[[nodiscard]] nlohmann::ordered_json load_settings(const MotionRequest& motions, std::span<const double> levels);
/// ... behind the frequencies, method and accuracy.
void add_method_settings(const MotionRequest& motions, nlohmann::ordered_json& json);

/// A remark where harmonic balance cannot tell stability, though it may have found a motion that is not stable; empty:
/// it can, or another method is asked.
[[nodiscard]] std::string unseen_stability(const MotionRequest& motions, const System& system);

/// What a method gives; `no_convergence` where it throws: a law that gave no number.
[[nodiscard]] FrequencyResponse response_or_failure(const std::function<FrequencyResponse()>& method);

/// The unknowns of harmonic balance are deflections of joints: a structure without joints gets a spring of no stiffness
/// at a degree of freedom.
[[nodiscard]] System with_idle_joint(const System& system, int dof);

}  // namespace microslip
