#include "microslip/identify/spline_distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

/// The narrowest curve as far as it goes, then the next.
ForceCurve joined(std::vector<ForceCurve> curves) {
  std::sort(curves.begin(), curves.end(),
            [](const ForceCurve& a, const ForceCurve& b) { return a.u.back() < b.u.back(); });
  ForceCurve all;
  for (const ForceCurve& curve : curves) {
    const double from = all.u.empty() ? -1.0 : all.u.back();
    for (std::size_t i = 0; i < curve.size(); ++i) {
      if (curve.u[i] <= from) continue;
      all.u.push_back(curve.u[i]);
      all.f.push_back(curve.f[i]);
    }
  }
  return all;
}

/// Least-squares polynomial in z = (u - middle)/half over a piece of the curve.
struct Piece {
  double end = 0.0, middle = 0.0, half = 1.0;
  Eigen::VectorXd coefficient;

  [[nodiscard]] double derivative(double u, int times) const {
    const double z = (u - middle) / half;
    double sum = 0.0;
    for (Eigen::Index k = coefficient.size() - 1; k >= times; --k) {
      double factor = 1.0;
      for (int j = 0; j < times; ++j) factor *= static_cast<double>(k - j);
      sum = sum * z + factor * coefficient(k);
    }
    return sum / std::pow(half, times);
  }
};

Piece fit_piece(const ForceCurve& curve, std::size_t first, std::size_t count, int order) {
  Piece piece;
  const double from = curve.u[first], to = curve.u[first + count - 1];
  piece.end = to;
  piece.middle = 0.5 * (from + to);
  piece.half = 0.5 * (to - from);
  const auto n = static_cast<Eigen::Index>(count);
  Eigen::MatrixXd powers(n, order + 1);
  Eigen::VectorXd f(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double z = (curve.u[first + static_cast<std::size_t>(i)] - piece.middle) / piece.half;
    powers(i, 0) = 1.0;
    for (int k = 1; k <= order; ++k) powers(i, k) = powers(i, k - 1) * z;
    f(i) = curve.f[first + static_cast<std::size_t>(i)];
  }
  piece.coefficient = least_squares(powers, f);
  return piece;
}

/// Pieces of equally many points; the last takes the rest.
std::vector<Piece> fit_pieces(const ForceCurve& curve, const SplineDistributionOptions& options) {
  const auto size = static_cast<std::size_t>(options.points_a_piece);
  std::vector<Piece> pieces;
  for (std::size_t first = 0; first + size <= curve.size(); first += size) {
    const std::size_t left = curve.size() - first;
    pieces.push_back(fit_piece(curve, first, left < 2 * size ? left : size, options.order));
  }
  return pieces;
}

const Piece& piece_at(const std::vector<Piece>& pieces, double u) {
  const auto found = std::find_if(pieces.begin(), pieces.end(), [u](const Piece& p) { return u <= p.end; });
  return found != pieces.end() ? *found : pieces.back();
}

double end_slope(const ForceCurve& curve, int points) {
  const auto n = static_cast<std::size_t>(points);
  return fit_piece(curve, curve.size() - n, n, 1).derivative(curve.u.back(), 1);
}

void check(const std::vector<ForceCurve>& curves, const SplineDistributionOptions& options) {
  const auto require = [](bool condition, const std::string& message) {
    if (!condition) throw std::invalid_argument(message);
  };
  require(!curves.empty(), "there is no curve");
  require(options.order >= 2 && options.order <= 6, "order must be in [2, 6]");
  require(options.points_a_piece > options.order, "points_a_piece must exceed order");
  require(options.sliders >= 2, "sliders must be >= 2");
  require(options.spacing > 0.0, "spacing must be > 0");
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const auto fault = first_loading_fault(curves[c], static_cast<std::size_t>(options.points_a_piece));
    if (fault)
      throw std::invalid_argument(fmt::format("curve {}, point {}: {}", c + 1, fault->point + 1, fault->message));
  }
}

}  // namespace

SplineDistribution spline_distribution(const std::vector<ForceCurve>& curves,
                                       const SplineDistributionOptions& options) {
  check(curves, options);
  const ForceCurve curve = joined(curves);
  const std::vector<Piece> pieces = fit_pieces(curve, options);
  SplineDistribution result;
  SliderDistribution& d = result.distribution;
  d.spread = false;
  d.residual = options.residual.value_or(std::max(0.0, end_slope(curve, options.points_a_piece)));
  const double first_slope =
      options.stiffness.value_or((curve.f[1] - curve.f[0]) / (curve.u[1] - curve.u[0]) - d.residual);

  d.phi_max = curve.u.back();
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double slope = piece_at(pieces, curve.u[i]).derivative(curve.u[i], 1) - d.residual;
    if (slope > options.flat * first_slope) continue;
    d.phi_max = curve.u[i];
    result.macroslip = true;
    break;
  }
  if (options.phi_max) d.phi_max = *options.phi_max;

  const int n = options.sliders;
  const double alpha = options.spacing;
  // (III-12), whose limit for alpha = 1 is phi_max/N.
  double width = alpha == 1.0 ? d.phi_max / n : d.phi_max * (alpha - 1.0) / (std::pow(alpha, n) - 1.0);
  d.edge = {0.0};
  double sum = 0.0;
  for (int i = 1; i < n; ++i, width *= alpha) {
    const double phi = d.edge.back() + width;
    const double k = -piece_at(pieces, phi).derivative(phi, 2) * width;
    d.edge.push_back(phi);
    d.strength.push_back(phi);
    d.stiffness.push_back(k);
    sum += k;
    if (k < 0.0) ++result.negative;
  }
  d.end_stiffness = first_slope - sum;
  if (d.end_stiffness < 0.0) ++result.negative;
  return result;
}

SliderDistribution SplineDistribution::nonnegative() const {
  SliderDistribution d = distribution;
  for (double& k : d.stiffness) k = std::max(k, 0.0);
  d.end_stiffness = std::max(d.end_stiffness, 0.0);
  return d;
}

}  // namespace microslip
