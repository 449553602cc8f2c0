#pragma once
// A structure with joints as a function of parameters: each moves one or several numbers of a study, laws of joints or
// what the matrices are linear in,
//
//   v_k = factor p   or   factor/p,      M, K, C = those of the study + sum of (v_k - start_k) d(M, K, C)/dv_k
//
// Where neither matrices nor the stiffness of joints at rest move, the modes of the study are kept.

#include <memory>
#include <vector>

#include "microslip/updating/modal_curve.hpp"
#include "microslip/updating/model_modes.hpp"

namespace microslip {

/// A number of the study: of the law of a joint, or else of the matrices.
struct ModelNumber {
  double start = 0.0;  ///< as the study has it
  int joint = -1, number = -1;
  MatrixChange change;
};

struct NumberLink {
  int parameter = 0, number = 0;
  double factor = 1.0;
  bool inverse = false;

  [[nodiscard]] double value(double p) const { return inverse ? factor / p : factor * p; }
  [[nodiscard]] double slope(double p) const { return inverse ? -factor / (p * p) : factor; }
};

/// The model at values of the parameters.
struct ModelState {
  std::vector<double> numbers;
  std::shared_ptr<const ModelMatrices> matrices;
  std::shared_ptr<const ModelModes> modes;
  bool modes_of_study = false;
  std::vector<VirginCurve<double>> laws;
  // With derivatives:
  std::vector<VirginCurve<LawNumber>> law_numbers;
  std::vector<MatrixChange> changes;            ///< of each parameter
  std::vector<std::vector<LawMotion>> motions;  ///< the same
};

class UpdateModel {
 public:
  struct Parts {
    ModelMatrices matrices;  ///< of the study
    std::vector<LawSpec> laws;
    std::vector<ModelNumber> numbers;
    std::vector<NumberLink> links;
    int parameters = 0;
  };

  /// Throws std::invalid_argument where the study has no modes with derivatives, or a law no virgin curve.
  explicit UpdateModel(Parts parts);

  [[nodiscard]] const Parts& parts() const { return parts_; }
  /// Of the study as it is.
  [[nodiscard]] const ModelModes& modes() const { return *modes_; }
  [[nodiscard]] const ModelMatrices& matrices() const { return *matrices_; }
  [[nodiscard]] int parameters() const { return parts_.parameters; }

  /// Thread-safe. Throws std::invalid_argument where there are no modes.
  [[nodiscard]] ModelState at(const Eigen::VectorXd& values, bool derivatives) const;

  /// The laws with the numbers of a state.
  [[nodiscard]] std::vector<LawSpec> laws_at(const std::vector<double>& numbers) const;

 private:
  void set_changes(const Eigen::VectorXd& values, const std::vector<LawSpec>& laws, ModelState& state) const;

  Parts parts_;
  std::shared_ptr<const ModelMatrices> matrices_;
  std::shared_ptr<const ModelModes> modes_;
};

}  // namespace microslip
