// The parts of a modal fit against closed forms.

#include <gtest/gtest.h>

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

TEST(ModalSpread, ChiSquaredBound) {
  // Tables of chi^2 at 99.9 %: 16.266 (3), 29.588 (10), 149.449 (100); so far out the approximation is good to 2 %.
  EXPECT_NEAR(chi_squared_bound(3.0, 3.0902), 16.266, 0.02 * 16.266);
  EXPECT_NEAR(chi_squared_bound(10.0, 3.0902), 29.588, 0.02 * 29.588);
  EXPECT_NEAR(chi_squared_bound(100.0, 3.0902), 149.449, 0.02 * 149.449);
}

TEST(ModalSpread, CountsWhatNoiseDoesNotExplain) {
  Eigen::VectorXd parts(3), errors(3);
  parts << 10.1, 9.9, 10.0;
  errors.setConstant(0.1);
  EXPECT_EQ(spread_beyond_noise(10.0, 0.0577, parts, errors), 0.0);
  parts << 11.0, 9.0, 10.0;
  // mean of d^2 less var(d) = 0.1^2 - 0.0577^2
  const double expected = std::sqrt(2.0 / 3.0 - (0.01 - 0.0577 * 0.0577));
  EXPECT_NEAR(spread_beyond_noise(10.0, 0.0577, parts, errors), expected, 1e-12);
}

}  // namespace modal_parts_test
}  // namespace microslip
