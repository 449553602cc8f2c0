#include "microslip/system/signal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace microslip {
namespace signal_test {

using std::numbers::pi;

TEST(Signal, ValuesFollowTheirDefinitions) {
  const Signal pulse(HalfSine{50.0, 0.02});
  EXPECT_DOUBLE_EQ(pulse.value(0.01), 50.0);
  EXPECT_EQ(pulse.value(0.0201), 0.0);
  EXPECT_EQ(pulse.value(-0.001), 0.0);
  EXPECT_EQ(pulse.end(), 0.02);
  EXPECT_DOUBLE_EQ(Signal(Sine{2.0, 3.0, 0.5}).value(0.7), 2.0 * std::sin(2.6));
  const Signal ramp(RampedSine{1.0, 3.0, 10.0, 2.0});
  EXPECT_DOUBLE_EQ(ramp.value(5.0), 2.0 * std::sin(10.0));
  EXPECT_DOUBLE_EQ(ramp.value(50.0), 3.0 * std::sin(100.0));
  const Signal table(TableSignal{{0.0, 1.0, 3.0}, {0.0, 2.0, -2.0}});
  EXPECT_DOUBLE_EQ(table.value(0.5), 1.0);
  EXPECT_DOUBLE_EQ(table.value(2.0), 0.0);
  EXPECT_EQ(table.value(3.5), 0.0);
  EXPECT_EQ(Signal(TableSignal{{0.0, 1.0}, {0.0, 2.0}, true}).value(9.0), 2.0);  // held
  EXPECT_EQ(Signal(TableSignal{{0.0, 0.3}, {7.0, 7.0}}).value(3 * 0.1), 7.0);    // 0.30000000000000004
}

TEST(Signal, SineBeatRisesDwellsAndFalls) {
  const SineBeat beat{2.0, 2.0 * pi * 50.0, 10.0, 0.3};  // ramps of 4/bandwidth = 0.4
  const Signal signal(beat);
  EXPECT_DOUBLE_EQ(signal.end(), 1.1);
  // Blackman-Harris: 0.35875 - 0.48829 + 0.14128 - 0.01168 = 6e-5 at the ends, 1 in the middle.
  EXPECT_NEAR(signal.value(0.0001), 0.0, 2.0 * 7e-5);
  const double quarter = 0.005;  // sin = 1 at t = 0.005 + k 0.02
  EXPECT_NEAR(signal.value(0.5 + quarter), 2.0, 1e-12);
  // One quarter of the window: 0.35875 - 0.14128 = 0.21747.
  EXPECT_NEAR(signal.value(0.2 + quarter) / 2.0, 0.21747, 0.03);
  EXPECT_EQ(signal.value(1.2), 0.0);
}

TEST(Signal, RatesAreDerivatives) {
  const std::vector<Signal> signals{
      Signal(HalfSine{50.0, 2.0}),           Signal(Sine{2.0, 3.0, 0.5}),
      Signal(SineBeat{2.0, 30.0, 8.0, 0.5}), Signal(RampedSine{1.0, 3.0, 1.0, 2.0}),
      Signal(RandomNoise{1.0, 2.0, 7, 5.0}), Signal(TableSignal{{0.0, 0.6, 3.0}, {0.0, 2.0, -2.0}})};
  for (const Signal& signal : signals) {
    for (const double t : {0.111, 0.333, 0.777, 1.237}) {
      const double h = 1e-6;
      EXPECT_NEAR(signal.rate(t), (signal.value(t + h) - signal.value(t - h)) / (2.0 * h), 1e-6 * 50.0)
          << signal.kind().index() << " " << t;
    }
  }
}

TEST(Signal, NoiseHasItsPeakItsBandAndAlwaysTheSameNumbers) {
  const RandomNoise noise{150.0, 62.5, 42, 20.0};
  const Signal signal(noise), again(noise);
  double peak = 0.0;
  std::vector<double> samples;
  const double step = 1.0 / (20.0 * 62.5);
  for (int i = 0; i < 25000; ++i) {
    samples.push_back(signal.value(i * step));
    EXPECT_EQ(samples.back(), again.value(i * step));
    peak = std::max(peak, std::abs(samples.back()));
  }
  EXPECT_NEAR(peak, 150.0, 1e-9);
  EXPECT_NE(samples[100], Signal(RandomNoise{150.0, 62.5, 43, 20.0}).value(100 * step));
  // Mean power of a few spectral lines: flat below the cut-off, (f/fc)^-8 above it for four poles.
  const auto power = [&](double from, double to) {
    double sum = 0.0;
    int lines = 0;
    for (double f = from; f < to; f += 1.0, ++lines) {
      std::complex<double> line = 0.0;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        line += samples[i] * std::polar(1.0, -2.0 * pi * f * static_cast<double>(i) * step);
      }
      sum += std::norm(line);
    }
    return sum / lines;
  };
  const double low = power(5.0, 30.0);
  const double high = power(125.0, 150.0);  // 2 to 2.4 times the cut-off: 1/256 to 1/1100
  EXPECT_LT(high / low, 1.0 / 150.0);
  EXPECT_GT(high / low, 1.0 / 4000.0);
}

