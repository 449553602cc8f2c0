// Modes from responses of known systems.

#include "microslip/measurement/modal_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "microslip/measurement/reciprocity.hpp"
#include "microslip/numerics/dense.hpp"
#include "unit/measurement/synthetic_responses.hpp"

namespace microslip {
namespace modal_fit_test {

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
    for (const bool by_hand : {true, false}) {
      ModalFitOptions options;
      options.method = method;
      if (by_hand) options.near = known.frequency_hz;
      const ModalFit fit = fit_modes(measured(known, 1e-7, 1), options);
      ASSERT_EQ(fit.modes.zeta.size(), 4) << by_hand;
      for (Eigen::Index m = 0; m < 4; ++m) {
        const double zeta = known.zeta[static_cast<std::size_t>(m)];
        EXPECT_NEAR(fit.modes.zeta(m), zeta, 1e-3 * zeta);
      }
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
  EXPECT_FALSE(says(fit.doubts, "two modes at one frequency"));
  ModalFitOptions options;
  options.driving_point = "1.y";  // of which of the two?
  EXPECT_THROW(static_cast<void>(fit_modes(data, options)), std::invalid_argument);
}

TEST(ModalFit, ReferencesThatDisagreeAreTold) {
  const KnownModes known = four_modes();
  for (const double gain : {1.0, 1.05, 1.2, -1.0}) {  // of the hammer at the second reference
    MeasuredResponses data;
    for (const int reference : {0, 5}) {
      data.references.push_back(exact_responses(known, 1.0, 399.0, 797, reference));
      add_noise(0.01, 20 + static_cast<std::uint64_t>(reference), true, data.references.back());
    }
    data.references[1].values *= gain;
    data.references[1].error *= std::abs(gain);
    const ModalFit fit = fit_modes(data, {});
    EXPECT_EQ(says(fit.doubts, "1.y answers to 6.y"), std::abs(gain - 1.0) > 0.07) << gain;
    EXPECT_EQ(says(fit.doubts, "1.y answers to 6.y 1.2 times as much"), gain == 1.2);
  }
}

TEST(ModalFit, ModesThatMoveBetweenReferencesKeepReciprocity) {
  // All frequencies lie so many half-widths higher at the second reference: sizes stay but for s^2 of accelerations,
  // (1 + zeta)^4 at most, 8 % of |H|^2 of the mode of 2 %, whose weight is small. (Multiplied with each other responses
  // lose 1 - 1/(1 + 0.6^2/4) = 8 %, and half at two half-widths.)
  for (const double half_widths : {0.6, 2.0}) {
    KnownModes known = four_modes();
    MeasuredResponses data;
    for (const int reference : {0, 5}) {
      data.references.push_back(exact_responses(known, 1.0, 399.0, 797, reference));
      add_noise(0.01, 20 + static_cast<std::uint64_t>(reference), true, data.references.back());
      for (std::size_t m = 0; m < 4; ++m) known.frequency_hz[m] *= 1.0 + half_widths * known.zeta[m];
    }
    EXPECT_TRUE(references_that_disagree(modal_lines(data.references, {0.0, 1e9}),
                                         driving_channels(data.references.front().channels, {"1.y", "6.y"}, ""))
                    .empty())
        << half_widths;
  }
}

TEST(ModalFit, TwoModesAtOneFrequencyAreTold) {
  // Poles that coincide, or 1e-4 of the frequency apart, a hundredth of their half-width: one pole of two shapes, whose
  // constants over channels and references are of rank two. Apart by two half-widths they are two modes.
  for (const double apart : {0.0, 0.01, 2.0}) {
    KnownModes known = four_modes();
    known.frequency_hz = {100.0, 100.0 + apart, 240.0, 310.0};
    known.zeta = {0.01, 0.01, 0.002, 0.02};
    MeasuredResponses data;
    for (const int reference : {0, 5}) {
      data.references.push_back(exact_responses(known, 1.0, 399.0, 797, reference));
      add_noise(0.01, 30 + static_cast<std::uint64_t>(reference), true, data.references.back());
    }
    for (const ModalMethod method : {ModalMethod::lscf, ModalMethod::isolation}) {
      ModalFitOptions options;
      options.method = method;
      const ModalFit fit = fit_modes(data, options);
      const bool told = says(fit.doubts, "mode 1: its constants over channels and references");
      ASSERT_EQ(fit.modes.zeta.size(), told ? 3 : 4) << apart;
      EXPECT_EQ(told, apart < 1.0) << apart;
    }
  }
}

TEST(ModalFit, ARovingHammerGivesShapes) {
  // One channel, responses to all points: by reciprocity those of all points to the one.
  const KnownModes known = four_modes();
  MeasuredResponses data;
  for (int reference = 0; reference < 6; ++reference) {
    FrequencyResponses all = exact_responses(known, 1.0, 399.0, 797, reference);
    all.channels = {"1.y"};
    all.values = all.values.leftCols(1).eval();
    data.references.push_back(all);
  }
  data.parts.push_back({"part", data.references});
  const MeasuredResponses turned = roving_as_channels(data);
  const FrequencyResponses expected = exact_responses(known, 1.0, 399.0, 797, 0);
  for (const auto& references : {turned.references, turned.parts.front().references}) {
    ASSERT_EQ(references.size(), 1U);
    EXPECT_EQ(references.front().channels, expected.channels);
    EXPECT_EQ(references.front().reference, "1.y");
    EXPECT_LT((references.front().values - expected.values).norm(), 1e-14 * expected.values.norm());
    EXPECT_EQ(references.front().error.size(), 0);
  }
  EXPECT_TRUE(says(fit_modes(data, {}).doubts, "one channel and 6 references"));
}

TEST(ModalFit, AChannelAgainstItsReferenceIsTheDrivingPoint) {
  const KnownModes known = four_modes();
  MeasuredResponses data = measured(known, 0.001, 4);
  data.references.front().channels[0] = "1.-y";
  data.references.front().values.col(0) *= -1.0;
  const ModalFit fit = fit_modes(data, {});
  EXPECT_TRUE(fit.modes.unit_modal_mass);
  EXPECT_FALSE(says(fit.doubts, "against its force"));
  ASSERT_EQ(fit.modes.zeta.size(), 4);
  const double sign = fit.modes.shapes(1, 0).real() > 0.0 ? 1.0 : -1.0;
  EXPECT_NEAR(sign * fit.modes.shapes(0, 0).real(), -known.shapes(0, 0), 4.5 * fit.modes.shape_error(0, 0));
  EXPECT_NEAR(sign * fit.modes.shapes(1, 0).real(), known.shapes(1, 0), 4.5 * fit.modes.shape_error(1, 0));
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
  options.near = {121.0, 49.5};
  options.highest_order = 40;
  const ModalFit near = fit_modes(data, options);
  ASSERT_EQ(near.modes.zeta.size(), 2);
  EXPECT_NEAR(near.modes.frequency_hz(0), 50.0, 0.1);
  EXPECT_NEAR(near.modes.frequency_hz(1), 120.0, 0.1);
  // Modes lie within 2 % of what is asked for: at 180 Hz there is none, and at 120.3 none but that at 120.
  for (const ModalMethod method : {ModalMethod::lscf, ModalMethod::isolation}) {
    options = {};
    options.method = method;
    options.near = {50.0, 120.0, 120.3, 180.0, 240.0, 310.0};
    const ModalFit found = fit_modes(data, options);
    ASSERT_EQ(found.modes.zeta.size(), 4);
    EXPECT_NEAR(found.modes.frequency_hz(1), 120.0, 0.1);
    EXPECT_TRUE(says(found.doubts, "180 Hz"));
    EXPECT_TRUE(says(found.doubts, "near 120.3 Hz") || says(found.doubts, "near 120 Hz"));
    options.near = {180.0};
    EXPECT_EQ(fit_modes(data, options).modes.zeta.size(), 0);
    options.near = {500.0};
    EXPECT_THROW(static_cast<void>(fit_modes(data, options)), std::invalid_argument);
  }
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
  // One pole in the place of two lies between them, but for 4.5 of its errors; where it leaves more than noise, by the
  // three standard deviations that the fit goes by, that is told.
  for (const double noise : {0.03, 0.1, 0.3}) {
    const ModalFit coarse = fit_modes(measured(known, noise, 5), {});
    if (coarse.modes.zeta.size() == 4) {
      EXPECT_LT(std::abs(coarse.modes.frequency_hz(1) - 100.1), 4.5 * coarse.modes.frequency_error(1)) << noise;
      continue;
    }
    ASSERT_EQ(coarse.modes.zeta.size(), 3) << noise;
    const double found = coarse.modes.frequency_hz(0), error = coarse.modes.frequency_error(0);
    EXPECT_GT(found, 100.0 - 4.5 * error) << noise;
    EXPECT_LT(found, 100.1 + 4.5 * error) << noise;
    EXPECT_TRUE(says(coarse.remarks, "larger than noise") || coarse.noise_ratio(0) < 1.5) << noise;
  }
}

TEST(ModalFit, AWeakModeBesideAStrongOneOfItsShapeIsFound) {
  // 24 half-widths beside it, of a hundredth of its constant: of one channel, whose likeness is always 1, and of two of
  // MAC 0.998. It is as narrow as a mode is, and no slope of the other.
  for (const Eigen::Index channels : {Eigen::Index{1}, Eigen::Index{2}}) {
    KnownModes known{{100.0, 112.0}, {0.005, 0.005}, Eigen::MatrixXd(channels, 2), {0}, Quantity::acceleration, 0.0};
    known.shapes.row(0) << 1.0, 0.1;
    if (channels == 2) known.shapes.row(1) << 0.5, 0.045;
    MeasuredResponses data;
    data.references.push_back(exact_responses(known, 60.0, 200.0, 1001));
    add_noise(1e-4, 3, true, data.references.front());
    ModalFitOptions options;
    options.method = ModalMethod::isolation;
    const ModalFit fit = fit_modes(data, options);
    ASSERT_EQ(fit.modes.zeta.size(), 2);
    EXPECT_LT(std::abs(fit.modes.frequency_hz(1) - 112.0), 4.5 * fit.modes.frequency_error(1));
  }
}

TEST(ModalFit, FewLinesAndHighOrders) {
  // 19 lines around one mode; and orders far above what 100 lines have equations for.
  const MeasuredResponses data = measured(four_modes(), 0.001, 5);
  ModalFitOptions options;
  options.band = {115.5, 124.6};
  ModalFit fit = fit_modes(data, options);
  ASSERT_EQ(fit.lines.lines(), 19);
  ASSERT_EQ(fit.modes.zeta.size(), 1);
  EXPECT_LT(std::abs(fit.modes.frequency_hz(0) - 120.0), 4.5 * fit.modes.frequency_error(0));
  options.band = {25.0, 75.0};
  options.highest_order = 300;
  fit = fit_modes(data, options);
  EXPECT_EQ(fit.highest_order, fit.lines.lines() / 2 - 1);
  EXPECT_EQ(fit.modes.zeta.size(), 1);
}

TEST(ModalFit, ErrorsThatAreNoNumbersAreRefused) {
  MeasuredResponses data = measured(four_modes(), 0.01, 5);
  data.references.front().error.col(2).setConstant(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(says(fit_modes(data, {}).doubts, "channel 3.y has no values"));
  data.references.front().error.setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(static_cast<void>(fit_modes(data, {})), std::invalid_argument);
}

TEST(ModalFit, ALinearStructureHasNoSpread) {
  const KnownModes known = four_modes();
  MeasuredResponses data;  // the mean of three hits, whose noise falls to 1/sqrt(3)
  for (std::uint64_t hit = 0; hit < 3; ++hit) {
    data.parts.push_back({"hit", measured(known, 0.0173, 60 + hit).references});
  }
  data.references = data.parts.front().references;
  FrequencyResponses& whole = data.references.front();
  for (const std::size_t hit : {1U, 2U}) whole.values += data.parts[hit].references.front().values;
  whole.values /= 3.0;
  whole.error /= std::sqrt(3.0);
  const ModalFit fit = fit_modes(data, {});
  ASSERT_EQ(fit.parts.size(), 3U);
  EXPECT_EQ(fit.frequency_spread.norm(), 0.0);
  EXPECT_EQ(fit.zeta_spread.norm(), 0.0);
  EXPECT_EQ(fit.shape_spread.norm(), 0.0);
}

TEST(ModalFit, TheSpreadOfShapesIsInTheirErrors) {
  // Three hits, in one of which a channel has a gain of 1.05: in the mean 1.05/3 + 2/3, and the hits differ from that
  // by -0.05/3, -0.05/3 and 0.1/3 of it, 0.0236 in the mean square.
  const KnownModes known = four_modes();
  MeasuredResponses data;
  for (std::uint64_t hit = 0; hit < 3; ++hit) {
    data.parts.push_back({"hit", measured(known, 0.00173, 80 + hit).references});
  }
  data.parts[1].references.front().values.col(1) *= 1.05;
  data.references = data.parts.front().references;
  FrequencyResponses& whole = data.references.front();
  for (const std::size_t hit : {1U, 2U}) whole.values += data.parts[hit].references.front().values;
  whole.values /= 3.0;
  whole.error /= std::sqrt(3.0);
  for (const char* driving : {"1.y", ""}) {
    ModalFitOptions options;
    options.driving_point = driving;
    if (options.driving_point.empty()) whole.reference = "hammer";  // the largest component is 1, here that at 1.y
    for (MeasuredResponses::Part& part : data.parts) part.references.front().reference = whole.reference;
    const ModalFit fit = fit_modes(data, options);
    ASSERT_EQ(fit.modes.zeta.size(), 4);
    EXPECT_EQ(fit.modes.unit_modal_mass, !options.driving_point.empty());
    for (Eigen::Index m = 0; m < 4; ++m) {
      const double expected = 0.05 * std::sqrt(6.0) / 3.0 / std::sqrt(3.0) * std::abs(known.shapes(1, m));
      if (std::abs(known.shapes(1, m)) < 0.1) continue;  // at a node there is nothing to differ
      EXPECT_NEAR(fit.shape_spread(1, m), expected, 0.1 * expected) << m;
      EXPECT_GE(fit.modes.shape_error(1, m), fit.shape_spread(1, m));
      EXPECT_LT(fit.shape_spread(2, m), 0.2 * expected) << m;
      if (!options.driving_point.empty()) continue;
      EXPECT_EQ(fit.modes.shape_error(0, m), 0.0);  // 1 by definition
      EXPECT_EQ(fit.shape_spread(0, m), 0.0);
    }
    EXPECT_TRUE(says(fit.remarks, "of the largest component at channel 2.y"));
  }
}

TEST(ModalFit, ChannelsWithoutModesAreTold) {
  MeasuredResponses data = measured(four_modes(), 0.01, 9);
  EXPECT_FALSE(says(fit_modes(data, {}).doubts, "nothing of any mode"));
  FrequencyResponses& responses = data.references.front();
  const double deviation = 1e-3 * responses.error(0, 3);
  Normal normal(10);
  for (Eigen::Index k = 0; k < responses.values.rows(); ++k) {
    const double re = normal(), im = normal();
    responses.values(k, 3) = {deviation * re, deviation * im};
  }
  responses.error.col(3).setConstant(deviation);
  for (const ModalMethod method : {ModalMethod::lscf, ModalMethod::isolation}) {
    ModalFitOptions options;
    options.method = method;
    EXPECT_TRUE(says(fit_modes(data, options).doubts, "channel 4.y: nothing of any mode stands out"));
  }
}

TEST(ModalFit, DelaysAreTold) {
  // At 1000 samples a second: one channel a sample early, all three late, both; 112 and 335 degrees at the mode of 310.
  const auto late = [](MeasuredResponses& data, Eigen::Index channel, double delay) {
    FrequencyResponses& of = data.references.front();
    for (Eigen::Index k = 0; k < of.values.rows(); ++k) {
      of.values(k, channel) *= std::polar(1.0, -two_pi * of.frequency(k) * delay);
    }
  };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    MeasuredResponses data = measured(four_modes(), 0.01, 300 + seed);
    EXPECT_FALSE(says(fit_modes(data, {}).doubts, "come"));
    late(data, 2, -1e-3);
    ModalFit fit = fit_modes(data, {});
    EXPECT_TRUE(says(fit.doubts, "channel 3.y comes 0.00") && says(fit.doubts, "earlier than most others"))
        << fmt::format("{}", fmt::join(fit.doubts, "\n"));
    EXPECT_FALSE(says(fit.doubts, "channel 2.y") || says(fit.doubts, "responses come"));
    for (Eigen::Index c = 0; c < 6; ++c) late(data, c, 3e-3);
    fit = fit_modes(data, {});
    EXPECT_TRUE(says(fit.doubts, "responses come 0.00") && says(fit.doubts, "later than the force"))
        << fmt::format("{}", fmt::join(fit.doubts, "\n"));
    EXPECT_TRUE(says(fit.doubts, "channel 3.y comes 0.00"));
  }
}

/// Eight masses in a chain from the first to the ground, with a damper from one of them to the ground: modes are not
/// normal. Accelerations under a force at the first.
FrequencyResponses chain_responses(Eigen::Index place, double damper, std::uint64_t seed) {
  constexpr Eigen::Index masses = 8, lines = 1000;
  Uniform uniform(seed);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(masses, masses);
  Eigen::VectorXd m(masses);
  for (Eigen::Index i = 0; i < masses; ++i) {
    const double spring = 4e5 * (0.7 + 0.6 * uniform());
    k(i, i) += spring;
    if (i + 1 < masses) {
      k(i + 1, i + 1) += spring;
      k(i, i + 1) = k(i + 1, i) = -spring;
    }
    m(i) = 0.7 + 0.6 * uniform();
  }
  FrequencyResponses result;
  result.channels = testing::channel_names(masses);
  result.reference = result.channels.front();
  result.quantity = Quantity::acceleration;
  result.frequency = Eigen::VectorXd::LinSpaced(lines, 5.0, 230.0);
  result.values.resize(lines, masses);
  for (Eigen::Index line = 0; line < lines; ++line) {
    const double omega = two_pi * result.frequency(line);
    Eigen::MatrixXcd z = k.cast<std::complex<double>>() * std::complex<double>(1.0, 2e-5 * omega);
    z.diagonal() -= (omega * omega * m).cast<std::complex<double>>();
    z(place, place) += std::complex<double>(0.0, omega * damper);
    const Eigen::VectorXcd force = Eigen::VectorXcd::Unit(masses, 0);
    result.values.row(line) = -omega * omega * LuFactors<std::complex<double>>(z).solve(force).transpose();
  }
  add_noise(0.01, seed, true, result);
  return result;
}

TEST(ModalFit, DampersAreNoDelays) {
  for (Eigen::Index place = 1; place < 8; ++place) {
    for (const double damper : {20.0, 60.0}) {
      MeasuredResponses data;
      data.references.push_back(chain_responses(place, damper, 40 + static_cast<std::uint64_t>(place)));
      const ModalFit fit = fit_modes(data, {});
      EXPECT_GE(fit.modes.zeta.size(), 4);
      EXPECT_FALSE(says(fit.doubts, " come")) << place << " " << damper;
    }
  }
}

TEST(ModalFit, CirclesAreThoseOfTheSystem) {
  const KnownModes known = four_modes();
  const ModalFit fit = fit_modes(measured(known, no_noise, 0), {});
  ASSERT_EQ(fit.circles.size(), 4U);
  for (const ModalCircle& circle : fit.circles) {
    ASSERT_GT(circle.frequency.size(), 100);
    const double size = circle.values.cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < circle.frequency.size(); k += 7) {
      const double at = circle.frequency(k);
      const std::complex<double> exact = exact_responses(known, at, at + 1.0, 2).values(0, circle.function);
      EXPECT_LT(std::abs(circle.values(k) - exact), 1e-7 * size);
    }
  }
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

}  // namespace modal_fit_test
}  // namespace microslip
