#include "microslip/measurement/lscf.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fft.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// Real parts of sum_k g_k z_k^j for j = -n .. n.
class LineSums {
 public:
  LineSums(Eigen::Index lines, Eigen::Index order)
      : order_(order), fft_(static_cast<std::size_t>(2 * (lines - 1))), work_(fft_.length()) {}

  /// Place n + j of the result is that of z^j.
  Eigen::VectorXd operator()(const Eigen::VectorXcd& g) {
    std::fill(work_.begin(), work_.end(), Complex{});
    std::copy(g.begin(), g.end(), work_.begin());
    fft_.forward(work_);  // place k holds the sum of z^-k
    Eigen::VectorXd sums(2 * order_ + 1);
    const auto length = static_cast<Eigen::Index>(work_.size());
    for (Eigen::Index j = -order_; j <= order_; ++j) {
      sums(order_ + j) = work_[static_cast<std::size_t>(((-j) % length + length) % length)].real();
    }
    return sums;
  }

 private:
  Eigen::Index order_;
  Fft fft_;
  std::vector<Complex> work_;
};

/// (i, j) -> sums(j - i), in blocks: block (i, j) of a matrix with `rows` x `cols` blocks at place (row, col) of each.
void put_toeplitz(const Eigen::VectorXd& sums, Eigen::Index rows, Eigen::Index row, Eigen::Index cols, Eigen::Index col,
                  Eigen::MatrixXd& out) {
  const Eigen::Index order = (sums.size() - 1) / 2;
  for (Eigen::Index j = 0; j <= order; ++j) {
    for (Eigen::Index i = 0; i <= order; ++i) out(i * rows + row, j * cols + col) = sums(order + j - i);
  }
}

constexpr double solver_rounding = 1e-13;

/// The normal equations of the highest order.
class LscfEquations {
 public:
  LscfEquations(const ModalLines& lines, Eigen::Index order) : lines_(lines), order_(order) {
    references_ = static_cast<Eigen::Index>(lines.references.size());
    outputs_ = static_cast<Eigen::Index>(lines.channels.size());
    weigh();
    LineSums sums(lines.lines(), order);
    Eigen::MatrixXd r(order + 1, order + 1);
    put_toeplitz(sums(line_weight_.cast<Complex>()), 1, 0, 1, 0, r);
    lower_ = lower_factor(r);
    if (!lower_) return;
    eliminate(sums);
    reduced_ = Eigen::MatrixXd::Zero(t_.rows(), t_.cols());
  }

  [[nodiscard]] bool solvable() const { return lower_.has_value(); }
  /// Orders must rise by one: rows of the numerator that come with an order go out of its M.
  void advance(Eigen::Index row) {
    const Eigen::Index width = (order_ + 1) * references_;
    Eigen::MatrixXd rows(outputs_, width);
    for (Eigen::Index o = 0; o < outputs_; ++o) rows.row(o) = solved_[static_cast<std::size_t>(o)].row(row);
    reduced_ += transpose_times(rows, rows);
  }
  /// Coefficients 0 .. n of D, one below the other; nothing when they cannot be told. After advance(n).
  [[nodiscard]] std::optional<Eigen::MatrixXd> denominator(Eigen::Index n) const {
    const Eigen::Index all = (n + 1) * references_, rest = n * references_;
    Eigen::MatrixXd m = t_.topLeftCorner(all, all) - reduced_.topLeftCorner(all, all);
    // Data without noise leave nothing at the right order, but rounding of T.
    m.diagonal().array() += solver_rounding * t_.diagonal().head(all).maxCoeff();
    const Eigen::MatrixXd solution =
        solve_symmetric(m.bottomRightCorner(rest, rest).eval(), (-m.bottomLeftCorner(rest, references_)).eval());
    if (!solution.allFinite()) return std::nullopt;
    Eigen::MatrixXd result(all, references_);
    result << Eigen::MatrixXd::Identity(references_, references_), solution;
    return result;
  }
  /// N_o(z) D-direction of each output, for a root z with D(z) direction = 0: the shape.
  [[nodiscard]] Eigen::MatrixXcd shapes(const Eigen::MatrixXd& d, const std::vector<Complex>& roots,
                                        const Eigen::MatrixXcd& directions) const;

