#pragma once
// What is measured on exact orbits: ranges of displacements, their first harmonics, and friction.

#include <Eigen/Core>
#include <complex>
#include <map>
#include <memory>
#include <vector>

#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/piecewise_orbit.hpp"

namespace microslip {

class OrbitMeasures {
 public:
  /// Of degrees of freedom. Model and load must outlive it.
  OrbitMeasures(const PiecewiseModel& model, const PeriodicLoad& load, std::vector<int> dofs)
      : model_(&model), load_(&load), dofs_(std::move(dofs)) {}

  [[nodiscard]] std::size_t count() const { return dofs_.size(); }
  /// Half of the range of the absolute displacement, of the degrees of freedom after the first `skip`.
  [[nodiscard]] std::vector<double> amplitudes(const PiecewiseOrbit& orbit, std::size_t skip = 0);
  /// First harmonics of the absolute displacements, in closed form.
  [[nodiscard]] Eigen::VectorXcd first_harmonics(const PiecewiseOrbit& orbit);
  /// Fills dissipation, stick_fraction and cases.
  void friction(const PiecewiseOrbit& orbit, ResponsePoint& point) const;

 private:
  /// Displacements of the degrees of freedom from the coordinates of a regime, row by row.
  struct Weights {
    Eigen::MatrixXd q, v, d;
  };
  class RangeSearch;
  [[nodiscard]] const Weights& weights(const LinearFlow& flow);
  /// Integral of the displacements times exp(-i omega t) over an arc.
  [[nodiscard]] Eigen::VectorXcd arc_integral(const PiecewiseOrbit& orbit, std::size_t arc);
  /// Energy that a contact takes while it slides over an arc.
  [[nodiscard]] double sliding_energy(const PiecewiseOrbit& orbit, std::size_t arc, std::size_t contact) const;

  const PiecewiseModel* model_;
  const PeriodicLoad* load_;
  std::vector<int> dofs_;
  std::map<const LinearFlow*, std::shared_ptr<const Weights>> weights_;
};

}  // namespace microslip
