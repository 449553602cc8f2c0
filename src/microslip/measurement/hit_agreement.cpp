#include "microslip/measurement/hit_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "microslip/measurement/modal_lines.hpp"
#include "microslip/measurement/response_gain.hpp"
#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

constexpr double alike_within = 0.07;  // all channels of a hit: the hammer

/// Responses of one hit to one reference.
struct SingleHit {
  const std::string* name;
  const FrequencyResponses* of;
};

std::optional<Eigen::Index> column_of(const FrequencyResponses& responses, const std::string& channel) {
  const auto at = std::find(responses.channels.begin(), responses.channels.end(), channel);
  if (at == responses.channels.end()) return std::nullopt;
  return at - responses.channels.begin();
}

/// What a channel is in a hit, times that in the middle one.
ResponseGain gain_of(const SingleHit& hit, const SingleHit& middle, const std::string& channel,
                     const Eigen::VectorXcd& correlation) {
  const Eigen::Index b = *column_of(*hit.of, channel), a = *column_of(*middle.of, channel);
  ResponseGain gain =
      gain_between(middle.of->values.col(a), middle.of->error.col(a), hit.of->values.col(b), hit.of->error.col(b),
                   correlation, fewer_degrees(middle.of->noise_freedom, hit.of->noise_freedom));
  if (gain.known && hit.of == middle.of) gain.value = 1.0;
  return gain;
}

/// The hit in which a channel is of middle size.
std::size_t middle_hit(const std::vector<SingleHit>& hits, const std::string& channel) {
  std::vector<std::pair<double, std::size_t>> sizes;
  for (std::size_t h = 0; h < hits.size(); ++h) {
    sizes.emplace_back(hits[h].of->values.col(*column_of(*hits[h].of, channel)).norm(), h);
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes[sizes.size() / 2].second;
}

void compare(const std::vector<SingleHit>& all, std::vector<std::string>& told) {
  struct ChannelGains {
    std::string channel;
    std::vector<const std::string*> hits;
    std::vector<ResponseGain> gains;  ///< over their median
  };
  std::vector<ChannelGains> channels;
  std::vector<std::string> names;
  const Eigen::VectorXcd correlation = correlation_of(*all.front().of, all.front().of->frequency.size());
  for (const SingleHit& hit : all) {
    for (const std::string& channel : hit.of->channels) {
      if (std::find(names.begin(), names.end(), channel) == names.end()) names.push_back(channel);
    }
  }
  for (const std::string& channel : names) {
    std::vector<SingleHit> hits;
    for (const SingleHit& hit : all) {
      if (column_of(*hit.of, channel)) hits.push_back(hit);
    }
    if (hits.size() < 2) continue;
    const SingleHit& middle = hits[middle_hit(hits, channel)];
    ChannelGains of{channel, {}, {}};
    std::vector<double> values;
    for (const SingleHit& hit : hits) {
      of.hits.push_back(hit.name);
      of.gains.push_back(gain_of(hit, middle, channel, correlation));
      values.push_back(of.gains.back().value);
    }
    const double usual = median(values);
    const bool noisy = std::any_of(of.gains.begin(), of.gains.end(),
                                   [](const ResponseGain& gain) { return !gain.known || gain.error > 1.0; });
    if (noisy || !(std::abs(usual) > 0.0)) continue;
    for (ResponseGain& gain : of.gains) gain = {gain.value / usual, gain.error / std::abs(usual), true};
    channels.push_back(std::move(of));
  }
  for (const SingleHit& hit : all) {  // all channels alike: the hammer
    std::vector<double> ratios, errors;
    for (const ChannelGains& of : channels) {
      for (std::size_t h = 0; h < of.hits.size(); ++h) {
        if (of.hits[h] != hit.name) continue;
        ratios.push_back(of.gains[h].value);
        errors.push_back(of.gains[h].error);
      }
    }
    if (ratios.empty()) continue;
    const double common = median(ratios);
    const auto alike = std::count_if(ratios.begin(), ratios.end(),
                                     [&](double ratio) { return std::abs(ratio - common) <= alike_within; });
    const bool by_hammer = 2 * static_cast<std::size_t>(alike) > ratios.size() && ratios.size() > 1 &&
                           ResponseGain{common, median(errors), true}.differs();
    if (by_hammer) {
      told.push_back(
          fmt::format("{}: all responses are {:.2g} times those of the other hits: the gain of the hammer, "
                      "or a structure that is not linear",
                      *hit.name, common));
    }
    for (const ChannelGains& of : channels) {
      for (std::size_t h = 0; h < of.hits.size(); ++h) {
        if (of.hits[h] != hit.name) continue;
        const double ratio = of.gains[h].value / (by_hammer ? common : 1.0);
        if (!ResponseGain{ratio, of.gains[h].error, true}.differs()) continue;
        told.push_back(
            fmt::format("channel {}: in {} it is {:.2g} times what it is in the others: a sign, a gain or a "
                        "loose cable; its average is wrong",
                        of.channel, *hit.name, ratio));
      }
    }
  }
}

}  // namespace

std::vector<std::string> hits_that_differ(const std::vector<MeasuredResponses::Part>& hits) {
  std::vector<std::string> told, references;
  for (const MeasuredResponses::Part& hit : hits) {
    for (const FrequencyResponses& of : hit.references) {
      if (std::find(references.begin(), references.end(), of.reference) == references.end()) {
        references.push_back(of.reference);
      }
    }
  }
  for (const std::string& reference : references) {
    std::vector<SingleHit> singles;
    for (const MeasuredResponses::Part& hit : hits) {
      for (const FrequencyResponses& of : hit.references) {
        if (of.reference == reference) singles.push_back({&hit.name, &of});
      }
    }
    if (singles.size() > 1) compare(singles, told);
  }
  return told;
}

}  // namespace microslip
