#include "microslip/joints/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <source_location>
#include <variant>

#include "microslip/joints/joint_memory.hpp"
#include "microslip/joints/law_traits.hpp"
#include "microslip/joints/make_law.hpp"

namespace microslip {
namespace catalogue_test {

using Numbers = std::vector<std::pair<std::string, double>>;

Numbers joined(Numbers a, const Numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

LawSpec spec(std::string law, Numbers numbers = {}) {
  LawSpec result;
  result.law = std::move(law);
  result.numbers = std::move(numbers);
  return result;
}

LawSpec table(std::vector<double> u, std::vector<double> f, Numbers numbers = {}) {
  LawSpec result = spec("masing", std::move(numbers));
  result.table_u = std::move(u);
  result.table_f = std::move(f);
  return result;
}

/// "key|message" of the complaint, "" if there is none.
std::string complaint(const LawSpec& s) {
  try {
    check_law(s);
  } catch (const LawError& error) {
    return error.key() + "|" + error.what();
  }
  return "";
}

// The law table of the study file: every law with its parameters is accepted.
TEST(Catalogue, AcceptsEveryLawOfTheStudyFile) {
  EXPECT_EQ(complaint(spec("linear", {{"k", 3.0}})), "");
  EXPECT_EQ(complaint(spec("polynomial", {{"k1", 3.0}, {"k3", -1.0}, {"k12", 2.0}})), "");
  EXPECT_EQ(complaint(spec("gap", {{"k", 3.0}, {"gap", -0.1}})), "");
  LawSpec lines = spec("piecewise_linear");
  lines.table_u = {-1.0, 0.0, 2.0};
  lines.table_f = {-1.0, 0.0, 3.0};
  EXPECT_EQ(complaint(lines), "");
  EXPECT_EQ(complaint(spec("coulomb", {{"fs", 3.0}, {"fk", 1.0}})), "");
  EXPECT_EQ(complaint(spec("coulomb", {{"mu_s", 0.3}, {"mu_k", 0.2}})), "");
  EXPECT_EQ(complaint(spec("jenkins", {{"kt", 3.0}, {"fs", 1.0}})), "");
  EXPECT_EQ(complaint(spec("iwan4", {{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 5.0}})), "");
  EXPECT_EQ(complaint(spec("iwan4", {{"R", 10.0}, {"S", 0.0}, {"phi_max", 1.0}, {"chi", -0.5}})), "");
  EXPECT_EQ(
      complaint(spec("iwan4",
                     {{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 0.0}, {"sliders", 50.0}, {"spacing", 1.0}})),
      "");
  const Numbers by_share = {{"KT", 2.0}, {"chi", -0.5}, {"phi_max", 1.0}, {"share", 0.4}};
  EXPECT_EQ(complaint(spec("iwan4", by_share)), "");
  EXPECT_EQ(complaint(spec("iwan5", joined(by_share, {{"theta", 0.5}}))), "");
  EXPECT_EQ(complaint(spec("iwan6", joined(by_share, {{"Kinf", 2.0}}))), "");
  EXPECT_EQ(complaint(spec("iwan5", {{"R", 10.0}, {"S", 1.0}, {"phi_max", 1.0}, {"chi", -0.5}, {"theta", 1.0}})), "");
  EXPECT_EQ(complaint(spec("iwan6", {{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 5.0}, {"Kinf", 2.0}})), "");
  EXPECT_EQ(complaint(spec("iwan6", {{"R", 10.0}, {"S", 1.0}, {"phi_max", 1.0}, {"chi", -0.5}, {"Kinf", 2.0}})), "");
  EXPECT_EQ(complaint(spec("iwan_uniform", {{"k", 1.0}, {"fq", 1.0}, {"alpha", 0.1}})), "");
  EXPECT_EQ(complaint(table({1.0, 2.0}, {1.0, 1.5}, {{"residual", 0.2}})), "");
  EXPECT_EQ(complaint(spec("bouc_wen",
                           {{"k0", 1.0}, {"alpha", 0.1}, {"A", 1.0}, {"beta", 0.5}, {"gamma", -0.4}, {"n", 1.0}})),
            "");
}

/// As the compiler writes it: "... [with L = microslip::Jenkins<double>]".
template <class L>
std::string class_name() {
  return std::source_location::current().function_name();
}

// From name and numbers to the law: every entry makes its examples, and together they make every law of the variant but
// a user's own.
TEST(Catalogue, MakesEveryLaw) {
  std::vector<bool> made(std::variant_size_v<Law>, false);
  for (const LawInfo& law : law_catalogue()) {
    EXPECT_FALSE(law.examples.empty()) << law.name;
    for (const LawExample& example : law.examples) {
      EXPECT_EQ(example.spec.law, law.name);
      EXPECT_EQ(example.words.empty(), law.examples.size() == 1) << law.name;
      ASSERT_EQ(complaint(example.spec), "") << law.name;
      ASSERT_NO_THROW(made[make_law(example.spec).index()] = true) << law.name;
    }
  }
  const auto all_made = [&]<class... Ls>(const std::variant<Ls...>*) {
    std::size_t index = 0;
    const auto expect_made = [&](bool users, const std::string& name) {
      EXPECT_TRUE(made[index++] || users) << "no example of the catalogue makes " << name;
    };
    (expect_made(UsersLaw<Ls>, class_name<Ls>()), ...);
  };
  all_made(static_cast<const Law*>(nullptr));
}

/// Whether a law is one of these classes.
template <class... Ls>
bool is_any_of(const Law& law) {
  return (std::holds_alternative<Ls>(law) || ...);
}

TEST(Catalogue, TellsWhichLawsAreSo) {
  EXPECT_EQ(laws_that(is_any_of<Coulomb<double>>), "coulomb");
  EXPECT_EQ(laws_that(is_any_of<Coulomb<double>, Gap<double>>), "gap and coulomb");
  EXPECT_EQ(laws_that(is_any_of<Iwan4<double>, IwanUniform<double>>),
            "iwan4 without sliders, iwan6 without sliders and iwan_uniform");
  EXPECT_EQ(laws_that(is_any_of<Iwan4<double>, IwanSliders<double>>), "iwan4 and iwan6");
  EXPECT_EQ(laws_that(is_custom), "");
}

TEST(Catalogue, NamesTheKeyOutOfBounds) {
  const Numbers good = {{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 5.0}};
  const auto with = [&](const std::string& key, double value) {
    Numbers numbers = good;
    for (auto& [name, number] : numbers) {
      if (name == key) number = value;
    }
    return complaint(spec("iwan4", numbers));
  };
  EXPECT_EQ(with("FS", -3.0), "FS|FS must be > 0, got -3");
  EXPECT_EQ(with("FS", 0.0), "FS|FS must be > 0, got 0");
  EXPECT_EQ(with("chi", -1.0), "chi|chi must be > -1, got -1");
  EXPECT_EQ(with("beta", -0.25), "beta|beta must be >= 0, got -0.25");
  EXPECT_EQ(with("KT", std::nan("")), "KT|KT must be a finite number, got nan");
  EXPECT_EQ(with("KT", std::numeric_limits<double>::infinity()), "KT|KT must be a finite number, got inf");

  const auto theta = [](double value) {
    return complaint(spec("iwan5", {{"R", 1.0}, {"S", 1.0}, {"phi_max", 1.0}, {"chi", 0.0}, {"theta", value}}));
  };
  EXPECT_EQ(theta(1.5), "theta|theta must be in (0, 1], got 1.5");
  EXPECT_EQ(theta(0.0), "theta|theta must be in (0, 1], got 0");

  Numbers sliders = good;
  sliders.emplace_back("sliders", 2.5);
  EXPECT_EQ(complaint(spec("iwan4", sliders)), "sliders|sliders must be an integer in [1, 1000000], got 2.5");
  sliders.back() = {"spacing", 1.2};
  EXPECT_EQ(complaint(spec("iwan4", sliders)),
            "spacing|spacing needs sliders = N; without it the element is continuous");
  EXPECT_EQ(complaint(spec("bouc_wen", {{"k0", 1.0}, {"alpha", 0.1}, {"beta", 0.5}, {"gamma", -0.5}, {"n", 1.0}})),
            "gamma|gamma must be > -beta = -0.5, got -0.5");
}

TEST(Catalogue, SuggestsTheNearestName) {
  EXPECT_EQ(complaint(spec("iwan_4", {})), "law|unknown law \"iwan_4\"; did you mean \"iwan4\"?");
  EXPECT_EQ(complaint(spec("Bouc-Wen", {})), "law|unknown law \"Bouc-Wen\"; did you mean \"bouc_wen\"?");
  EXPECT_EQ(complaint(spec("iwan4", {{"Fs", 1.0}})), "Fs|unknown key \"Fs\" for law \"iwan4\"; did you mean \"FS\"?");
  EXPECT_EQ(complaint(spec("iwan4", {{"phimax", 1.0}})),
            "phimax|unknown key \"phimax\" for law \"iwan4\"; did you mean \"phi_max\"?");
  EXPECT_EQ(complaint(spec("linear", {{"stiffness", 1.0}})),
            "stiffness|unknown key \"stiffness\" for law \"linear\" (it takes k)");
  EXPECT_EQ(complaint(spec("polynomial", {{"k0", 1.0}})),
            "k0|unknown key \"k0\" for law \"polynomial\"; did you mean \"k1\"?");
  EXPECT_EQ(complaint(spec("polynomial", {{"k01", 1.0}})).substr(0, 4), "k01|");
  LawSpec stray = spec("linear", {{"k", 1.0}});
  stray.interpolation = "smooth";
  EXPECT_EQ(complaint(stray), "interpolation|unknown key \"interpolation\" for law \"linear\" (it takes k)");
}

TEST(Catalogue, FindsMissingKeysAndMixedSets) {
  EXPECT_EQ(complaint(spec("iwan4", {{"FS", 1.0}, {"chi", 0.0}, {"beta", 1.0}})),
            "KT|KT is missing: law \"iwan4\" takes "
            "FS, KT, chi, beta or R, S, phi_max, chi or KT, chi, phi_max, share");
  EXPECT_EQ(complaint(spec("iwan4", {{"FS", 1.0}, {"KT", 1.0}, {"chi", 0.0}, {"beta", 1.0}, {"R", 1.0}})),
            "R|R does not go with FS, KT, chi, beta: give "
            "FS, KT, chi, beta or R, S, phi_max, chi or KT, chi, phi_max, share");
  EXPECT_EQ(complaint(spec("iwan4", {{"R", 1.0}, {"S", 1.0}, {"chi", 0.0}, {"FS", 1.0}})),
            "FS|FS does not go with R, S, phi_max, chi: give "
            "FS, KT, chi, beta or R, S, phi_max, chi or KT, chi, phi_max, share");
  EXPECT_EQ(complaint(spec("polynomial", {})), "k1|law \"polynomial\" needs at least one of k1, k2, k3, ...");
  EXPECT_EQ(complaint(spec("masing", {})), "u|u is missing: law \"masing\" takes a backbone file or u and f");
  EXPECT_EQ(complaint(table({1.0}, {})), "f|f is missing: law \"masing\" takes a backbone file or u and f");
}

TEST(Catalogue, LooksAtTheTable) {
  EXPECT_EQ(complaint(table({1.0, 2.0}, {1.0, 3.0})), "f|backbone point 1: not concave, the slope grows from 1 to 2");
  EXPECT_EQ(complaint(table({2.0, 1.0}, {1.0, 3.0})), "u|backbone point 2: u must increase, got 1 after 2");
  LawSpec odd = table({1.0}, {1.0});
  odd.interpolation = "cubic";
  EXPECT_EQ(complaint(odd), "interpolation|interpolation must be \"smooth\" or \"linear\", got \"cubic\"");
}

/// The largest difference of forces along a walk to and fro that grows and shrinks, over the largest force.
double difference_along_a_walk(const Law& one, const Law& other, double reach) {
  const Law* laws[] = {&one, &other};
  JointMemory memory(laws);
  JointResponse response = memory.make_response();
  const double rates[] = {0.0, 0.0};
  double difference = 0.0, largest = 0.0;
  for (int i = 0; i < 400; ++i) {
    const double u = reach * std::sin(0.1 * i) * std::sin(0.013 * i), both[] = {u, u};
    memory.evaluate(both, rates, 0.1 * i, response);
    memory.commit();
    difference = std::max(difference, std::abs(response.force[0] - response.force[1]));
    largest = std::max(largest, std::abs(response.force[0]));
  }
  return difference / largest;
}

// Lacayo (3.33): R = share R_max, R_max = (chi+1) K_T/phi_max^(chi+1). From there F_S = K_T phi_max (1 - share/(chi+2))
// and beta = (1 - share)/share. Numbers within 20 roundings of one another; forces too, which go through a few powers.
TEST(Catalogue, FormsOfAnIwanElementSayTheSame) {
  constexpr double eps = 20.0 * std::numeric_limits<double>::epsilon();
  const double kt = 3.7345e8, phi = 6.612e-7;  // joint 3 of Table 3.5 in SI
  for (const double chi : {-0.9, -0.271, 0.0, 1.5}) {
    for (const double share : {0.1, 0.5, 0.93, 1.0}) {
      const LawSpec given = spec("iwan4", {{"KT", kt}, {"chi", chi}, {"phi_max", phi}, {"share", share}});
      const IwanParameters p = iwan_parameters(given);
      const double r_max = (chi + 1.0) * kt / std::pow(phi, chi + 1.0);
      EXPECT_NEAR(p.r, share * r_max, eps * r_max);
      EXPECT_NEAR(p.s, (1.0 - share) * kt, eps * kt);
      const auto backbone = *iwan_distribution(given);
      EXPECT_NEAR(backbone.initial_slope(), kt, eps * kt);
      EXPECT_NEAR(backbone.share(), share, eps);
      const double fs = kt * phi * (1.0 - share / (chi + 2.0)), beta = (1.0 - share) / share;
      EXPECT_NEAR(backbone.yield_force(), fs, eps * fs);
      const Law law = make_law(given);
      const LawSpec others[] = {spec("iwan4", {{"FS", fs}, {"KT", kt}, {"chi", chi}, {"beta", beta}}),
                                spec("iwan4", {{"R", p.r}, {"S", p.s}, {"phi_max", phi}, {"chi", chi}})};
      for (const LawSpec& other : others) {
        EXPECT_NEAR(iwan_distribution(other)->phi_max(), phi, eps * phi);
        EXPECT_NEAR(iwan_distribution(other)->share(), share, eps);
        EXPECT_LT(difference_along_a_walk(law, make_law(other), 1.7 * phi), 1e-12) << chi << " " << share;
      }
      Law five =
          make_law(spec("iwan5", {{"KT", kt}, {"chi", chi}, {"phi_max", phi}, {"share", share}, {"theta", 1.0}}));
      EXPECT_LT(difference_along_a_walk(law, five, 1.7 * phi), 1e-12) << chi << " " << share;
    }
  }
}

// Lacayo, Table 3.5 (N, mm): R was sampled between a tenth and all of R_max. By hand with a pocket calculator, to four
// digits: R_max = (chi+1) K_T/phi_max^(chi+1) = 2.014e7, 6.415e5, 5.662e7.
TEST(Catalogue, ShareOfTheTunedElements) {
  const auto share = [](double chi, double phi_max, double r, double kt) {
    const double s = kt - r * std::pow(phi_max, chi + 1.0) / (chi + 1.0);
    return iwan_distribution(spec("iwan4", {{"R", r}, {"S", s}, {"phi_max", phi_max}, {"chi", chi}}))->share();
  };
  EXPECT_NEAR(share(-0.418, 8.789e-4, 7.947e6, 5.7609e5), 0.3946, 5e-4);
  EXPECT_NEAR(share(-0.639, 4.346e-4, 5.199e5, 1.0865e5), 0.8104, 5e-4);
  EXPECT_NEAR(share(-0.271, 6.612e-4, 4.769e7, 3.7345e5), 0.8423, 5e-4);
}

// All of it slips at phi_max: a spring in series with a slider.
TEST(Catalogue, AnIwanElementWithoutAShareIsJenkins) {
  const Law jenkins = make_law(spec("jenkins", {{"kt", 2.0}, {"fs", 1.0}}));
  for (const char* name : {"iwan4", "iwan5"}) {
    Numbers numbers = {{"KT", 2.0}, {"chi", -0.4}, {"phi_max", 0.5}, {"share", 0.0}};
    if (std::string(name) == "iwan5") numbers.emplace_back("theta", 1.0);
    const Law law = make_law(spec(name, numbers));
    EXPECT_LT(difference_along_a_walk(law, jenkins, 2.0), 1e-14) << name;
    numbers.emplace_back("sliders", 10.0);
    EXPECT_LT(difference_along_a_walk(make_law(spec(name, numbers)), jenkins, 2.0), 1e-14) << name;
  }
}

TEST(Catalogue, BoundsTheShare) {
  const auto with = [](double share) {
    return complaint(spec("iwan4", {{"KT", 2.0}, {"chi", -0.5}, {"phi_max", 1.0}, {"share", share}}));
  };
  EXPECT_EQ(with(1.01), "share|share must be in [0, 1], got 1.01");
  EXPECT_EQ(with(-0.1), "share|share must be in [0, 1], got -0.1");
  EXPECT_EQ(complaint(spec("iwan4", {{"KT", 2.0}, {"chi", -0.5}, {"phi_max", 1.0}})),
            "share|share is missing: law \"iwan4\" takes FS, KT, chi, beta or R, S, phi_max, chi or KT, chi, phi_max, "
            "share");
  EXPECT_EQ(complaint(spec("iwan4", {{"KT", 2.0}, {"chi", -0.5}, {"phi_max", 1.0}, {"share", 0.5}, {"beta", 1.0}})),
            "beta|beta does not go with KT, chi, phi_max, share: give FS, KT, chi, beta or R, S, phi_max, chi or KT, "
            "chi, phi_max, share");
}

// Three masses: R, S and phi_max by hand in iwan4_test.cpp.
TEST(Catalogue, ConvertsIwanParameters) {
  const auto p = iwan_parameters(
      spec("iwan6", {{"FS", 10.0}, {"KT", 1.0}, {"chi", -0.5}, {"beta", 5.0}, {"Kinf", 0.3}, {"sliders", 20.0}}));
  EXPECT_NEAR(p.phi_max, 11.25, 1e-13);
  EXPECT_NEAR(p.r, 0.0248452, 5e-8);
  EXPECT_NEAR(p.s, 0.833333, 5e-7);
  EXPECT_EQ(p.residual, 0.3);
  EXPECT_EQ(p.sliders, 20);
  EXPECT_DOUBLE_EQ(p.spacing, std::exp(0.45));  // exp(9/N)
  EXPECT_EQ(p.theta, 1.0);
  EXPECT_THROW(static_cast<void>(iwan_parameters(spec("iwan4", {{"FS", -1.0}}))), LawError);
}

TEST(Catalogue, FillsThePolynomial) {
  EXPECT_EQ(polynomial_coefficients(spec("polynomial", {{"k3", 2.0}, {"k1", 5.0}})),
            (std::vector<double>{5.0, 0.0, 2.0}));
}

TEST(Catalogue, GivesDefaults) {
  EXPECT_EQ(spec("bouc_wen").number("A"), 1.0);
  EXPECT_EQ(spec("gap").number("gap"), 0.0);
  EXPECT_THROW(static_cast<void>(spec("gap").number("k")), LawError);
}

TEST(Catalogue, DescribesEveryParameter) {
  for (const auto& law : law_catalogue()) {
    EXPECT_FALSE(law.summary.empty()) << law.name;
    EXPECT_EQ(find_law(law.name), &law);
    for (const auto& key : law.keys()) {
      if (const auto* parameter = law.find(key)) {
        EXPECT_FALSE(parameter->unit.empty()) << law.name << ' ' << key;
        EXPECT_FALSE(parameter->meaning.empty()) << law.name << ' ' << key;
        EXPECT_FALSE(parameter->range().empty()) << law.name << ' ' << key;
      }
    }
  }
  EXPECT_EQ(find_law("none"), nullptr);
}

}  // namespace catalogue_test
}  // namespace microslip
