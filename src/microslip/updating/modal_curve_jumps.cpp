#include <algorithm>
#include <cmath>
#include <cstddef>

#include "microslip/updating/modal_curve.hpp"

namespace microslip {
namespace {

/// Joints that reach the end of microslip together, as those of a symmetric structure do, relative.
constexpr double together = 1e-9;

}  // namespace

/// Joints that go into macroslip between the node before and this one.
void ModalCurveSolver::find_jumps(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, int node) {
  if (node == 0) return;
  const auto count = static_cast<std::size_t>(joints_), at = static_cast<std::size_t>(node) * count;
  const std::size_t known = jumps_.size();
  for (std::size_t j = 0; j < count; ++j) {
    const double yield = laws[j].yield();
    if (!(yield > 0.0 && std::abs(path_.u[at - count + j]) < yield && std::abs(path_.u[at + j]) >= yield)) continue;
    Jump jump;
    jump.segment = node - 1;
    jump.joint = static_cast<int>(j);
    if (!find_jump(mode, laws, jump)) continue;
    const bool there = std::any_of(jumps_.begin() + static_cast<std::ptrdiff_t>(known), jumps_.end(),
                                   [&](const Jump& other) { return std::abs(other.q - jump.q) <= together * jump.q; });
    if (!there) jumps_.push_back(std::move(jump));
  }
}

/// |u_j(q)| = yield between the nodes of the segment, by the rule of false position (Illinois).
bool ModalCurveSolver::find_jump(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws, Jump& jump) {
  const auto count = static_cast<std::size_t>(joints_), from = static_cast<std::size_t>(jump.segment) * count;
  const auto j = static_cast<std::size_t>(jump.joint);
  const double yield = laws[j].yield();
  double low = grid_->nodes()[static_cast<std::size_t>(jump.segment)];
  double high = grid_->nodes()[static_cast<std::size_t>(jump.segment) + 1];
  const double begin = low, width = high - low;
  std::vector<double> u(count), x(count), g(count);
  double at_low = std::abs(path_.u[from + j]) - yield, at_high = std::abs(path_.u[from + count + j]) - yield;
  double q = high;
  for (int iteration = 0; iteration < 60; ++iteration) {
    q = at_high > at_low ? low - at_low * (high - low) / (at_high - at_low) : 0.5 * (low + high);
    if (!(q > low && q < high)) q = 0.5 * (low + high);
    const double share = (q - begin) / width;
    for (std::size_t i = 0; i < count; ++i)
      u[i] = (1.0 - share) * path_.u[from + i] + share * path_.u[from + count + i];
    if (!newton(mode, laws, q, u.data(), x.data(), g.data())) return false;
    const double here = std::abs(u[j]) - yield;
    if (std::abs(here) <= 1e-13 * yield || high - low <= 1e-14 * q) break;
    if (here < 0.0) {
      low = q;
      at_low = here;
      at_high *= 0.5;
    } else {
      high = q;
      at_high = here;
      at_low *= 0.5;
    }
  }
  jump.q = q;
  return set_side(mode, laws, u, -1.0, jump.before) && set_side(mode, laws, u, 1.0, jump.after);
}

/// Every joint at its end of microslip is put a little before it (turn < 0) or behind.
bool ModalCurveSolver::set_side(const ModeConstants& mode, const std::vector<VirginCurve<double>>& laws,
                                const std::vector<double>& u, double turn, Side& side) {
  constexpr double little = 1e-12;
  const std::size_t count = u.size();
  side.u = u;
  side.u1.resize(count);
  side.x.resize(count);
  side.g.resize(count);
  side.excess = side.slope = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double yield = laws[i].yield();
    if (yield > 0.0 && std::abs(std::abs(u[i]) - yield) <= together * yield) {
      side.u[i] = std::copysign(yield * (1.0 + turn * little), u[i]);
    }
    const auto point = laws[i].at(side.u[i]);
    side.x[i] = point.force - laws[i].stuck_stiffness() * side.u[i];
    side.g[i] = point.slope - laws[i].stuck_stiffness();
    side.u1[i] = mode.beta(static_cast<Eigen::Index>(i));
  }
  if (!solve_matrix(mode, side.g.data(), side.u1.data())) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const double beta = mode.beta(static_cast<Eigen::Index>(i));
    side.excess += beta * side.x[i];
    side.slope += beta * side.g[i] * side.u1[i];
  }
  return true;
}

