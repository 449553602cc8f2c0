#pragma once
// Random numbers that are the same on every machine and for any number of threads: a stream belongs to its seed.

#include <cmath>
#include <cstdint>
#include <numbers>

namespace microslip {

/// splitmix64 (Steele, Lea and Flood 2014): one multiply-xorshift chain a number.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// In [-1, 1).
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : bits_(seed) {}
  double operator()() { return static_cast<double>(bits_() >> 11) * 0x1.0p-52 - 1.0; }

 private:
  SplitMix bits_;
};

/// Mean 0, standard deviation 1, by Box and Muller.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : bits_(seed) {}
  double operator()() {
    if (spare_) {
      spare_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2.0 * std::log(half_open()));
    const double angle = 2.0 * std::numbers::pi * half_open();
    second_ = radius * std::sin(angle);
    spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  double half_open() { return static_cast<double>((bits_() >> 11) + 1) * 0x1.0p-53; }  // (0, 1]

  SplitMix bits_;
  double second_ = 0.0;
  bool spare_ = false;
};

}  // namespace microslip
