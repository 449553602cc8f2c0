#include "microslip/measurement/block_spectra.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "microslip/numerics/fft.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_before = 16;
constexpr double least_flat = 4.0, least_taper = 8.0;  // samples

using Complex = std::complex<double>;

/// Two real signals through one complex transform.
class PairTransform {
 public:
  explicit PairTransform(const BlockOptions& options)
      : options_(options), fft_(options.samples), work_(options.samples) {}

  /// Signals of `samples` values, already under their windows; `second` may be empty.
  void transform(const Eigen::VectorXd& first, const Eigen::VectorXd& second, Eigen::Ref<Eigen::VectorXcd> to_first,
                 Eigen::VectorXcd& to_second) {
    const std::size_t n = options_.samples;
    for (std::size_t j = 0; j < n; ++j) {
      const auto at = static_cast<Eigen::Index>(j);
      work_[j] = {first(at), second.size() > 0 ? second(at) : 0.0};
    }
    fft_.forward(work_);
    to_second.resize(static_cast<Eigen::Index>(options_.lines));
    for (std::size_t l = 0; l < options_.lines; ++l) {
      const std::size_t k = options_.first_line + l;
      const Complex z = work_[k % n], mirrored = std::conj(work_[(n - k) % n]);
      to_first(static_cast<Eigen::Index>(l)) = 0.5 * (z + mirrored);
      to_second(static_cast<Eigen::Index>(l)) = Complex(0.0, -0.5) * (z - mirrored);
    }
  }

 private:
  BlockOptions options_;
  Fft fft_;
  std::vector<Complex> work_;
};

}  // namespace

Eigen::VectorXd block_window(const Hit& hit, const BlockOptions& options) {
  const std::size_t lead = hit.block - hit.lead;
  Eigen::VectorXd window(static_cast<Eigen::Index>(lead + options.samples));
  for (Eigen::Index j = 0; j < window.size(); ++j) {
    window(j) = std::exp(-options.decay * (static_cast<double>(j) - static_cast<double>(lead)));
  }
  // A pulse is found where it comes to 5 %: up to a quarter of its length after it began.
  const double before = static_cast<double>(hit.begin) - static_cast<double>(hit.lead);
  const double rise = 0.5 * (before - 0.25 * static_cast<double>(hit.end - hit.begin));
  for (Eigen::Index j = 0; static_cast<double>(j) + 0.5 < rise; ++j) {
    window(j) *= 0.5 - 0.5 * std::cos(std::numbers::pi * (static_cast<double>(j) + 0.5) / rise);
  }
  return window;
}

namespace {

/// The lead added to the end of the block.
Eigen::VectorXd folded(const Eigen::VectorXd& windowed, std::size_t samples) {
  Eigen::VectorXd block = windowed.tail(static_cast<Eigen::Index>(samples));
  const Eigen::Index lead = windowed.size() - block.size();
  block.tail(lead) += windowed.head(lead);
  return block;
}

Eigen::VectorXd under(const Eigen::VectorXd& window, const std::vector<double>& channel, const Hit& hit,
                      double offset) {
  const Eigen::Map<const Eigen::VectorXd> values(channel.data() + hit.lead, window.size());
  return (values.array() - offset) * window.array();
}

}  // namespace

double offset_before(const std::vector<double>& channel, const Hit& hit, std::size_t samples) {
  const bool before = hit.lead - hit.quiet >= fewest_before;
  const std::size_t end = hit.block + samples;  // the mean of all of the block holds the static answer to the hit
  const std::size_t from = before ? hit.quiet : end - samples / 4, to = before ? hit.lead : end;
  double sum = 0.0;
  for (std::size_t i = from; i < to; ++i) sum += channel[i];
  return sum / static_cast<double>(to - from);
}

Eigen::VectorXd force_window(const Hit& hit, std::size_t samples) {
  Eigen::VectorXd window = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(hit.block - hit.lead + samples));
  if (hit.second) return window;
  const auto pulse = static_cast<double>(hit.end - hit.begin);
  const double flat = std::max(0.5 * pulse, least_flat), taper = std::max(0.5 * pulse, least_taper);
  const double begin = static_cast<double>(hit.begin - hit.lead) - flat;
  const double end = static_cast<double>(hit.end - hit.lead) + flat;
  for (Eigen::Index j = 0; j < window.size(); ++j) {
    const auto at = static_cast<double>(j);
    const double beyond = std::max({begin - at, at - end, 0.0}) / taper;
    window(j) = beyond >= 1.0 ? 0.0 : 0.5 + 0.5 * std::cos(std::numbers::pi * beyond);
  }
  return window;
}

BlockSpectra block_spectra(const MeasuredRecord& record, const Hit& hit, const BlockOptions& options) {
  const auto lines = static_cast<Eigen::Index>(options.lines);
  const auto channels = static_cast<Eigen::Index>(record.responses.size());
  const Eigen::VectorXd window = block_window(hit, options);
  Eigen::VectorXd on_force = window;
  if (options.force_window) on_force.array() *= force_window(hit, options.samples).array();
  BlockSpectra spectra;
  spectra.force.resize(lines);
  spectra.responses = Eigen::MatrixXcd::Zero(lines, channels);
  spectra.force_power = on_force.squaredNorm();
  spectra.response_power = window.squaredNorm();
  const auto signal_of = [&](Eigen::Index channel) -> Eigen::VectorXd {
    const std::vector<double>& values = record.responses[static_cast<std::size_t>(channel)];
    if (values.empty()) return {};
    return folded(under(window, values, hit, offset_before(values, hit, options.samples)), options.samples);
  };
  PairTransform pair(options);
  Eigen::VectorXcd second;
  const Eigen::VectorXd force = folded(under(on_force, record.force, hit, hit.rest), options.samples);
  pair.transform(force, folded(window, options.samples), spectra.force, second);
  spectra.offset_power = second.cwiseAbs2();
  for (Eigen::Index c = 0; c < channels; c += 2) {
    const Eigen::VectorXd first = signal_of(c), other = c + 1 < channels ? signal_of(c + 1) : Eigen::VectorXd();
    const Eigen::VectorXd silent = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(options.samples));
    pair.transform(first.size() > 0 ? first : silent, other, spectra.responses.col(c), second);
    if (c + 1 < channels) spectra.responses.col(c + 1) = second;
  }
  return spectra;
}

}  // namespace microslip
