#pragma once
// Which of one set goes with which of another: the assignment of the largest sum of weights.
// Ref: Kuhn, The Hungarian method for the assignment problem, Naval Res. Logist. Q. 2 (1955) 83; here with potentials
// and shortest augmenting paths, O(rows^2 columns).

#include <Eigen/Core>
#include <vector>

namespace microslip {

/// The column of each row, none twice; -1 for a row without one. Weights must be finite; pairs of weight <= 0 are not
/// made. Rows and columns may differ in number.
[[nodiscard]] std::vector<int> best_assignment(const Eigen::MatrixXd& weights);

}  // namespace microslip
