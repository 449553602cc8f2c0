// The parts of a modal fit against closed forms.

#include <gtest/gtest.h>

#include "microslip/measurement/channel_delays.hpp"
#include "microslip/measurement/line_correlation.hpp"
#include "microslip/measurement/lscf.hpp"
#include "microslip/measurement/modal_basis.hpp"
#include "microslip/measurement/modal_choice.hpp"
#include "microslip/measurement/modal_shapes.hpp"
#include "microslip/measurement/modal_spread.hpp"
#include "microslip/measurement/stabilisation.hpp"
#include "unit/measurement/synthetic_responses.hpp"

namespace microslip {
namespace modal_parts_test {

using testing::cosine_shapes;
using testing::exact_responses;
using testing::KnownModes;

KnownModes three_modes() {
  return {{50.0, 120.0, 210.0}, {0.01, 0.005, 0.02}, cosine_shapes(4, 3), {0}, Quantity::acceleration, 0.0};
}

TEST(FitBasis, DerivativesAreThoseOfTheModel) {
  KnownModes known = three_modes();
  known.window_decay = 3.0;
  const ModalLines lines = modal_lines({exact_responses(known, 10.0, 250.0, 60)}, {0.0, 1e9});
  Eigen::VectorXcd poles(2);
  poles << std::complex<double>(-4.0, 330.0), std::complex<double>(-9.0, 700.0);
  for (const bool normal : {false, true}) {
    const ModalTerms terms{normal, true, true};
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(terms.count(2), 1.0, 3.0);
    const Eigen::MatrixXd exact = FitBasis(lines, poles, terms).derivatives(x);
    for (Eigen::Index m = 0; m < 2; ++m) {
      for (const int part : {0, 1}) {
        const double h = 1e-4;  // central differences: error h^2/6 f''' and 1e-16/h
        const std::complex<double> step = part == 0 ? std::complex<double>(-h, 0.0) : std::complex<double>(0.0, h);
        Eigen::VectorXcd up = poles, down = poles;
        up(m) += step;
        down(m) -= step;
        const Eigen::VectorXd differences =
            (FitBasis(lines, up, terms).columns() - FitBasis(lines, down, terms).columns()) * x / (2.0 * h);
        const Eigen::VectorXd column = exact.col(2 * m + part);
        EXPECT_LT((column - differences).norm(), 1e-7 * column.norm());
      }
    }
  }
}

TEST(LineCorrelation, IsTheToeplitzMatrixOfTheWindow) {
  const Eigen::Index lines = 7;
  Eigen::VectorXcd apart(lines - 1);
  for (Eigen::Index m = 1; m < lines; ++m) apart(m - 1) = 1.0 / std::complex<double>(1.0, 0.7 * static_cast<double>(m));
  Eigen::MatrixXcd toeplitz(lines, lines);
  for (Eigen::Index k = 0; k < lines; ++k) {
    for (Eigen::Index l = 0; l < lines; ++l) {
      toeplitz(k, l) = k == l ? 1.0 : k > l ? apart(k - l - 1) : std::conj(apart(l - k - 1));
    }
  }
  Eigen::MatrixXcd a(lines, 2);
  Uniform uniform(3);
  for (Eigen::Index i = 0; i < a.size(); ++i) a(i) = {uniform(), uniform()};
  Eigen::MatrixXd columns(2 * lines, 2);
  columns << stacked(a.col(0)), stacked(a.col(1));
  const Eigen::MatrixXd expected = (a.adjoint() * toeplitz * a).real();
  EXPECT_LT((LineCorrelation(lines, apart).gram(columns) - expected).norm(), 1e-13 * expected.norm());
  EXPECT_LT((LineCorrelation(lines, {}).gram(columns) - columns.transpose() * columns).norm(), 1e-14);
}

TEST(Lscf, FindsThePolesOfExactResponses) {
  // z is no rational function of s: polynomials of high order come near, as near as the tolerance says.
  for (const double window : {0.0, 5.0}) {
    KnownModes known = three_modes();
    known.window_decay = window;
    const ModalLines lines = modal_lines({exact_responses(known, 1.0, 250.0, 500)}, {0.0, 1e9});
    const std::vector<LscfPole> poles = lscf_poles(lines, 40, 40);
    for (std::size_t m = 0; m < known.modes(); ++m) {
      const double omega = two_pi * known.frequency_hz[m];
      const std::complex<double> exact(-known.zeta[m] * omega, omega * std::sqrt(1.0 - known.zeta[m] * known.zeta[m]));
      double nearest = 1e9, likeness = 0.0;
      for (const LscfPole& pole : poles) {
        if (std::abs(pole.pole - exact) >= nearest) continue;
        nearest = std::abs(pole.pole - exact);
        likeness =
            shape_likeness(pole.shape, known.shapes.col(static_cast<Eigen::Index>(m)).cast<std::complex<double>>());
      }
      EXPECT_LT(nearest, 0.01 * std::abs(exact.real())) << m;
      EXPECT_GT(likeness, 0.9999);
    }
  }
}

TEST(Lscf, TakesSeveralReferences) {
  // A little noise: without it a matrix of polynomials has roots too many to choose from.
  const KnownModes known = three_modes();
  std::vector<FrequencyResponses> responses;
  for (const int reference : {0, 3}) {
    responses.push_back(exact_responses(known, 1.0, 250.0, 500, reference));
    testing::add_noise(1e-3, 4 + static_cast<std::uint64_t>(reference), true, responses.back());
  }
  const ModalLines lines = modal_lines(responses, {0.0, 1e9});
  const std::vector<LscfPole> poles = lscf_poles(lines, 20, 20);
  for (std::size_t m = 0; m < known.modes(); ++m) {
    const double omega = two_pi * known.frequency_hz[m];
    const bool found = std::any_of(poles.begin(), poles.end(), [&](const LscfPole& pole) {
      return std::abs(std::abs(pole.pole) - omega) < 1e-3 * omega &&
             shape_likeness(pole.shape, known.shapes.col(static_cast<Eigen::Index>(m)).cast<std::complex<double>>()) >
                 0.999;
    });
    EXPECT_TRUE(found) << m;
  }
}

TEST(Stabilisation, KeepsWhatComesAgain) {
  // One pole at every order, one that jumps from order to order.
  std::vector<LscfPole> poles;
  Uniform uniform(5);
  for (int order = 2; order <= 40; ++order) {
    poles.push_back({order, {-1.0, 300.0}, Eigen::VectorXcd::Ones(3)});
    poles.push_back({order, {-1.0, 500.0 + 100.0 * uniform()}, Eigen::VectorXcd::Ones(3)});
  }
  const Stabilisation diagram = stabilise(poles, {0.0, 1000.0});
  const std::vector<std::size_t> physical = physical_clusters(diagram, {2, 40});
  ASSERT_EQ(physical.size(), 1U);
  EXPECT_EQ(diagram.clusters[physical.front()].members.size(), 39U);
  EXPECT_EQ(diagram.clusters[physical.front()].pole, std::complex<double>(-1.0, 300.0));
}

TEST(ModalChoice, OfTwoPolesThatHideEachOtherOneGoes) {
  // A hundredth of their half-width apart: neither decay is known beside the other, each would be without it.
  const KnownModes known{
      {100.0, 100.01, 180.0}, {0.01, 0.01, 0.01}, cosine_shapes(4, 3), {0}, Quantity::acceleration, 0.0};
  std::vector<FrequencyResponses> responses;
  for (const int reference : {0, 3}) {
    responses.push_back(exact_responses(known, 60.0, 200.0, 400, reference));
    testing::add_noise(0.05, 7 + static_cast<std::uint64_t>(reference), true, responses.back());
  }
  const ModalLines lines = modal_lines(responses, {0.0, 1e9});
  Eigen::VectorXcd poles(3);
  for (Eigen::Index m = 0; m < 3; ++m) {
    const double omega = two_pi * known.frequency_hz[static_cast<std::size_t>(m)];
    poles(m) = {-0.01 * omega, omega * std::sqrt(1.0 - 1e-4)};
  }
  std::vector<std::string> remarks;
  const std::vector<std::size_t> drop = no_modes(lines, residues_of(lines, poles, {}), {}, {}, remarks);
  ASSERT_EQ(drop.size(), 1U);
  EXPECT_LT(drop.front(), 2U);
}

TEST(ModalChoice, TheStrongestAreThoseThatStandOutOfCorrelatedNoise) {
  // A broad peak and a weak narrow mode, in noise that is alike over some twenty lines, as broad as the peak: as if
  // lines were independent the peak is the stronger one, but noise may have made it. Two modes are asked for.
  KnownModes known{{50.0, 120.0, 200.0}, {0.01, 0.05, 0.0025}, cosine_shapes(4, 3), {0}, Quantity::acceleration, 0.0};
  known.shapes.setOnes();
  known.shapes.col(1).setConstant(std::sqrt(0.02));
  known.shapes.col(2).setConstant(std::sqrt(0.0028));
  FrequencyResponses responses = exact_responses(known, 10.0, 250.0, 961);
  responses.error = Eigen::MatrixXd::Constant(961, 4, 0.1);
  responses.line_correlation.resize(960);
  for (Eigen::Index m = 0; m < 960; ++m) responses.line_correlation(m) = std::pow(0.95, static_cast<double>(m + 1));
  const ModalLines lines = modal_lines({responses}, {0.0, 1e9});
  ModalLines independent = lines;
  independent.correlation.resize(0);
  std::vector<LscfPole> poles;
  Eigen::VectorXcd at(3);
  for (Eigen::Index m = 0; m < 3; ++m) {
    const auto i = static_cast<std::size_t>(m);
    const double omega = two_pi * known.frequency_hz[i];
    at(m) = {-known.zeta[i] * omega, omega * std::sqrt(1.0 - known.zeta[i] * known.zeta[i])};
    for (int order = 2; order <= 40; ++order) poles.push_back({order, at(m), Eigen::VectorXcd::Ones(4)});
  }
  const ModalPolish fit = residues_of(lines, at, {});
  const auto strength = [&](const ModalLines& by, Eigen::Index mode) {
    return mode_significance(fit, {}, modal_errors(by, fit, {}), mode) / 8.0;
  };
  ASSERT_GT(strength(independent, 1), strength(independent, 2));
  ASSERT_LT(strength(lines, 1), least_significance(8));
  ASSERT_GT(strength(lines, 2), least_significance(8));
  const ChosenModes chosen = stable_modes(lines, stabilise(poles, {10.0, 250.0}), {2, 40}, 2, {}, {});
  ASSERT_EQ(chosen.fit.poles.size(), 2);
  EXPECT_NEAR(chosen.fit.poles(0).imag() / two_pi, 50.0, 0.01);
  // Without the peak, of which a flank is left there: a hundredth of the mode's width.
  EXPECT_NEAR(chosen.fit.poles(1).imag() / two_pi, 200.0, 0.05);
}

TEST(ModalShapes, ErrorsHoldWhatThePolesMoveOfTheScale) {
  // Unknowns that are known and one parameter of a pole that is not, to 1: the error of a component is its derivative
  // with respect to that parameter. The record ends while 0.4 and more of every mode is left.
  const KnownModes known = three_modes();
  ModalLines lines = modal_lines({exact_responses(known, 10.0, 250.0, 60)}, {0.0, 1e9});
  lines.block = 0.07;
  Eigen::VectorXcd poles(3);
  for (Eigen::Index m = 0; m < 3; ++m) {
    const double omega = two_pi * known.frequency_hz[static_cast<std::size_t>(m)];
    const double zeta = known.zeta[static_cast<std::size_t>(m)];
    poles(m) = {-zeta * omega, omega * std::sqrt(1.0 - zeta * zeta)};
  }
  for (const bool normal : {false, true}) {
    const ModalTerms terms{normal, true, true};
    const ModalPolish fit = residues_of(lines, poles, terms);
    for (const bool driven : {false, true}) {
      const std::vector<SignedChannel> driving{{driven ? 0 : -1, 1.0}};
      const auto shapes_at = [&](const Eigen::VectorXcd& at, const ModalErrors& errors) {
        ModalPolish moved = fit;
        moved.poles = at;
        return modal_shapes(lines, moved, terms, errors, driving, Eigen::VectorXd::Ones(3));
      };
      for (Eigen::Index p = 0; p < 6; ++p) {
        ModalErrors errors;
        errors.poles = Eigen::MatrixXd::Zero(6, 6);
        errors.poles(p, p) = 1.0;
        const Eigen::Index unknowns = terms.count(3);
        errors.own.assign(4, Eigen::MatrixXd::Zero(unknowns, unknowns));
        errors.with_poles.assign(4, Eigen::MatrixXd::Zero(unknowns, 6));
        errors.transfer = errors.with_poles;
        const double h = 1e-4;  // central differences: error h^2/6 of the third one, and 1e-16/h of the size, 1
        Eigen::VectorXcd up = poles, down = poles;
        const std::complex<double> step = p % 2 == 0 ? std::complex<double>(-h, 0.0) : std::complex<double>(0.0, h);
        up(p / 2) += step;
        down(p / 2) -= step;
        const Eigen::MatrixXd expected =
            (shapes_at(up, errors).shapes - shapes_at(down, errors).shapes).real().cwiseAbs() / (2.0 * h);
        const Eigen::MatrixXd stated = shapes_at(poles, errors).error;
        EXPECT_LT((stated.col(p / 2) - expected.col(p / 2)).norm(), 1e-6 * expected.col(p / 2).norm() + 1e-9)
            << normal << driven << p;
      }
    }
  }
}

// Constants of five modes at twelve channels with imaginary parts of 3 % of each mode's mean size (modes that are not
// quite normal) and noise of 1 %: delays of 200 tests against their errors, and none where there is none.
TEST(ChannelDelays, AreWithinTheirErrors) {
  const Eigen::MatrixXd shapes = cosine_shapes(12, 5);
  Eigen::VectorXd frequency(5);
  frequency << 31.0, 50.0, 82.0, 121.0, 177.0;
  Normal normal(23);
  double squares = 0.0, count = 0.0;
  for (int run = 0; run < 200; ++run) {
    Eigen::MatrixXcd constants(12, 5);
    Eigen::MatrixXd error(12, 5);
    for (Eigen::Index m = 0; m < 5; ++m) {
      const double mean = std::sqrt(shapes.col(m).squaredNorm() / 12.0);
      for (Eigen::Index c = 0; c < 12; ++c) {
        const double noise = 0.01 * mean, re = normal(), im = normal(), own = normal();
        constants(c, m) = std::complex<double>(shapes(c, m) + noise * re, noise * im + 0.03 * mean * own);
        error(c, m) = noise / std::abs(constants(c, m));
        if (c == 7) constants(c, m) *= std::polar(1.0, -two_pi * frequency(m) * 0.004);
      }
    }
    const std::vector<ChannelDelay> delays = channel_delays(constants, error, frequency);
    for (Eigen::Index c = 0; c < 12; ++c) {
      const ChannelDelay& delay = delays[static_cast<std::size_t>(c)];
      if (!delay.known) continue;  // most of its modes have nodes there, or phases that fit to two delays
      const double z = (delay.delay - (c == 7 ? 0.004 : 0.0)) / delay.error;
      EXPECT_LT(std::abs(z), 6.0) << run << " " << c;  // 2400 of them
      squares += z * z;
      count += 1.0;
    }
  }
  EXPECT_GT(count, 1500.0);
  // What is left of five phases has four degrees of freedom, and raises errors where it is more than r says:
  // E min(1, 4/chi^2) = 1 - e^-2 (1 + 2) + 2 e^-2 = 0.865. r is from the median of 60 numbers.
  EXPECT_NEAR(squares / count, 0.865, 4.0 * std::sqrt(2.0 / count) + 0.1);
}

TEST(PhaseCollinearity, ClosedForms) {
  Eigen::VectorXcd in_phase(3), spread(4);
  in_phase << std::polar(1.0, 0.4), std::polar(-2.0, 0.4), std::polar(0.5, 0.4);
  EXPECT_NEAR(phase_collinearity(in_phase), 1.0, 1e-14);
  EXPECT_NEAR(mean_phase_deviation(in_phase), 0.0, 1e-6);
  spread << 1.0, i_unit, -1.0, -i_unit;  // x.x = y.y, x.y = 0
  EXPECT_NEAR(phase_collinearity(spread), 0.0, 1e-14);
  Eigen::VectorXcd two(2);
  two << std::polar(1.0, 0.1), std::polar(1.0, -0.1);  // each 0.1 rad off the real axis
  EXPECT_NEAR(mean_phase_deviation(two), 0.1 * 180.0 / pi, 1e-10);
  EXPECT_NEAR(phase_collinearity(two), std::pow(std::cos(0.2), 2.0), 1e-14);  // x.x - y.y = 2 cos 0.2, x.y = 0
}

TEST(ModalSpread, CountsWhatNoiseDoesNotExplain) {
  std::vector<PartNumber> parts = {{10.1, 0.1}, {9.9, 0.1}, {10.0, 0.1}};
  EXPECT_EQ(spread_beyond_noise(10.0, 0.0577, parts, 1e-3), 0.0);
  parts = {{11.0, 0.1}, {9.0, 0.1}, {10.0, 0.1}};
  // mean of d^2 less var(d) = 0.1^2 - 0.0577^2
  const double expected = std::sqrt(2.0 / 3.0 - (0.01 - 0.0577 * 0.0577));
  EXPECT_NEAR(spread_beyond_noise(10.0, 0.0577, parts, 1e-3), expected, 1e-12);
}

TEST(ModalSpread, OfThreeEqualPartsTheChanceIsThatOfTwoDegrees) {
  // Hits at 10 +- a: Q = 2 a^2/s^2, and of two degrees the chance of more is exp(-Q/2): a tenth, a hundredth, 1e-5.
  for (const double chance : {0.1, 0.01, 1e-5}) {
    const double a = 0.1 * std::sqrt(-std::log(chance));
    for (const double by : {0.999, 1.001}) {
      const std::vector<PartNumber> parts = {{10.0 - by * a, 0.1}, {10.0, 0.1}, {10.0 + by * a, 0.1}};
      EXPECT_EQ(spread_beyond_noise(10.0, 0.1 / std::sqrt(3.0), parts, chance) > 0.0, by > 1.0) << chance;
    }
    // Noise known from 40 numbers: (1 + Q/40)^-20.
    const double b = 0.1 * std::sqrt(20.0 * (std::pow(chance, -1.0 / 20.0) - 1.0));
    for (const double by : {0.999, 1.001}) {
      const std::vector<PartNumber> parts = {{10.0 - by * b, 0.1}, {10.0, 0.1}, {10.0 + by * b, 0.1}};
      EXPECT_EQ(spread_beyond_noise(10.0, 0.1 / std::sqrt(3.0), parts, chance, 40.0) > 0.0, by > 1.0) << chance;
    }
  }
}

TEST(ModalSpread, LinearPartsDifferAtTheStatedChance) {
  // Hits of unequal noise, two to five of them, the whole their weighted mean, and a part of all of them that knows a
  // quarter of it: x_first = x + e with a variance of three times that of the whole. 40000 draws: the share that differ
  // is the chance to 4 sqrt(chance/40000).
  constexpr int draws = 40'000;
  Normal normal(17);
  for (const std::size_t hits : {2U, 3U, 5U}) {
    for (const bool first : {false, true}) {
      for (const double chance : {0.05, 0.005}) {
        int differ = 0;
        for (int draw = 0; draw < draws; ++draw) {
          std::vector<PartNumber> parts;
          double weights = 0.0, whole = 0.0;
          for (std::size_t h = 0; h < hits; ++h) {
            const double error = 0.01 * static_cast<double>(1 + h % 3), weight = 1.0 / (error * error);
            parts.push_back({5.0 + error * normal(), error});
            weights += weight;
            whole += weight * parts.back().value;
          }
          whole /= weights;
          const double error = 1.0 / std::sqrt(weights);
          if (first) parts.push_back({whole + std::sqrt(3.0) * error * normal(), 2.0 * error, true});
          differ += spread_beyond_noise(whole, error, parts, chance) > 0.0 ? 1 : 0;
        }
        EXPECT_NEAR(static_cast<double>(differ) / draws, chance, 4.0 * std::sqrt(chance / draws))
            << hits << first << chance;
      }
    }
  }
}

}  // namespace modal_parts_test
}  // namespace microslip