TEST(Signal, CornersComeInOrder) {
  const double never = std::numeric_limits<double>::infinity();
  const Signal pulse(HalfSine{1.0, 0.5});
  EXPECT_EQ(pulse.next_corner(0.0), 0.5);
  EXPECT_EQ(pulse.next_corner(0.5), never);
  EXPECT_FALSE(pulse.piecewise_linear());
  const Signal beat(SineBeat{1.0, 30.0, 8.0, 0.25});  // ramps of 0.5
  EXPECT_EQ(beat.next_corner(0.0), 0.5);
  EXPECT_EQ(beat.next_corner(0.5), 0.75);
  EXPECT_EQ(beat.next_corner(0.75), 1.25);
  EXPECT_EQ(beat.next_corner(1.25), never);
  const Signal table(TableSignal{{0.5, 1.0, 3.0}, {1.0, 2.0, -2.0}});
  EXPECT_EQ(table.start(), 0.5);
  EXPECT_EQ(table.next_corner(0.0), 0.5);
  EXPECT_EQ(table.next_corner(0.5), 1.0);
  EXPECT_EQ(table.next_corner(2.0), 3.0);
  EXPECT_EQ(table.next_corner(3.0), never);
  EXPECT_TRUE(table.piecewise_linear());
  EXPECT_EQ(Signal(Sine{1.0, 2.0, 0.0}).next_corner(5.0), never);
  // Noise: its samples, each once, and its end.
  const Signal noise(RandomNoise{1.0, 3.0, 7, 5.01});
  int corners = 0;
  double t = 0.0;
  for (double next = noise.next_corner(t); next < never; next = noise.next_corner(t)) {
    EXPECT_GT(next, t);
    t = next;
    ++corners;
  }
  EXPECT_EQ(t, 5.01);
  EXPECT_EQ(corners, 301);  // samples 1 to 300 of 1/60, and the end
}

// Where a table is found does not change what it says: evenly spaced and not, between and on the points.
TEST(Signal, TablesAreFoundWhateverTheirSpacing) {
  TableSignal even, uneven;
  for (int i = 0; i <= 100; ++i) {
    even.times.push_back(0.3 + 0.1 * i);
    uneven.times.push_back(std::exp(0.05 * i) - 1.0);
    for (TableSignal* table : {&even, &uneven}) table->values.push_back(std::sin(1.0 * i));
  }
  for (const TableSignal& table : {even, uneven}) {
    const Signal signal(table);
    for (std::size_t i = 0; i < 100; ++i) {
      const double middle = 0.5 * (table.times[i] + table.times[i + 1]);
      EXPECT_EQ(signal.value(table.times[i]), table.values[i]);
      EXPECT_NEAR(signal.value(middle), 0.5 * (table.values[i] + table.values[i + 1]), 1e-13);
      EXPECT_EQ(signal.next_corner(middle), table.times[i + 1]);
    }
  }
}

TEST(Signal, RefusesValuesOutOfRange) {
  EXPECT_THROW(Signal(HalfSine{1.0, 0.0}), std::invalid_argument);
  EXPECT_THROW(Signal(SineBeat{1.0, 1.0, 0.0, 0.0}), std::invalid_argument);
  EXPECT_THROW(Signal(RandomNoise{1.0, -1.0, 1, 1.0}), std::invalid_argument);
  EXPECT_THROW(Signal(TableSignal{{0.0, 0.0}, {1.0, 2.0}}), std::invalid_argument);
}

