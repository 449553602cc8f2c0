#include "microslip/numerics/sparse_ldlt.hpp"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace microslip {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Columns that a block of the elimination holds: small enough for the cache, large enough for matrix products.
constexpr Eigen::Index block = 96;
constexpr Eigen::Index strip = 8;  ///< of a block, eliminated column by column

std::vector<int> nested_dissection(const Sparse& matrix) {
  const auto n = static_cast<idx_t>(matrix.rows());
  std::vector<idx_t> starts(static_cast<std::size_t>(n) + 1, 0), neighbours, order(n), place(n);
  neighbours.reserve(static_cast<std::size_t>(matrix.nonZeros()));
  for (idx_t j = 0; j < n; ++j) {
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
      if (entry.row() != j) neighbours.push_back(static_cast<idx_t>(entry.row()));
    }
    starts[static_cast<std::size_t>(j) + 1] = static_cast<idx_t>(neighbours.size());
  }
  std::vector<int> result(static_cast<std::size_t>(n));
  std::iota(result.begin(), result.end(), 0);
  if (neighbours.empty()) return result;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // the same study, the same numbers
  idx_t count = n;
  if (METIS_NodeND(&count, starts.data(), neighbours.data(), nullptr, options, order.data(), place.data()) !=
      METIS_OK) {
    throw std::runtime_error("the ordering of a sparse matrix failed");
  }
  for (idx_t i = 0; i < n; ++i) result[static_cast<std::size_t>(i)] = static_cast<int>(order[i]);
  return result;
}

/// Elimination tree of a matrix of which the rows left of the diagonal are at hand: column j of the upper half.
/// Ref: Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990) 134.
std::vector<int> elimination_tree(const Sparse& upper) {
  const auto n = static_cast<int>(upper.cols());
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int j = 0; j < n; ++j) {
    for (Sparse::InnerIterator entry(upper, j); entry && entry.row() < j; ++entry) {
      for (int i = static_cast<int>(entry.row()); i != -1 && i < j;) {
        const int next = ancestor[i];
        ancestor[i] = j;  // shorter ways for those who come later
        if (next == -1) parent[i] = j;
        i = next;
      }
    }
  }
  return parent;
}

/// Children before parents, and each subtree in one piece.
std::vector<int> postorder(const std::vector<int>& parent) {
  const auto n = static_cast<int>(parent.size());
  std::vector<int> first(n, -1), next(n, -1), order, stack;
  for (int j = n - 1; j >= 0; --j) {
    if (parent[j] < 0) continue;
    next[j] = first[parent[j]];
    first[parent[j]] = j;
  }
  order.reserve(parent.size());
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int top = stack.back();
      if (const int child = first[top]; child >= 0) {
        first[top] = next[child];
        stack.push_back(child);
      } else {
        order.push_back(top);
        stack.pop_back();
      }
    }
  }
  return order;
}

/// Entries of each column of L, the diagonal included: row i holds what lies on the ways from its entries up to i.
std::vector<int> column_counts(const Sparse& upper, const std::vector<int>& parent) {
  const auto n = static_cast<int>(upper.cols());
  std::vector<int> counts(n, 1), seen(n, -1);
  for (int i = 0; i < n; ++i) {
    seen[i] = i;
    for (Sparse::InnerIterator entry(upper, i); entry && entry.row() < i; ++entry) {
      for (int j = static_cast<int>(entry.row()); seen[j] != i; j = parent[j]) {
        seen[j] = i;
        ++counts[j];
      }
    }
  }
  return counts;
}

/// Entries of a panel: a triangle over a rectangle.
double panel_entries(double width, double rows) {
  return width * (width + 1) / 2 + width * (rows - width);
}

}  // namespace

SparseLdlt::SparseLdlt(const Sparse& matrix, TinyPivots tiny, double tiny_share) : tiny_share_(tiny_share) {
  if (matrix.rows() != matrix.cols()) throw std::invalid_argument("only square matrices can be factorised");
  order(matrix);
  factor(matrix, tiny);
}

