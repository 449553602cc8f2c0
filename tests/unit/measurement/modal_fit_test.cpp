// Modes from responses of known systems.

#include "microslip/measurement/modal_fit.hpp"

#include <gtest/gtest.h>

#include "unit/measurement/synthetic_responses.hpp"

namespace microslip {
namespace {

using testing::add_noise;
using testing::cosine_shapes;
using testing::exact_responses;
using testing::KnownModes;

constexpr double no_noise = 0.0;

KnownModes four_modes() {
  return {
      {50.0, 120.0, 240.0, 310.0}, {0.01, 0.005, 0.002, 0.02}, cosine_shapes(6, 4), {0}, Quantity::acceleration, 0.0};
}

MeasuredResponses measured(const KnownModes& known, double noise, std::uint64_t seed, bool tell = true,
                           Eigen::Index lines = 797) {
  MeasuredResponses data;
  data.references.push_back(exact_responses(known, 1.0, 399.0, lines));
  if (noise > 0.0) add_noise(noise, seed, tell, data.references.front());
  return data;
}

bool says(const std::vector<std::string>& sentences, const std::string& part) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
}

TEST(ModalFit, ExactResponsesGiveExactModes) {
  for (const Quantity quantity : {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
    for (const bool normal : {false, true}) {
      KnownModes known = four_modes();
      known.quantity = quantity;
      ModalFitOptions options;
      options.terms.normal = normal;
      const ModalFit fit = fit_modes(measured(known, no_noise, 0), options);
      ASSERT_EQ(fit.modes.frequency_hz.size(), 4);
      EXPECT_TRUE(fit.converged);
      EXPECT_TRUE(fit.modes.unit_modal_mass);
      for (Eigen::Index m = 0; m < 4; ++m) {
        const auto i = static_cast<std::size_t>(m);
        EXPECT_NEAR(fit.modes.frequency_hz(m), known.frequency_hz[i], 1e-9 * known.frequency_hz[i]);
        EXPECT_NEAR(fit.modes.zeta(m), known.zeta[i], 1e-8 * known.zeta[i]);
        for (Eigen::Index c = 0; c < 6; ++c) EXPECT_NEAR(fit.modes.shapes(c, m).real(), known.shapes(c, m), 1e-7);
        if (normal) {
          EXPECT_EQ(fit.modes.shapes.col(m).imag().norm(), 0.0);
        }
      }
    }
  }
}

TEST(ModalFit, TheWindowIsTakenOut) {
  // The decay of the window is ten times that of the sharpest mode: damping must come back to 1e-3 of it.
  KnownModes known = four_modes();
  known.window_decay = 10.0 * known.zeta[2] * two_pi * known.frequency_hz[2];
  for (const ModalMethod method : {ModalMethod::lscf, ModalMethod::isolation}) {
    ModalFitOptions options;
    options.method = method;
    options.near = known.frequency_hz;
    const ModalFit fit = fit_modes(measured(known, 1e-7, 1), options);
    ASSERT_EQ(fit.modes.zeta.size(), 4);
    for (Eigen::Index m = 0; m < 4; ++m) {
      const double zeta = known.zeta[static_cast<std::size_t>(m)];
      EXPECT_NEAR(fit.modes.zeta(m), zeta, 1e-3 * zeta);
    }
  }
}

TEST(ModalFit, WhatTheRecordCutsOffIsPutBack) {
  // Free decays that end after T, on lines 1/T apart: residues times 1 - exp(p T).
  KnownModes known = four_modes();
  known.quantity = Quantity::displacement;
  const double duration = 2.0;
  MeasuredResponses data;
  FrequencyResponses responses = exact_responses(known, 1.0, 399.0, 797);
  responses.values.setZero();
  responses.block = duration;
  for (Eigen::Index k = 0; k < responses.frequency.size(); ++k) {
    const std::complex<double> s(0.0, two_pi * responses.frequency(k));
    for (Eigen::Index m = 0; m < 4; ++m) {
      const double omega = two_pi * known.frequency_hz[static_cast<std::size_t>(m)];
      const double zeta = known.zeta[static_cast<std::size_t>(m)];
      const std::complex<double> pole(-zeta * omega, omega * std::sqrt(1.0 - zeta * zeta));
      const std::complex<double> residue = (1.0 - std::exp(pole * duration)) / (2.0 * i_unit * pole.imag());
      const std::complex<double> f = residue / (s - pole) + std::conj(residue) / (s - std::conj(pole));
      for (Eigen::Index c = 0; c < 6; ++c) responses.values(k, c) += known.shapes(c, m) * known.shapes(0, m) * f;
    }
  }
  data.references.push_back(responses);
  const ModalFit fit = fit_modes(data, {});
  ASSERT_EQ(fit.modes.zeta.size(), 4);
  for (Eigen::Index m = 0; m < 4; ++m) {
    EXPECT_NEAR(fit.modes.zeta(m), known.zeta[static_cast<std::size_t>(m)], 1e-7);
    for (Eigen::Index c = 0; c < 6; ++c) EXPECT_NEAR(fit.modes.shapes(c, m).real(), known.shapes(c, m), 1e-6);
  }
}

TEST(ModalFit, ShapesAtOnePercentOfNoise) {
  const KnownModes known = four_modes();
  const ModalFit fit = fit_modes(measured(known, 0.01, 7), {});
  ASSERT_EQ(fit.modes.zeta.size(), 4);
  const Eigen::MatrixXd mac = modal_assurance(fit.modes.shapes, known.shapes.cast<std::complex<double>>());
  for (Eigen::Index m = 0; m < 4; ++m) EXPECT_GT(mac(m, m), 0.9999);
}

TEST(ModalFit, SeveralReferences) {
  const KnownModes known = four_modes();
  MeasuredResponses data;
  for (const int reference : {0, 5}) {
    data.references.push_back(exact_responses(known, 1.0, 399.0, 797, reference));
    add_noise(0.01, 10 + static_cast<std::uint64_t>(reference), true, data.references.back());
  }
  const ModalFit fit = fit_modes(data, {});
  ASSERT_EQ(fit.modes.zeta.size(), 4);
  for (Eigen::Index m = 0; m < 4; ++m) {
    const auto i = static_cast<std::size_t>(m);
    // Normal numbers: 4.5 standard errors are exceeded by 7 of a million.
    EXPECT_LT(std::abs(fit.modes.frequency_hz(m) - known.frequency_hz[i]), 4.5 * fit.modes.frequency_error(m));
    EXPECT_LT(std::abs(fit.modes.zeta(m) - known.zeta[i]), 4.5 * fit.modes.zeta_error(m));
    for (Eigen::Index c = 0; c < 6; ++c) {
      EXPECT_LT(std::abs(fit.modes.shapes(c, m).real() - known.shapes(c, m)), 4.5 * fit.modes.shape_error(c, m));
    }
  }
}

TEST(ModalFit, BothMethodsAgree) {
  // The difference of an estimate and the efficient one has a variance below that of the former.
  const KnownModes known = four_modes();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const MeasuredResponses data = measured(known, 0.01, seed);
    ModalFitOptions options;
    const ModalFit together = fit_modes(data, options);
    options.method = ModalMethod::isolation;
    const ModalFit isolated = fit_modes(data, options);
    ASSERT_EQ(together.modes.zeta.size(), 4);
    ASSERT_EQ(isolated.modes.zeta.size(), 4);
    for (Eigen::Index m = 0; m < 4; ++m) {
      EXPECT_LT(std::abs(together.modes.frequency_hz(m) - isolated.modes.frequency_hz(m)),
                4.5 * isolated.modes.frequency_error(m));
      EXPECT_LT(std::abs(together.modes.zeta(m) - isolated.modes.zeta(m)), 4.5 * isolated.modes.zeta_error(m));
    }
  }
}

TEST(ModalFit, ChosenByHand) {
  const MeasuredResponses data = measured(four_modes(), 0.01, 3);
  ModalFitOptions options;
  options.near = {121.0, 49.0};
  options.highest_order = 40;
  const ModalFit near = fit_modes(data, options);
  ASSERT_EQ(near.modes.zeta.size(), 2);
  EXPECT_NEAR(near.modes.frequency_hz(0), 50.0, 0.1);
  EXPECT_NEAR(near.modes.frequency_hz(1), 120.0, 0.1);
  options = {};
  options.modes = 2;
  EXPECT_EQ(fit_modes(data, options).modes.zeta.size(), 2);
  options = {};
  options.band = {20.0, 180.0};
  const ModalFit band = fit_modes(data, options);
  ASSERT_EQ(band.modes.zeta.size(), 2);
  EXPECT_NEAR(band.modes.frequency_hz(1), 120.0, 0.01);
}

TEST(ModalFit, MissingChannelsAreTold) {
  const KnownModes known = four_modes();
  MeasuredResponses data = measured(known, 0.01, 4);
  data.references.front().values.col(1).setZero();
  data.references.front().values(100, 4) = std::numeric_limits<double>::quiet_NaN();
  const ModalFit fit = fit_modes(data, {});
  EXPECT_TRUE(says(fit.doubts, "channel 2.y has no values"));
  EXPECT_TRUE(says(fit.doubts, "channel 5.y has no values"));
  ASSERT_EQ(fit.modes.zeta.size(), 4);
  EXPECT_EQ(fit.modes.channels.size(), 4U);
  EXPECT_LT(std::abs(fit.modes.frequency_hz(0) - 50.0), 4.5 * fit.modes.frequency_error(0));
}

TEST(ModalFit, ADrivingPointUnderAnotherName) {
  const KnownModes known = four_modes();
  MeasuredResponses data = measured(known, 0.001, 4);
  data.references.front().reference = "hammer";
  EXPECT_FALSE(fit_modes(data, {}).modes.unit_modal_mass);
  ModalFitOptions options;
  options.driving_point = "1.y";
  const ModalFit fit = fit_modes(data, options);
  EXPECT_TRUE(fit.modes.unit_modal_mass);
  ASSERT_EQ(fit.modes.zeta.size(), 4);
  EXPECT_NEAR(fit.modes.shapes(0, 0).real(), known.shapes(0, 0), 4.5 * fit.modes.shape_error(0, 0));
}

TEST(ModalFit, CloseModesAreFoundOrTold) {
  // 0.1 % apart, a fifth of their half-width: two modes at little noise, at much of it one, and that is told.
  KnownModes known = four_modes();
  known.frequency_hz = {100.0, 100.1, 240.0, 310.0};
  known.zeta = {0.005, 0.005, 0.002, 0.02};
  const ModalFit fine = fit_modes(measured(known, 0.01, 5), {});
  ASSERT_EQ(fine.modes.zeta.size(), 4);
  EXPECT_LT(std::abs(fine.modes.frequency_hz(1) - 100.1), 4.5 * fine.modes.frequency_error(1));
  const ModalFit coarse = fit_modes(measured(known, 0.3, 5), {});
  const bool told = says(coarse.doubts, "cannot tell them apart") || says(coarse.remarks, "cannot tell them apart") ||
                    says(coarse.remarks, "larger than noise");
  EXPECT_TRUE(coarse.modes.zeta.size() == 4 || told || coarse.noise_ratio(0) < 1.5) << coarse.modes.zeta.size();
}

TEST(ModalFit, ALinearStructureHasNoSpread) {
  const KnownModes known = four_modes();
  MeasuredResponses data = measured(known, 0.01, 6);
  for (std::uint64_t hit = 0; hit < 3; ++hit) {
    data.parts.push_back({"hit", measured(known, 0.0173, 60 + hit).references});
  }
  const ModalFit fit = fit_modes(data, {});
  ASSERT_EQ(fit.parts.size(), 3U);
  EXPECT_EQ(fit.frequency_spread.norm(), 0.0);
  EXPECT_EQ(fit.zeta_spread.norm(), 0.0);
}

TEST(ModalFit, TheSpreadBetweenPartsIsInTheErrors) {
  // Hits of which each has its own frequency of mode 2: the spread is the root mean square of what they differ.
  KnownModes known = four_modes();
  MeasuredResponses data = measured(known, 0.001, 6);
  const double off[] = {-0.2, 0.0, 0.1};
  for (const double by : off) {
    known.frequency_hz[1] = 120.0 + by;
    data.parts.push_back({"hit", measured(known, 0.00173, 70 + data.parts.size()).references});
  }
  const ModalFit fit = fit_modes(data, {});
  ASSERT_EQ(fit.modes.zeta.size(), 4);
  EXPECT_NEAR(fit.frequency_spread(1), std::sqrt((0.04 + 0.01) / 3.0), 1e-3);
  EXPECT_GE(fit.modes.frequency_error(1), fit.frequency_spread(1));
  EXPECT_EQ(fit.frequency_spread(2), 0.0);
  EXPECT_TRUE(says(fit.remarks, "not linear"));
}

TEST(ModalFit, NoiseThatIsStatedTooSmallIsFoundOut) {
  MeasuredResponses data = measured(four_modes(), 0.01, 8);
  const ModalFit right = fit_modes(data, {});
  data.references.front().error *= 0.1;
  const ModalFit small = fit_modes(data, {});
  ASSERT_EQ(small.modes.zeta.size(), 4);
  EXPECT_NEAR(small.chi_squared_ratio, 100.0, 5.0);
  EXPECT_NEAR(small.modes.zeta_error(0), right.modes.zeta_error(0), 0.3 * right.modes.zeta_error(0));
  EXPECT_TRUE(says(small.remarks, "larger than noise"));
}

TEST(ModalFit, Stops) {
  int calls = 0;
  const ModalFit fit = fit_modes(measured(four_modes(), 0.01, 8), {}, [&](double) { return ++calls < 5; });
  EXPECT_TRUE(fit.interrupted);
}

TEST(ModalFit, RefusesWhatCannotBeFitted) {
  MeasuredResponses data = measured(four_modes(), 0.01, 8);
  ModalFitOptions options;
  options.band = {100.0, 101.0};
  EXPECT_THROW(static_cast<void>(fit_modes(data, options)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(fit_modes({}, {})), std::invalid_argument);
  data.references.front().frequency(5) += 0.3;
  EXPECT_THROW(static_cast<void>(fit_modes(data, {})), std::invalid_argument);
}

}  // namespace
}  // namespace microslip