 private:
  /// One weight a line; functions scaled by what their weights are on average.
  void weigh() {
    // Of several references the noisiest counts: a response that is nothing may have next to no noise.
    Eigen::VectorXd scale = Eigen::VectorXd::Zero(outputs_);
    for (Eigen::Index f = 0; f < lines_.functions(); ++f) {
      scale(static_cast<Eigen::Index>(lines_.channel_of(f))) += 1.0 / lines_.weight.col(f).cwiseAbs2().mean();
    }
    scale = (scale / static_cast<double>(references_)).cwiseSqrt().cwiseInverse();
    line_weight_ = Eigen::VectorXd::Zero(lines_.lines());
    values_ = lines_.values;
    for (Eigen::Index f = 0; f < lines_.functions(); ++f) {
      const double of_channel = scale(static_cast<Eigen::Index>(lines_.channel_of(f)));
      const Eigen::VectorXd square = lines_.weight.col(f).cwiseAbs2();
      line_weight_ += square / (square.mean() * static_cast<double>(lines_.functions()));
      values_.col(f) *= of_channel;
    }
    line_weight_ /= line_weight_.mean();
    constexpr double least = 1e-3;  // else the lines that count are an arc of the circle, and R is singular
    line_weight_ = line_weight_.cwiseMax(least);
    line_weight_(0) *= 0.5;  // with the mirror image of the lines the circle is whole: its ends count once
    line_weight_(lines_.lines() - 1) *= 0.5;
    scale_ = scale;
  }

  /// T and L^-1 S_o.
  void eliminate(LineSums& sums) {
    const Eigen::Index width = (order_ + 1) * references_;
    t_.resize(width, width);
    for (Eigen::Index a = 0; a < references_; ++a) {
      for (Eigen::Index b = 0; b < references_; ++b) {
        Eigen::VectorXcd products = Eigen::VectorXcd::Zero(lines_.lines());
        for (Eigen::Index o = 0; o < outputs_; ++o) {
          products.array() += column(o, a).array().conjugate() * column(o, b).array();
        }
        put_toeplitz(sums(products.cwiseProduct(line_weight_)), references_, a, references_, b, t_);
      }
    }
    Eigen::MatrixXd s(order_ + 1, width);
    for (Eigen::Index o = 0; o < outputs_; ++o) {
      for (Eigen::Index a = 0; a < references_; ++a) {
        put_toeplitz(sums(-column(o, a).cwiseProduct(line_weight_)), 1, 0, references_, a, s);
      }
      solved_.push_back(lower_solve(*lower_, s));
    }
  }

  [[nodiscard]] Eigen::MatrixXcd::ConstColXpr column(Eigen::Index output, Eigen::Index reference) const {
    return values_.col(lines_.function(static_cast<std::size_t>(output), static_cast<std::size_t>(reference)));
  }

  const ModalLines& lines_;
  Eigen::Index order_, references_ = 1, outputs_ = 0;
  Eigen::VectorXd line_weight_, scale_;
  Eigen::MatrixXcd values_;
  std::optional<Eigen::MatrixXd> lower_;  ///< L
  Eigen::MatrixXd t_, reduced_;           ///< sum of S^T R^-1 S up to the order at hand
  std::vector<Eigen::MatrixXd> solved_;   ///< L^-1 S_o
};

Eigen::MatrixXcd LscfEquations::shapes(const Eigen::MatrixXd& d, const std::vector<Complex>& roots,
                                       const Eigen::MatrixXcd& directions) const {
  // N_o = -R^-1 S_o D = -L^-T (L^-1 S_o) D
  const Eigen::Index count = d.rows() / references_;
  Eigen::MatrixXd right(count, outputs_ * references_);
  for (Eigen::Index o = 0; o < outputs_; ++o) {
    right.middleCols(o * references_, references_) =
        times(solved_[static_cast<std::size_t>(o)].topLeftCorner(count, d.rows()), d);
  }
  const Eigen::MatrixXd numerators = -lower_transposed_solve(*lower_, right);
  Eigen::MatrixXcd result = Eigen::MatrixXcd::Zero(outputs_, static_cast<Eigen::Index>(roots.size()));
  for (std::size_t p = 0; p < roots.size(); ++p) {
    const auto at = static_cast<Eigen::Index>(p);
    for (Eigen::Index o = 0; o < outputs_; ++o) {
      for (Eigen::Index a = 0; a < references_; ++a) {
        Complex value = 0.0;  // Horner
        for (Eigen::Index j = count - 1; j >= 0; --j) value = value * roots[p] + numerators(j, o * references_ + a);
        result(o, at) += value * directions(a, at) / scale_(o);
      }
    }
    const double norm = result.col(at).norm();
    if (norm > 0.0) result.col(at) /= norm;
  }
  return result;
}

