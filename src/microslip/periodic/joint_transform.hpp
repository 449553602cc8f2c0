#pragma once
// What the laws share inside AlternatingTransform: one class for each way to remember, in a source of its own.
//
//   spring_transform.cpp    forces without memory
//   masing_transform.cpp    return-point memory: the loop closes at once
//   fading_transform.cpp    Bouc-Wen: Newton for z(T) = z(0)
//   slider_transform.cpp    iwan5: periods until they repeat
//   custom_transform.cpp    steps of a user's own law

#include <Eigen/Core>
#include <memory>

#include "microslip/joints/any_law.hpp"
#include "microslip/joints/joint_memory.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {

struct TransformSetting {
  double normal = 0.0;  ///< load of the joint
  int harmonics = 1, samples = 16, components = 1;
};

class JointTransform {
 public:
  explicit JointTransform(const TransformSetting& setting);
  virtual ~JointTransform() = default;
  JointTransform(const JointTransform&) = delete;
  JointTransform& operator=(const JointTransform&) = delete;

  /// See AlternatingTransform::evaluate.
  bool evaluate(const double* u, double omega, double* force, Eigen::MatrixXd* jacobian, Eigen::VectorXd* rate);

  /// Sliders start from that memory instead of from rest; for other laws it makes no difference to a periodic motion,
  /// or none that is known here.
  virtual void begin_with(const JointMemory& /*memory*/, int /*joint*/) {}

  const double normal;
  const int harmonics, samples, components;
  long evaluations = 0;

 protected:
  /// Adds to the zeros in out_force and, unless they are nullptr, out_jacobian and out_rate.
  virtual bool run(const double* u, double omega) = 0;

  /// What an integral of F e over the period is multiplied by.
  [[nodiscard]] static double norm(int row) { return row == 0 ? 1.0 / two_pi : 1.0 / pi; }
  void add_spring(double k, const double* u);
  [[nodiscard]] bool moves(const double* u, std::size_t extrema) const;
  /// Nothing moves: F(u_0), small swings about it with the stuck stiffness.
  void stay_at_rest(double force0, double slope0, double stuck, const double* u);

  const int size;  // of the series of a component
  double* out_force = nullptr;
  Eigen::MatrixXd* out_jacobian = nullptr;
  Eigen::VectorXd* out_rate = nullptr;
};

/// Each for the laws of its kind: nullptr for the others. The law must outlive what is made.
[[nodiscard]] std::unique_ptr<JointTransform> spring_transform(const Law& law, const TransformSetting& setting);
[[nodiscard]] std::unique_ptr<JointTransform> masing_transform(const Law& law, const TransformSetting& setting);
[[nodiscard]] std::unique_ptr<JointTransform> fading_transform(const Law& law, const TransformSetting& setting);
[[nodiscard]] std::unique_ptr<JointTransform> slider_transform(const Law& law, const TransformSetting& setting);
[[nodiscard]] std::unique_ptr<JointTransform> custom_transform(const Law& law, const TransformSetting& setting);

}  // namespace microslip
