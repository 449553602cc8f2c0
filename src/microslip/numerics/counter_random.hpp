#pragma once
// Random numbers known by their place alone: Philox 4x32-10 makes four words of a key and a counter. Any thread or
// machine can make the n-th number of a stream without those before.
//
// Ref: Salmon, Moraes, Dror and Shaw 2011, Parallel random numbers: as easy as 1, 2, 3.

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace microslip {

using FourWords = std::array<std::uint32_t, 4>;

constexpr FourWords philox(FourWords counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ULL * counter[0], b = 0xCD9E8D57ULL * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

/// The numbers of one stream of a seed, one after the other or by their place.
class CounterRandom {
 public:
  CounterRandom(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  [[nodiscard]] std::uint64_t bits_at(std::uint64_t place) const {
    const FourWords words = philox({static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(place >> 32),
                                    static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)},
                                   {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
    return static_cast<std::uint64_t>(words[1]) << 32 | words[0];
  }
  /// In (0, 1), never an end.
  [[nodiscard]] double uniform_at(std::uint64_t place) const {
    return (static_cast<double>(bits_at(place) >> 12) + 0.5) * 0x1.0p-52;
  }

  double uniform() { return uniform_at(next_++); }
  /// Mean 0, standard deviation 1, by Box and Muller.
  double normal() {
    if (spare_) {
      spare_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2.0 * std::log(uniform())), angle = 2.0 * std::numbers::pi * uniform();
    second_ = radius * std::sin(angle);
    spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::uint64_t seed_, stream_, next_ = 0;
  double second_ = 0.0;
  bool spare_ = false;
};

}  // namespace microslip