/// Roots z of D: reciprocals of the eigenvalues of its companion matrix; with several references the null vectors.
struct Roots {
  std::vector<Complex> z;
  Eigen::MatrixXcd directions;
};

Roots roots_within(const Eigen::MatrixXd& d) {
  const Eigen::Index references = d.cols(), order = d.rows() / references - 1, size = order * references;
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(size, size);
  for (Eigen::Index j = 1; j <= order; ++j) {
    companion.block(0, (j - 1) * references, references, references) = -d.middleRows(j * references, references);
  }
  companion.bottomLeftCorner(size - references, size - references).diagonal().setOnes();
  ComplexEigen eigen;
  if (references > 1) {
    eigen = complex_eigen(companion);
  } else {
    eigen.values = complex_eigenvalues(companion);
  }
  Roots roots;
  std::vector<Eigen::VectorXcd> directions;
  for (Eigen::Index i = 0; i < size; ++i) {
    if (!(std::norm(eigen.values(i)) > 1.0)) continue;  // grows: z outside of the unit circle
    const Complex z = 1.0 / eigen.values(i);
    if (!(z.imag() > 0.0)) continue;
    roots.z.push_back(z);
    directions.push_back(references > 1 ? Eigen::VectorXcd(eigen.vectors.col(i).tail(references))
                                        : Eigen::VectorXcd::Ones(1));
  }
  roots.directions.resize(references, static_cast<Eigen::Index>(roots.z.size()));
  for (std::size_t i = 0; i < directions.size(); ++i)
    roots.directions.col(static_cast<Eigen::Index>(i)) = directions[i];
  return roots;
}

}  // namespace

std::vector<LscfPole> lscf_poles(const ModalLines& lines, int lowest, int highest,
                                 const std::function<bool()>& carry_on) {
  const auto order = std::min(highest, largest_lscf_order(lines));
  LscfEquations equations(lines, order);
  std::vector<LscfPole> result;
  if (!equations.solvable()) return result;
  const double first = two_pi * lines.frequency(0), span = two_pi * lines.frequency(lines.lines() - 1) - first;
  equations.advance(0);
  for (Eigen::Index n = 1; n <= order; ++n) {
    equations.advance(n);
    if (n < lowest) continue;
    if (carry_on && !carry_on()) break;
    const auto d = equations.denominator(n);
    if (!d) continue;
    const Roots roots = roots_within(*d);
    const Eigen::MatrixXcd shapes = equations.shapes(*d, roots.z, roots.directions);
    const std::size_t before = result.size();
    for (std::size_t i = 0; i < roots.z.size(); ++i) {
      const Complex pole = lines.window_decay + Complex(0.0, first) + std::log(roots.z[i]) * (span / pi);
      result.push_back({static_cast<int>(n), pole, shapes.col(static_cast<Eigen::Index>(i))});
    }
    std::sort(result.begin() + static_cast<std::ptrdiff_t>(before), result.end(),
              [](const LscfPole& a, const LscfPole& b) { return a.pole.imag() < b.pole.imag(); });
  }
  return result;
}

int default_lscf_order(const ModalLines& lines) {
  constexpr Eigen::Index usual = 60;
  constexpr Eigen::Index least = 7;  // that 16 lines, the fewest, have equations for
  const auto references = static_cast<Eigen::Index>(lines.references.size());
  return static_cast<int>(
      std::clamp<Eigen::Index>(lines.lines() / 6, least, std::max<Eigen::Index>(usual / references, 20)));
}

int largest_lscf_order(const ModalLines& lines) {
  return static_cast<int>(lines.lines() / 2 - 1);
}

}  // namespace microslip
