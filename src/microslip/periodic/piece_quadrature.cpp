#include "microslip/periodic/piece_quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "microslip/numerics/lanes.hpp"

namespace microslip {

PieceQuadrature::PieceQuadrature(const TransformSetting& setting)
    : JointTransform(setting), weighted_basis(size), weighted_tangent(size) {
  reserve(static_cast<std::size_t>(nodes_of(rule_parts)));
  tangent_sums.resize(2 * static_cast<std::size_t>(2 * harmonics + 1));
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

void PieceQuadrature::fill_deflection(const double* u) {
  std::fill(deflection.begin(), deflection.begin() + static_cast<std::ptrdiff_t>(used), u[0]);
  for (int h = 1; h <= harmonics; ++h) {
    const double a = u[2 * h - 1];
    const double b = u[2 * h];
    const double* c = cosine(h);
    const double* s = sine(h);
    for (std::size_t i = 0; i < used; ++i) deflection[i] += a * c[i] + b * s[i];
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

void PieceQuadrature::add_tangent_matrix() {
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

}  // namespace microslip
