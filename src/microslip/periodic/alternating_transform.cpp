#include "microslip/periodic/alternating_transform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "microslip/joints/law_traits.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/numerics/gauss_legendre.hpp"
#include "microslip/numerics/lanes.hpp"
#include "microslip/periodic/fading_loop.hpp"
#include "microslip/periodic/masing_loop.hpp"

namespace microslip {
namespace {

constexpr int rule_parts = 16, fewest_nodes = 8;
constexpr std::size_t most_corners = 32;  // to cut a branch at; slopes of more are smooth enough
constexpr std::size_t most_jumps = 64;    // of the force between two reversals, to end pieces at: the largest
constexpr double grazing = 1e-8;          // u' over the range of a leg: too near a reversal for a derivative
constexpr int most_periods = 200;
constexpr double settled = 1e-12;  // of the largest force, from period to period

/// Before macroslip, ascending; none where they are too many.
std::vector<double> corners_to_cut(const Law& law) {
  return std::visit(
      []<class L>(const L& l) -> std::vector<double> {
        if constexpr (MasingLaw<L>) {
          std::vector<double> corners = l.shape().corners();
          if (corners.size() <= most_corners) return corners;
        }
        return {};
      },
      law);
}

/// 0: there are not so many.
double nth_largest_drop(const std::vector<SlipOnset<double>>& onsets, std::size_t n) {
  if (onsets.size() <= n) return 0.0;
  std::vector<double> drops;
  for (const SlipOnset<double>& onset : onsets) drops.push_back(onset.drop);
  const auto nth = drops.begin() + static_cast<std::ptrdiff_t>(n) - 1;
  std::nth_element(drops.begin(), nth, drops.end(), std::greater<>());
  return *nth;
}

}  // namespace

double work_per_period(const double* force, const double* deflection, int harmonics) {
  double work = 0.0;
  for (int h = 1; h <= harmonics; ++h) {
    work += h * (force[2 * h - 1] * deflection[2 * h] - force[2 * h] * deflection[2 * h - 1]);
  }
  return pi * work;
}

class AlternatingTransform::Worker {
 public:
  Worker(const Law& law_, double normal_, int harmonics_, int samples_)
      : law(&law_),
        normal(normal_),
        harmonics(harmonics_),
        samples(samples_),
        components(components_of(law_)),
        size(series_size(harmonics_)),
        scanner(harmonics_),
        corners(corners_to_cut(law_)) {
    reserve(static_cast<std::size_t>(nodes_of(rule_parts)));
    tangent_sums.resize(2 * static_cast<std::size_t>(2 * harmonics + 1));
    start_basis.resize(size);
    start_slope.resize(size);
    weighted_basis.resize(size);
    weighted_tangent.resize(size);
    const auto most = static_cast<std::size_t>(4 * harmonics + 4);
    stack.reserve(most);
    reversal_basis.resize(size, static_cast<Eigen::Index>(most));
    reversal_slope.resize(size, static_cast<Eigen::Index>(most));
  }

  bool evaluate(const double* u, double omega, double* force, Eigen::MatrixXd* jacobian, Eigen::VectorXd* rate) {
    const Eigen::Index total = static_cast<Eigen::Index>(components) * size;
    Eigen::Map<Eigen::VectorXd>(force, total).setZero();
    if (jacobian != nullptr) jacobian->setZero(total, total);
    if (rate != nullptr) rate->setZero(total);
    out_force = force;
    out_jacobian = jacobian;
    const bool done = std::visit([&](const auto& l) { return run(l, u, omega, rate); }, *law);
    return done && Eigen::Map<Eigen::VectorXd>(force, total).allFinite();
  }

  const Law* law;
  double normal;
  int harmonics, samples;
  int components;
  long evaluations = 0;

 private:
  // ---- the laws, by how they remember ----

  template <class L>
  bool run(const L& l, const double* u, double omega, Eigen::VectorXd* rate) {
    if constexpr (UsersLaw<L>) {
      return custom(l, u, omega, rate);
    } else if constexpr (RigidFrictionLaw<L>) {
      return false;  // its force is no function of u: refuse_rigid_friction
    } else {
      static_assert(!L::needs_rates, "only the rates of custom laws are sampled");
      if constexpr (StraightLaw<L>) {
        add_spring(l.stuck_stiffness(), u);
        return true;
      } else if constexpr (SpringLaw<L>) {
        spring(l, u);
        return true;
      } else if constexpr (MasingLaw<L>) {
        masing(l.shape(), l.residual(), u);
        return true;
      } else if constexpr (FadingLaw<L>) {
        return fading(l, u);
      } else {
        static_assert(SliderLaw<L>, "how does this law remember?");
        return sliders(l, u);
      }
    }
  }

