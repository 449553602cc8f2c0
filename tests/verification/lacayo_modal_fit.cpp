// Modal Iwan models fitted to the three masses and the Sumali beam of Lacayo's thesis, chapter 2: Procedure I of 2.2.3.

#include <gtest/gtest.h>
#include <unistd.h>
#include <Eigen/Core>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "microslip/identify/modal_iwan_fit.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

ModalIwanFit fit_of(const ModalCurve& curve) {
  std::vector<AmplitudePoint> points;
  for (const ModalPoint& p : curve.points) points.push_back({p.q, p.omega_ringdown, p.zeta});
  ModalIwanFitOptions options;
  options.zeta_form = ZetaForm::tangent;
  return fit_modal_iwan(points, options);
}

/// The results of an example, gone with it.
class ExampleRun {
 public:
  explicit ExampleRun(const std::string& example)
      : folder_(
            (std::filesystem::temp_directory_path() / ("microslip_" + std::to_string(getpid()) + example)).string()),
        study_(load_study(MICROSLIP_SOURCE_DIR "/examples/" + example + "/study.toml")),
        outcome_(run_study(study_, folder_, {})) {
    EXPECT_EQ(outcome_.exit_code, 0) << outcome_.failure;
  }
  ExampleRun(const ExampleRun&) = delete;
  ExampleRun& operator=(const ExampleRun&) = delete;
  ~ExampleRun() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] const System& system() const { return study_.system; }
  [[nodiscard]] CsvTable table(const std::string& name) const { return read_csv_table(folder_ + "/" + name + ".csv"); }
  [[nodiscard]] int dominant_mode(const std::string& name) const {
    for (const AnalysisSummary& summary : outcome_.analyses) {
      if (summary.name == name) return summary.facts_json().at("dominant_mode").get<int>();
    }
    return 0;
  }

 private:
  std::string folder_;
  Study study_;
  RunOutcome outcome_;
};

/// Damping of the modal model over that of the mode that dominates after a blow - 1, means over the ring-down.
double model_error(const ExampleRun& run, const std::string& blow) {
  const CsvTable fit = run.table("fit"), rows = run.table(blow);
  const int mode = run.dominant_mode(blow);
  std::size_t row = 0;
  while (fit.column("mode")[row] != mode) ++row;
  const ModalIwanModel<double> model({fit.column("Kinf")[row], fit.column("zeta0")[row], fit.column("FS")[row],
                                      fit.column("KT")[row], fit.column("chi")[row], fit.column("beta")[row]});
  double modelled = 0.0, measured = 0.0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.column("mode")[i] != mode) continue;
    modelled += model.zeta(rows.column("q")[i], ZetaForm::decrement);
    measured += rows.column("zeta")[i];
  }
  return modelled / measured - 1.0;
}

/// What the parameters of a modal model must be by linear algebra alone. Stuck at rest, and deep in macroslip a
/// vibration in the slipped shape:
///   K_inf = omega_slipped^2,   K_inf + K_T = omega_stuck^2
///   F_S = c sum over joints of F_S,j |B_j^T phi_slipped|,   c = phi_stuck^T M phi_slipped
/// The last since a cycle of amplitude q_s of the slipped mode costs 4 sum F_S,j |B_j^T phi_slipped| q_s, and the
/// filter of the stuck mode sees q = c q_s; the modal model loses 4 F_S q with zeta = D/(2 pi K q^2).
struct LinearRelations {
  double k_inf, k_t, f_s;
};
LinearRelations relations(const System& system, const Modes& slipped, int mode, double joint_force) {
  const Eigen::VectorXd phi = slipped.shapes.col(mode);
  const double c = std::abs(system.modal_force(mode).dot(phi));
  const double k_inf = std::pow(slipped.omega(mode), 2), k0 = std::pow(system.stuck_modes().omega(mode), 2);
  return {k_inf, k0 - k_inf, c * joint_force * (system.directions().transpose() * phi).cwiseAbs().sum()};
}

