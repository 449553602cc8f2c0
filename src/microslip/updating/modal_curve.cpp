#include "microslip/updating/modal_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/gauss.hpp"

namespace microslip {
namespace {

constexpr double tolerance = 1e-12;  // of the deflections, relative
constexpr int most_iterations = 40;
/// Halvings of the way to a node where Newton does not get there at once.
constexpr int most_halvings = 12;
/// Tangent over that at rest below which the load does not rise: as of a quasi-static ramp.
constexpr double flat = 1e-4;

}  // namespace

/// (I + A' G) y = right, in place.
bool ModalCurveSolver::solve_matrix(const ModeConstants& mode, const double* g, double* right) const {
  const double* a = mode.compliance.data();
  return with_static_size(joints_, [&](auto n) {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) matrix_[static_cast<std::size_t>(i * n + k)] = a[i * n + k] * g[k];
      matrix_[static_cast<std::size_t>(i * n + i)] += 1.0;
    }
    return solve_in_place(matrix_.data(), right, n, 1.0);
  });
}

bool ModalCurveSolver::newton(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, double q,
                              double* u, double* x, double* g) {
  const auto count = static_cast<std::size_t>(joints_);
  const double* a = mode.compliance.data();
  double last = 0.0;
  int halvings = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    double size = 0.0, norm = 0.0;
    for (std::size_t j = 0; j < count; ++j) {
      const auto slip = laws[j].slip(u[j]);
      x[j] = slip.force;
      g[j] = slip.slope;
      size = std::max(size, std::abs(q * mode.beta(static_cast<Eigen::Index>(j))));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double star = q * mode.beta(static_cast<Eigen::Index>(i));
      double residual = u[i] - star;
      for (std::size_t k = 0; k < count; ++k) residual += a[i * count + k] * x[k];
      step_[i] = -residual;
      norm = std::max(norm, std::abs(residual) / (std::abs(u[i]) + std::abs(star) + 1e-6 * size));
    }
    if (norm <= tolerance || size == 0.0) return true;
    if (!std::isfinite(norm)) return false;
    if (iteration > 0 && !(norm < last) && halvings < 30) {  // back along the last step
      ++halvings;
      for (std::size_t i = 0; i < count; ++i) {
        trial_[i] *= 0.5;
        u[i] -= trial_[i];
      }
      continue;
    }
    if (!solve_matrix(mode, g, step_.data())) return false;
    for (std::size_t i = 0; i < count; ++i) {
      trial_[i] = step_[i];
      u[i] += step_[i];
    }
    last = norm;
    halvings = 0;
  }
  return false;
}

/// From the node before: along the cubic through the last two nodes and their slopes, or along the tangent.
bool ModalCurveSolver::find_node(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, int node) {
  const auto count = static_cast<std::size_t>(joints_), at = static_cast<std::size_t>(node) * count;
  const std::vector<double>& q = grid_->nodes();
  double* u = path_.u.data() + at;
  double* u1 = path_.u1.data() + at;
  double* x = path_.x.data() + at;
  double* g = path_.g.data() + at;
  const double to = q[static_cast<std::size_t>(node)];
  const auto tangent = [&] {
    for (std::size_t j = 0; j < count; ++j) u1[j] = mode.beta(static_cast<Eigen::Index>(j));
    return solve_matrix(mode, g, u1);
  };
  if (node == 0) {
    for (std::size_t j = 0; j < count; ++j) u[j] = to * mode.beta(static_cast<Eigen::Index>(j));
  } else {
    const double from = q[static_cast<std::size_t>(node) - 1], step = to - from;
    for (std::size_t j = 0; j < count; ++j) u[j] = u[j - count] + step * u1[j - count];
    if (node > 1) {
      const double width = from - q[static_cast<std::size_t>(node) - 2], s = step / width, t = 1.0 + s;
      for (std::size_t j = 0; j < count; ++j) {
        const double* last = u + j - count;
        const double* last1 = u1 + j - count;
        const std::size_t back = count;
        u[j] = *last + s * s * (2.0 * t + 1.0) * (*(last - back) - *last) + t * s * s * width * *(last1 - back) +
               t * t * s * width * *last1;
      }
    }
  }
  if (newton(mode, laws, to, u, x, g)) return tangent();
  // In short steps from the node before.
  double from = node == 0 ? 0.0 : q[static_cast<std::size_t>(node) - 1], step = to - from;
  std::vector<double> begin(count, 0.0);
  if (node > 0) std::copy(u - count, u, begin.begin());
  for (int halvings = 0; halvings <= most_halvings;) {
    std::copy(begin.begin(), begin.end(), u);
    const double next = std::min(from + step, to);
    if (!newton(mode, laws, next, u, x, g)) {
      ++halvings;
      step *= 0.5;
      continue;
    }
    if (next >= to) return tangent();
    std::copy(u, u + count, begin.begin());
    from = next;
  }
  return false;
}

