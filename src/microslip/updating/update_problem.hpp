#pragma once
// A model against what a test says of it, as rows for methods of inference, with exact derivatives. In every evaluation
// the modes are paired anew: those of curves with the shapes that the study has, by MAC in its mass; measured ones by
// MAC at the sensors (and how near the frequencies are, measurement/mode_pairs.hpp's weights).

#include <memory>
#include <string>
#include <vector>

#include "microslip/inference/residual_problem.hpp"
#include "microslip/updating/masing_path.hpp"
#include "microslip/updating/update_model.hpp"
#include "microslip/updating/update_targets.hpp"

namespace microslip {

/// A parameter of the model, as the user sees it.
struct UpdateParameter {
  std::string name;
  double low = 0.0, high = 1.0, start = 0.5;
  bool logarithmic = false;
  ResidualProblem::Prior prior;  ///< of x: of the logarithm where it is logarithmic
};

class UpdateProblem final : public ResidualProblem {
 public:
  UpdateProblem(std::shared_ptr<const UpdateModel> model, std::vector<UpdateParameter> parameters,
                std::vector<CurveTarget> curves, std::vector<ModeTarget> modes, std::vector<LoopTarget> loops = {});

  [[nodiscard]] Answer evaluate(const Eigen::VectorXd& x, bool want_jacobian) const override;

  [[nodiscard]] const UpdateModel& model() const { return *model_; }
  [[nodiscard]] const std::vector<UpdateParameter>& update_parameters() const { return shown_; }
  [[nodiscard]] const std::vector<CurveTarget>& curves() const { return curves_; }
  [[nodiscard]] const std::vector<ModeTarget>& mode_targets() const { return modes_; }
  [[nodiscard]] const std::vector<LoopTarget>& loops() const { return loops_; }
  /// One a row.
  [[nodiscard]] const std::vector<UpdateRow>& update_rows() const { return row_infos_; }

  /// x of the methods -> values of the user, and back.
  [[nodiscard]] Eigen::VectorXd values_of(const Eigen::VectorXd& x) const;
  [[nodiscard]] Eigen::VectorXd start() const;

  /// A curve target at the nodes of its grid, with the mode of the model that it is, from 0.
  struct NodeCurve {
    int mode = -1;
    std::vector<double> q;
    ModalCurveValues values;
  };
  [[nodiscard]] NodeCurve curve_at(const Eigen::VectorXd& x, std::size_t curve, bool derivatives = false) const;

 private:
  struct Evaluation;

  void add_curve_rows(std::size_t curve);
  void add_mode_rows(std::size_t target);
  void add_loop_rows(std::size_t loop);
  [[nodiscard]] std::vector<int> modes_of_curves(const ModelState& state) const;
  [[nodiscard]] std::vector<int> modes_of_target(const ModelState& state, const ModeTarget& target) const;
  [[nodiscard]] ModeConstants constants(std::size_t curve, const ModelState& state, int mode) const;
  void fill_curve(std::size_t curve, const ModelState& state, int mode, Evaluation& evaluation) const;
  void fill_modes(std::size_t target, const ModelState& state, Evaluation& evaluation) const;
  void fill_loop(std::size_t loop, const ModelState& state, Evaluation& evaluation) const;

  std::shared_ptr<const UpdateModel> model_;
  std::vector<UpdateParameter> shown_;
  std::vector<CurveTarget> curves_;
  std::vector<ModeTarget> modes_;
  std::vector<LoopTarget> loops_;
  std::vector<AmplitudeGrid> grids_;  ///< of the curves
  std::vector<MasingPath> paths_;     ///< of the loops
  std::vector<std::size_t> first_curve_row_, first_mode_row_, first_loop_row_;
  std::vector<UpdateRow> row_infos_;
  Eigen::MatrixXd followed_;  ///< M phi of the curves' modes in the study, columns
  std::vector<int> modes_of_study_;
  std::vector<ModeConstants> constants_of_study_;  ///< the same
};

}  // namespace microslip