Sparse SparseLdlt::permuted_lower(const Sparse& matrix) const {
  const Eigen::Index n = matrix.rows();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(matrix.nonZeros()) / 2 + static_cast<std::size_t>(n));
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
      if (entry.row() < j) continue;
      const int a = place_[static_cast<std::size_t>(entry.row())], b = place_[static_cast<std::size_t>(j)];
      entries.emplace_back(std::max(a, b), std::min(a, b), entry.value());
    }
  }
  Sparse lower(n, n);
  lower.setFromTriplets(entries.begin(), entries.end());
  return lower;
}

void SparseLdlt::order(const Sparse& matrix) {
  order_ = nested_dissection(matrix);
  place_.resize(order_.size());
  const auto invert = [&] {
    for (std::size_t i = 0; i < order_.size(); ++i) place_[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
  };
  invert();
  const std::vector<int> post = postorder(elimination_tree(Sparse(permuted_lower(matrix).transpose())));
  std::vector<int> renumbered(order_.size());
  for (std::size_t i = 0; i < post.size(); ++i) renumbered[i] = order_[static_cast<std::size_t>(post[i])];
  order_ = std::move(renumbered);
  invert();
  find_fronts(permuted_lower(matrix));
}

namespace {

/// Neighbouring columns that become one front.
struct ColumnGroup {
  int first, width, rows;
  double zeros;  // that it stores
};

/// Neighbouring columns of the same structure, then neighbours whose union holds few zeros more.
std::vector<ColumnGroup> group_columns(const std::vector<int>& parent, const std::vector<int>& counts) {
  const auto n = static_cast<int>(parent.size());
  std::vector<ColumnGroup> groups;
  const auto merge = [&](const ColumnGroup& a, const ColumnGroup& b) {  // a's parent is in b
    ColumnGroup both{a.first, a.width + b.width, a.width + b.rows, 0.0};
    const double all = panel_entries(both.width, both.rows);
    both.zeros = all - panel_entries(a.width, a.rows) - panel_entries(b.width, b.rows) + a.zeros + b.zeros;
    return both;
  };
  for (int j = 0; j < n; ++j) {
    ColumnGroup next{j, 1, counts[j], 0.0};
    while (!groups.empty()) {
      const ColumnGroup& last = groups.back();
      if (parent[last.first + last.width - 1] != next.first) break;
      const ColumnGroup both = merge(last, next);
      const double share = both.zeros / panel_entries(both.width, both.rows);
      const bool same = both.zeros == 0.0;
      const bool narrow = (both.width <= 8 && share < 0.6) || (both.width <= 32 && share < 0.25) || share < 0.05;
      if (!same && !narrow) break;
      next = both;
      groups.pop_back();
    }
    groups.push_back(next);
  }
  return groups;
}

}  // namespace

void SparseLdlt::find_fronts(const Sparse& lower) {
  const auto n = static_cast<int>(lower.rows());
  const Sparse upper = lower.transpose();
  const std::vector<int> parent = elimination_tree(upper);
  const std::vector<int> counts = column_counts(upper, parent);

  const std::vector<ColumnGroup> groups = group_columns(parent, counts);
  fronts_.assign(groups.size(), {});
  std::vector<int> front_of(n);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    fronts_[g].first = groups[g].first;
    fronts_[g].width = groups[g].width;
    for (int j = 0; j < groups[g].width; ++j) front_of[groups[g].first + j] = static_cast<int>(g);
  }
  std::vector<int> seen(n, -1);
  entries_ = 0;
  for (std::size_t g = 0; g < fronts_.size(); ++g) {
    Front& front = fronts_[g];
    const int end = front.first + front.width;
    const auto mark = static_cast<int>(g);
    for (int j = front.first; j < end; ++j) front.rows.push_back(j);
    const auto add = [&](int row) {
      if (row < end || seen[row] == mark) return;
      seen[row] = mark;
      front.rows.push_back(row);
    };
    for (int j = front.first; j < end; ++j) {
      for (Sparse::InnerIterator entry(lower, j); entry; ++entry) add(static_cast<int>(entry.row()));
    }
    for (const int child : front.children) {
      const Front& below = fronts_[static_cast<std::size_t>(child)];
      std::for_each(below.rows.begin() + below.width, below.rows.end(), add);
    }
    std::sort(front.rows.begin() + front.width, front.rows.end());
    if (static_cast<int>(front.rows.size()) > front.width) {
      front.parent = front_of[front.rows[static_cast<std::size_t>(front.width)]];
      fronts_[static_cast<std::size_t>(front.parent)].children.push_back(mark);
    }
    entries_ += static_cast<long long>(panel_entries(front.width, static_cast<double>(front.rows.size())));
  }
}

