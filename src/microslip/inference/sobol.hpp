#pragma once
// Sobol's points: bit k of point n's Gray code adds (modulo 2) the direction number v_k of each dimension,
//
//   v_k = m_k 2^(32-k),   m_k = 2 a_1 m_(k-1) + 4 a_2 m_(k-2) + ... + 2^d m_(k-d) + m_(k-d)   (modulo 2, bit by bit)
//
// of a primitive polynomial x^d + a_1 x^(d-1) + ... + 1 for each dimension, in the order of their degrees. The first d
// m_k are free, odd and below 2^k: ours are the best of a search (tests/unit/inference/sobol_test.cpp says by what).
//
// Ref: Sobol' 1967; Bratley and Fox 1988, ACM TOMS algorithm 659; Joe and Kuo 2008, SIAM J. Sci. Comput. 30.

#include <array>
#include <cstddef>
#include <cstdint>

namespace microslip {

inline constexpr std::size_t most_sobol_dimensions = 64;

/// v_1 to v_32 of a dimension counted from 0; the first bit after the point is the highest of the 32.
using SobolDirections = std::array<std::uint32_t, 32>;
[[nodiscard]] SobolDirections sobol_directions(std::size_t dimension);

/// Coordinate of point `number`, times 2^32.
[[nodiscard]] constexpr std::uint32_t sobol_coordinate(const SobolDirections& directions, std::uint32_t number) {
  std::uint32_t sum = 0;
  const std::uint32_t gray = number ^ (number >> 1);
  for (std::size_t k = 0; gray >> k != 0 && k < 32; ++k) {
    if ((gray >> k & 1U) != 0) sum ^= directions[k];
    if (k == 31) break;
  }
  return sum;
}

}  // namespace microslip
