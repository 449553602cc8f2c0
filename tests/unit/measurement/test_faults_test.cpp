// What is wrong with records, and what is made of them: several hits, double hits, clipped, dead and short ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "microslip/measurement/channel_faults.hpp"
#include "microslip/measurement/channel_noise.hpp"
#include "microslip/measurement/hit_responses.hpp"
#include "microslip/measurement/spectrogram.hpp"
#include "microslip/measurement/test_noise.hpp"
#include "microslip/numerics/random.hpp"
#include "unit/measurement/known_system.hpp"

namespace microslip {
namespace test_faults_test {

constexpr double step = 1.0 / 1024.0;

test::KnownSystem one_mode() {
  return {step, {{60.0, 0.05, {1.0, 0.5}}}};
}

/// Hits at these samples; noise of 0.1 % of the peak on the force and of 1e-5 on the responses.
MeasuredRecord record_with(const std::vector<std::size_t>& hits, std::size_t samples, std::uint64_t seed,
                           double peak = 10.0) {
  MeasuredRecord record{"r" + std::to_string(seed), 0.0, step, "s", std::vector<double>(samples, 0.0), {}};
  for (const std::size_t hit : hits) test::add_pulse(record.force, hit, 8, peak);
  for (std::size_t c = 0; c < 2; ++c) record.responses.push_back(one_mode().response(record.force, c));
  Normal normal(seed);
  for (double& value : record.force) value += 0.01 * normal();
  for (auto& channel : record.responses) {
    for (double& value : channel) value += 1e-5 * normal();
  }
  return record;
}

HitEstimate estimate_of(std::vector<MeasuredRecord> records, const HitOptions& options = {}) {
  return responses_of_hits({{"a", "b"}, std::move(records)}, Quantity::displacement, options);
}

bool told(const HitEstimate& estimate, const std::string& words) {
  return std::any_of(estimate.notes.begin(), estimate.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST(TestFaults, SeveralHitsInARecord) {
  MeasuredRecord record = record_with({300, 1500, 2700}, 4000, 1);
  HitOptions options;
  options.duration = 1.0;
  const HitEstimate estimate = estimate_of({record}, options);
  ASSERT_EQ(estimate.hits.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(static_cast<double>(estimate.hits[k].hit.block), 304.0 + 1200.0 * static_cast<double>(k), 0.5);
    EXPECT_NEAR(estimate.hits[k].hit.peak, 10.0, 0.05);
    EXPECT_EQ(estimate.hits[k].double_hit, 0.0);
  }
  EXPECT_EQ(estimate.samples, 1024U);
  EXPECT_EQ(estimate.responses.references.at(0).averages, 3);
  EXPECT_EQ(estimate.responses.parts.size(), 4U);
  // A weak hit before strong ones, a seventh of them, is one as well.
  MeasuredRecord weak = record_with({1500, 2700}, 4000, 2);
  test::add_pulse(weak.force, 300, 8, 1.4);
  EXPECT_EQ(estimate_of({weak}, options).hits.size(), 3U);
}

TEST(TestFaults, DoubleHits) {
  HitOptions options;
  const MeasuredRecord good = record_with({300}, 2400, 1), twice = record_with({300, 420}, 2400, 2);
  const HitEstimate kept = estimate_of({good, twice}, options);
  EXPECT_EQ(kept.hits.at(0).double_hit, 0.0);
  EXPECT_NEAR(kept.hits.at(1).double_hit, 120.0 * step, 2.0 * step);
  EXPECT_TRUE(told(kept, "hit 2 is a double hit")) << kept.notes.at(0);
  EXPECT_EQ(kept.responses.references.at(0).averages, 2);
  // A linear system answers to both: the response is right, within errors that hold the noise of the whole block.
  const FrequencyResponses& of = kept.responses.references.at(0);
  double squares = 0.0, count = 0.0;
  for (Eigen::Index k = 10; k < of.frequency.size() && of.frequency(k) < 170.0; k += 3, count += 2.0) {
    squares += std::norm((of.values(k, 0) - one_mode().transfer(of.frequency(k), 0)) / of.error(k, 0));
  }
  EXPECT_NEAR(squares / count, 1.0, 0.5);  // noise from 2 x 100 samples; 100 lines
  options.leave_out_double_hits = true;
  const HitEstimate left = estimate_of({good, twice}, options);
  EXPECT_EQ(left.responses.references.at(0).averages, 1);
  EXPECT_FALSE(left.hits.at(1).used);
}

TEST(TestFaults, ClippedChannels) {
  std::vector<MeasuredRecord> records = {record_with({300}, 2400, 1), record_with({300}, 2400, 2),
                                         record_with({300}, 2400, 3)};
  for (double& value : records[1].responses[0]) value = std::clamp(value, -0.02, 0.02);  // of 0.07
  HitEstimate estimate = estimate_of(records);
  EXPECT_EQ(estimate.hits[1].overloads, 1);
  EXPECT_TRUE(estimate.hits[1].used);
  EXPECT_TRUE(told(estimate, "channel a is clipped in 1 of 3 hits: it is averaged over the others"));
  const FrequencyResponses& of = estimate.responses.references.at(0);
  const Eigen::Index peak = static_cast<Eigen::Index>(std::llround(60.0 * of.block)) - 1;
  EXPECT_NEAR(std::abs(of.values(peak, 0) / one_mode().transfer(of.frequency(peak), 0)), 1.0, 0.01);
  EXPECT_EQ(of.averages, 2);
  // In all hits: the channel goes, the others stay.
  for (MeasuredRecord& record : records) {
    for (double& value : record.responses[0]) value = std::clamp(value, -0.02, 0.02);
  }
  estimate = estimate_of(records);
  EXPECT_EQ(estimate.responses.references.at(0).channels, std::vector<std::string>{"b"});
  EXPECT_TRUE(told(estimate, "it is left out"));
  // The force: the hit goes.
  std::vector<MeasuredRecord> loud = {record_with({300}, 2400, 1), record_with({300}, 2400, 2)};
  for (double& value : loud[0].force) value = std::min(value, 6.0);
  estimate = estimate_of(loud);
  EXPECT_FALSE(estimate.hits[0].used);
  EXPECT_TRUE(told(estimate, "hit 1: the force is clipped, it is left out"));
  EXPECT_EQ(estimate.responses.references.at(0).averages, 1);
}

// An amplifier clips before the converter adds its noise: no two values are alike.
TEST(TestFaults, ChannelsThatAreClippedBeforeNoiseComesIn) {
  const auto cut = [](std::vector<double>& values, double limit, double deviation, std::uint64_t seed) {
    Normal normal(seed);
    for (double& value : values) value = std::clamp(value, -limit, limit) + deviation * normal();
  };
  std::vector<MeasuredRecord> records = {record_with({300}, 2400, 1), record_with({300}, 2400, 2)};
  cut(records[0].force, 6.0, 0.01, 11);
  cut(records[1].responses[0], 0.02, 1e-5, 12);
  const HitEstimate estimate = estimate_of(records);
  EXPECT_TRUE(told(estimate, "hit 1: the force is clipped, it is left out"));
  EXPECT_TRUE(told(estimate, "channel a is clipped in 1 of 1 hits"));
}

TEST(TestFaults, AChannelThatIsDeadInOneRecordIsAveragedOverTheOthers) {
  MeasuredRecord alive = record_with({300}, 2400, 1), dead = record_with({300}, 2400, 2);
  std::fill(dead.responses[1].begin(), dead.responses[1].end(), 0.25);
  const HitEstimate both = estimate_of({alive, dead}), alone = estimate_of({alive});
  EXPECT_TRUE(
      told(both, "channel b is dead in r2 (all of its values are the same): it is averaged over the other records"));
  const FrequencyResponses &of = both.responses.references.at(0), &one = alone.responses.references.at(0);
  ASSERT_EQ(of.channels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(of.values.col(1), one.values.col(1));
  EXPECT_EQ(of.averages, 1);
  EXPECT_EQ(of.force_error.size(), 0);  // the channels have different hits behind them: it is part of their errors
  EXPECT_GT(of.error(20, 1), one.error(20, 1));
  // No hit in the record in which it moves.
  MeasuredRecord silent = record_with({}, 2400, 3);
  EXPECT_EQ(estimate_of({dead, silent}).responses.references.at(0).channels, std::vector<std::string>{"a"});
}

TEST(TestFaults, HitsInWhichAChannelDiffers) {
  const auto doubted = [](std::vector<MeasuredRecord> records, const std::string& words) {
    const HitEstimate estimate = estimate_of(std::move(records));
    return std::any_of(estimate.doubts.begin(), estimate.doubts.end(),
                       [&](const std::string& doubt) { return doubt.find(words) != std::string::npos; });
  };
  const std::vector<MeasuredRecord> good = {record_with({300}, 2400, 1), record_with({300}, 2400, 2),
                                            record_with({300}, 2400, 3)};
  EXPECT_TRUE(estimate_of(good).doubts.empty());
  const auto times = [&](std::size_t record, double gain, bool force) {
    std::vector<MeasuredRecord> records = good;
    for (double& value : force ? records[record].force : records[record].responses[1]) value *= gain;
    return records;
  };
  EXPECT_TRUE(doubted(times(1, -1.0, false), "channel b: in hit 2 it is -1 times what it is in the others"));
  EXPECT_TRUE(doubted(times(2, 1.1, false), "channel b: in hit 3 it is 1.1 times what it is in the others"));
  EXPECT_TRUE(doubted(times(0, 1.25, true), "hit 1: all responses are 0.8 times those of the other hits"));
  std::vector<MeasuredRecord> loose = good;
  Normal normal(9);
  for (double& value : loose[1].responses[1]) value = 1e-5 * normal();
  EXPECT_TRUE(doubted(loose, "channel b: in hit 2 it is"));
}

TEST(TestFaults, BlocksShorterThanTheirLeads) {
  MeasuredRecord record = record_with({}, 2400, 1);
  test::add_pulse(record.force, 1200, 40, 10.0);
  HitOptions options;
  options.duration = 64.0 * step;  // the lead would be four lengths of the hit
  const HitEstimate estimate = estimate_of({record}, options);
  ASSERT_EQ(estimate.hits.size(), 1U);
  EXPECT_LE(estimate.hits[0].hit.block - estimate.hits[0].hit.lead, 64U);
  MeasuredRecord slow = record_with({}, 2400, 2);
  test::add_pulse(slow.force, 1200, 90, 10.0);
  EXPECT_TRUE(told(estimate_of({slow}, options), "lasts longer than the duration of a block"));
}

// The window rises before the hit and takes nothing from it, however little is before it: without noise the rest is
// rounding, but for what is cut off, exp(-0.05 2 pi 60 2.3) = 1e-19.
TEST(TestFaults, LittleBeforeTheHit) {
  for (const std::size_t begin : {0U, 1U, 8U}) {
    MeasuredRecord record{"r", 0.0, step, "s", std::vector<double>(2400, 0.0), {}};
    test::add_pulse(record.force, begin, 24, 10.0);
    for (std::size_t c = 0; c < 2; ++c) record.responses.push_back(one_mode().response(record.force, c));
    HitOptions options;
    options.band_high = 50.0;  // well below the first zero of the pulse's spectrum, 64 Hz
    const HitEstimate estimate = estimate_of({record}, options);
    ASSERT_EQ(estimate.responses.references.size(), 1U);
    const FrequencyResponses& of = estimate.responses.references[0];
    for (Eigen::Index k = 5; k < of.frequency.size(); ++k) {
      EXPECT_LT(std::abs(of.values(k, 0) / one_mode().transfer(of.frequency(k), 0) - 1.0), 1e-6) << begin;
    }
  }
}

TEST(TestFaults, DeadChannelsAndSilentRecords) {
  std::vector<MeasuredRecord> records = {record_with({300}, 2400, 1), record_with({}, 2400, 2),
                                         record_with({300}, 2300, 3)};
  for (MeasuredRecord& record : records) std::fill(record.responses[1].begin(), record.responses[1].end(), 0.25);
  const HitEstimate estimate = estimate_of(records);
  EXPECT_TRUE(told(estimate, "channel b is dead"));
  EXPECT_TRUE(told(estimate, "r2: no hit stands out"));
  EXPECT_TRUE(told(estimate, "records differ in length, 2300 samples (r3) to 2400 (r1)"));
  EXPECT_EQ(estimate.responses.references.at(0).channels, std::vector<std::string>{"a"});
  EXPECT_EQ(estimate.responses.references.at(0).averages, 2);
  const HitEstimate nothing = estimate_of({record_with({}, 2400, 2)});
  EXPECT_TRUE(nothing.responses.references.empty());
  EXPECT_FALSE(nothing.notes.empty());
}

TEST(TestFaults, AStructureThatStillMoves) {
  HitOptions options;
  options.duration = 0.25;  // exp(-0.05 2 pi 60 0.25) = 0.009 of the motion is left, far above the noise
  const HitEstimate estimate = estimate_of({record_with({300, 600}, 1200, 1)}, options);
  ASSERT_EQ(estimate.hits.size(), 2U);
  EXPECT_TRUE(told(estimate, "hit 2: before it channels move more than before others"));
}

// 2250 samples before each hit tell a variance to 2/sqrt(2250) = 4 %: 2.56 of it is no chance, and each hit has an
// error of its own, known to 2 %: five of these, of two hits.
TEST(TestFaults, HitsOfDifferentNoise) {
  const MeasuredRecord quiet = record_with({2300}, 4400, 1);
  MeasuredRecord noisy = record_with({2300}, 4400, 2);
  Normal normal(7);
  for (auto& channel : noisy.responses) {
    for (double& value : channel) value += std::sqrt(1.56) * 1e-5 * normal();
  }
  const HitEstimate estimate = estimate_of({quiet, noisy});
  EXPECT_FALSE(told(estimate, "channels move more"));
  const auto& parts = estimate.responses.parts;
  constexpr Eigen::Index line = 20;  // far below the first zero of the force's spectrum
  const double ratio = parts.at(1).references[0].error(line, 0) / parts.at(0).references[0].error(line, 0);
  EXPECT_NEAR(ratio, 1.6, 0.16 * std::sqrt(2.0));
}

// 32 samples before one hit and 2000 before the other tell variances to a half and to 4 %: of noise that is the same
// none is called different, in 2 x 40 channels by a chance of 1e-4; a hundred times as much is.
TEST(TestFaults, ShortQuietStretchesAreQuietByChance) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    MeasuredTest test{{"a", "b"}, {record_with({64}, 2400, 2 * seed), record_with({2048}, 4400, 2 * seed + 1)}};
    const auto levels = [&] {
      const HitBlocks blocks = find_hits(test, 0.0);
      EXPECT_LT(blocks.hits.at(0).lead - blocks.hits.at(0).quiet, 40U);
      return noise_of_test(test, blocks).level;
    };
    for (const auto& hit : levels()) EXPECT_EQ(hit, (std::vector<double>{1.0, 1.0})) << seed;
    if (seed > 5) continue;
    Normal normal(900 + seed);
    for (double& value : test.records[0].responses[1]) value += 1e-4 * normal();
    const auto noisy = levels();
    // Over each other: 101, to 5 sqrt(2/16) of itself downwards at most.
    EXPECT_GT(noisy[0][1] / noisy[1][1], 10.0) << seed;
    EXPECT_EQ(noisy[0][0], 1.0);
  }
}

// No sample before the hit: noise from the tail, and it is told.
TEST(TestFaults, NothingBeforeTheHit) {
  MeasuredRecord record = record_with({300}, 2400, 1);
  for (auto* channel : {&record.force, &record.responses[0], &record.responses[1]}) {
    channel->erase(channel->begin(), channel->begin() + 299);
  }
  const HitEstimate estimate = estimate_of({record});
  ASSERT_EQ(estimate.responses.references.size(), 1U);
  EXPECT_TRUE(told(estimate, "nothing is recorded before the hits"));
  const FrequencyResponses& of = estimate.responses.references.at(0);
  EXPECT_NEAR(std::abs(of.values(120, 0) / one_mode().transfer(of.frequency(120), 0)), 1.0, 0.01);
}

TEST(TestFaults, HitsThatAreCutOffOrLate) {
  MeasuredRecord cut = record_with({300}, 2400, 1);
  for (auto* channel : {&cut.force, &cut.responses[0], &cut.responses[1]}) {
    channel->erase(channel->begin(), channel->begin() + 303);
  }
  EXPECT_TRUE(told(estimate_of({cut}), "r1: it begins within the hit, at 0.92 of"));  // sin(3 pi/8)
  const MeasuredRecord good = record_with({300}, 2400, 2), late = record_with({2000}, 2400, 3);
  EXPECT_FALSE(told(estimate_of({good}), "within the hit"));
  // 2400 - 2004 and 2400 - 304 samples
  EXPECT_TRUE(told(estimate_of({good, late}), "there are 0.387 to the end of the record, after others up to 2.05"));
  EXPECT_FALSE(told(estimate_of({good, record_with({300}, 1000, 4)}), "to the end of the record"));
  // Of 2096 - 896 samples that are lost 1000 are by a shorter record; 500 of 1200.
  EXPECT_FALSE(told(estimate_of({good, record_with({500}, 1400, 5)}), "to the end of the record"));
  EXPECT_TRUE(told(estimate_of({good, record_with({1300}, 2200, 6)}), "to the end of the record"));
}

// A sine of 20000 counts, of 30 to 3000 samples a period, is round; cut at 90 % it is not.
TEST(ChannelFaults, RoundTopsAreNotClipped) {
  for (const double period : {30.37, 303.7, 3037.0}) {
    for (const double counts : {200.0, 20000.0}) {
      std::vector<double> round, cut;
      for (int i = 0; i < 6000; ++i) {
        const double value = counts * std::sin(2.0 * std::numbers::pi * i / period + 0.3);
        round.push_back(std::round(value));
        cut.push_back(std::round(std::clamp(value, -0.9 * counts, 0.9 * counts)));
      }
      EXPECT_EQ(clipped_samples(round), 0U) << period << " " << counts;
      EXPECT_GT(clipped_samples(cut), 1000U) << period << " " << counts;  // 2 acos(0.9)/pi = 29 % of 6000
    }
  }
  for (const double period : {30.37, 303.7, 3037.0}) {
    for (const double deviation : {1e-4, 1e-3, 1e-2}) {
      Normal normal(5);
      std::vector<double> round, cut;
      for (int i = 0; i < 6000; ++i) {
        const double value = std::sin(2.0 * std::numbers::pi * i / period + 0.3), noise = deviation * normal();
        round.push_back(value + noise);
        cut.push_back(std::clamp(value, -0.9, 0.9) + noise);
      }
      EXPECT_EQ(clipped_samples(round, deviation), 0U) << period << " " << deviation;
      if (deviation > 5e-3) continue;  // hidden by noise
      EXPECT_GT(clipped_samples(cut, deviation), 500U) << period << " " << deviation;
    }
  }
  std::vector<double> box(1000, 0.0);
  std::fill(box.begin() + 300, box.begin() + 320, 1.0);
  Normal normal(6);
  for (double& value : box) value += 1e-4 * normal();
  EXPECT_EQ(clipped_samples(box, 1e-4), 0U);
  const std::vector<double> same(100, 3.0);
  EXPECT_TRUE(is_dead(same));
  EXPECT_EQ(clipped_samples(same), 0U);
}

// Half a sine and its square, of 3 to 60 samples and any phase, in counts or not: round, however few samples see it. A
// pulse that is flat cannot be told from one that is cut.
TEST(ChannelFaults, PulsesAreNotClipped) {
  Normal normal(8);
  Uniform uniform(8);
  int clipped = 0, flat = 0, flats = 0;
  for (int length = 3; length <= 60; ++length) {
    for (const double deviation : {0.0, 1e-4, 1e-3, 2e-3, 1e-2}) {
      for (const double count : {0.0, 1.0 / 20000.0, 1.0 / 200.0}) {
        for (const int power : {1, 2}) {
          const double phase = uniform();
          std::vector<double> pulse(400), cut(400);
          for (int i = 0; i < 400; ++i) {
            const double at = (i - 100 + phase) / length;
            const double value = at > 0.0 && at < 1.0 ? std::pow(std::sin(std::numbers::pi * at), power) : 0.0;
            const double noise = deviation * normal();
            const auto rounded = [count](double x) { return count > 0.0 ? count * std::round(x / count) : x; };
            pulse[static_cast<std::size_t>(i)] = rounded(value + noise);
            cut[static_cast<std::size_t>(i)] = rounded(std::min(value, 0.6) + noise);
          }
          clipped += clipped_samples(pulse, deviation) > 0 ? 1 : 0;
          // 0.59 of 20 samples are cut; without noise counts are not known
          if (length < 20 || deviation > 1e-3 || deviation < 1e-4 || count > 1e-3) continue;
          ++flats;
          flat += clipped_samples(cut, deviation) > 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(clipped, 0);
  EXPECT_EQ(flat, flats);
}

// Noise in front of a converter that clips is cut with the rest. Of 16 samples a period a cut at 0.8 leaves three or
// four in a row. From three the nearer of the next falls by up to 0.09, less than noise of 0.01 might, by 4 (0.04) +
// 0.04 = 0.2; from four it falls by 0.2, which is found by that as well: in 400 samples 76 at most. All of them are
// more than 100: of 25 tops and 25 bottoms those of three too, 20 counts in a deviation.
TEST(ChannelFaults, NoiseInFrontOfTheCut) {
  for (const double count : {0.0, 1.0 / 2000.0}) {
    Normal normal(9);
    std::vector<double> round, cut;
    for (int i = 0; i < 400; ++i) {
      const double value = std::sin(2.0 * std::numbers::pi * i / 16.03) + 0.01 * normal();
      const auto rounded = [count](double x) { return count > 0.0 ? count * std::round(x / count) : x; };
      round.push_back(rounded(value));
      cut.push_back(rounded(std::clamp(value, -0.8, 0.8)));
    }
    EXPECT_EQ(clipped_samples(round, 0.01, 0.01), 0U) << count;
    EXPECT_GT(clipped_samples(cut, 0.01, 0.01), 100U) << count;
  }
}

// White noise of variance 4: 16 bands, each known to 1/sqrt(4000) = 1.6 % of s, 3.2 % of s^2: five of these. And noise
// that is filtered, x_j + x_{j-1}: 2 (1 + cos w) times it.
TEST(ChannelNoise, SpectrumByBands) {
  Normal normal(3);
  std::vector<double> white(64000), soft;
  for (double& value : white) value = 5.0 + 2.0 * normal();
  for (std::size_t i = 1; i < white.size(); ++i) soft.push_back(white[i] + white[i - 1]);
  const std::span<const double> first[] = {white}, second[] = {soft};
  const ChannelNoise flat = channel_noise(first), low = channel_noise(second);
  ASSERT_EQ(flat.variance.size(), 16U);
  for (std::size_t band = 0; band < 16; ++band) {
    EXPECT_NEAR(flat.variance[band], 4.0, 0.64);
    const double a = std::numbers::pi * static_cast<double>(band) / 16.0, b = a + std::numbers::pi / 16.0;
    const double expected = 8.0 * (1.0 + (std::sin(b) - std::sin(a)) / (b - a));
    EXPECT_NEAR(low.variance[band], expected, 0.16 * expected) << band;
  }
  EXPECT_NEAR(flat.mean(), 4.0, 0.16);
  // What is new in each sample: s, of both; by bands, of the second, as their means are. The mean of 16 logarithms is
  // known to 0.8 %, half of it for s: five of these.
  double logarithms = 0.0;
  for (int band = 0; band < 16; ++band) {
    const double a = std::numbers::pi * band / 16.0, b = a + std::numbers::pi / 16.0;
    logarithms += std::log(8.0 * (1.0 + (std::sin(b) - std::sin(a)) / (b - a))) / 16.0;
  }
  EXPECT_NEAR(flat.fresh_deviation(), 2.0, 0.04);
  EXPECT_NEAR(low.fresh_deviation(), std::exp(0.5 * logarithms), 0.04);
  EXPECT_NEAR(std::exp(0.5 * logarithms), 2.0, 0.07);  // 16 bands instead of all lines: 3.3 %
  EXPECT_EQ(ChannelNoise().fresh_deviation(), 0.0);
}

// A sine of amplitude 3 that ends in the middle.
TEST(Spectrogram, ShowsASineWhileItLasts) {
  std::vector<double> signal(4000, 0.0);
  for (std::size_t i = 0; i < 2000; ++i)
    signal[i] = 3.0 * std::sin(2.0 * std::numbers::pi * 0.125 * static_cast<double>(i));
  const Spectrogram picture = spectrogram(signal, 1.0, 0.5, 21, 40);
  ASSERT_EQ(picture.time.size(), 21U);
  ASSERT_EQ(picture.amplitude.size(), 21U * 40U);
  const std::size_t line = 10;  // (0.125, 0.1375]; or the one below
  const auto at = [&](std::size_t time) {
    return std::max(picture.amplitude[time * 40 + line], picture.amplitude[time * 40 + line - 1]);
  };
  EXPECT_NEAR(at(2), 3.0, 0.05);
  EXPECT_LT(at(18), 1e-9);
  EXPECT_LT(picture.amplitude[2 * 40 + 30], 0.01);
}

}  // namespace test_faults_test
}  // namespace microslip