void SparseLdlt::eliminate(Eigen::MatrixXd& front, const Front& of, TinyPivots tiny) {
  const Eigen::Index m = front.rows(), k = of.width;
  Eigen::MatrixXd scaled(m, std::min(block, k));
  // Columns first .. last - 1 of the front are factors; what they do to the columns up to `until`.
  const auto update = [&](Eigen::Index first, Eigen::Index last, Eigen::Index until) {
    const Eigen::Index rest = m - last, width = last - first;
    if (rest == 0 || until == last) return;
    const auto panel = front.block(last, first, rest, width);
    auto product = scaled.topLeftCorner(until - last, width);
    product = panel.topRows(until - last) * front.diagonal().segment(first, width).asDiagonal();
    if (until == m) {
      front.bottomRightCorner(rest, rest).triangularView<Eigen::Lower>() -= panel * product.transpose();
    } else {
      front.block(last, last, rest, until - last).noalias() -= panel * product.transpose();
    }
  };
  for (Eigen::Index start = 0; start < k; start += block) {
    const Eigen::Index end = std::min(start + block, k);
    for (Eigen::Index first = start; first < end; first += strip) {
      const Eigen::Index last = std::min(first + strip, end);
      for (Eigen::Index j = first; j < last; ++j) {
        const double pivot = take_pivot(front(j, j), of.first + static_cast<int>(j), tiny);
        front(j, j) = pivot;
        const Eigen::Index below = m - j - 1;
        if (below == 0) continue;
        for (Eigen::Index c = j + 1; c < last; ++c) {
          front.col(c).tail(m - c) -= (front(c, j) / pivot) * front.col(j).tail(m - c);
        }
        auto column = front.col(j).tail(below);
        if (largest_ > 0.0) growth_ = std::max(growth_, column.cwiseAbs2().maxCoeff() / (std::abs(pivot) * largest_));
        column /= pivot;
      }
      update(first, last, end);
    }
    update(start, end, m);
  }
}

double SparseLdlt::take_pivot(double pivot, int place, TinyPivots tiny) {
  const double size = diagonal_[static_cast<std::size_t>(place)];
  if (tiny == TinyPivots::raise && std::abs(pivot) <= tiny_share_ * size) {
    raised_.push_back({order_[static_cast<std::size_t>(place)], size});
    pivot += size;
  }
  if (pivot == 0.0) {
    pivot = std::numeric_limits<double>::epsilon() * std::max(size, std::numeric_limits<double>::min());
  }
  if (pivot < 0.0) ++negative_;
  return pivot;
}