  // ---- nodes of one piece of the period ----

  void reserve(std::size_t nodes) {
    const auto padded = static_cast<std::size_t>(padded_size(static_cast<std::ptrdiff_t>(nodes)));
    if (padded <= capacity) return;
    capacity = padded;
    cosines.resize((2 * static_cast<std::size_t>(harmonics) + 1) * padded);
    sines.resize(cosines.size());
    for (auto* values :
         {&tau, &weight, &deflection, &weighted_force, &weighted_stiffness, &first_cosine, &first_sine}) {
      values->assign(padded, 0.0);
    }
  }
  [[nodiscard]] double* cosine(int h) { return cosines.data() + static_cast<std::size_t>(h) * capacity; }
  [[nodiscard]] double* sine(int h) { return sines.data() + static_cast<std::size_t>(h) * capacity; }

  [[nodiscard]] int nodes_of(int part) const {
    return std::max(fewest_nodes, (samples / 2 * part + rule_parts - 1) / rule_parts);
  }
  /// For half a period or more all nodes, for less in proportion.
  [[nodiscard]] const GaussRule& rule_for(double length) {
    const double share = std::ceil(length / pi * rule_parts - 1e-9);
    const int part = static_cast<int>(std::clamp(share, 1.0, double{rule_parts}));
    const GaussRule*& rule = rules[static_cast<std::size_t>(part) - 1];
    if (rule == nullptr) rule = &shared_gauss_legendre(nodes_of(part));
    return *rule;
  }

  /// Gauss between `from` and `to`; `corner`: from = to_r is a reversal, tau = from + length sigma^2.
  void set_nodes(double from, double to, bool corner) {
    const double length = to - from;
    const GaussRule& rule = rule_for(length);
    count = rule.node.size();
    for (std::size_t i = 0; i < count; ++i) {
      const double s = rule.node[i];
      tau[i] = from + length * (corner ? s * s : s);
      weight[i] = length * rule.weight[i] * (corner ? 2.0 * s : 1.0);
    }
    pad();
  }
  void set_uniform_nodes(int number) {
    count = static_cast<std::size_t>(number);
    reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      tau[i] = two_pi * static_cast<double>(i) / number;
      weight[i] = two_pi / number;
    }
    pad();
  }
  void pad() {
    used = static_cast<std::size_t>(padded_size(static_cast<std::ptrdiff_t>(count)));
    for (std::size_t i = count; i < used; ++i) {
      tau[i] = tau[count - 1];
      weight[i] = 0.0;
    }
  }

  /// cos(h tau), sin(h tau) up to `highest`.
  void fill_basis(int highest) {
    for (std::size_t i = 0; i < used; ++i) {  // one call for both
      first_cosine[i] = std::cos(tau[i]);
      first_sine[i] = std::sin(tau[i]);
    }
    std::fill(cosine(0), cosine(0) + used, 1.0);
    std::fill(sine(0), sine(0) + used, 0.0);
    for (int h = 1; h <= highest; ++h) {
      const double* c = cosine(h - 1);
      const double* s = sine(h - 1);
      double* next_c = cosine(h);
      double* next_s = sine(h);
      for (std::size_t i = 0; i < used; ++i) {
        next_c[i] = c[i] * first_cosine[i] - s[i] * first_sine[i];
        next_s[i] = s[i] * first_cosine[i] + c[i] * first_sine[i];
      }
    }
  }
  void fill_deflection(const double* u) {
    std::fill(deflection.begin(), deflection.begin() + static_cast<std::ptrdiff_t>(used), u[0]);
    for (int h = 1; h <= harmonics; ++h) {
      const double a = u[2 * h - 1];
      const double b = u[2 * h];
      const double* c = cosine(h);
      const double* s = sine(h);
      for (std::size_t i = 0; i < used; ++i) deflection[i] += a * c[i] + b * s[i];
    }
  }
  [[nodiscard]] int basis_needed() const { return out_jacobian != nullptr ? 2 * harmonics : harmonics; }

  [[nodiscard]] static double norm(int row) { return row == 0 ? 1.0 / two_pi : 1.0 / pi; }

