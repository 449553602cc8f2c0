#include "microslip/periodic/piece_quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "microslip/numerics/lanes.hpp"

namespace microslip {

PieceQuadrature::PieceQuadrature(const TransformSetting& setting)
    : JointTransform(setting), weighted_basis(size), weighted_tangent(size) {
  reserve(static_cast<std::size_t>(nodes_of(rule_parts)));
  tangent_sums.resize(2 * static_cast<std::size_t>(2 * harmonics + 1));
  line_sums.resize(tangent_sums.size());
}

void PieceQuadrature::reserve(std::size_t nodes) {
  const auto padded = static_cast<std::size_t>(padded_size(static_cast<std::ptrdiff_t>(nodes)));
  if (padded <= capacity) return;
  capacity = padded;
  cosines.resize((2 * static_cast<std::size_t>(harmonics) + 1) * padded);
  sines.resize(cosines.size());
  for (auto* values : {&tau, &weight, &deflection, &weighted_force, &weighted_stiffness, &first_cosine, &first_sine}) {
    values->assign(padded, 0.0);
  }
}

int PieceQuadrature::nodes_of(int part) const {
  return std::max(fewest_nodes, (samples / 2 * part + rule_parts - 1) / rule_parts);
}

const GaussRule& PieceQuadrature::rule_for(double length) {
  const double share = std::ceil(length / pi * rule_parts - 1e-9);
  const int part = static_cast<int>(std::clamp(share, 1.0, double{rule_parts}));
  const GaussRule*& rule = rules[static_cast<std::size_t>(part) - 1];
  if (rule == nullptr) rule = &shared_gauss_legendre(nodes_of(part));
  return *rule;
}

void PieceQuadrature::set_nodes(double from, double to, bool corner) {
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

void PieceQuadrature::set_uniform_nodes(int number) {
  count = static_cast<std::size_t>(number);
  reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    tau[i] = two_pi * static_cast<double>(i) / number;
    weight[i] = two_pi / number;
  }
  pad();
}

void PieceQuadrature::pad() {
  used = static_cast<std::size_t>(padded_size(static_cast<std::ptrdiff_t>(count)));
  for (std::size_t i = count; i < used; ++i) {
    tau[i] = tau[count - 1];
    weight[i] = 0.0;
  }
}

void PieceQuadrature::fill_nodes(const double* u) {
  fill_basis(out_jacobian != nullptr ? 2 * harmonics : harmonics);
  fill_deflection(u);
}

/// cos(h tau), sin(h tau) up to `highest`.
void PieceQuadrature::fill_basis(int highest) {
  for (std::size_t i = 0; i < used; ++i) {  // one call for both
    first_cosine[i] = std::cos(tau[i]);
    first_sine[i] = std::sin(tau[i]);
  }
  std::fill(cosine(0), cosine(0) + used, 1.0);
  std::fill(sine(0), sine(0) + used, 0.0);
  Lanes c1, s1, c, s;
  for (int h = 1; h <= highest; ++h) {
    const double *cosines_before = cosine(h - 1), *sines_before = sine(h - 1);
    for (std::size_t i = 0; i < used; i += static_cast<std::size_t>(lane_count)) {
      load(c1, first_cosine.data() + i), load(s1, first_sine.data() + i);
      load(c, cosines_before + i), load(s, sines_before + i);
      store(cosine(h) + i, c * c1 - s * s1);
      store(sine(h) + i, s * c1 + c * s1);
    }
  }
}

void PieceQuadrature::fill_deflection(const double* u) {
  std::fill(deflection.begin(), deflection.begin() + static_cast<std::ptrdiff_t>(used), u[0]);
  Lanes c, s, sum;
  for (int h = 1; h <= harmonics; ++h) {
    const double a = u[2 * h - 1];
    const double b = u[2 * h];
    if (a == 0.0 && b == 0.0) continue;  // a motion among the harmonics that it leaves out
    for (std::size_t i = 0; i < used; i += static_cast<std::size_t>(lane_count)) {
      load(c, cosine(h) + i), load(s, sine(h) + i), load(sum, deflection.data() + i);
      store(deflection.data() + i, sum + a * c + b * s);
    }
  }
}

void PieceQuadrature::accumulate() {
  accumulate_force();
  if (out_jacobian != nullptr) accumulate_tangent();
}

void PieceQuadrature::accumulate_force() {
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
}

void PieceQuadrature::accumulate_tangent() {
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

void PieceQuadrature::clear_tangent_sums() {
  std::fill(tangent_sums.begin(), tangent_sums.end(), 0.0);
}

void PieceQuadrature::add_line(double from, double to, double slope, double offset) {
  const double half = 0.5 * (to - from), middle = 0.5 * (from + to);
  const double c_half = std::cos(half), s_half = std::sin(half), c_middle = std::cos(middle),
               s_middle = std::sin(middle);
  line_sums[0] = to - from;
  line_sums[1] = 0.0;
  double c = 1.0, s = 0.0, c_at = 1.0, s_at = 0.0;  // of n half and n middle
  for (int n = 1; n <= 2 * harmonics; ++n) {
    const double next = c * c_half - s * s_half, next_at = c_at * c_middle - s_at * s_middle;
    s = s * c_half + c * s_half;
    s_at = s_at * c_middle + c_at * s_middle;
    c = next, c_at = next_at;
    const double length = 2.0 * s / n;
    line_sums[static_cast<std::size_t>(2 * n)] = length * c_at;
    line_sums[static_cast<std::size_t>(2 * n + 1)] = length * s_at;
  }
  const auto all = static_cast<Eigen::Index>(tangent_sums.size());
  const Eigen::Map<const Eigen::VectorXd> sums(line_sums.data(), all);
  if (slope != 0.0) Eigen::Map<Eigen::VectorXd>(tangent_sums.data(), all) += slope * sums;
  weighted_basis(0) = norm(0) * sums(0);
  weighted_basis.tail(size - 1) = norm(1) * sums.segment(2, size - 1);
  weighted_tangent = slope * weighted_basis;
  Eigen::Map<Eigen::VectorXd>(out_force, size) += offset * weighted_basis;
}

void PieceQuadrature::add_moving_point(double at, double weight) {
  const double c_at = std::cos(at), s_at = std::sin(at);
  double c = 1.0, s = 0.0;
  for (std::size_t i = 0; i < tangent_sums.size(); i += 2) {
    tangent_sums[i] -= weight * c;
    tangent_sums[i + 1] -= weight * s;
    const double next = c * c_at - s * s_at;
    s = s * c_at + c * s_at;
    c = next;
  }
}

void PieceQuadrature::add_basis_sums(const Eigen::MatrixXd& values, Eigen::Ref<Eigen::MatrixXd> sums) {
  constexpr Eigen::Index together = 4;
  for (Eigen::Index first = 0; first < sums.cols(); first += together) {
    const Eigen::Index number = std::min(together, sums.cols() - first);
    for (int h = 0; h <= harmonics; ++h) {
      std::array<Lanes, together> sum_c{}, sum_s{};
      for (std::size_t i = 0; i < used; i += static_cast<std::size_t>(lane_count)) {
        Lanes c, s, w, v;
        load(c, cosine(h) + i), load(s, sine(h) + i), load(w, weight.data() + i);
        c *= w, s *= w;
        for (std::size_t k = 0; k < together; ++k) {
          load(v, values.col(first + static_cast<Eigen::Index>(k)).data() + i);
          sum_c[k] += v * c;
          sum_s[k] += v * s;
        }
      }
      const int row = h == 0 ? 0 : 2 * h - 1;
      for (Eigen::Index k = 0; k < number; ++k) {
        sums(row, first + k) += norm(row) * sum_of(sum_c[static_cast<std::size_t>(k)]);
        if (h > 0) sums(row + 1, first + k) += norm(row) * sum_of(sum_s[static_cast<std::size_t>(k)]);
      }
    }
  }
}

/// X_n = (c_n, s_n) and Y_n = (s_n, -c_n), c_-n = c_n, s_-n = -s_n: rows (cos h, sin h) of sum w k e e^T are
/// (X_(h-g) + X_(h+g))/2 in the column of cos g and (Y_(h+g) - Y_(h-g))/2 in that of sin g.
void PieceQuadrature::spread_sums() {
  const Eigen::Index back = harmonics;
  spread_cosines.resize(2 * (3 * back + 1));
  spread_sines.resize(spread_cosines.size());
  for (Eigen::Index n = -back; n <= 2 * back; ++n) {
    const auto from = static_cast<std::size_t>(2 * std::abs(n));
    const double c = tangent_sums[from], s = n < 0 ? -tangent_sums[from + 1] : tangent_sums[from + 1];
    spread_cosines.segment<2>(2 * (n + back)) << c, s;
    spread_sines.segment<2>(2 * (n + back)) << s, -c;
  }
}

void PieceQuadrature::add_tangent_matrix() {
  spread_sums();
  Eigen::MatrixXd& j = *out_jacobian;
  const Eigen::Index back = harmonics, rows = 2 * back;
  const auto at = [&](const Eigen::VectorXd& spread, Eigen::Index n) { return spread.segment(2 * (n + back), rows); };
  j(0, 0) += norm(0) * tangent_sums[0];
  j.col(0).tail(rows) += norm(1) * at(spread_cosines, 1);
  j.row(0).tail(rows) += norm(0) * at(spread_cosines, 1).transpose();
  for (Eigen::Index g = 1; g <= back; ++g) {
    j.col(2 * g - 1).tail(rows) += 0.5 * norm(1) * (at(spread_cosines, 1 - g) + at(spread_cosines, 1 + g));
    j.col(2 * g).tail(rows) += 0.5 * norm(1) * (at(spread_sines, 1 + g) - at(spread_sines, 1 - g));
  }
}

void PieceQuadrature::add_line_forces(const double* u) {
  spread_sums();
  const Eigen::Index back = harmonics, rows = 2 * back;
  const auto at = [&](const Eigen::VectorXd& spread, Eigen::Index n) { return spread.segment(2 * (n + back), rows); };
  const Eigen::Map<const Eigen::VectorXd> moving(u + 1, rows);
  Eigen::Map<Eigen::VectorXd> force(out_force + 1, rows);
  out_force[0] += norm(0) * (tangent_sums[0] * u[0] + at(spread_cosines, 1).dot(moving));
  force += norm(1) * u[0] * at(spread_cosines, 1);
  for (Eigen::Index g = 1; g <= back; ++g) {
    const double a = 0.5 * norm(1) * u[2 * g - 1], b = 0.5 * norm(1) * u[2 * g];
    if (a == 0.0 && b == 0.0) continue;  // a motion among the harmonics that it leaves out
    force += a * (at(spread_cosines, 1 - g) + at(spread_cosines, 1 + g)) +
             b * (at(spread_sines, 1 + g) - at(spread_sines, 1 - g));
  }
}

}  // namespace microslip
