// kind = "modal_fit": responses from files, its tables and universal files, and the mistakes.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/io/data_table.hpp"
#include "microslip/io/text_file.hpp"
#include "support/study_run.hpp"
#include "unit/measurement/response_csv.hpp"
#include "unit/measurement/synthetic_responses.hpp"

namespace microslip {
namespace modal_fit_analysis_test {

using test::marked_at;

const std::string structure = R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 3.0]]
)";
const std::string fit_text = R"(
[[analysis]]
kind = "modal_fit"
name = "fit"
data = "frfs.csv"
quantity = "acceleration"
)";

testing::KnownModes known_modes() {
  return {{50.0, 120.0, 210.0}, {0.01, 0.005, 0.02}, testing::cosine_shapes(4, 3), {0}, Quantity::acceleration, 0.0};
}

FrequencyResponses responses(double noise) {
  FrequencyResponses result = testing::exact_responses(known_modes(), 10.0, 260.0, 501);
  testing::add_noise(noise, 3, true, result);
  return result;
}

class ModalFitStudy : public test::StudyRun {
 protected:
  void SetUp() override {
    test::StudyRun::SetUp();
    write("frfs.csv", testing::response_csv(responses(0.01)));
  }
};

TEST_F(ModalFitStudy, FromATable) {
  const RunOutcome outcome = run(structure + fit_text);
  ASSERT_EQ(outcome.analyses.size(), 1U);
  EXPECT_EQ(outcome.analyses[0].ending, Ending::completed) << outcome.analyses[0].message;
  const CsvTable modes = table("fit");
  ASSERT_EQ(modes.rows(), 3U);
  const testing::KnownModes known = known_modes();
  for (std::size_t m = 0; m < 3; ++m) {
    // 4.5 standard errors of a normal number are exceeded by 7 of a million.
    EXPECT_LT(std::abs(modes.column("frequency_hz")[m] - known.frequency_hz[m]),
              4.5 * modes.column("frequency_hz_error")[m]);
    EXPECT_LT(std::abs(modes.column("zeta")[m] - known.zeta[m]), 4.5 * modes.column("zeta_error")[m]);
    EXPECT_EQ(table("fit-shapes").column("mode")[m], static_cast<double>(m + 1));
    EXPECT_NEAR(table("fit-shapes").column("phi[3.y]")[m], known.shapes(2, static_cast<Eigen::Index>(m)), 0.01);
  }
  const CsvTable lines = table("fit-frf");
  EXPECT_EQ(lines.rows(), 501U);
  EXPECT_EQ(lines.column("re[2.y]")[100], responses(0.01).values(100, 1).real());
  EXPECT_NEAR(lines.column("re_fit[2.y]")[100], lines.column("re[2.y]")[100], 0.1 * lines.column("composite")[100]);
  EXPECT_GT(table("fit-stabilisation").rows(), 50U);
  EXPECT_EQ(table("fit-mac").rows(), 9U);
  EXPECT_EQ(table("fit-circles").rows(), 3U * 121U);
  EXPECT_EQ(table("fit-sensors").column("phi_spread")[0], 0.0);  // one part
  EXPECT_EQ(outcome.analyses[0].facts_json()["modes"].size(), 3U);
  EXPECT_EQ(outcome.analyses[0].facts_json()["unit_modal_mass"], true);
}

TEST_F(ModalFitStudy, LeavesShapesInUniversalFiles) {
  ASSERT_EQ(run(structure + fit_text).analyses[0].ending, Ending::completed);
  const CsvTable shapes = table("fit-shapes"), modes = table("fit");
  for (const char* file : {"out/fit-shapes.unv", "out/fit-shapes-2414.unv"}) {
    const UniversalFile content = read_universal_file(path(file));
    ASSERT_EQ(content.shapes.size(), 3U);
    for (std::size_t m = 0; m < 3; ++m) {
      const UniversalShape& shape = content.shapes[m];
      EXPECT_EQ(shape.mode, static_cast<int>(m) + 1);
      EXPECT_NEAR(shape.frequency_hz, modes.column("frequency_hz")[m], 1e-3);  // six digits
      EXPECT_NEAR(shape.damping_ratio, modes.column("zeta")[m], 1e-7);
      EXPECT_EQ(shape.nodes, (std::vector<int>{1, 2, 3, 4}));
      EXPECT_NEAR(shape.values[3 * 2 + 1], shapes.column("phi[3.y]")[m], 1e-5);  // node 3, +Y
    }
  }
}

