#include "microslip/numerics/assignment.hpp"

#include <algorithm>
#include <limits>

namespace microslip {
namespace {

/// Column of each row at the least sum of costs; at least as many columns as rows.
class LeastCost {
 public:
  explicit LeastCost(const Eigen::MatrixXd& cost)
      : cost_(cost), of_row_(places(cost.rows())), of_column_(places(cost.cols())), row_of_(places(cost.cols()), none) {
    for (int row = 0; row < static_cast<int>(cost.rows()); ++row) add(row);
  }

  [[nodiscard]] std::vector<int> columns() const {
    std::vector<int> result(of_row_.size(), none);
    for (std::size_t c = 0; c < row_of_.size(); ++c) {
      if (row_of_[c] != none) result[static_cast<std::size_t>(row_of_[c])] = static_cast<int>(c);
    }
    return result;
  }

 private:
  static constexpr int none = -1;

  static std::size_t places(Eigen::Index count) { return static_cast<std::size_t>(count); }
  [[nodiscard]] double reduced(int row, std::size_t column) const {
    return cost_(row, static_cast<Eigen::Index>(column)) - of_row_[static_cast<std::size_t>(row)] - of_column_[column];
  }

  /// The shortest path from a row to a free column, in reduced costs, along which pairs change.
  void add(int row) {
    const std::size_t n = row_of_.size();
    std::vector<double> distance(n, std::numeric_limits<double>::infinity());
    std::vector<int> before(n, none);  // the column before each on its path
    std::vector<bool> done(n, false);
    int at = none, current = row;
    double length = 0.0;
    do {
      std::size_t next = n;
      for (std::size_t c = 0; c < n; ++c) {
        if (done[c]) continue;
        const double through = length + reduced(current, c);
        if (through < distance[c]) {
          distance[c] = through;
          before[c] = at;
        }
        if (next == n || distance[c] < distance[next]) next = c;
      }
      done[next] = true;
      length = distance[next];
      at = static_cast<int>(next);
      current = row_of_[next];
    } while (current != none);
    of_row_[static_cast<std::size_t>(row)] += length;
    for (std::size_t c = 0; c < n; ++c) {
      if (!done[c] || row_of_[c] == none) continue;
      of_row_[static_cast<std::size_t>(row_of_[c])] += length - distance[c];
      of_column_[c] -= length - distance[c];
    }
    while (at != none) {
      const int previous = before[static_cast<std::size_t>(at)];
      row_of_[static_cast<std::size_t>(at)] = previous == none ? row : row_of_[static_cast<std::size_t>(previous)];
      at = previous;
    }
  }

  const Eigen::MatrixXd& cost_;
  std::vector<double> of_row_, of_column_;  // potentials
  std::vector<int> row_of_;                 // of each column
};

}  // namespace

std::vector<int> best_assignment(const Eigen::MatrixXd& weights) {
  const Eigen::Index rows = weights.rows(), columns = weights.cols();
  // A column of nothing for each row: it may stay alone.
  Eigen::MatrixXd cost = Eigen::MatrixXd::Zero(rows, columns + rows);
  cost.leftCols(columns) = -weights.cwiseMax(0.0);
  std::vector<int> result = LeastCost(cost).columns();
  for (std::size_t row = 0; row < result.size(); ++row) {
    int& column = result[row];
    if (column >= columns || !(weights(static_cast<Eigen::Index>(row), column) > 0.0)) column = -1;
  }
  return result;
}

}  // namespace microslip
