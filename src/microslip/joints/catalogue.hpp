#pragma once
// The laws a study may name, their parameters, the bounds of these, and the way from parameters to the law.
//
// An entry of the catalogue is all that is said of a law outside its class: the study reader (`check`), `microslip
// laws` and the messages live on it. Units are given in words, since a study uses any consistent set.

#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/joints/any_law.hpp"
#include "microslip/numerics/nearest_name.hpp"

namespace microslip {

/// A number of a law: name as in the study file, unit in words, meaning, bounds.
struct ParameterInfo {
  std::string name;
  std::string unit;  ///< "force/length"; "-" for none
  std::string meaning;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = true;               ///< the bound itself is not allowed
  bool upper_open = true;               ///< the same
  std::optional<double> default_value;  ///< value of an optional parameter left out, where it is a fixed number
  bool integer = false;

  /// "> 0", ">= 0", "in (0, 1]", "an integer >= 1"; "finite" without bounds.
  [[nodiscard]] std::string range() const;
  [[nodiscard]] bool admits(double value) const;
};

/// Anything in the study that is not a number: lists, files, choices.
struct ExtraKey {
  std::string name;
  std::string meaning;
};

/// A law as a study gives it. The reader loads a backbone file into the table.
struct LawSpec {
  std::string law;
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<double> table_u, table_f;  ///< masing, piecewise_linear: points
  std::string interpolation;             ///< masing: "smooth", "linear" or empty (smooth)

  [[nodiscard]] bool has(std::string_view key) const;
  /// The number given, else the catalogue's default, else LawError (missing).
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] double number_or(std::string_view key, double fallback) const;
  [[nodiscard]] Interpolation interpolation_kind() const {
    return interpolation == "linear" ? Interpolation::linear : Interpolation::smooth;
  }
};

/// From a checked law as a study gives it to the law.
using LawMaker = std::function<Law(const LawSpec&)>;

/// A law that a study might give, for tests and help texts.
struct LawExample {
  LawSpec spec;
  std::string words;  ///< what sets it apart from the other examples of its law: "with sliders"
};

/// What the points u, f of a study are.
enum class PointsOf {
  nothing,  ///< it takes none
  spring,   ///< of straight lines: PiecewiseLinearSpring
  backbone  ///< concave: ConcaveCurve, with an interpolation
};

struct LawInfo {
  std::string name;     ///< as in the study file
  std::string summary;  ///< one line
  /// Alternative sets of numbers, exactly one of which is given in full.
  std::vector<std::vector<ParameterInfo>> sets;
  std::vector<ParameterInfo> optional;  ///< numbers that may be left out, with any set
  std::vector<ExtraKey> extra;
  bool series = false;  ///< any of k1, k2, ..., at least one (polynomial); `sets` is empty
  PointsOf points = PointsOf::nothing;
  bool iwan = false;  ///< its numbers are those of a slider distribution R phi^chi: IwanParameters
  /// Throws LawError where numbers, each within its bounds, do not go together; may be empty.
  std::function<void(const LawSpec&)> relations;
  LawMaker make;
  std::vector<LawExample> examples;  ///< one or more; one for each kind of law that its numbers make

  /// Every key of the law, numbers first, each once. A series gives k1, k2, k3.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// nullptr if the law has no such number.
  [[nodiscard]] const ParameterInfo* find(std::string_view parameter) const;
};

/// All laws, in the order of the documentation.
[[nodiscard]] const std::vector<LawInfo>& law_catalogue();
/// nullptr if there is none.
[[nodiscard]] const LawInfo* find_law(std::string_view name);

/// A complaint about a law as the user wrote it. `what()` starts with the key where there is one: "FS must be > 0, got
/// -3".
class LawError : public std::invalid_argument {
 public:
  LawError(std::string key, const std::string& message) : std::invalid_argument(message), key_(std::move(key)) {}
  /// The offending key: "law" for an unknown law, the name of what is missing for a missing key.
  [[nodiscard]] const std::string& key() const { return key_; }

 private:
  std::string key_;
};

/// Largest j of k_j in a polynomial.
inline constexpr int max_polynomial_degree = 99;
/// Largest N of `sliders = N`.
inline constexpr int max_sliders = 1'000'000;

/// Throws LawError at the first thing wrong: unknown law or key (with the nearest right one), missing key, mixed
/// sets, a number that is not finite or out of its bounds, a table that is not a backbone.
void check_law(const LawSpec& spec);

/// Distribution parameters of iwan4, iwan5 and iwan6, from whichever set is given (checked first).
struct IwanParameters {
  double r = 0.0;        ///< R [force/length^(chi+2)]
  double s = 0.0;        ///< S [force/length]
  double phi_max = 0.0;  ///< [length]
  double chi = 0.0;
  double theta = 1.0;     ///< iwan5; 1: no drop, iwan4
  double residual = 0.0;  ///< iwan6: Kinf [force/length]
  int sliders = 0;        ///< 0: exact and continuous
  double spacing = 0.0;   ///< ratio of neighbouring strengths; with sliders only
};
[[nodiscard]] IwanParameters iwan_parameters(const LawSpec& spec);
/// Slider distribution of iwan4, iwan5 and iwan6 as given; nothing of other laws (checked first).
[[nodiscard]] std::optional<Iwan4Backbone<double>> iwan_distribution(const LawSpec& spec);

/// j of "k<j>", 1 <= j <= max_polynomial_degree, without leading zeros; 0 for anything else.
[[nodiscard]] int polynomial_power(std::string_view key);

/// k1 .. kn of a polynomial, zeros where the study gives none (checked first).
[[nodiscard]] std::vector<double> polynomial_coefficients(const LawSpec& spec);

}  // namespace microslip
