#include "microslip/numerics/fft.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

// Without the checks for infinities of std::complex.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
Complex times_minus_i(Complex a) {
  return {a.imag(), -a.real()};
}

std::vector<Complex> roots_of_unity(std::size_t n) {
  std::vector<Complex> roots(n);
  const std::size_t half = n / 2;
  for (std::size_t k = 0; k <= half && k < n; ++k) {
    const double angle = -2.0 * pi * static_cast<double>(k) / static_cast<double>(n);
    roots[k] = {std::cos(angle), std::sin(angle)};
    if (k > 0) roots[n - k] = std::conj(roots[k]);
  }
  return roots;
}

std::vector<int> factors(std::size_t n) {
  std::vector<int> result;
  for (const int radix : {4, 2, 3, 5}) {
    while (n % static_cast<std::size_t>(radix) == 0) {
      result.push_back(radix);
      n /= static_cast<std::size_t>(radix);
    }
  }
  if (n != 1) result.clear();
  return result;
}

template <int radix>
struct Butterfly;

template <>
struct Butterfly<2> {
  static void apply(Complex* a) {
    const Complex b = a[1];
    a[1] = a[0] - b;
    a[0] += b;
  }
};

template <>
struct Butterfly<3> {
  static void apply(Complex* a) {
    const double s = 0.5 * std::numbers::sqrt3;
    const Complex sum = a[1] + a[2], difference = s * times_minus_i(a[1] - a[2]);
    const Complex middle = a[0] - 0.5 * sum;
    a[0] += sum;
    a[1] = middle + difference;
    a[2] = middle - difference;
  }
};

template <>
struct Butterfly<4> {
  static void apply(Complex* a) {
    const Complex p = a[0] + a[2], m = a[0] - a[2], q = a[1] + a[3], r = times_minus_i(a[1] - a[3]);
    a[0] = p + q;
    a[1] = m + r;
    a[2] = p - q;
    a[3] = m - r;
  }
};

template <>
struct Butterfly<5> {
  static void apply(Complex* a) {
    const double c1 = 0.30901699437494742410, c2 = -0.80901699437494742410;  // cos(2 pi/5), cos(4 pi/5)
    const double s1 = 0.95105651629515357212, s2 = 0.58778525229247312917;
    const Complex p1 = a[1] + a[4], m1 = times_minus_i(a[1] - a[4]);
    const Complex p2 = a[2] + a[3], m2 = times_minus_i(a[2] - a[3]);
    const Complex r1 = a[0] + c1 * p1 + c2 * p2, i1 = s1 * m1 + s2 * m2;
    const Complex r2 = a[0] + c2 * p1 + c1 * p2, i2 = s2 * m1 - s1 * m2;
    a[0] += p1 + p2;
    a[1] = r1 + i1;
    a[4] = r1 - i1;
    a[2] = r2 + i2;
    a[3] = r2 - i2;
  }
};

/// y_{q + s(rp + k)} = w^{pk} sum_j x_{q + s(p + jm)} exp(-2 pi i jk/r), w = exp(-2 pi i/(rm)).
template <int radix>
void pass(const Complex* x, Complex* y, std::size_t m, std::size_t stride, const Complex* roots) {
  for (std::size_t p = 0; p < m; ++p) {
    Complex twiddle[radix];
    for (int k = 1; k < radix; ++k) twiddle[k] = roots[p * static_cast<std::size_t>(k) * stride];
    const Complex* from = x + stride * p;
    Complex* to = y + stride * radix * p;
    for (std::size_t q = 0; q < stride; ++q) {
      Complex a[radix];
      for (int j = 0; j < radix; ++j) a[j] = from[q + stride * m * static_cast<std::size_t>(j)];
      Butterfly<radix>::apply(a);
      to[q] = a[0];
      for (int k = 1; k < radix; ++k) to[q + stride * static_cast<std::size_t>(k)] = times(a[k], twiddle[k]);
    }
  }
}

}  // namespace

Fft::Fft(std::size_t length) : length_(length), radices_(factors(length)) {
  assert(length >= 1);
  if (!radices_.empty() || length == 1) {
    roots_ = roots_of_unity(length);
    work_.resize(length);
    return;
  }
  inner_ = std::make_unique<Fft>(std::bit_ceil(2 * length - 1));
  chirp_.resize(length);
  chirp_transform_.resize(inner_->length());
  std::size_t square = 0;  // k^2 mod 2n
  for (std::size_t k = 0; k < length; ++k) {
    const double angle = -pi * static_cast<double>(square) / static_cast<double>(length);
    chirp_[k] = {std::cos(angle), std::sin(angle)};
    chirp_transform_[k] = std::conj(chirp_[k]);
    if (k > 0) chirp_transform_[inner_->length() - k] = std::conj(chirp_[k]);
    square = (square + 2 * k + 1) % (2 * length);
  }
  inner_->forward(chirp_transform_);
  work_.resize(inner_->length());
}

