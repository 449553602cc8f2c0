// Steady vibration: the force of one joint with its derivative, one point of a frequency response.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <random>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/alternating_transform.hpp"
#include "microslip/periodic/frequency_response.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr int harmonics = 7;
constexpr int size = series_size(harmonics);

Iwan4Backbone<double> backbone() {
  return Iwan4Backbone<double>::from_physical(10.0, 5.0, -0.5, 0.5);
}

/// In microslip, with some of every harmonic and no minor loops.
std::vector<double> motion() {
  std::vector<double> u(size, 0.0);
  u[1] = 0.8;
  u[2] = 0.5;
  for (int h = 2; h <= harmonics; ++h) u[2 * h - 1] = 0.05 / (h * h), u[2 * h] = -0.04 / (h * h);
  return u;
}

/// Exact element, force and derivative; the argument is the number of evaluations a period.
void transform_exact(benchmark::State& state) {
  const Law law = Iwan4<double>(backbone());
  AlternatingTransform transform(law, 0.0, harmonics, static_cast<int>(state.range(0)));
  const auto u = motion();
  std::vector<double> force(size);
  Eigen::MatrixXd jacobian(size, size);
  for (auto _ : state) {
    transform.evaluate(u.data(), 1.0, force.data(), &jacobian);
    benchmark::DoNotOptimize(jacobian.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(transform_exact)->Arg(64)->Arg(1024)->Unit(benchmark::kMicrosecond);

/// The straightforward way: 100 sliders, 1024 equal steps, two periods to settle, the derivative of each slider with
/// respect to the 15 coefficients carried along, sums for the Fourier coefficients in the second period.
void transform_sliders(benchmark::State& state) {
  constexpr int steps = 1024;
  const SliderGrid<double> grid = slider_grid(backbone(), 100);
  const auto sliders = static_cast<int>(grid.stiffness.size());
  const auto u = motion();
  Eigen::MatrixXd basis(size, steps);
  for (int i = 0; i < steps; ++i) {
    series_basis(harmonics, 2.0 * std::numbers::pi * i / steps, basis.col(i).data());
  }
  const Eigen::VectorXd series = Eigen::Map<const Eigen::VectorXd>(u.data(), size);
  for (auto _ : state) {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(size), slope(size);
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(size, size);
    std::vector<double> position(static_cast<std::size_t>(sliders), 0.0);
    Eigen::MatrixXd moved = Eigen::MatrixXd::Zero(size, sliders);  // d position/d coefficients
    for (int period = 0; period < 2; ++period) {
      for (int i = 0; i < steps; ++i) {
        const double at = series.dot(basis.col(i));
        double sum = 0.0;
        slope.setZero();
        for (int s = 0; s < sliders; ++s) {
          const double k = grid.stiffness[static_cast<std::size_t>(s)],
                       phi = grid.strength[static_cast<std::size_t>(s)];
          double& x = position[static_cast<std::size_t>(s)];
          const double stretch = at - x;
          if (std::abs(stretch) > phi) {
            x = stretch > 0.0 ? at - phi : at + phi;
            moved.col(s) = basis.col(i);
            sum += stretch > 0.0 ? k * phi : -k * phi;
          } else {
            sum += k * stretch;
            slope += k * (basis.col(i) - moved.col(s));
          }
        }
        if (period == 0) continue;
        force += 2.0 / steps * sum * basis.col(i);
        jacobian.noalias() += 2.0 / steps * basis.col(i) * slope.transpose();
      }
    }
    benchmark::DoNotOptimize(force.data());
    benchmark::DoNotOptimize(jacobian.data());
  }
}
BENCHMARK(transform_sliders)->Unit(benchmark::kMicrosecond);

System zare_masses() {
  std::vector<Joint> joints;
  for (int j = 0; j < 3; ++j) {
    joints.push_back(testing::iwan_joint(std::to_string(j), 3, j - 1, j, 100.0, 500.0, -0.5, 5.0));
  }
  return System(LinearStructure::lumped({2.0, 2.0, 2.0}, {}, {{-1, 0, 800.0}, {0, 1, 800.0}, {1, 2, 800.0}}, {},
                                        ModalDamping{{0.01}}),
                std::move(joints));
}

/// 54 degrees of freedom (random orthogonal shapes) with six Iwan joints: the size of the S4 beam of the HIRP paper.
System fifty_four() {
  constexpr int n = 54;
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd random = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(generator); });
  const Eigen::MatrixXd shapes = Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ();
  LinearStructure::Parts parts;
  const Eigen::VectorXd omega = 300.0 * (1.0 + 0.5 * Eigen::ArrayXd::LinSpaced(n, 0.0, n - 1.0));
  parts.mass = Eigen::MatrixXd::Identity(n, n);
  parts.stiffness = shapes * omega.cwiseAbs2().asDiagonal() * shapes.transpose();
  parts.damping = ModalDamping{{4e-4}};
  std::vector<Joint> joints;
  for (int j = 0; j < 6; ++j) {
    joints.push_back(testing::iwan_joint(std::to_string(j), n, 2 * j, 2 * j + 1, 20.0, 1e5, -0.5, 2.0));
  }
  return System(LinearStructure(std::move(parts)), std::move(joints));
}

/// Seconds a point of a curve through a resonance, errors estimated; `stability`: with Floquet multipliers.
void run_curve(benchmark::State& state, const System& system, const Eigen::VectorXd& force, double level, double from,
               double to, bool stability) {
  HarmonicLoad load;
  load.force = force.cast<std::complex<double>>();
  FrequencyResponseOptions options;
  options.harmonics = harmonics;
  options.samples = 64;
  options.stability = stability;
  double points = 0.0, iterations = 0.0;
  for (auto _ : state) {
    const auto curve = frequency_response(system, load, level, from, to, {{0}, 0}, options);
    if (curve.ending != Ending::completed) state.SkipWithError(curve.message.c_str());
    points += static_cast<double>(curve.points.size());
    for (const auto& point : curve.points) iterations += point.iterations;
  }
  state.counters["point"] = benchmark::Counter(points, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["iterations"] = iterations / points;
}

void point_oscillator(benchmark::State& state) {
  run_curve(state, testing::shetty_oscillator(), Eigen::VectorXd::Ones(1), 2.0, 280.0, 330.0, state.range(0) != 0);
}
BENCHMARK(point_oscillator)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void point_three_joints(benchmark::State& state) {
  run_curve(state, zare_masses(), Eigen::Vector3d(1.0, 2.0, -1.0), 2.0, 6.3, 50.0, state.range(0) != 0);
}
BENCHMARK(point_three_joints)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void point_six_joints(benchmark::State& state) {
  const System system = fifty_four();
  run_curve(state, system, system.modal_force(0), 40.0, 0.97 * system.stuck_modes().omega(0),
            1.02 * system.stuck_modes().omega(0), state.range(0) != 0);
}
BENCHMARK(point_six_joints)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
