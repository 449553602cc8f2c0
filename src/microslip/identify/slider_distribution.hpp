#pragma once
// An Iwan element whose distribution of slider strengths phi [length] is given cell by cell.
//
// Cell j holds sliders of stiffness k_j >= 0 in all, spread evenly over (a_j, b_j), or all of one strength phi_j, then
// with min(u, phi_j) for m_j. The last strength phi_max holds S, the sliders that slip last; a spring K_inf acts in
// parallel:
//   f(u) = sum of k_j m_j(u) + S min(u, phi_max) + K_inf u
//   m_j(u) = mean over the cell of min(u, phi) = u,   u - (u - a)^2/(2 (b - a)),   (a + b)/2
// Masing rules make the loops; the loss of a cycle of amplitude X is
//   D(X) = 4 sum over the sliders of k phi (X - phi),   phi < X
//
// Ref: Iwan 1966; Shetty dissertation, (III-4) and (III-6).

#include <vector>

#include "microslip/joints/masing_table.hpp"

namespace microslip {

struct SliderDistribution {
  std::vector<double> edge;       ///< of the cells, ascending, the first 0, one more than cells [length]
  std::vector<double> stiffness;  ///< k_j of the cells [force/length]
  double phi_max = 0.0;           ///< strength of the last sliders, not below the last edge [length]
  double end_stiffness = 0.0;     ///< S [force/length]
  double residual = 0.0;          ///< K_inf [force/length]
  bool spread = true;             ///< false: all sliders of a cell have the strength `strength`
  std::vector<double> strength;   ///< phi_j of the cells; empty: their centres [length]

  [[nodiscard]] std::size_t cells() const { return stiffness.size(); }
  /// Mean strength of the cell's sliders.
  [[nodiscard]] double centre(std::size_t cell) const {
    return strength.empty() ? 0.5 * (edge[cell] + edge[cell + 1]) : strength[cell];
  }
  /// rho = k_j/(b_j - a_j) [force/length^2]
  [[nodiscard]] double density(std::size_t cell) const { return stiffness[cell] / (edge[cell + 1] - edge[cell]); }

  [[nodiscard]] double force(double u) const;        ///< u >= 0 [force]
  [[nodiscard]] double dissipation(double x) const;  ///< D [energy]
  [[nodiscard]] double slip_force() const;           ///< F_S, without the residual spring [force]
  [[nodiscard]] double stiffness_at_rest() const;    ///< K_T, without the residual spring [force/length]

  /// Points of its backbone, residual included, for a `masing` law with `interpolation()`.
  struct Backbone {
    std::vector<double> u, f;
  };
  [[nodiscard]] Backbone backbone() const;
  [[nodiscard]] Interpolation interpolation() const { return spread ? Interpolation::smooth : Interpolation::linear; }
  /// The law through those points.
  [[nodiscard]] MasingTable<double> law() const;
};

/// Mean over the strengths (a, b) of min(u, phi).
[[nodiscard]] double spread_slider(double u, double a, double b);
/// Mean over them of 4 phi (x - phi) for phi < x.
[[nodiscard]] double spread_loss(double x, double a, double b);

}  // namespace microslip
