// Channels of a record -> modal coordinates, by shapes that are known; bands around their frequencies.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/ringdown/measured_motion.hpp"
#include "microslip/io/channel_name.hpp"
#include "microslip/measurement/channel_faults.hpp"
#include "microslip/modal/modal_filter.hpp"
#include "microslip/numerics/percentile.hpp"

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

/// Channels that the shapes name, in the record; `places`: their rows.
struct UsedChannels {
  std::vector<Eigen::Index> places;
  std::vector<std::pair<const SampledMotion*, double>> signals;
};

UsedChannels used_channels(const MeasuredModes& modes, const MeasuredMotion& record, std::vector<std::string>& notes) {
  UsedChannels used;
  for (std::size_t c = 0; c < modes.channels.size(); ++c) {
    const auto signal = signal_of(record, modes.channels[c]);
    if (is_dead(signal.first->values)) {
      notes.push_back(fmt::format("channel {} is dead, all of its values are the same: the filter does without it",
                                  modes.channels[c]));
      continue;
    }
    if (clipped_samples(signal.first->values) > 0) {
      notes.push_back(fmt::format("channel {} is clipped: the modes are wrong while it is", modes.channels[c]));
    }
    used.places.push_back(static_cast<Eigen::Index>(c));
    used.signals.push_back(signal);
  }
  return used;
}

/// Over the last quarter: the offset of a sensor, once the motion has decayed.
double end_mean(const std::vector<double>& values) {
  const std::size_t from = values.size() - values.size() / 4;
  double sum = 0.0;
  for (std::size_t i = from; i < values.size(); ++i) sum += values[i];
  return from < values.size() ? sum / static_cast<double>(values.size() - from) : 0.0;
}

/// Of each channel what the modes leave of it, root mean square over that of all channels: one near the nodes of all
/// modes has little to leave. What the others do not share is a sign, a gain or a cable.
void note_misfits(const MeasuredModes& modes, const UsedChannels& used, const std::vector<SampledMotion>& of_modes,
                  std::vector<std::string>& notes) {
  constexpr double much = 0.25, than_others = 4.0;
  if (used.places.size() <= of_modes.size()) return;  // nothing is left of any
  std::vector<double> shares, ends;
  for (const SampledMotion& mode : of_modes) ends.push_back(end_mean(mode.values));
  double all = 0.0;
  for (std::size_t c = 0; c < used.places.size(); ++c) {
    const auto& [channel, sign] = used.signals[c];
    const double offset = end_mean(channel->values);
    double rest_at_end = sign * offset, left = 0.0;
    for (std::size_t r = 0; r < of_modes.size(); ++r) {
      rest_at_end -= modes.shapes(used.places[c], static_cast<Eigen::Index>(r)).real() * ends[r];
    }
    for (std::size_t i = 0; i < channel->values.size(); ++i) {
      double rest = sign * channel->values[i];
      for (std::size_t r = 0; r < of_modes.size(); ++r) {
        rest -= modes.shapes(used.places[c], static_cast<Eigen::Index>(r)).real() * of_modes[r].values[i];
      }
      left += (rest - rest_at_end) * (rest - rest_at_end);
      all += (channel->values[i] - offset) * (channel->values[i] - offset) / static_cast<double>(used.places.size());
    }
    shares.push_back(left);
  }
  for (double& share : shares) share = std::sqrt(share / all);
  double mean = 0.0;
  for (const double share : shares) mean += share * share / static_cast<double>(shares.size());
  constexpr double unexplained = 0.3;
  if (std::sqrt(mean) > unexplained) {
    notes.push_back(
        fmt::format("the shapes leave {:.2g} of what the channels show: other modes, or channels that are "
                    "turned, of another gain or at another place",
                    std::sqrt(mean)));
  }
  if (used.places.size() < of_modes.size() + 2) return;  // with one to spare the shapes decide which one would be named
  std::vector<double> sorted = shares;
  const double usual = percentile(sorted, 0.5);
  for (std::size_t c = 0; c < shares.size(); ++c) {
    if (shares[c] < std::max(much, than_others * usual)) continue;
    notes.push_back(fmt::format(
        "channel {} does not fit to the shapes, which leave {:.2g} of the mean of all channels there and {:.2g} "
        "in others: a sign, a gain or a place? The amplitudes of the modes are wrong by as much",
        modes.channels[static_cast<std::size_t>(used.places[c])], shares[c], usual));
  }
}

}  // namespace

MeasuredMotion filtered_by(const MeasuredModes& modes, const MeasuredMotion& record) {
  MeasuredMotion result = record;
  const UsedChannels used = used_channels(modes, record, result.notes);
  const Eigen::MatrixXd filter = pseudo_inverse_filter(modes.shapes.real()(used.places, Eigen::all));
  result.channels.clear();
  result.modes = modes.numbers;
  result.by_shapes = true;
  SampledMotion silent = record.signals.front();
  std::fill(silent.values.begin(), silent.values.end(), 0.0);
  result.signals.assign(modes.numbers.size(), silent);
  for (std::size_t c = 0; c < used.places.size(); ++c) {
    const auto& [channel, sign] = used.signals[c];
    for (std::size_t r = 0; r < result.signals.size(); ++r) {
      const double weight = sign * filter(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
      std::vector<double>& sum = result.signals[r].values;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * channel->values[i];
    }
  }
  result.channels_to_spare = used.places.size() > modes.numbers.size();
  note_misfits(modes, used, result.signals, result.notes);
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