  /// Sums over the nodes: w F e into the force; with a Jacobian, w k (cos, sin)(h tau) up to 2 H into tangent_sums,
  /// w k e into weighted_tangent and w e into weighted_basis.
  void accumulate() {
    for (int h = 0; h <= harmonics; ++h) {
      const double* c = cosine(h);
      const double* s = sine(h);
      Lanes force_c{}, force_s{}, lane_c, lane_s, f;
      for (std::size_t i = 0; i < used; i += static_cast<std::size_t>(lane_count)) {
        load(lane_c, c + i), load(lane_s, s + i), load(f, weighted_force.data() + i);
        force_c += f * lane_c;
        force_s += f * lane_s;
      }
      if (h == 0) {
        out_force[0] += norm(0) * sum_of(force_c);
      } else {
        out_force[2 * h - 1] += norm(1) * sum_of(force_c);
        out_force[2 * h] += norm(1) * sum_of(force_s);
      }
    }
    if (out_jacobian == nullptr) return;
    for (int h = 0; h <= 2 * harmonics; ++h) {
      const double* c = cosine(h);
      const double* s = sine(h);
      Lanes tangent_c{}, tangent_s{}, basis_c{}, basis_s{}, lane_c, lane_s, k, w;
      for (std::size_t i = 0; i < used; i += static_cast<std::size_t>(lane_count)) {
        load(lane_c, c + i), load(lane_s, s + i), load(k, weighted_stiffness.data() + i), load(w, weight.data() + i);
        tangent_c += k * lane_c;
        tangent_s += k * lane_s;
        basis_c += w * lane_c;
        basis_s += w * lane_s;
      }
      const double sum_c = sum_of(tangent_c);
      const double sum_s = sum_of(tangent_s);
      tangent_sums[static_cast<std::size_t>(2 * h)] += sum_c;
      tangent_sums[static_cast<std::size_t>(2 * h + 1)] += sum_s;
      if (h > harmonics) continue;
      const int row = h == 0 ? 0 : 2 * h - 1;
      weighted_tangent(row) = norm(row) * sum_c;
      weighted_basis(row) = norm(row) * sum_of(basis_c);
      if (h == 0) continue;
      weighted_tangent(row + 1) = norm(row) * sum_s;
      weighted_basis(row + 1) = norm(row) * sum_of(basis_s);
    }
  }

  /// sum w k e e^T from the harmonics of k.
  void add_tangent_matrix() {
    Eigen::MatrixXd& j = *out_jacobian;
    const double* t = tangent_sums.data();
    const auto c = [&](int k) { return t[2 * std::abs(k)]; };
    const auto s = [&](int k) { return k < 0 ? -t[-2 * k + 1] : t[2 * k + 1]; };
    j(0, 0) += norm(0) * c(0);
    for (int h = 1; h <= harmonics; ++h) {
      j(0, 2 * h - 1) += norm(0) * c(h);
      j(0, 2 * h) += norm(0) * s(h);
      j(2 * h - 1, 0) += norm(1) * c(h);
      j(2 * h, 0) += norm(1) * s(h);
      for (int g = 1; g <= harmonics; ++g) {
        j(2 * h - 1, 2 * g - 1) += 0.5 * norm(1) * (c(h - g) + c(h + g));
        j(2 * h, 2 * g) += 0.5 * norm(1) * (c(h - g) - c(h + g));
        j(2 * h - 1, 2 * g) += 0.5 * norm(1) * (s(h + g) - s(h - g));
        j(2 * h, 2 * g - 1) += 0.5 * norm(1) * (s(h + g) + s(h - g));
      }
    }
  }

  void add_spring(double k, const double* u) {
    for (int i = 0; i < size; ++i) out_force[i] += k * u[i];
    if (out_jacobian != nullptr) out_jacobian->diagonal().array() += k;
  }

  [[nodiscard]] bool moves(const double* u, std::size_t extrema) const {
    double swing = 0.0;
    for (int i = 1; i < size; ++i) swing += std::abs(u[i]);
    return extrema >= 2 && swing > 1e-15 * std::abs(u[0]);
  }
  /// Nothing moves: F(u_0), small swings about it with the stuck stiffness.
  bool at_rest(double force0, double slope0, double stuck, const double* u) {
    out_force[0] += force0;
    for (int i = 1; i < size; ++i) out_force[i] += stuck * u[i];
    if (out_jacobian != nullptr) {
      (*out_jacobian)(0, 0) += slope0;
      for (int i = 1; i < size; ++i) (*out_jacobian)(i, i) += stuck;
    }
    return true;
  }

  // ---- springs without memory ----

  template <class L>
  void springs(const L& l, const double* u) {
    fill_basis(basis_needed());
    fill_deflection(u);
    const typename L::State nothing{};
    for (std::size_t i = 0; i < used; ++i) {
      const auto trial = l.evaluate(nothing, {deflection[i], 0.0, 0.0, normal});
      weighted_force[i] = weight[i] * trial.force;
      weighted_stiffness[i] = weight[i] * trial.stiffness;
    }
    evaluations += static_cast<long>(count);
    std::fill(tangent_sums.begin(), tangent_sums.end(), 0.0);
    accumulate();
    if (out_jacobian != nullptr) add_tangent_matrix();
  }