void SparseLdlt::factor(const Sparse& matrix, TinyPivots tiny) {
  const Sparse lower = permuted_lower(matrix);
  const auto n = static_cast<int>(lower.rows());
  if (n != size()) throw std::invalid_argument("the matrix must have the size of the first one");
  raised_.clear();
  negative_ = 0;
  growth_ = 1.0;
  diagonal_.assign(static_cast<std::size_t>(n), 0.0);
  largest_ = 0.0;
  for (int j = 0; j < n; ++j) {
    diagonal_[static_cast<std::size_t>(j)] = std::abs(lower.coeff(j, j));
    largest_ = std::max(largest_, diagonal_[static_cast<std::size_t>(j)]);
  }
  std::vector<int> local(static_cast<std::size_t>(n), 0);
  std::vector<Eigen::MatrixXd> updates(fronts_.size());  // what children hand to their parents
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& of = fronts_[f];
    const auto m = static_cast<Eigen::Index>(of.rows.size());
    for (Eigen::Index i = 0; i < m; ++i) local[static_cast<std::size_t>(of.rows[i])] = static_cast<int>(i);
    Eigen::MatrixXd front = Eigen::MatrixXd::Zero(m, m);
    for (int j = 0; j < of.width; ++j) {
      for (Sparse::InnerIterator entry(lower, of.first + j); entry; ++entry) {
        front(local[static_cast<std::size_t>(entry.row())], j) = entry.value();
      }
    }
    for (const int child : of.children) {
      const Front& from = fronts_[static_cast<std::size_t>(child)];
      Eigen::MatrixXd& update = updates[static_cast<std::size_t>(child)];
      const int* rows = from.rows.data() + from.width;
      for (Eigen::Index c = 0; c < update.cols(); ++c) {
        double* const column = front.col(local[static_cast<std::size_t>(rows[c])]).data();
        for (Eigen::Index r = c; r < update.rows(); ++r) {
          column[local[static_cast<std::size_t>(rows[r])]] += update(r, c);
        }
      }
      update.resize(0, 0);
    }
    eliminate(front, of, tiny);
    of.panel = front.leftCols(of.width);
    const Eigen::Index rest = m - of.width;
    if (rest > 0) updates[f] = front.bottomRightCorner(rest, rest);
  }
}

void SparseLdlt::solve_in_place(Eigen::Ref<Eigen::MatrixXd> columns) const {
  const Eigen::Index n = size(), count = columns.cols();
  if (columns.rows() != n) throw std::invalid_argument("a right-hand side must have the size of the matrix");
  Eigen::MatrixXd x(n, count);
  for (Eigen::Index i = 0; i < n; ++i) x.row(i) = columns.row(order_[static_cast<std::size_t>(i)]);
  std::size_t most = 0;
  for (const Front& front : fronts_) most = std::max(most, front.rows.size());
  Eigen::MatrixXd below(static_cast<Eigen::Index>(most), count);
  for (const Front& front : fronts_) {
    const Eigen::Index k = front.width, rest = static_cast<Eigen::Index>(front.rows.size()) - k;
    auto own = x.middleRows(front.first, k);
    front.panel.topRows(k).triangularView<Eigen::UnitLower>().solveInPlace(own);
    if (rest == 0) continue;
    below.topRows(rest).noalias() = front.panel.bottomRows(rest) * own;
    for (Eigen::Index i = 0; i < rest; ++i) x.row(front.rows[static_cast<std::size_t>(k + i)]) -= below.row(i);
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const Eigen::Index k = front->width, rest = static_cast<Eigen::Index>(front->rows.size()) - k;
    auto own = x.middleRows(front->first, k);
    own.array().colwise() /= front->panel.diagonal().array();
    if (rest > 0) {
      for (Eigen::Index i = 0; i < rest; ++i) below.row(i) = x.row(front->rows[static_cast<std::size_t>(k + i)]);
      own.noalias() -= front->panel.bottomRows(rest).transpose() * below.topRows(rest);
    }
    front->panel.topRows(k).triangularView<Eigen::UnitLower>().transpose().solveInPlace(own);
  }
  for (Eigen::Index i = 0; i < n; ++i) columns.row(order_[static_cast<std::size_t>(i)]) = x.row(i);
}

}  // namespace microslip
