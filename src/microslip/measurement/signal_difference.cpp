#include "microslip/measurement/signal_difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fft.hpp"

namespace microslip {
namespace {

constexpr double out_of_noise = 10.0;  // standard deviations
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Over the first or last tenth of the samples whose phase is known.
double mean_of_tenth(const std::vector<double>& known, bool first) {
  const std::size_t count = std::max<std::size_t>(1, known.size() / 10);
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += first ? known[i] : known[known.size() - 1 - i];
  return sum / static_cast<double>(count);
}

}  // namespace

SignalPair::SignalPair(std::span<const double> simulated, std::span<const double> measured, double noise)
    : simulated_(simulated), measured_(measured), noise_(noise), least_(out_of_noise * noise) {
  const std::vector<double> hs = hilbert_transform(simulated), hm = hilbert_transform(measured);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    simulated_envelope_.push_back(std::hypot(simulated[i], hs[i]));
    measured_envelope_.push_back(std::hypot(measured[i], hm[i]));
    turned_.push_back(
        std::atan2(hs[i] * measured[i] - simulated[i] * hm[i], simulated[i] * measured[i] + hs[i] * hm[i]));
  }
}

std::vector<double> SignalPair::phase(std::size_t begin, std::size_t end) const {
  std::vector<double> result(end - begin, unknown);
  double last = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    if (!stands_out(i) || !(simulated_envelope_[i] > 0.0)) continue;
    last = turned_[i] + two_pi * std::round((last - turned_[i]) / two_pi);
    result[i - begin] = last;
  }
  return result;
}

SignalDifference SignalPair::over(std::size_t begin, std::size_t end) const {
  SignalDifference result;
  double ss = 0.0, mm = 0.0, sm = 0.0, dd = 0.0;
  double sum = 0.0, squares = 0.0;
  std::size_t used = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double s = simulated_[i], m = measured_[i];
    ss += s * s;
    mm += m * m;
    sm += s * m;
    dd += (s - m) * (s - m);
    if (!stands_out(i)) continue;
    const double d = simulated_envelope_[i] / measured_envelope_[i] - 1.0;
    sum += d;
    squares += d * d;
    result.envelope_largest = std::max(result.envelope_largest, std::abs(d));
    ++used;
  }
  const auto count = static_cast<double>(end - begin), known = static_cast<double>(used);
  result.normalised_error = std::sqrt(dd / mm);
  result.noise_error = noise_ * std::sqrt(count / mm);
  result.assurance = ss > 0.0 ? sm * sm / (ss * mm) : 0.0;
  result.size_ratio = std::sqrt(ss / mm);
  result.used = known / count;
  std::vector<double> phases;
  for (const double value : phase(begin, end)) {
    if (std::isnan(value)) continue;
    phases.push_back(value);
    result.phase_largest = std::max(result.phase_largest, std::abs(value));
  }
  const bool any = used > 0;
  result.envelope_mean = any ? sum / known : unknown;
  result.envelope_rms = any ? std::sqrt(squares / known) : unknown;
  if (!any) result.envelope_largest = unknown;
  result.phase_first = phases.empty() ? unknown : mean_of_tenth(phases, true);
  result.phase_last = phases.empty() ? unknown : mean_of_tenth(phases, false);
  if (phases.empty()) result.phase_largest = unknown;
  return result;
}

}  // namespace microslip