void Fft::passes(std::span<Complex> x) {
  std::size_t rest = length_, stride = 1;
  Complex *from = x.data(), *to = work_.data();
  for (const int radix : radices_) {
    rest /= static_cast<std::size_t>(radix);
    if (radix == 2) pass<2>(from, to, rest, stride, roots_.data());
    if (radix == 3) pass<3>(from, to, rest, stride, roots_.data());
    if (radix == 4) pass<4>(from, to, rest, stride, roots_.data());
    if (radix == 5) pass<5>(from, to, rest, stride, roots_.data());
    stride *= static_cast<std::size_t>(radix);
    std::swap(from, to);
  }
  if (from != x.data()) std::copy(work_.begin(), work_.end(), x.begin());
}

void Fft::bluestein(std::span<Complex> x) {
  std::fill(work_.begin(), work_.end(), Complex{});
  for (std::size_t k = 0; k < length_; ++k) work_[k] = times(x[k], chirp_[k]);
  inner_->forward(work_);
  for (std::size_t k = 0; k < work_.size(); ++k) work_[k] = times(work_[k], chirp_transform_[k]);
  inner_->inverse(work_);
  for (std::size_t k = 0; k < length_; ++k) x[k] = times(work_[k], chirp_[k]);
}

void Fft::forward(std::span<Complex> x) {
  assert(x.size() == length_);
  inner_ ? bluestein(x) : passes(x);
}

void Fft::inverse(std::span<Complex> x) {
  for (Complex& value : x) value = std::conj(value);
  forward(x);
  const double scale = 1.0 / static_cast<double>(length_);
  for (Complex& value : x) value = scale * std::conj(value);
}

std::size_t fast_length_above(std::size_t length) {
  while (length > 1 && factors(length).empty()) ++length;
  return length;
}

std::vector<double> hilbert_transform(std::span<const double> x) {
  const std::size_t n = x.size(), half = n / 2;
  std::vector<double> result(n, 0.0);
  if (n < 3) return result;
  if (n % 2 == 1) {
    std::vector<Complex> z(x.begin(), x.end());
    Fft fft(n);
    fft.forward(z);
    z[0] = 0.0;
    for (std::size_t k = 1; k < n; ++k) z[k] = k <= half ? times_minus_i(z[k]) : -times_minus_i(z[k]);
    fft.inverse(z);
    for (std::size_t j = 0; j < n; ++j) result[j] = z[j].real();
    return result;
  }
  // z_j = x_2j + i x_2j+1 has the transform Z. With theta = 2 pi k/n, that of the result packed alike is
  // i sin(theta) Z_k + cos(theta) conj(Z_half-k).
  std::vector<Complex> z(half);
  for (std::size_t j = 0; j < half; ++j) z[j] = {x[2 * j], x[2 * j + 1]};
  Fft fft(half);
  fft.forward(z);
  z[0] = 0.0;
  for (std::size_t k = 1; 2 * k <= half; ++k) {
    const double theta = 2.0 * pi * static_cast<double>(k) / static_cast<double>(n);
    const double sine = std::sin(theta), cosine = std::cos(theta);
    const Complex a = z[k], b = z[half - k];
    z[k] = cosine * std::conj(b) - sine * times_minus_i(a);
    z[half - k] = -cosine * std::conj(a) - sine * times_minus_i(b);
  }
  fft.inverse(z);
  for (std::size_t j = 0; j < half; ++j) {
    result[2 * j] = z[j].real();
    result[2 * j + 1] = z[j].imag();
  }
  return result;
}

Spectrum spectrum(std::span<const double> x, double step) {
  Spectrum result;
  const std::size_t n = x.size();
  if (n == 0) return result;
  std::vector<Complex> z(x.begin(), x.end());
  Fft(n).forward(z);
  const auto count = static_cast<double>(n);
  result.bin = 1.0 / (count * step);
  for (std::size_t k = 0; 2 * k <= n; ++k) {
    const double sides = k == 0 || 2 * k == n ? 1.0 : 2.0;  // the mean and the highest bin stand alone
    result.amplitude.push_back(sides * std::abs(z[k]) / count);
    result.psd.push_back(sides * std::norm(z[k]) * step / count);
  }
  return result;
}

}  // namespace microslip