  /// Gauss from crossing to crossing of the corners; without any, equal distances: exact for a polynomial as soon as no
  /// harmonic of F cos(h tau) folds back.
  template <SpringLaw L>
  void spring(const L& l, const double* u) {
    cuts.clear();
    for (const double corner : l.corners()) {
      const std::vector<double>& crossings = scanner.crossings(u, corner);
      cuts.insert(cuts.end(), crossings.begin(), crossings.end());
    }
    std::sort(cuts.begin(), cuts.end());
    if (cuts.empty()) {
      set_uniform_nodes(std::max(samples, (L::straight_pieces ? 2 : l.degree() + 2) * harmonics + 1));
      springs(l, u);
    }
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      set_nodes(cuts[i], i + 1 < cuts.size() ? cuts[i + 1] : cuts[0] + two_pi, false);
      springs(l, u);
    }
  }

  // ---- Masing laws ----

  template <class Shape>
  void masing(const Shape& shape, double residual, const double* u) {
    add_spring(residual, u);
    const auto& extrema = scanner.extrema(u);
    if (!moves(u, extrema.size())) {
      const auto point = shape.at(std::abs(u[0]));
      at_rest(u[0] < 0.0 ? -point.force : point.force, point.slope, shape.initial_slope(), u);
      return;
    }
    walk_masing_loop(shape, u, harmonics, extrema, loop, stack, corners);
    if (out_jacobian != nullptr) set_reversals();
    std::fill(tangent_sums.begin(), tangent_sums.end(), 0.0);
    for (const MasingLoop::Piece& piece : loop.pieces) integrate(shape, u, piece);
    if (out_jacobian != nullptr) add_tangent_matrix();
  }

  /// Basis and dF at the reversals.
  void set_reversals() {
    const auto number = static_cast<Eigen::Index>(loop.reversals.size());
    if (reversal_basis.cols() < number) {
      reversal_basis.resize(size, number);
      reversal_slope.resize(size, number);
    }
    for (Eigen::Index r = 0; r < number; ++r) {
      const MasingLoop::Reversal& reversal = loop.reversals[static_cast<std::size_t>(r)];
      series_basis(harmonics, reversal.tau, reversal_basis.col(r).data());
      reversal_slope.col(r) = reversal.slope * reversal_basis.col(r);
      if (reversal.below < 0) continue;
      reversal_slope.col(r) += reversal_slope.col(reversal.below) - reversal.slope * reversal_basis.col(reversal.below);
    }
  }

  template <class Shape>
  void integrate(const Shape& shape, const double* u, const MasingLoop::Piece& piece) {
    const MasingLoop::Reversal& reversal = loop.reversals[static_cast<std::size_t>(piece.reversal)];
    set_nodes(piece.from, piece.to, piece.corner);
    fill_basis(basis_needed());
    fill_deflection(u);
    for (std::size_t i = 0; i < count; ++i) {
      const auto point = shape.at(std::max(0.0, 0.5 * piece.direction * (deflection[i] - reversal.u)));
      weighted_force[i] = weight[i] * (reversal.f + 2.0 * piece.direction * point.force);
      weighted_stiffness[i] = weight[i] * point.slope;
    }
    for (std::size_t i = count; i < used; ++i) weighted_force[i] = weighted_stiffness[i] = 0.0;
    evaluations += static_cast<long>(count);
    accumulate();
    if (out_jacobian == nullptr) return;
    out_jacobian->noalias() -= weighted_tangent * reversal_basis.col(piece.reversal).transpose();
    out_jacobian->noalias() += weighted_basis * reversal_slope.col(piece.reversal).transpose();
  }

  // ---- laws whose state is marched ----

  // Between two reversals z and sliders depend on their state at the first of them only: `turns` lists the reversals
  // from that of largest |u|, path_* the nodes of the legs between them.

  /// False: nothing moves.
  bool set_turns(const double* u) {
    const auto& extrema = scanner.extrema(u);
    if (!moves(u, extrema.size())) return false;
    list_turns(extrema, turns);
    return true;
  }
  /// Nodes between the cuts; leg_ends says on entry how many cuts, and then how many nodes, there are up to each leg's
  /// end.
  void set_path(const double* u) {
    cuts.push_back(turns.back().tau);
    std::size_t nodes = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) nodes += rule_for(cuts[i + 1] - cuts[i]).node.size();
    path_u.resize(nodes);
    path_weight.resize(nodes);
    path_basis.resize(size, static_cast<Eigen::Index>(nodes));
    std::size_t at = 0, cut = 0;
    for (std::size_t& end : leg_ends) {
      for (const std::size_t first = cut; cut < end; ++cut) {
        set_nodes(cuts[cut], cuts[cut + 1], cut == first);
        for (std::size_t i = 0; i < count; ++i, ++at) set_path_node(at, tau[i], weight[i], u);
      }
      end = at;
    }
  }
  void set_path_node(std::size_t node, double at, double w, const double* u) {
    auto basis = path_basis.col(static_cast<Eigen::Index>(node));
    series_basis(harmonics, at, basis.data());
    path_u[node] = Eigen::Map<const Eigen::VectorXd>(u, size).dot(basis);
    path_weight[node] = w;
  }
  void series_basis_at(double at, Eigen::VectorXd& basis) const { series_basis(harmonics, at, basis.data()); }

  /// F at one node of the path into the force, with weight.
  void add_force(Eigen::Index node, double force) {
    const double w = path_weight[static_cast<std::size_t>(node)] * force;
    out_force[0] += norm(0) * w * path_basis(0, node);
    for (int i = 1; i < size; ++i) out_force[i] += norm(1) * w * path_basis(i, node);
  }
  /// sum over the nodes of w e dF^T, where column i of path_slope is dF at node i: into columns [first, ...) of the
  /// Jacobian.
  void add_slopes(Eigen::Index first, Eigen::Index columns) {
    const auto nodes = static_cast<Eigen::Index>(path_u.size());
    const auto weights = Eigen::Map<const Eigen::RowVectorXd>(path_weight.data(), nodes);
    path_weighted.resize(size, nodes);
    path_weighted = path_basis.array().rowwise() * (norm(1) * weights).array();
    path_weighted.row(0) *= 0.5;
    path_slope_turned.resize(nodes, columns);
    path_slope_turned = path_slope.topRows(columns).transpose();
    out_jacobian->middleCols(first, columns) += times(path_weighted, path_slope_turned);
  }
  /// dz_1 = slope (du_1 - du_0) + gain dz_0, and dz_T = dz_0.
  template <FadingLaw L>
  bool fading(const L& l, const double* u) {
    const auto rest = [&](double at) { return l.evaluate(typename L::State{}, {at, 0.0, 0.0, normal}); };
    if (!set_turns(u)) {
      const auto trial = rest(u[0]);
      return at_rest(trial.force, trial.stiffness, l.stuck_stiffness(), u);
    }
    close_fading_loop(l, normal, turns, fading_loop);
    evaluations += fading_loop.evaluations;
    const std::size_t legs = turns.size() - 1;
    cuts.clear();
    leg_ends.clear();
    for (std::size_t leg = 0; leg < legs; ++leg) {
      cuts.push_back(turns[leg].tau);
      const double zero = passage_of_fading_loop(l, normal, turns, fading_loop, leg, 0.0, u, harmonics);
      if (zero > turns[leg].tau && zero < turns[leg + 1].tau) cuts.push_back(zero);
      leg_ends.push_back(cuts.size());
    }
    set_path(u);
    const double hysteretic = l.z_stiffness();
    const auto state_at = [&](std::size_t turn) { return fading_state<L>(turns[turn].value, fading_loop.z[turn]); };
    const auto start_of_turn = [&](std::size_t turn) { series_basis_at(turns[turn].tau, start_basis); };
    Eigen::VectorXd& dz = start_slope;
    if (out_jacobian != nullptr) {
      path_slope.resize(size, static_cast<Eigen::Index>(path_u.size()));
      dz.setZero();  // over the period for dz_0 = 0, then dz_0 = dz_T/(1 - gain)
      for (std::size_t leg = 0; leg < legs; ++leg) {
        const auto trial = l.evaluate(state_at(leg), {turns[leg + 1].value, 0.0, 0.0, normal});
        dz *= trial.gain;
        start_of_turn(leg + 1);
        dz += trial.slope * start_basis;
        start_of_turn(leg);
        dz -= trial.slope * start_basis;
      }
      start_of_turn(0);
      // Too small a motion forgets nothing: then it comes from the first loading.
      dz = 1.0 - fading_loop.gain > 1e-12 ? Eigen::VectorXd(dz / (1.0 - fading_loop.gain))
                                          : Eigen::VectorXd(rest(turns[0].value).slope * start_basis);
    }
    std::size_t at = 0;
    for (std::size_t leg = 0; leg < legs; ++leg) {
      const auto state = state_at(leg);
      start_of_turn(leg);
      for (; at < leg_ends[leg]; ++at) {
        const auto trial = l.evaluate(state, {path_u[at], 0.0, 0.0, normal});
        const auto node = static_cast<Eigen::Index>(at);
        add_force(node, hysteretic * trial.z);
        if (out_jacobian == nullptr) continue;
        path_slope.col(node) = hysteretic * (trial.slope * (path_basis.col(node) - start_basis) + trial.gain * dz);
      }
      if (out_jacobian == nullptr) continue;
      const auto trial = l.evaluate(state, {turns[leg + 1].value, 0.0, 0.0, normal});
      dz = trial.gain * dz - trial.slope * start_basis;
      start_of_turn(leg + 1);
      dz += trial.slope * start_basis;
    }
    evaluations += static_cast<long>(at + legs);
    if (out_jacobian != nullptr) add_slopes(0, size);
    add_spring(l.slipped_stiffness(), u);
    return fading_loop.closed;
  }

  /// Periods from reversal to reversal until forces and energies there repeat. Then one more, with nodes between the
  /// onsets of slip; then all of it again with dual numbers, eight coefficients at a time.
  template <SliderLaw L>
  bool sliders(const L& l, const double* u) {
    if (!set_turns(u)) {
      const auto point = l.backbone(u[0]);
      return at_rest(point.force, point.slope, l.stuck_stiffness(), u);
    }
    typename L::State state{};
    const auto move_to = [&](double at) {
      const auto trial = l.evaluate(state, {at, 0.0, 0.0, normal});
      l.commit(state, trial);
      return std::array<double, 2>{trial.force, l.stored_energy(state)};
    };
    const std::size_t legs = turns.size() - 1;
    turn_values.assign(legs, {});
    std::array<double, 2> largest{};
    move_to(turns[0].value);
    int periods = 0;
    bool repeats = false;
    while (!repeats && periods < most_periods) {
      std::array<double, 2> change{};
      for (std::size_t leg = 0; leg < legs; ++leg) {
        const std::array<double, 2> now = move_to(turns[leg + 1].value);
        for (std::size_t k = 0; k < 2; ++k) {
          change[k] = std::max(change[k], std::abs(now[k] - turn_values[leg][k]));
          largest[k] = std::max(largest[k], std::abs(now[k]));
        }
        turn_values[leg] = now;
      }
      evaluations += static_cast<long>(legs);
      ++periods;
      repeats = periods > 1 && change[0] <= settled * largest[0] && change[1] <= settled * largest[1];
    }
    set_slip_path(l, state, u);
    std::size_t at = 0;
    for (std::size_t leg = 0; leg < legs; ++leg) {
      for (; at < leg_ends[leg]; ++at) {
        add_force(static_cast<Eigen::Index>(at), l.evaluate(state, {path_u[at], 0.0, 0.0, normal}).force);
      }
      move_to(turns[leg + 1].value);
    }
    evaluations += static_cast<long>(at + legs);
    if (out_jacobian != nullptr) dual_sliders(l.template with_scalar<Dual<8>>(), periods);
    return repeats;
  }

  /// path_* of a period from `state` at the first turn: Gauss between reversals, jumps and, where they are few,
  /// corners.
  template <class L>
  void set_slip_path(const L& l, typename L::State state, const double* u) {
    cuts.clear();
    leg_ends.clear();
    jumps.clear();
    std::vector<SlipOnset<double>> onsets;
    for (std::size_t leg = 0; leg + 1 < turns.size(); ++leg) {
      const auto& from = turns[leg];
      const auto& to = turns[leg + 1];
      const int direction = to.value > from.value ? 1 : -1;
      l.list_onsets(state, direction, onsets);
      const bool few = onsets.size() <= most_corners;
      const double least_drop = nth_largest_drop(onsets, most_jumps);
      cuts.push_back(from.tau);
      for (std::size_t i = 0; i < onsets.size(); ++i) {
        const double level = onsets[i].u;
        const bool jumps_here = onsets[i].drop > 0.0 && onsets[i].drop >= least_drop;
        if (!(few || jumps_here) || !(direction * (level - from.value) > 0.0)) continue;
        if (!(direction * (to.value - level) > 0.0)) continue;
        const double tau_cut = invert_series(u, harmonics, from.tau, to.tau, level);
        if (tau_cut > from.tau && tau_cut < to.tau) cuts.push_back(tau_cut);
        if (!jumps_here) continue;
        const double rate = series_at(u, harmonics, tau_cut).slope;
        const bool grazes = !(direction * rate > grazing * std::abs(to.value - from.value));
        jumps.push_back({leg, i, tau_cut, direction * onsets[i].drop, grazes ? 0.0 : rate});
      }
      std::sort(cuts.begin() + static_cast<std::ptrdiff_t>(leg_ends.empty() ? 0 : leg_ends.back()), cuts.end());
      leg_ends.push_back(cuts.size());
      l.commit(state, l.evaluate(state, {to.value, 0.0, 0.0, normal}));
    }
    set_path(u);
  }

  /// Where a jump F- - F+ at tau_m moves, the integral of F e changes by (F- - F+) e(tau_m) d tau_m, with
  /// u' d tau_m = du_m - e(tau_m) du.
  template <class L>
  void dual_sliders(const L& l, int periods) {
    constexpr int width = 8;
    using Number = Dual<width>;
    const auto nodes = static_cast<Eigen::Index>(path_u.size());
    path_slope.resize(width, nodes);
    std::vector<SlipOnset<Number>> onsets;
    Eigen::VectorXd basis(size);
    for (int first = 0; first < size; first += width) {
      const int columns = std::min(width, size - first);
      const auto seeded = [&](double value, const auto& derivatives) {
        Number number(value);
        for (int k = 0; k < columns; ++k) number.derivative[static_cast<std::size_t>(k)] = derivatives(first + k);
        return number;
      };
      typename L::State state{};
      const auto turn = [&](std::size_t i) {
        series_basis_at(turns[i].tau, basis);
        l.commit(state, l.evaluate(state, {seeded(turns[i].value, basis), Number(0.0), 0.0, normal}));
      };
      turn(0);
      for (int period = 0; period < periods; ++period) {
        for (std::size_t leg = 0; leg < leg_ends.size(); ++leg) turn(leg + 1);
      }
      std::size_t at = 0, jump = 0;
      for (std::size_t leg = 0; leg < leg_ends.size(); ++leg) {
        for (; at < leg_ends[leg]; ++at) {
          const auto node = static_cast<Eigen::Index>(at);
          const auto trial = l.evaluate(state, {seeded(path_u[at], path_basis.col(node)), Number(0.0), 0.0, normal});
          path_slope.col(node) = Eigen::Map<const Eigen::VectorXd>(trial.force.gradient(), width);
        }
        if (jump < jumps.size() && jumps[jump].leg == leg) {
          l.list_onsets(state, turns[leg + 1].value > turns[leg].value ? 1 : -1, onsets);
        }
        for (; jump < jumps.size() && jumps[jump].leg == leg; ++jump) {
          add_jump(jumps[jump], onsets.at(jumps[jump].onset).u, first, columns);
        }
        turn(leg + 1);
      }
      add_slopes(first, columns);
    }
  }

  struct Jump {
    std::size_t leg, onset;  // onset: its place in the law's list
    double tau, loss;        // loss: F- - F+
    double rate;             // u'; 0: grazes, without a derivative
  };
  template <class Number>
  void add_jump(const Jump& jump, const Number& level, int first, int columns) {
    if (jump.rate == 0.0) return;
    series_basis_at(jump.tau, start_basis);
    for (int k = 0; k < columns; ++k) {
      const double moved = (level.derivative[static_cast<std::size_t>(k)] - start_basis(first + k)) / jump.rate;
      for (int row = 0; row < size; ++row) {
        (*out_jacobian)(row, first + k) += norm(row) * jump.loss * moved * start_basis(row);
      }
    }
  }

  /// Equal steps through the period with displacements and rates, until the forces repeat.
  bool custom(const CustomLawHandle& l, const double* u, double omega, Eigen::VectorXd* rate) {
    const int steps = std::max(samples, 8 * harmonics);
    const int d = components;
    const bool memory = l.law().state_size() > 0;
    CustomLawHandle::State state = l.initial_state();
    CustomLawHandle::Trial trial;
    path_force.assign(static_cast<std::size_t>(steps * d), 0.0);
    Eigen::VectorXd basis(size), slope_basis(size);
    bool repeats = false;
    double largest = 0.0;
    for (int period = 0; period < most_periods && !repeats; ++period) {
      const bool last_chance = period + 1 == most_periods;
      double change = 0.0;
      Eigen::Map<Eigen::VectorXd>(out_force, static_cast<Eigen::Index>(d) * size).setZero();
      if (out_jacobian != nullptr) out_jacobian->setZero();
      if (rate != nullptr) rate->setZero();
      for (int i = 0; i < steps; ++i) {
        const double at = two_pi * i / steps;
        series_basis(harmonics, at, basis.data());
        slope_basis(0) = 0.0;
        for (int h = 1; h <= harmonics; ++h) {
          slope_basis(2 * h - 1) = -h * basis(2 * h);
          slope_basis(2 * h) = h * basis(2 * h - 1);
        }
        CustomInput input;
        input.t = omega > 0.0 ? at / omega : 0.0;
        input.normal = normal;
        for (int c = 0; c < d; ++c) {
          const Eigen::Map<const Eigen::VectorXd> series(u + static_cast<std::ptrdiff_t>(c) * size, size);
          input.u[static_cast<std::size_t>(c)] = series.dot(basis);
          input.v[static_cast<std::size_t>(c)] = omega * series.dot(slope_basis);
        }
        l.evaluate_into(state, input, trial);
        l.commit(state, trial);
        weighted_basis = norm(1) * two_pi / steps * basis;
        weighted_basis(0) *= 0.5;
        for (int r = 0; r < d; ++r) {
          const auto row = static_cast<std::size_t>(r);
          const double force = trial.force[row];
          double& before = path_force[static_cast<std::size_t>(i * d + r)];
          change = std::max(change, std::abs(force - before));
          largest = std::max(largest, std::abs(force));
          before = force;
          Eigen::Map<Eigen::VectorXd>(out_force + static_cast<std::ptrdiff_t>(r) * size, size) +=
              force * weighted_basis;
          for (int c = 0; c < d; ++c) {
            const auto column = static_cast<std::size_t>(c);
            if (out_jacobian != nullptr) {
              out_jacobian->block(r * size, c * size, size, size).noalias() +=
                  weighted_basis *
                  (trial.stiffness[row][column] * basis + omega * trial.damping[row][column] * slope_basis).transpose();
            }
            if (rate != nullptr && omega > 0.0) {
              rate->segment(r * size, size) += trial.damping[row][column] * input.v[column] / omega * weighted_basis;
            }
          }
        }
      }
      evaluations += steps;
      repeats = !memory || (period > 0 && change <= settled * largest);
      if (last_chance) break;
    }
    return repeats;
  }

  int size;
  SeriesScanner scanner;
  std::vector<double> corners;                       // of a Masing law's backbone, to end pieces at
  std::array<const GaussRule*, rule_parts> rules{};  // for 1/16, 2/16, ... of half a period, as far as needed
  double* out_force = nullptr;
  Eigen::MatrixXd* out_jacobian = nullptr;

  std::size_t capacity = 0, count = 0, used = 0;  // nodes: allocated a row, of the piece, with padding
  std::vector<double> cosines, sines;             // of h tau_i, one row a harmonic up to 2 H
  std::vector<double> tau, weight, deflection, weighted_force, weighted_stiffness, first_cosine, first_sine;
  std::vector<double> tangent_sums;
  std::vector<double> cuts;  // crossings of the corners of a spring, onsets of slip
  Eigen::VectorXd weighted_basis, weighted_tangent, start_basis, start_slope;
  MasingLoop loop;
  FadingLoop fading_loop;
  std::vector<int> stack;
  Eigen::MatrixXd reversal_basis, reversal_slope;
  std::vector<double> path_u, path_weight, path_force;
  std::vector<SeriesScanner::Extremum> turns;
  std::vector<std::array<double, 2>> turn_values;    // force and stored energy at the end of each leg
  std::vector<std::size_t> leg_ends;                 // nodes up to the end of each leg
  std::vector<Jump> jumps;                           // of the force of sliders, leg by leg
  Eigen::MatrixXd path_basis, path_slope;            // a column a node: e, and dF
  Eigen::MatrixXd path_weighted, path_slope_turned;  // their factors in the Jacobian
};

AlternatingTransform::AlternatingTransform(const Law& law, double normal, int harmonics, int samples)
    : worker_(std::make_unique<Worker>(law, normal, harmonics, samples)) {}
AlternatingTransform::~AlternatingTransform() = default;
AlternatingTransform::AlternatingTransform(AlternatingTransform&&) noexcept = default;
AlternatingTransform& AlternatingTransform::operator=(AlternatingTransform&&) noexcept = default;

int AlternatingTransform::components() const {
  return worker_->components;
}
int AlternatingTransform::harmonics() const {
  return worker_->harmonics;
}
int AlternatingTransform::samples() const {
  return worker_->samples;
}
long AlternatingTransform::evaluations() const {
  return worker_->evaluations;
}
bool AlternatingTransform::evaluate(const double* deflection, double omega, double* force, Eigen::MatrixXd* jacobian,
                                    Eigen::VectorXd* rate) {
  return worker_->evaluate(deflection, omega, force, jacobian, rate);
}

}  // namespace microslip
