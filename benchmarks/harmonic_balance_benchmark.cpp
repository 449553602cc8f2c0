// Steady vibration: the force of one joint with its derivative, one point of a frequency response.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/alternating_transform.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "random_structure.hpp"
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

/// Seconds a point of a curve through a resonance, errors estimated; `stability`: with Floquet multipliers.
void run_curve(benchmark::State& state, const System& system, const Eigen::VectorXd& force, double level, double from,
               double to, bool stability, int number = harmonics) {
  HarmonicLoad load;
  load.force = force.cast<std::complex<double>>();
  FrequencyResponseOptions options;
  options.harmonics = number;
  options.samples = std::max(64, 8 * number);
  options.stability = stability;
  double points = 0.0, iterations = 0.0;
  for (auto _ : state) {
    const auto curve =
        steady_vibration(system, load, OverFrequency{.level = level, .from = from, .to = to}, {{0}, 0}, options);
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
  run_curve(state, testing::zare_masses(), Eigen::Vector3d(1.0, 2.0, -1.0), 2.0, 6.3, 50.0, state.range(0) != 0);
}
BENCHMARK(point_three_joints)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// The first mode of a structure of n degrees of freedom with m Iwan joints.
void run_structure(benchmark::State& state, int n, int joints, int number, bool stability) {
  const System system = random_structure(n, joints, 4e-4);
  const double omega = system.stuck_modes().omega(0);
  run_curve(state, system, system.modal_force(0), 40.0, 0.97 * omega, 1.02 * omega, stability, number);
}

/// The size of the S4 beam of the HIRP paper.
void point_six_joints(benchmark::State& state) {
  run_structure(state, 54, 6, harmonics, state.range(0) != 0);
}
BENCHMARK(point_six_joints)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void point_over_dofs(benchmark::State& state) {
  run_structure(state, static_cast<int>(state.range(0)), 5, harmonics, false);
}
BENCHMARK(point_over_dofs)->Arg(21)->Arg(42)->Arg(84)->Arg(168)->Arg(336)->Unit(benchmark::kMillisecond);

void point_over_harmonics(benchmark::State& state) {
  run_structure(state, 84, 5, static_cast<int>(state.range(0)), false);
}
BENCHMARK(point_over_harmonics)->Arg(1)->Arg(3)->Arg(7)->Arg(15)->Arg(31)->Unit(benchmark::kMillisecond);

void point_over_joints(benchmark::State& state) {
  run_structure(state, 84, static_cast<int>(state.range(0)), harmonics, false);
}
BENCHMARK(point_over_joints)->Arg(1)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
