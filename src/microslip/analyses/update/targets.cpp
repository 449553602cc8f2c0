#include "microslip/analyses/update/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "microslip/io/channel_name.hpp"
#include "microslip/measurement/mode_pairs.hpp"
#include "microslip/results/results.hpp"

namespace microslip {
namespace {

/// Points of a ring-down are means over `span` of ln q to both sides: neighbours share half-cycles. So many of them
/// are independent.
double independent_share(const std::vector<AmplitudePoint>& points) {
  if (points.size() < 2) return 1.0;
  const double length = std::log(points.back().q / points.front().q);
  double span = 0.0;
  for (const AmplitudePoint& point : points) span += std::isfinite(point.span) ? point.span : 0.0;
  span /= static_cast<double>(points.size());
  const double spacing = length / static_cast<double>(points.size() - 1);
  return span > 0.0 ? std::min(1.0, spacing / (2.0 * span)) : 1.0;
}

/// Errors of the rows, or relative ones instead; empty where some are not known.
std::vector<double> errors_of(const std::vector<AmplitudePoint>& points, double AmplitudePoint::*value,
                              double AmplitudePoint::*error, const std::optional<double>& relative) {
  std::vector<double> errors;
  for (const AmplitudePoint& point : points) {
    const double own = relative ? *relative * std::abs(point.*value) : point.*error;
    if (!(own > 0.0) || !std::isfinite(own)) return {};
    errors.push_back(own);
  }
  return errors;
}

/// A cycle of a joint takes work and ends with the force that it began with. `error`: standard, of a force.
void refuse_unsettled(const LoopTarget& target, double error) {
  const std::vector<double>&u = target.u, &f = target.force;
  const std::size_t rows = u.size();
  double work = 0.0, variance = 0.0, u_step = 0.0, f_step = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t next = (i + 1) % rows, last = (i + rows - 1) % rows;
    const double width = 0.5 * (u[next] - u[last]);
    work += f[i] * width;
    variance += width * width;
    if (next == 0) continue;
    u_step = std::max(u_step, std::abs(u[next] - u[i]));
    f_step = std::max(f_step, std::abs(f[next] - f[i]));
  }
  if (work < -4.0 * error * std::sqrt(variance)) {
    throw std::invalid_argument(fmt::format(
        "target {}: the loop gives work, {:.4g} a cycle, where a joint takes it: rows must follow each other "
        "in time, and f resist u",
        target.name, -work));
  }
  // From the last row to the first no more than in the largest steps that get there, twice for safety, and noise.
  const double steps = std::max(1.0, std::abs(u.back() - u.front()) / u_step);
  if (std::abs(f.back() - f.front()) > 2.0 * steps * f_step + 6.0 * error) {
    throw std::invalid_argument(
        fmt::format("target {}: a settled loop ends where it began, this one begins with f = {:.4g} and ends with "
                    "{:.4g}: leave out the way there, or settled = false for a path from rest",
                    target.name, f.front(), f.back()));
  }
}

/// What sensors see of the independent coordinates.
Eigen::MatrixXd sensor_rows(const LinearStructure& structure, const std::vector<int>& dofs) {
  const Eigen::Index n = structure.independent();
  const Eigen::MatrixXd all = structure.with_dependent(Eigen::MatrixXd::Identity(n, n));
  return all(dofs, Eigen::all);
}

}  // namespace

CurveTarget curve_target(const TestCurve& curve, const Results& results) {
  std::vector<AmplitudeCurve> all = curve.data;
  if (!curve.from.empty()) add_amplitude_rows(results.kept(table_name(curve.from, "")), curve.columns, all);
  std::vector<AmplitudePoint> points = curve_of_mode(all, curve.mode).points;
  std::erase_if(points, [&](const AmplitudePoint& p) {
    // Noise may take a weak damping below zero: without these rows its mean would be too large.
    return !(p.q >= curve.q_low && p.q <= curve.q_high) || (curve.omega && !std::isfinite(p.omega)) ||
           (curve.zeta && !std::isfinite(p.zeta));
  });
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
  CurveTarget target = curve.target;
  if (points.size() < 3) {
    throw std::invalid_argument(
        fmt::format("target {}: there are {} rows to compare{}", target.name, points.size(),
                    curve.columns.clean_only && !curve.from.empty() && !curve.columns.qsma ? " that are clean" : ""));
  }
  for (const AmplitudePoint& point : points) target.q.push_back(point.q);
  const auto take = [&](bool wanted, const char* what, double AmplitudePoint::*value, double AmplitudePoint::*error,
                        const std::optional<double>& relative, std::vector<double>& values,
                        std::vector<double>& errors) {
    if (!wanted) return;
    for (const AmplitudePoint& point : points) values.push_back(point.*value);
    errors = errors_of(points, value, error, relative);
    if (!errors.empty()) return;
    throw std::invalid_argument(
        fmt::format("target {}: rows have no standard error of the {}: give errors = {{ {} = .. "
                    "}}, a relative one",
                    target.name, what, what));
  };
  take(curve.omega, "frequency", &AmplitudePoint::omega, &AmplitudePoint::omega_error, curve.omega_error, target.omega,
       target.omega_error);
  take(curve.zeta, "damping", &AmplitudePoint::zeta, &AmplitudePoint::zeta_error, curve.zeta_error, target.zeta,
       target.zeta_error);
  target.omega_weight = target.zeta_weight = curve.weight * independent_share(points);
  return target;
}

LoopTarget loop_target(const TestLoop& loop, const Results& results) {
  return loop_target(loop, loop.source.from.empty() ? loop.source.curve : curve_of(loop.source, results));
}

