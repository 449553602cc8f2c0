#pragma once
// A joint along a periodic motion: its force under small disturbances, with what it remembers of them. The equations
// are in floquet.hpp.

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

constexpr double same_time = 1e-12;  ///< of events, in the phase tau = omega t

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowsOf = Eigen::Ref<const Rows>;  ///< some rows of all, not copied

/// dx = kappa du + gamma dv + rest at one instant, of one joint.
struct Linearised {
  Eigen::MatrixXd kappa, gamma;  ///< d x d
  Rows rest;                     ///< d x columns
};

/// A joint along its periodic motion. The calls come in the order of time.
class JointVariation {
 public:
  JointVariation() = default;
  JointVariation(const JointVariation&) = delete;
  JointVariation& operator=(const JointVariation&) = delete;
  virtual ~JointVariation() = default;
  /// Instants in [0, 2 pi) where the tangent jumps or the memory changes.
  [[nodiscard]] virtual std::vector<double> events() const = 0;
  /// kappa, gamma and rest do not change between events: at_start tells them for the whole piece.
  [[nodiscard]] virtual bool straight() const = 0;
  /// Unknowns of the memory.
  [[nodiscard]] virtual int extra() const = 0;
  /// The first of its unknowns is column `first` of `columns`. `nodes`: ends of all steps, from 0 to 2 pi.
  virtual void begin(const std::vector<double>& nodes, Eigen::Index first, Eigen::Index columns) = 0;
  /// A piece [from, to] between events begins; `du`: rows of the joint's components there.
  virtual void enter(double from, double to, const RowsOf& du) = 0;
  /// At the start of the present piece.
  virtual void at_start(Linearised& out) = 0;
  /// At node `node`, the end of a step; `du`: at its start.
  virtual void at_end(std::size_t node, const RowsOf& du, Linearised& out) = 0;
  virtual void accept(const RowsOf& du_before, const RowsOf& du) = 0;
  /// Its unknowns at the end of the period.
  virtual void finish(Eigen::Ref<Rows> memory) const = 0;
};

/// Corners of a backbone (sliders, points of a table) end steps, two branches and four steps for each: up to 256 steps
/// of all joints together, those with the fewest corners first. False: slopes of the joint are averaged instead.
[[nodiscard]] std::vector<bool> corners_to_cut(const System& system);

/// `series`: deflections of the joint's components; `cuts_corners`: steps end at those of its backbone. The joint must
/// outlive it.
[[nodiscard]] std::unique_ptr<JointVariation> make_variation(const Joint& joint, const Eigen::MatrixXd& series,
                                                             double omega, SeriesScanner& scanner, bool cuts_corners);

}  // namespace microslip
