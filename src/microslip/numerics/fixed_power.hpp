#pragma once
// x^n of one exponent n for many x in [0, top]: what a law with a power in it asks for at every step. A third of the
// time of std::pow, after tables that cost as much as two hundred of them.
//
// With x = 2^e m, 1 <= m < 2, and c_i the middle of the i-th of 64 parts of [1, 2):
//   x^n = (2^e)^n c_i^n (1 + r)^n,   r = (m - c_i)/c_i,  |r| < 2^-7
// The first two factors are tables, made once; the third is its binomial series up to r^7, whose rest is below 2^-56
// for n <= 8. Four roundings count (two entries, a product, a sum): the error is below 2.2 epsilon, epsilon = 2^-52.
// Outside of the tables (64 octaves from that of `top` downwards), for n > 8, where an entry would be infinite or
// subnormal, and before `tabulate`, it is std::pow.
//
// Any other scalar (Dual<N>, whose exponent has derivatives) goes to its own pow.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

namespace microslip {

template <class T>
class FixedPower {
 public:
  FixedPower() = default;
  explicit FixedPower(T exponent) : exponent_(exponent) {}
  void tabulate(const T& /*top*/) {}
  [[nodiscard]] T exponent() const { return exponent_; }
  [[nodiscard]] T operator()(const T& x) const {
    using std::pow;
    return pow(x, exponent_);
  }

 private:
  T exponent_{};
};

template <>
class FixedPower<double> {
 public:
  FixedPower() = default;
  explicit FixedPower(double exponent) : exponent_(exponent) {}

  /// Once, before many powers.
  void tabulate(double top) {
    const double n = exponent_;
    if (!(n > 0.0 && n <= 8.0 && top > 1e-280 && std::isfinite(top))) return;  // x is normal
    auto tables = std::make_shared<Tables>();
    const int top_exponent = std::ilogb(top);
    for (int e = 0; e < octaves; ++e) tables->octave[e] = std::pow(std::ldexp(1.0, top_exponent - e), n);
    for (int i = 0; i < parts; ++i) tables->part[i] = std::pow(1.0 + (i + 0.5) / parts, n);
    if (!std::isnormal(tables->octave[octaves - 1]) || !std::isfinite(tables->octave[0] * std::exp2(n))) return;
    double binomial = n;
    for (int k = 1; k <= 7; ++k) {
      tables->series[k - 1] = binomial;
      binomial *= (n - k) / (k + 1);
    }
    first_ = static_cast<std::uint64_t>(top_exponent + 1023);
    tables_ = std::move(tables);
  }

  [[nodiscard]] double exponent() const { return exponent_; }

  [[nodiscard, gnu::always_inline]] double operator()(double x) const {  // the sooner its argument is known, the better
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t e = first_ - (bits >> 52);  // wraps around for x > 2 top, negative x and NaN
    if (e >= octaves || tables_ == nullptr) return std::pow(x, exponent_);
    const std::uint64_t i = (bits >> 46) & (parts - 1);
    const double m = std::bit_cast<double>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
    const double c = std::bit_cast<double>((bits & 0x000fc00000000000) | 0x3ff0200000000000);
    const double r = (m - c) * inverse[i];
    const Tables& t = *tables_;
    const double scale = t.octave[e] * t.part[i];
    const double r2 = r * r;
    const double low = (t.series[0] + t.series[1] * r) + (t.series[2] + t.series[3] * r) * r2;
    const double high = (t.series[4] + t.series[5] * r) + t.series[6] * r2;
    return scale + scale * r * (low + high * (r2 * r2));
  }

 private:
  static constexpr int octaves = 64;
  static constexpr int parts = 64;
  static constexpr auto inverse = [] {  // 1/c_i
    std::array<double, parts> list{};
    for (int i = 0; i < parts; ++i) list[i] = 1.0 / (1.0 + (i + 0.5) / parts);
    return list;
  }();
  struct Tables {
    std::array<double, octaves> octave;  ///< (2^e)^n from the octave of `top` downwards
    std::array<double, parts> part;      ///< c_i^n
    std::array<double, 7> series;        ///< binomial coefficients n over 1 ... 7
  };

  double exponent_ = 0.0;
  std::uint64_t first_ = 0;  ///< biased exponent of `top`
  std::shared_ptr<const Tables> tables_;
};

}  // namespace microslip