void ModalCurveSolver::set_pieces() {
  pieces_.clear();
  using Kind = PiecePoint::Kind;
  const std::vector<double>& q = grid_->nodes();
  for (std::size_t first = 0; first < jumps_.size();) {
    const int segment = jumps_[first].segment;
    std::size_t last = first;
    while (last < jumps_.size() && jumps_[last].segment == segment) ++last;
    const auto node = static_cast<std::size_t>(segment);
    pieces_.push_back(
        {HarmonicSegment(q[node], q[node + 1]), segment, -1.0, {Kind::node, node}, {Kind::node, node + 1}});
    PiecePoint from = {Kind::node, node};
    double at = q[node];
    for (std::size_t k = first; k < last; ++k) {
      if (jumps_[k].q > at) {
        pieces_.push_back({HarmonicSegment(at, jumps_[k].q), segment, 1.0, from, {Kind::before, k}});
      }
      from = {Kind::after, k};
      at = jumps_[k].q;
    }
    if (q[node + 1] > at) {
      pieces_.push_back({HarmonicSegment(at, q[node + 1]), segment, 1.0, from, {Kind::node, node + 1}});
    }
    first = last;
  }
}

/// yield = |u_j(q)|: dq = (d yield - sign d u_j|_q)/(sign du_j/dq), d u_j = r . (q d beta - dA' x) - (A' r) . dx with
/// r = (I + G A')^-1 e_j.
Eigen::VectorXd ModalCurveSolver::motion_of(const Jump& jump, const ModeConstants& mode,
                                            const std::vector<VirginCurve<LawNumber>>& numbers,
                                            const std::vector<CurveDirection>& directions) const {
  const Eigen::Index joints = joints_, j = jump.joint;
  const Side& side = jump.before;
  const Eigen::Map<const Eigen::VectorXd> x(side.x.data(), joints), g(side.g.data(), joints);
  Eigen::VectorXd back = mode.compliance.col(j);
  if (!solve_matrix(mode, side.g.data(), back.data())) back.setZero();
  Eigen::VectorXd r = -g.cwiseProduct(back);
  r(j) += 1.0;
  const Eigen::VectorXd by_x = -mode.compliance * r;
  const auto place = static_cast<std::size_t>(j);
  const double sign = side.u[place] < 0.0 ? -1.0 : 1.0;
  Eigen::VectorXd motion(static_cast<Eigen::Index>(directions.size()));
  for (std::size_t p = 0; p < directions.size(); ++p) {
    double moved = 0.0, yield = 0.0;
    if (const ModeConstants* d = directions[p].constants; d != nullptr && d->beta.size() > 0) {
      moved = r.dot(jump.q * d->beta - d->compliance * x);
    }
    for (const LawMotion& law : directions[p].laws) {
      const auto i = static_cast<std::size_t>(law.joint);
      const LawNumber u = LawNumber::variable(side.u[i], 0);
      const LawNumber excess = numbers[i].at(u).force - numbers[i].stuck_stiffness() * u;
      moved += law.factor * by_x(law.joint) * excess.gradient()[law.number + 1];
      if (i == place) yield += law.factor * numbers[i].yield().gradient()[law.number + 1];
    }
    motion(static_cast<Eigen::Index>(p)) = (yield - sign * moved) / (sign * side.u1[place]);
  }
  return motion;
}

}  // namespace microslip
