// Channels of a record -> modal coordinates, by shapes that are known; bands around their frequencies.

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/ringdown/measured_motion.hpp"
#include "microslip/io/channel_name.hpp"
#include "microslip/modal/modal_filter.hpp"

namespace microslip {
namespace {

constexpr double widest_band = 0.3;    // of the frequency, to either side
constexpr double highest_edge = 0.45;  // of the sampling rate

/// The samples of a channel; `12.-z` is `12.z` turned.
std::pair<const SampledMotion*, double> signal_of(const MeasuredMotion& record, const std::string& channel) {
  const SignedChannel found = channel_or_opposite(channel, record.channels);
  if (found.place < 0) {
    throw std::invalid_argument(fmt::format("record {} has no channel \"{}\"", record.name, channel));
  }
  return {&record.signals[static_cast<std::size_t>(found.place)], found.sign};
}

}  // namespace

MeasuredMotion filtered_by(const MeasuredModes& modes, const MeasuredMotion& record) {
  const Eigen::MatrixXd filter = pseudo_inverse_filter(modes.shapes.real());
  MeasuredMotion result = record;
  result.channels.clear();
  result.modes = modes.numbers;
  result.by_shapes = true;
  SampledMotion silent = record.signals.front();
  std::fill(silent.values.begin(), silent.values.end(), 0.0);
  result.signals.assign(modes.numbers.size(), silent);
  for (std::size_t c = 0; c < modes.channels.size(); ++c) {
    const auto [channel, sign] = signal_of(record, modes.channels[c]);
    for (std::size_t r = 0; r < result.signals.size(); ++r) {
      const double weight = sign * filter(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
      std::vector<double>& sum = result.signals[r].values;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * channel->values[i];
    }
  }
  result.bands = bands_between(modes.frequency_hz, silent.step);
  return result;
}

std::vector<Band> bands_between(const Eigen::VectorXd& frequency_hz, double step) {
  const double highest = highest_edge / step;
  if (frequency_hz.size() == 0 || !(frequency_hz.minCoeff() > 0.0 && frequency_hz.maxCoeff() < highest)) return {};
  std::vector<Band> bands;
  for (const double own : frequency_hz) {
    Band band{(1.0 - widest_band) * own, std::min((1.0 + widest_band) * own, highest)};
    for (const double other : frequency_hz) {
      if (other < own) band.low = std::max(band.low, 0.5 * (own + other));
      if (other > own) band.high = std::min(band.high, 0.5 * (own + other));
    }
    bands.push_back(band);
  }
  return bands;
}

}  // namespace microslip