LoopTarget loop_target(const TestLoop& loop, const ForceCurve& curve) {
  constexpr double open = 0.1;  // of the range of a cycle, between its ends
  LoopTarget target = loop.target;
  target.u = curve.u;
  target.force = curve.f;
  const auto finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  };
  const auto range_of = [](const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *high - *low;
  };
  if (curve.size() < 3 || !finite(curve.u) || !finite(curve.f) || !(range_of(curve.u) > 0.0) ||
      !(range_of(curve.f) > 0.0)) {
    throw std::invalid_argument(
        fmt::format("target {}: a loop has three rows or more of finite numbers, and deflections and forces that "
                    "differ",
                    target.name));
  }
  if (target.settled && std::abs(curve.u.back() - curve.u.front()) > open * range_of(curve.u)) {
    throw std::invalid_argument(
        fmt::format("target {}: a settled loop is one whole cycle, this one begins at u = {:.4g} and ends at {:.4g}; "
                    "settled = false is for a path from rest",
                    target.name, curve.u.front(), curve.u.back()));
  }
  const double error = 0.5 * loop.force_error * range_of(curve.f);
  target.force_error.assign(curve.size(), error);
  if (target.settled) refuse_unsettled(target, error);
  return target;
}

ModeTarget mode_target(const TestModes& modes, const Results& results, const System& system) {
  ModeTarget target = modes.target;
  const MeasuredModes* measured = modes.data ? &*modes.data : results.left<MeasuredModes>(modes.from);
  if (measured == nullptr || measured->shapes.cols() == 0) {
    throw std::invalid_argument(fmt::format("target {}: analysis {} left no modes", target.name, modes.from));
  }
  const LinearStructure& structure = system.structure();
  std::vector<int> dofs, channels, columns;
  std::vector<double> signs;
  for (std::size_t c = 0; c < measured->channels.size(); ++c) {
    const SignedChannel at =
        channel_or_opposite(measured->channels[c], [&](const std::string& each) { return structure.index_of(each); });
    if (at.place < 0) {
      target.left_out.push_back(measured->channels[c]);
      continue;
    }
    dofs.push_back(at.place);
    channels.push_back(static_cast<int>(c));
    signs.push_back(at.sign);
    target.channels.push_back(structure.labels()[static_cast<std::size_t>(at.place)]);
  }
  if (dofs.empty())
    throw std::invalid_argument(fmt::format("target {}: no channel is a point of the model", target.name));
  target.sensors = sensor_rows(structure, dofs);
  for (std::size_t m = 0; m < measured->numbers.size(); ++m) {
    const int number = measured->numbers[m];
    if (!modes.modes.empty() && std::find(modes.modes.begin(), modes.modes.end(), number) == modes.modes.end())
      continue;
    target.numbers.push_back(number);
    columns.push_back(static_cast<int>(m));
  }
  if (columns.empty()) throw std::invalid_argument(fmt::format("target {}: none of its modes is there", target.name));
  target.frequency = measured->frequency_hz(columns);
  const auto count = static_cast<Eigen::Index>(columns.size()), sensors = static_cast<Eigen::Index>(dofs.size());
  if (modes.frequency_error) {
    target.frequency_error = *modes.frequency_error * target.frequency;
  } else if (measured->frequency_error.size() > 0) {
    target.frequency_error = measured->frequency_error(columns);
  }
  if (modes.frequencies && (target.frequency_error.size() != count || !(target.frequency_error.minCoeff() > 0.0))) {
    throw std::invalid_argument(
        fmt::format("target {}: frequencies have no standard errors: give errors = {{ frequency "
                    "= .. }}, a relative one",
                    target.name));
  }
  target.frequency_weight = modes.frequencies ? modes.weight : 0.0;
  target.shape_weight = modes.weight;
  const Eigen::Map<const Eigen::VectorXd> turn(signs.data(), sensors);
  const Eigen::MatrixXcd shapes = turn.asDiagonal() * measured->shapes(channels, columns).eval();
  // Turned to be as real as they can, as they are to be paired.
  target.shapes = pair_modes(shapes, target.frequency, Eigen::MatrixXd(sensors, 0), Eigen::VectorXd()).real_shape;
  if (target.shape_rows != ShapeRows::components) return target;
  target.shape_error.resize(sensors, count);
  for (Eigen::Index m = 0; m < count; ++m) {
    const double largest = target.shapes.col(m).cwiseAbs().maxCoeff();
    for (Eigen::Index s = 0; s < sensors; ++s) {
      const double own = measured->shape_error.size() > 0 ? measured->shape_error(channels[static_cast<std::size_t>(s)],
                                                                                  columns[static_cast<std::size_t>(m)])
                                                          : 0.0;
      target.shape_error(s, m) = modes.shape_error ? *modes.shape_error * largest : own;
    }
  }
  // The component that a shape is scaled by is 1 and has no error; those of the others hold it. The model's shape is
  // scaled freely, so that this one counts as the best known of the others does.
  for (Eigen::Index m = 0; m < count; ++m) {
    double least = std::numeric_limits<double>::infinity();
    for (const double e : target.shape_error.col(m)) {
      if (e > 0.0) least = std::min(least, e);
    }
    if (!std::isfinite(least)) continue;
    for (double& e : target.shape_error.col(m)) {
      if (e == 0.0) e = least;
    }
  }
  if (!(target.shape_error.minCoeff() > 0.0)) {
    throw std::invalid_argument(
        fmt::format("target {}: shapes have no standard errors: give errors = {{ shapes = .. }}, "
                    "a share of the largest component",
                    target.name));
  }
  return target;
}

}  // namespace microslip
