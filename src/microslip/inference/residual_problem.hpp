#pragma once
// What every method of inference works on: parameters x in a box, measured rows, and a model that answers x with values
// for the rows. Methods know nothing else of the model.
//
//   y_i = f_i(x) + o_g + e_i + d_i,   e_i ~ N(0, error_i^2),   d_i ~ N(0, (s_g scale_i)^2)
//
// o_g is an offset of the group that nobody knows (0 unless free_offset), d_i a discrepancy: what the model gets wrong.
// Its s_g is estimated where the group asks for it, and 0 otherwise. x is what methods see: of a parameter on a
// logarithmic scale, the logarithm of its value; a normal prior of x is then a log-normal one of the value.

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

namespace microslip {

/// evaluate() is thread-safe and deterministic; all else does not change once the object is made.
class ResidualProblem {
 public:
  /// Of x: uniform in the box, or normal and cut off at its ends.
  struct Prior {
    bool normal = false;
    double mean = 0.0, deviation = 1.0;
  };
  struct Parameter {
    std::string name;
    double low = 0.0, high = 1.0;  ///< low < high
    double start = 0.5;            ///< within
    Prior prior;
  };
  struct Row {
    double measured = 0.0;
    double error = 1.0;  ///< standard error, > 0
    double scale = 1.0;  ///< > 0; the discrepancy has the standard deviation s_g scale
  };
  /// Rows that stand one after the other: neighbours along a curve where it is one.
  struct Group {
    std::string name;
    std::size_t first = 0, count = 0;
    double weight = 1.0;       ///< > 0: independent measurements that a row counts as, the power of its likelihood
    bool free_offset = false;  ///< only shifts count: the offset is eliminated
    bool discrepancy = false;  ///< s_g is estimated
    double usual_discrepancy = 0.0;  ///< median of its prior; 0: the root mean square of error/scale
  };
  struct Answer {
    Eigen::VectorXd values;    ///< one a row; NaN: the model does not reach it
    Eigen::MatrixXd jacobian;  ///< rows x parameters, where it is wanted; rows that are not reached do not count
    std::string why;           ///< a sentence: there is no answer
  };

  ResidualProblem() = default;
  ResidualProblem(const ResidualProblem&) = delete;
  ResidualProblem& operator=(const ResidualProblem&) = delete;
  virtual ~ResidualProblem() = default;

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// Every row is in one of them.
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

  /// x within the box.
  [[nodiscard]] virtual Answer evaluate(const Eigen::VectorXd& x, bool want_jacobian) const = 0;

 protected:
  std::vector<Parameter> parameters_;
  std::vector<Row> rows_;
  std::vector<Group> groups_;
};

}  // namespace microslip
