#pragma once
// What a test says of a model: amplitude curves of modes, and modes.

#include <Eigen/Core>
#include <string>
#include <vector>

namespace microslip {

/// Frequency and damping of one mode over amplitude.
struct CurveTarget {
  std::string name;
  int mode = 0;         ///< stuck mode of the study, from 0, whose shape is followed
  bool secant = false;  ///< omega and zeta of steady vibration; else those of a ring-down
  bool shift = true;    ///< of frequencies only the shift over amplitude counts
  std::vector<double> q;
  std::vector<double> omega, omega_error;  ///< [rad/time]; empty: not compared
  std::vector<double> zeta, zeta_error;    ///< the same
  double omega_weight = 1.0, zeta_weight = 1.0;
  bool discrepancy = true;  ///< how wrong the model is besides is estimated
  int per_decade = 12;      ///< amplitudes that are computed
};

enum class ShapeRows { none, components, mac };

/// Frequencies and shapes of measured modes.
struct ModeTarget {
  std::string name;
  std::vector<int> numbers;   ///< of the measured modes
  Eigen::VectorXd frequency;  ///< [1/time]
  Eigen::VectorXd frequency_error;
  double frequency_weight = 1.0;  ///< 0: they do not count
  Eigen::MatrixXd sensors;        ///< sensors x n: what they see of the independent coordinates
  std::vector<std::string> channels;
  std::vector<std::string> left_out;  ///< channels of the test that are no point of the model
  Eigen::MatrixXd shapes;             ///< sensors x modes, real
  ShapeRows shape_rows = ShapeRows::components;
  Eigen::MatrixXd shape_error;  ///< of the components
  double mac_error = 1e-3;      ///< of 1 - MAC
  double shape_weight = 1.0;
  bool discrepancy = false;
};

/// Forces of one joint along a path of its deflection, from rest or of a cycle that has settled.
struct LoopTarget {
  std::string name;
  int joint = 0;
  bool settled = false;  ///< deflections count from the middle of their range, forces to a constant
  std::vector<double> u, force, force_error;
  double weight = 1.0;
  bool discrepancy = true;
};

/// What a row of the problem is.
struct UpdateRow {
  enum class Quantity { omega, zeta, frequency, shape, mac, force };
  int target = 0;     ///< curves first, then modes, then loops
  int index = 0;      ///< of the amplitude, of the measured mode, or of the row of a loop
  int component = 0;  ///< of a shape
  Quantity quantity = Quantity::omega;
};

}  // namespace microslip
