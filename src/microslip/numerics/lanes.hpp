#pragma once
// Eight doubles at a time, whatever the processor has: the compiler splits them where its registers are narrower.
// Arrays that are worked on this way are padded to a multiple of eight.

#include <cstddef>
#include <cstring>

namespace microslip {

inline constexpr std::ptrdiff_t lane_count = 8;

constexpr std::ptrdiff_t padded_size(std::ptrdiff_t n) {
  return (n + lane_count - 1) / lane_count * lane_count;
}

typedef double Lanes __attribute__((vector_size(64)));  // NOLINT(modernize-use-using): `using` loses the attribute

/// From anywhere in memory, aligned or not.
inline void load(Lanes& lanes, const double* from) {
  std::memcpy(&lanes, from, sizeof(Lanes));
}
inline void store(double* to, const Lanes& lanes) {
  std::memcpy(to, &lanes, sizeof(Lanes));
}
/// Pairwise, in a fixed order.
inline double sum_of(const Lanes& x) {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

}  // namespace microslip
