#include "unit/joints/law_suite.hpp"

#include <concepts>
#include <variant>

#include "microslip/joints/any_law.hpp"

namespace microslip {
namespace {

// Laws of straight lines have kinks; the others are smooth but for |u - u_r|^(chi+2) at a reversal.
constexpr double kinks = 1e-5;
constexpr double smooth = 1e-8;

struct LinearCase {
  static constexpr const char* name = "Linear";
  static constexpr std::array<double, 1> parameters = {3.0};
  static constexpr double scale = 0.7;
  static constexpr bool odd = true;
  static constexpr double work_tolerance = 1e-12;
  template <class T>
  static Linear<T> make(const std::array<T, 1>& p) {
    return Linear<T>(p[0]);
  }
};

struct PolynomialCase {
  static constexpr const char* name = "Polynomial";
  static constexpr std::array<double, 4> parameters = {3.0, 0.4, -0.2, 0.05};
  static constexpr double scale = 1.5;
  static constexpr bool odd = false;
  static constexpr double work_tolerance = 1e-12;
  template <class T>
  static Polynomial<T> make(const std::array<T, 4>& p) {
    return Polynomial<T>({p[0], p[1], p[2], T(0.0), p[3]});
  }
};

struct OpenGapCase {
  static constexpr const char* name = "OpenGap";
  static constexpr std::array<double, 2> parameters = {5.0, 0.3};
  static constexpr double scale = 0.8;
  static constexpr bool odd = false;
  static constexpr double work_tolerance = kinks;
  template <class T>
  static Gap<T> make(const std::array<T, 2>& p) {
    return Gap<T>(p[0], p[1]);
  }
};

struct PreloadedGapCase : OpenGapCase {
  static constexpr const char* name = "PreloadedGap";
  static constexpr std::array<double, 2> parameters = {5.0, -0.3};
};

struct PiecewiseLinearSpringCase {
  static constexpr const char* name = "PiecewiseLinearSpring";
  static constexpr std::array<double, 7> parameters = {-0.5, -0.1, 0.4, 0.6, -2.0, -1.0, 0.5};  // u, f; f4 below
  static constexpr double scale = 0.8;
  static constexpr bool odd = false;
  static constexpr double work_tolerance = kinks;
  template <class T>
  static PiecewiseLinearSpring<T> make(const std::array<T, 7>& p) {
    return PiecewiseLinearSpring<T>(std::vector<T>{p[0], p[1], p[2], p[3]},
                                    std::vector<T>{p[4], p[5], p[6], p[6] + T(1.0)});
  }
};

struct JenkinsCase {
  static constexpr const char* name = "Jenkins";
  static constexpr std::array<double, 2> parameters = {4.0, 2.0};
  static constexpr double scale = 0.5;
  static constexpr bool odd = true;
  static constexpr double work_tolerance = kinks;
  template <class T>
  static Jenkins<T> make(const std::array<T, 2>& p) {
    return Jenkins<T>(p[0], p[1]);
  }
};

struct Iwan4Case {
  static constexpr const char* name = "Iwan4";
  static constexpr std::array<double, 4> parameters = {10.0, 1.0, -0.5, 5.0};  // FS, KT, chi, beta of the three masses
  static constexpr double scale = 8.0;
  static constexpr bool odd = true;
  static constexpr double work_tolerance = kinks;  // S: all sliders at phi_max give way at once
  template <class T>
  static Iwan4<T> make(const std::array<T, 4>& p) {
    return Iwan4<T>(Iwan4Backbone<T>::from_physical(p[0], p[1], p[2], p[3]));
  }
};

struct Iwan4DistributionCase {
  static constexpr const char* name = "Iwan4Distribution";
  static constexpr std::array<double, 4> parameters = {2.0, 0.5, 1.2, 0.3};  // R, S, phi_max, chi
  static constexpr double scale = 1.0;
  static constexpr bool odd = true;
  static constexpr double work_tolerance = kinks;
  template <class T>
  static Iwan4<T> make(const std::array<T, 4>& p) {
    return Iwan4<T>(Iwan4Backbone<T>::from_distribution(p[0], p[1], p[2], p[3]));
  }
};

struct Iwan6Case {
  static constexpr const char* name = "Iwan6";
  static constexpr std::array<double, 5> parameters = {1.0, 2.0, -0.3, 0.1, 0.4};  // FS, KT, chi, beta, Kinf
  static constexpr double scale = 1.0;
  static constexpr bool odd = true;
  static constexpr double work_tolerance = kinks;
  template <class T>
  static Iwan4<T> make(const std::array<T, 5>& p) {
    return Iwan4<T>(Iwan4Backbone<T>::from_physical(p[0], p[1], p[2], p[3]), p[4]);
  }
};

struct IwanSlidersCase : Iwan4DistributionCase {
  static constexpr const char* name = "IwanSliders";
  template <class T>
  static IwanSliders<T> make(const std::array<T, 4>& p) {
    return IwanSliders<T>(slider_grid(Iwan4Backbone<T>::from_distribution(p[0], p[1], p[2], p[3]), 12, 1.3));
  }
};

struct Iwan5Case {
  static constexpr const char* name = "Iwan5";
  static constexpr std::array<double, 5> parameters = {2.0, 0.5, 1.2, 0.3, 0.7};  // R, S, phi_max, chi, theta
  static constexpr double scale = 1.0;
  static constexpr bool odd = true;
  static constexpr double work_tolerance = 1e-3;  // the force drops where S gives way: up to a piece times the drop
  template <class T>
  static Iwan5<T> make(const std::array<T, 5>& p) {
    return Iwan5<T>::from_distribution(p[0], p[1], p[2], p[3], p[4]);
  }
};

struct Iwan5SlidersCase : Iwan5Case {
  static constexpr const char* name = "Iwan5Sliders";
  template <class T>
  static Iwan5Sliders<T> make(const std::array<T, 5>& p) {
    return Iwan5Sliders<T>(slider_grid(Iwan4Backbone<T>::from_distribution(p[0], p[1], p[2], p[3]), 12, 1.3), p[4]);
  }
};

struct IwanUniformCase {
  static constexpr const char* name = "IwanUniform";
  static constexpr std::array<double, 3> parameters = {2.0, 1.5, 0.1};
  static constexpr double scale = 1.5;
  static constexpr bool odd = true;
  static constexpr double work_tolerance = smooth;
  template <class T>
  static IwanUniform<T> make(const std::array<T, 3>& p) {
    return iwan_uniform<T>(p[0], p[1], p[2]);
  }
};

struct SmoothTableCase {
  static constexpr const char* name = "SmoothTable";
  // u1..u4, f1..f4, residual
  static constexpr std::array<double, 9> parameters = {0.2, 0.5, 0.9, 1.6, 1.0, 2.0, 2.7, 3.3, 0.4};
  static constexpr double scale = 1.0;
  static constexpr bool odd = true;
  static constexpr double work_tolerance = kinks;  // the slider at the last point
  template <class T>
  static MasingTable<T> make(const std::array<T, 9>& p) {
    return masing_table<T>({p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}, Interpolation::smooth, p[8]);
  }
};

struct LinearTableCase : SmoothTableCase {
  static constexpr const char* name = "LinearTable";
  template <class T>
  static MasingTable<T> make(const std::array<T, 9>& p) {
    return masing_table<T>({p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}, Interpolation::linear, p[8]);
  }
};

struct BoucWenCase {
  static constexpr const char* name = "BoucWen";
  static constexpr std::array<double, 6> parameters = {3.0, 0.2, 1.1, 0.7, 0.3, 1.4};  // k0, alpha, A, beta, gamma, n
  static constexpr double scale = 1.0;
  static constexpr bool odd = false;  // without return-point memory the tips of the first cycles differ
  static constexpr double work_tolerance = smooth;
  template <class T>
  static BoucWen<T> make(const std::array<T, 6>& p) {
    return BoucWen<T>({p[0], p[1], p[2], p[3], p[4], p[5]});
  }
};

struct BoucWenRootCase : BoucWenCase {  // n < 1 and gamma > beta: microslip of an Iwan element with chi = -0.5
  static constexpr const char* name = "BoucWenRoot";
  static constexpr std::array<double, 6> parameters = {3.0, 0.05, 1.0, 0.3, 0.9, 0.5};
  static constexpr bool may_give_back = true;
};

struct BoucWenSharpCase : BoucWenCase {  // a sharp knee and gamma < 0
  static constexpr const char* name = "BoucWenSharp";
  static constexpr std::array<double, 6> parameters = {3.0, 0.1, 1.0, 0.9, -0.4, 6.0};
};

using Laws =
    ::testing::Types<LinearCase, PolynomialCase, OpenGapCase, PreloadedGapCase, PiecewiseLinearSpringCase, JenkinsCase,
                     Iwan4Case, Iwan4DistributionCase, Iwan6Case, IwanSlidersCase, Iwan5Case, Iwan5SlidersCase,
                     IwanUniformCase, SmoothTableCase, LinearTableCase, BoucWenCase, BoucWenRootCase, BoucWenSharpCase>;

/// Every law of the variant has a case, but a user's own, and rigid friction: its force depends on the rate and a
/// sticking force that the suite knows nothing of (springs_test.cpp, transient/events_test.cpp).
template <class L, class... Cases>
constexpr bool has_a_case(const ::testing::Types<Cases...>*) {
  constexpr bool tested = (std::same_as<L, decltype(Cases::template make<double>({}))> || ...);
  static_assert(tested || UsersLaw<L> || RigidFrictionLaw<L>, "this law has no case in the suite");
  return true;
}
template <class... Ls>
constexpr bool all_have_a_case(const std::variant<Ls...>*) {
  return (has_a_case<Ls>(static_cast<const Laws*>(nullptr)) && ...);
}
static_assert(all_have_a_case(static_cast<const Law*>(nullptr)));

}  // namespace
}  // namespace microslip

INSTANTIATE_TYPED_TEST_SUITE_P(BuiltIn, LawSuite, microslip::Laws, LawCaseName);