/// A row of fit.csv against them: stiffnesses within three times what the fit is off in frequency (dK = 2 K d
/// omega/omega), F_S within twice what it is off in damping.
void expect_relations(const CsvTable& fit, std::size_t row, const LinearRelations& expected) {
  const double k0 = expected.k_inf + expected.k_t;
  const double stiffness = 6.0 * k0 * fit.column("omega_residual")[row], zeta = fit.column("zeta_residual")[row];
  EXPECT_NEAR(fit.column("Kinf")[row], expected.k_inf, stiffness);
  EXPECT_NEAR(fit.column("Kinf")[row] + fit.column("KT")[row], k0, stiffness);
  EXPECT_NEAR(fit.column("FS")[row] / expected.f_s, 1.0, 2.0 * zeta);
}

constexpr double joint_share = 5.0 / 6.0;  // S/K_T = beta/(1+beta) of the joint of the three masses

// Quasi-static curves. Macroslip then tends to the static limit 1/(p^T K^-1 p), not to the slipped mode. The onset: see
// LacayoQsma.OnsetOfMacroslip, where the curve has points 1e-3 apart. chi and beta/(1+beta) of the joint within the
// spread of the thesis' own fits, 0.015 and 0.0174.
TEST(LacayoModalFit, ThreeMassesFromQuasiStaticCurves) {
  const System system = testing::three_masses();
  const double onset[] = {267.98, 41.536, 31.519};
  for (int mode = 0; mode < 3; ++mode) {
    const ModalCurve curve = quasi_static_modal_analysis(system, mode, {0.01, 2e4, 100});
    ASSERT_EQ(curve.ending, Ending::completed);
    const ModalIwanFit fit = fit_of(curve);
    ASSERT_EQ(fit.ending, Ending::completed) << fit.message;
    EXPECT_EQ(fit.message, "");
    const Eigen::VectorXd force = system.modal_force(mode);
    const double limit = 1.0 / force.dot(solve_symmetric(system.structure().stiffness(), force));
    const double k0 = std::pow(system.stuck_modes().omega(mode), 2), tolerance = 6.0 * k0 * fit.omega_residual;
    EXPECT_NEAR(fit.parameters.k_inf, limit, tolerance);
    // At rest the curve is extrapolated, by no more than what the joint has softened at the first point.
    const double softening = k0 - std::pow(curve.points.front().omega_ringdown, 2);
    EXPECT_NEAR(fit.parameters.k_inf + fit.parameters.k_t, k0, tolerance + softening);
    EXPECT_NEAR(fit.phi_max.value / onset[mode], 1.0, 1e-3);
    EXPECT_NEAR(fit.parameters.chi, -0.5, 0.015);
    EXPECT_NEAR(fit.parameters.beta / (1.0 + fit.parameters.beta), joint_share, 0.0174);
    EXPECT_NEAR(fit.parameters.zeta0 / 1e-4, 1.0, 0.005);  // as printed: 1.0e-4
    EXPECT_LT(fit.zeta_residual, 0.01);                    // a modal Iwan model is nearly exact here
  }
}

