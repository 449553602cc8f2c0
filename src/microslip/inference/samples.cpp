#include "microslip/inference/samples.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "microslip/inference/prior.hpp"
#include "microslip/inference/sobol.hpp"
#include "microslip/numerics/counter_random.hpp"

namespace microslip {
namespace {

// Streams of a seed: each use of each dimension has its own.
enum Use : std::uint64_t { scramble = 1, shift, strata, within, independent };
std::uint64_t stream(Use use, std::size_t dimension) {
  return use << 32 | dimension;
}

/// v with a random lower triangular matrix applied to its digits: each digit of the result is that of v and a random
/// sum of those above it.
SobolDirections scrambled(const SobolDirections& v, const CounterRandom& random) {
  std::array<std::uint32_t, 32> rows{};  // row r: which digits of v make digit r of the result, the highest bit first
  for (std::size_t r = 0; r < 32; ++r) {
    const auto above = static_cast<std::uint32_t>(~(0xFFFFFFFFULL >> r));
    rows[r] = (static_cast<std::uint32_t>(random.bits_at(r)) & above) | 1U << (31 - r);
  }
  SobolDirections result{};
  for (std::size_t k = 0; k < 32; ++k) {
    for (std::size_t r = 0; r < 32; ++r) {
      if ((std::popcount(rows[r] & v[k]) & 1) != 0) result[k] |= 1U << (31 - r);
    }
  }
  return result;
}

/// A permutation of 0 to count - 1: four rounds of Feistel's on twice as many bits as a half needs, repeated until the
/// result is below count.
std::uint64_t permuted(std::uint64_t number, std::uint64_t count, const CounterRandom& random) {
  const int half = std::max((static_cast<int>(std::bit_width(count - 1)) + 1) / 2, 1);
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  std::uint64_t x = number;
  do {
    std::uint64_t left = x >> half, right = x & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (random.bits_at(round << 32 | right) & mask);
      left = right;
      right = next;
    }
    x = left << half | right;
  } while (x >= count);
  return x;
}

}  // namespace

Samples::Samples(SampleKind kind, std::size_t dimensions, std::uint64_t count, std::uint64_t seed)
    : kind_(kind), dimensions_(dimensions), count_(count), seed_(seed) {
  if (count == 0 || count > std::uint64_t{1} << 32) {
    throw std::invalid_argument("between 1 and 4294967296 samples, not " + std::to_string(count));
  }
  if (kind != SampleKind::sobol) return;
  if (dimensions > most_sobol_dimensions) {
    throw std::invalid_argument("Sobol's points have up to " + std::to_string(most_sobol_dimensions) +
                                " parameters, not " + std::to_string(dimensions));
  }
  for (std::size_t j = 0; j < dimensions; ++j) {
    directions_.push_back(scrambled(sobol_directions(j), CounterRandom(seed, stream(scramble, j))));
    shifts_.push_back(static_cast<std::uint32_t>(CounterRandom(seed, stream(shift, j)).bits_at(0)));
  }
}

void Samples::unit(std::uint64_t number, std::span<double> u) const {
  for (std::size_t j = 0; j < dimensions_; ++j) {
    switch (kind_) {
      case SampleKind::sobol: {
        const std::uint32_t bits = sobol_coordinate(directions_[j], static_cast<std::uint32_t>(number)) ^ shifts_[j];
        u[j] = (static_cast<double>(bits) + 0.5) * 0x1.0p-32;
        break;
      }
      case SampleKind::latin_hypercube: {
        const std::uint64_t cell = permuted(number, count_, CounterRandom(seed_, stream(strata, j)));
        const double place = CounterRandom(seed_, stream(within, j)).uniform_at(number);
        u[j] = (static_cast<double>(cell) + place) / static_cast<double>(count_);
        break;
      }
      case SampleKind::random:
        u[j] = CounterRandom(seed_, stream(independent, j)).uniform_at(number);
        break;
    }
  }
}

Eigen::VectorXd Samples::point(std::uint64_t number, const std::vector<ResidualProblem::Parameter>& parameters) const {
  Eigen::VectorXd x(static_cast<Eigen::Index>(dimensions_));
  unit(number, {x.data(), dimensions_});
  for (std::size_t j = 0; j < dimensions_; ++j) {
    x(static_cast<Eigen::Index>(j)) = prior_quantile(parameters[j], x(static_cast<Eigen::Index>(j)));
  }
  return x;
}

}  // namespace microslip