/// A joint that comes back by d from its farthest deflection u changes the loss of a cycle by 4 k u d at most.
bool ModalCurveSolver::turns_back(const std::vector<VirginCurve<double>>& laws, int node) {
  constexpr double unseen = 1e-3;  // of the loss of a cycle
  const auto count = static_cast<std::size_t>(joints_), at = static_cast<std::size_t>(node) * count;
  double change = 0.0;
  for (std::size_t j = 0; j < count; ++j) {
    const double far = farthest_[j], now = std::abs(path_.u[at + j]);
    if (now < far && laws[j].stuck_stiffness() != laws[j].slipped_stiffness()) {
      change += 4.0 * laws[j].stuck_stiffness() * far * (far - now);
    }
    farthest_[j] = std::max(far, now);
  }
  return change > unseen * path_.loss[static_cast<std::size_t>(node)];
}

ModalCurveValues ModalCurveSolver::solve(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws,
                                         const std::vector<VirginCurve<LawNumber>>& numbers,
                                         const std::vector<CurveDirection>& directions) {
  joints_ = static_cast<int>(laws.size());
  const auto count = static_cast<std::size_t>(joints_), nodes = static_cast<std::size_t>(grid_->size());
  for (auto* values : {&path_.u, &path_.u1, &path_.x, &path_.g}) values->assign(count * nodes, 0.0);
  for (auto* values : {&path_.excess, &path_.slope, &path_.loss}) values->assign(nodes, 0.0);
  for (auto* values : {&farthest_, &trial_, &step_}) values->assign(count, 0.0);
  matrix_.assign(count * count, 0.0);
  jumps_.clear();

  ModalCurveValues result;
  for (int node = 0; node < grid_->size(); ++node) {
    const auto i = static_cast<std::size_t>(node), at = i * count;
    const double q = grid_->nodes()[i];
    if (!find_node(mode, laws, node)) {
      result.why = fmt::format("no equilibrium is found at q = {:.6g}", q);
      break;
    }
    for (std::size_t j = 0; j < count; ++j) {
      const double beta = mode.beta(static_cast<Eigen::Index>(j));
      path_.excess[i] += beta * path_.x[at + j];
      path_.slope[i] += beta * path_.g[at + j] * path_.u1[at + j];
      path_.loss[i] += laws[j].loss(path_.u[at + j], {path_.x[at + j], path_.g[at + j]});
    }
    if (!(mode.stiffness + path_.slope[i] > flat * mode.stiffness)) {
      result.why = fmt::format("the load cannot rise beyond q = {:.6g}", q);
      break;
    }
    if (turns_back(laws, node)) {
      result.why = fmt::format("a joint comes back while the load rises, from q = {:.6g} on", q);
      break;
    }
    find_jumps(mode, laws, node);
    result.reached = node + 1;
  }
  std::sort(jumps_.begin(), jumps_.end(), [](const Jump& a, const Jump& b) { return a.q < b.q; });
  for (const Jump& jump : jumps_) result.jumps.push_back(jump.q);
  set_pieces();
  set_values(mode, result);
  if (!directions.empty()) set_derivatives(mode, numbers, directions, result);
  return result;
}

void ModalCurveSolver::set_values(const ModeConstants& mode, ModalCurveValues& result) const {
  result.values.setZero(grid_->size(), curve_columns);
  for (int node = grid_->first(); node < result.reached; ++node) {
    const auto i = static_cast<std::size_t>(node);
    const double q = grid_->nodes()[i], s = path_.excess[i], loss = path_.loss[i];
    double harmonic = mode.stiffness;
    for (int k = 0; k <= node; ++k) {
      const auto at = static_cast<std::size_t>(k);
      harmonic += grid_->by_excess()(node, k) * path_.excess[at] + grid_->by_slope()(node, k) * path_.slope[at];
    }
    harmonic += jump_part(node, [this](const PiecePoint& at) -> std::array<double, 2> {
      if (at.kind == PiecePoint::Kind::node) return {path_.excess[at.index], path_.slope[at.index]};
      const Side& side = at.kind == PiecePoint::Kind::before ? jumps_[at.index].before : jumps_[at.index].after;
      return {side.excess, side.slope};
    });
    const double omega = std::sqrt(std::max(harmonic, 0.0));
    const double tangent = mode.stiffness + path_.slope[i];
    result.values(node, omega_ringdown_column) = omega;
    result.values(node, zeta_column) = (loss + pi * mode.damping * omega * q * q) / (two_pi * q * q * tangent);
    result.values(node, omega_column) = std::sqrt(mode.stiffness + s / q);
    result.values(node, zeta_secant_column) =
        loss / (two_pi * q * (mode.stiffness * q + s)) + 0.5 * mode.damping / std::sqrt(mode.stiffness);
  }
}

}  // namespace microslip