// Table 2.3, by selective excitation. The thesis' F_S by hand are 3.3, 0.8 and 2.5 % below the exact relation.
TEST(LacayoModalFitSlow, ThreeMassesByRingDowns) {
  const ExampleRun run("11_modal_iwan_three_masses");
  const System& system = run.system();
  const Modes slipped = system.slipped_modes();
  const CsvTable fit = run.table("fit");
  ASSERT_EQ(fit.rows(), 3U);
  const double table[3][5] = {{0.1782, 0.4462, 1.917e-3, -0.5002, 5.700},
                              {1.399, 2.877, 7.843e-2, -0.5150, 5.614},
                              {2.922, 3.278, 0.1196, -0.5070, 4.800}};
  const double onset[] = {267.98, 41.536, 31.519}, low[] = {3.3, 0.8, 2.5};
  for (std::size_t row = 0; row < 3; ++row) {
    ASSERT_EQ(fit.column("mode")[row], static_cast<double>(row + 1));
    const LinearRelations exact = relations(system, slipped, static_cast<int>(row), 10.0);
    expect_relations(fit, row, exact);
    EXPECT_NEAR(table[row][0] / exact.k_inf, 1.0, 5e-4);  // printed to four digits
    EXPECT_NEAR(table[row][2] / exact.k_t, 1.0, 1e-3);
    EXPECT_NEAR(100.0 * (1.0 - table[row][1] / exact.f_s), low[row], 0.05);  // as the comment above says
    EXPECT_NEAR(fit.column("chi")[row], -0.5, 0.015);
    const double beta = fit.column("beta")[row];
    EXPECT_NEAR(beta / (1.0 + beta), table[row][4] / (1.0 + table[row][4]), 0.0174);
    EXPECT_NEAR(fit.column("zeta0")[row] / 1e-4, 1.0, 0.05);  // printed: 1.0e-4
    // The inertia of the other modes moves the onset by up to 1 % (2 % in D, LacayoQsmaModesSlow), and a half swing
    // there loses pi zeta = 1.7 % of its amplitude.
    EXPECT_NEAR(fit.column("phi_max")[row] / onset[row], 1.0, 0.02);
  }

  // 2.3.1: for the most dominant modal signals the model underestimates the damping of those confined to microslip by
  // 5.6 % on average and overestimates it in macroslip by 23 %. Other levels and means than the thesis': half as much
  // again either way.
  double micro = 0.0, macro = 0.0;
  for (const char* blow : {"mass1-3", "mass1-4", "mass2-3", "mass2-4", "mass3-3", "mass3-4"}) {
    const double error = model_error(run, blow);
    EXPECT_LT(error, 0.0) << blow;
    micro += error / 6.0;
  }
  for (const char* blow : {"mass2-1", "mass3-1"}) macro += model_error(run, blow) / 2.0;
  EXPECT_NEAR(micro, -0.056, 0.028);
  EXPECT_NEAR(macro, 0.23, 0.115);
}

// Table 2.5. Four joints slip one after the other, so that one Iwan element a mode is an approximation: damping is off
// by several percent around the onset, and the exponent of a fit over all amplitudes lies between that of the joints,
// -0.23, and 0. Our matrices are not the author's: their frequencies differ by up to 0.12 % (Table 2.4), K by 0.25 %,
// and K_T, a difference, by up to 3 %. The thesis' F_S then is that of the exact relation within 1.5 %.
TEST(LacayoModalFitSlow, SumaliBeamByRingDowns) {
  const ExampleRun run("12_modal_iwan_sumali");
  const Modes slipped = run.system().slipped_modes();
  const CsvTable fit = run.table("fit");
  ASSERT_EQ(fit.rows(), 3U);
  const double table[3][5] = {{4.235e5, 1.802, 1.537e5, -0.1369, 2.561},
                              {1.673e6, 1.518, 1.340e5, -0.1620, 2.0},
                              {7.321e6, 6.934, 2.822e6, -0.1008, 1.529}};
  for (std::size_t row = 0; row < 3; ++row) {
    ASSERT_EQ(fit.column("mode")[row], static_cast<double>(row + 7));
    const LinearRelations exact = relations(run.system(), slipped, static_cast<int>(row) + 6, 30.7);
    expect_relations(fit, row, exact);
    const double stuck = table[row][0] + table[row][2];
    EXPECT_NEAR(table[row][0] / exact.k_inf, 1.0, 0.01);  // read off a curve, after which omega_slipped is 0.5 % off
    EXPECT_NEAR(stuck / (exact.k_inf + exact.k_t), 1.0, 0.01);
    EXPECT_NEAR(table[row][1] / exact.f_s, 1.0, 0.015);
    EXPECT_GT(fit.column("chi")[row], -0.23);
    EXPECT_LT(fit.column("chi")[row], 0.0);
  }

  // 2.3.2: in microslip 25 to 40 % low for the most dominant signals, in macroslip 60 % high, on average. The same
  // margin as above.
  double micro = 0.0;
  const char* const blows[] = {"p1-3", "p1-4", "p2-2", "p2-3", "p2-4", "p3-3", "p3-4"};
  for (const char* blow : blows) micro += model_error(run, blow) / std::size(blows);
  EXPECT_GT(micro, -0.60);
  EXPECT_LT(micro, -0.125);
  EXPECT_NEAR(model_error(run, "p1-1"), 0.60, 0.30);
}

}  // namespace
}  // namespace microslip
