// Large sparse structures: our factors against those of Eigen, and the modes of a block with 100 000 degrees of
// freedom.

#include <benchmark/benchmark.h>

#include <Eigen/SparseCholesky>

#include "microslip/numerics/sparse_ldlt.hpp"
#include "microslip/structure/craig_bampton.hpp"
#include "microslip/structure/large_modes.hpp"
#include "support/brick_block.hpp"

namespace microslip {
namespace {

testing::BlockMatrices cube(int elements) {
  testing::BrickBlock block;
  block.elements = {elements, elements, elements};
  block.size = {1.0, 1.0, 1.0};
  return testing::assembled(block);
}

SparseMatrix definite(const testing::BlockMatrices& matrices) {
  return matrices.stiffness + 1e5 * matrices.mass;
}

void large_factors(benchmark::State& state) {
  const SparseMatrix matrix = definite(cube(static_cast<int>(state.range(0))));
  for (auto _ : state) {
    const SparseLdlt factors(matrix);
    benchmark::DoNotOptimize(factors.entries());
    state.counters["entries"] = static_cast<double>(factors.entries());
  }
  state.counters["dofs"] = static_cast<double>(matrix.rows());
}
BENCHMARK(large_factors)->Arg(14)->Arg(18)->Unit(benchmark::kMillisecond);

void large_factors_of_eigen(benchmark::State& state) {
  const SparseMatrix matrix = definite(cube(static_cast<int>(state.range(0))));
  for (auto _ : state) {
    const Eigen::SimplicialLDLT<SparseMatrix> factors(matrix);
    benchmark::DoNotOptimize(factors.vectorD());
  }
  state.counters["dofs"] = static_cast<double>(matrix.rows());
}
BENCHMARK(large_factors_of_eigen)->Arg(14)->Arg(18)->Unit(benchmark::kMillisecond);

/// 20 modes of a free block, and the static answers to two forces.
void large_modes(benchmark::State& state) {
  testing::BrickBlock block;
  if (state.range(0) == 0) {
    block.elements = {32, 32, 30};
    block.size = {1.0, 1.0, 1.0};
  } else {  // a beam
    block.elements = {200, 12, 12};
    block.size = {0.72, 0.0254, 0.0254};
  }
  const auto [stiffness, mass] = testing::assembled(block);
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(mass.rows(), 2);
  forces(0, 0) = 1.0;
  forces(mass.rows() - 1, 1) = 1.0;
  for (auto _ : state) {
    const Modes modes = lowest_modes(stiffness, mass, 20, forces);
    if (modes.rigid != 6) state.SkipWithError("a free body has six rigid motions");
    benchmark::DoNotOptimize(modes.omega.data());
  }
  state.counters["dofs"] = static_cast<double>(mass.rows());
}
BENCHMARK(large_modes)->Arg(0)->Arg(1)->Iterations(1)->Unit(benchmark::kSecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace microslip