TEST_F(ModalFitStudy, FromAUniversalFile) {
  const FrequencyResponses known = responses(0.01);
  UniversalFile content;
  for (std::size_t c = 0; c < known.channels.size(); ++c) {
    UniversalFunction function;
    function.type = 4;
    function.response = {static_cast<int>(c) + 1, 2};
    function.reference = {1, 2};
    function.abscissa_kind = UniversalKind::frequency;
    function.ordinate_kind = UniversalKind::acceleration;
    function.denominator_kind = UniversalKind::excitation;
    for (Eigen::Index k = 0; k < known.frequency.size(); ++k) {
      const std::complex<double> value = known.values(k, static_cast<Eigen::Index>(c));
      function.abscissa.push_back(known.frequency(k));
      function.values.push_back(value.real());
      function.imaginary.push_back(value.imag());
    }
    content.functions.push_back(std::move(function));
  }
  write("frfs.unv", universal_text(content, UniversalForm::little_endian));
  const RunOutcome outcome = run(structure + R"(
[[analysis]]
kind = "modal_fit"
name = "fit"
data = "frfs.unv"
method = "isolation"
shapes = "normal"
)");
  ASSERT_EQ(outcome.analyses[0].ending, Ending::completed) << outcome.analyses[0].message;
  const CsvTable modes = table("fit");
  ASSERT_EQ(modes.rows(), 3U);
  EXPECT_LT(std::abs(modes.column("zeta")[1] - 0.005), 4.5 * modes.column("zeta_error")[1]);
  EXPECT_EQ(modes.column("mpc")[1], 1.0);
}

TEST_F(ModalFitStudy, Mistakes) {
  const std::string head = structure + R"(
[[analysis]]
kind = "modal_fit"
quantity = "acceleration"
)";
  const std::string data = "data = \"frfs.csv\"\n";
  const auto expect = [&](const std::string& text, const std::string& message) {
    expect_complaint(text, "analysis \"modal_fit\": " + message);
  };
  const auto with = [&](const std::string& keys, const std::string& message) { expect(head + data + keys, message); };
  expect_complaint(head + data, "");
  expect_complaint_begins(marked_at(head, "[[analysis]]"), "analysis \"modal_fit\": ");
  with("»metod = 3", R"(unknown key "metod"; did you mean "method"?)");
  with(R"(method = »"lsfc")", R"(unknown method "lsfc"; did you mean "lscf"?)");
  with(R"(shapes = »"norml")", R"(unknown shapes "norml"; did you mean "normal"?)");
  with("orders = »[10, 4]", "orders must be the highest order, or two whole numbers [from, to] with from < to");
  with("near_hz = »[]", "near_hz must name a frequency or more");
  with("near_hz = [50.0]\n»modes = 2", "modes goes with no near_hz");
  with("band_hz = »[80.0, 20.0]", "band_hz must be two frequencies [from, to] with from < to");
  with("band_hz = [80.0, 200.0]\nnear_hz = »[50.0]", "near_hz must be within band_hz, got 50");
  with("near_hz = »[500.0]", "near_hz must be within the lines, 10 to 260 Hz, got 500");
  with("band_hz = »[80.0, 81.0]", "3 lines between 80 and 81, a fit needs at least 16");
  with(R"(leave_out = »["2.x"])", R"(leave_out: there is no channel "2.x"; did you mean "2.y"?)");
  with(R"(driving_point = »"9.y")", R"(driving_point: there is no channel "9.y"; did you mean "1.y"?)");
  expect(head + R"(from = »"nothing")",
         R"(from: no frf_estimate stands before this analysis, so that there is no "nothing")");
}

}  // namespace modal_fit_analysis_test
}  // namespace microslip