TEST(Signal, FourierSeries) {
  const Signal signal(Fourier{2.0, 5.0, {1.0, -0.5}, {0.0, 0.0, 3.0}});
  for (const double t : {0.0, 0.3, 1.7, 40.0}) {
    EXPECT_DOUBLE_EQ(signal.value(t), 5.0 + std::cos(2.0 * t) - 0.5 * std::cos(4.0 * t) + 3.0 * std::sin(6.0 * t));
    EXPECT_NEAR(signal.rate(t), -2.0 * std::sin(2.0 * t) + 2.0 * std::sin(4.0 * t) + 18.0 * std::cos(6.0 * t),
                1e-14 * 22.0);
  }
  EXPECT_EQ(signal.value(-0.1), 0.0);
  EXPECT_EQ(signal.static_value(), 5.0);
  EXPECT_EQ(signal.start(), 0.0);
  EXPECT_EQ(signal.end(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(signal.next_corner(0.0), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(signal.piecewise_linear());
  EXPECT_EQ(Signal(Fourier{1.0, 2.0, {}, {}}).value(3.0), 2.0);
  EXPECT_THROW(Signal(Fourier{0.0, 1.0, {}, {}}), std::invalid_argument);
  EXPECT_THROW(Signal(Fourier{1.0, std::nan(""), {}, {}}), std::invalid_argument);
  EXPECT_THROW(Signal(Fourier{1.0, 1.0, {std::nan("")}, {}}), std::invalid_argument);
}

TEST(Signal, NeverNegative) {
  EXPECT_TRUE(Signal(Constant{0.0}).never_negative());
  EXPECT_FALSE(Signal(Constant{-1e-300}).never_negative());
  EXPECT_TRUE(Signal(HalfSine{2.0, 1.0}).never_negative());
  EXPECT_FALSE(Signal(Sine{2.0, 1.0, 0.0}).never_negative());
  EXPECT_TRUE(Signal(TableSignal{{0.0, 1.0}, {0.0, 3.0}}).never_negative());
  EXPECT_FALSE(Signal(TableSignal{{0.0, 1.0}, {3.0, -1.0}}).never_negative());
  EXPECT_FALSE(Signal(SineBeat{1.0, 30.0, 8.0, 0.0}).never_negative());
  EXPECT_FALSE(Signal(RampedSine{0.0, 1.0, 1.0, 30.0}).never_negative());
  EXPECT_FALSE(Signal(RandomNoise{1.0, 8.0, 1, 1.0}).never_negative());
  EXPECT_TRUE(Signal(Fourier{7.0, 1.0, {0.6}, {0.8}}).never_negative());  // |(0.6, 0.8)| = 1: touches zero
  // (1 + cos)^2 = 3/2 + 2 cos + cos(2)/2 touches zero, though its amplitudes add up to more than its mean.
  EXPECT_TRUE(Signal(Fourier{7.0, 1.5, {2.0, 0.5}, {}}).never_negative());
  EXPECT_FALSE(Signal(Fourier{7.0, 1.5 - 1e-6, {2.0, 0.5}, {}}).never_negative());
  EXPECT_FALSE(Signal(Fourier{7.0, -1.0, {0.1}, {}}).never_negative());
  // (1 + cos(x - 1))^8, by multiplying (1 + cos) out: zero of order 16 at x = 1 + pi, lowered a little not.
  std::vector<std::complex<double>> series{1.0};  // e^{-ihx} .. e^{ihx}
  for (int power = 0; power < 8; ++power) {
    std::vector<std::complex<double>> next(series.size() + 2);
    for (std::size_t i = 0; i < series.size(); ++i) {
      next[i] += 0.5 * std::polar(1.0, 1.0) * series[i];
      next[i + 1] += series[i];
      next[i + 2] += 0.5 * std::polar(1.0, -1.0) * series[i];
    }
    series = next;
  }
  Fourier high{3.0, series[8].real(), {}, {}};
  for (std::size_t h = 1; h <= 8; ++h) {
    high.cosines.push_back(2.0 * series[8 + h].real());
    high.sines.push_back(-2.0 * series[8 + h].imag());
  }
  EXPECT_NEAR(Signal(high).value(1.0 / 3.0), 256.0, 1e-10);
  EXPECT_TRUE(Signal(high).never_negative());
  high.mean -= 1e-5;  // of 256: beyond the tolerance of 1e-9
  EXPECT_FALSE(Signal(high).never_negative());
}

// The terms are the signal: to rounding, on every interval between corners.
TEST(Signal, TermsAreExactBetweenCorners) {
  const double inf = std::numeric_limits<double>::infinity();
  struct Case {
    Signal signal;
    double size, fastest;  // largest value, highest angular frequency
  };
  const double window = 3.0 * pi * 8.0 / 4.0;  // of the sine beat: highest harmonic of its ramps
  const std::vector<Case> cases{
      {Signal(Constant{3.0}), 3.0, 0.0},
      {Signal(HalfSine{50.0, 2.0}), 50.0, pi / 2.0},
      {Signal(Sine{2.0, 3.0, 0.5}), 2.0, 3.0},
      {Signal(Sine{2.0, 0.0, 0.5}), 2.0, 0.0},
      {Signal(SineBeat{2.0, 30.0, 8.0, 0.5}), 2.0, 30.0 + window},
      {Signal(SineBeat{2.0, 2.0 * pi, 8.0, 0.0}), 2.0, 2.0 * pi + window},  // a difference of frequencies is zero
      {Signal(SineBeat{2.0, 1.0, 8.0, 1.5}), 2.0, 1.0 + window},            // all of them are negative
      {Signal(RampedSine{1.0, 3.0, 1.0, 20.0}), 3.0, 20.0},
      {Signal(RandomNoise{1.0, 2.0, 7, 2.99}), 1.0, 40.0},  // steepest line: 2/sample = 2 * 20 * 2 per unit time
      {Signal(TableSignal{{0.5, 0.6, 3.0}, {1.0, 2.0, -2.0}}), 2.0, 10.0},
      {Signal(TableSignal{{-0.5, 0.6, 3.0}, {1.0, 2.0, -2.0}, true}), 2.0, 10.0},
      {Signal(Fourier{2.0, 5.0, {1.0, -0.5}, {0.0, 0.0, 3.0}}), 9.5, 6.0}};
  std::vector<SignalTerm> terms;
  for (const Case& c : cases) {
    const double eps = std::numeric_limits<double>::epsilon();
    double from = 0.0;
    int intervals = 0;
    for (; from < 6.0 && intervals < 400; ++intervals) {
      const double corner = c.signal.next_corner(from);
      const double to = corner == inf ? from + 7.0 : corner;
      for (const double start : {from, from + 0.37 * (to - from)}) {
        terms.clear();
        c.signal.terms(start, terms);
        for (const double share : {0.0, 0.1, 0.5, 0.9, 0.999}) {
          const double tau = share * (to - start), t = start + tau;
          if (t == c.signal.end()) continue;  // from there on zero, by the limit from the right
          double value = 0.0, rate = 0.0;
          for (const SignalTerm& term : terms) {
            EXPECT_GE(term.omega, 0.0);
            const double cosine = std::cos(term.omega * tau), sine = std::sin(term.omega * tau);
            const double a = term.cos0 + term.cos1 * tau, b = term.sin0 + term.sin1 * tau;
            value += a * cosine + b * sine;
            rate += (term.cos1 + term.omega * b) * cosine + (term.sin1 - term.omega * a) * sine;
          }
          // Angles omega t are rounded to eps omega t, on both sides, and the sums of up to eight terms.
          const double rounding = eps * c.size * (8.0 + 4.0 * c.fastest * t);
          EXPECT_NEAR(value, c.signal.value(t), rounding) << c.signal.kind().index() << " from " << start;
          EXPECT_NEAR(rate, c.signal.rate(t), rounding * std::max(1.0, c.fastest))
              << c.signal.kind().index() << " from " << start;
        }
      }
      from = to;
    }
    EXPECT_GE(intervals, 1);
  }
  terms.clear();
  Signal(HalfSine{50.0, 2.0}).terms(2.0, terms);                  // over
  Signal(TableSignal{{0.5, 1.0}, {1.0, 1.0}}).terms(0.2, terms);  // not yet begun
  Signal(Constant{3.0}).terms(-1.0, terms);
  EXPECT_TRUE(terms.empty());
}

}  // namespace signal_test
}  // namespace microslip
