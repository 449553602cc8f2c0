#pragma once
// All built-in laws in one closed variant, and the user's own.

#include <variant>

#include "microslip/joints/bouc_wen.hpp"
#include "microslip/joints/coulomb.hpp"
#include "microslip/joints/custom_law.hpp"
#include "microslip/joints/gap.hpp"
#include "microslip/joints/iwan4.hpp"
#include "microslip/joints/iwan5.hpp"
#include "microslip/joints/iwan_sliders.hpp"
#include "microslip/joints/iwan_uniform.hpp"
#include "microslip/joints/jenkins.hpp"
#include "microslip/joints/linear.hpp"
#include "microslip/joints/masing_table.hpp"
#include "microslip/joints/piecewise_linear_spring.hpp"
#include "microslip/joints/polynomial.hpp"

namespace microslip {

using Law = std::variant<Linear<double>, Polynomial<double>, Gap<double>, PiecewiseLinearSpring<double>,
                         Jenkins<double>, Iwan4<double>, IwanSliders<double>, Iwan5<double>, Iwan5Sliders<double>,
                         IwanUniform<double>, MasingTable<double>, BoucWen<double>, Coulomb<double>, CustomLawHandle>;

namespace detail {
/// Custom laws have a contract of their own, CustomLaw.
template <class L>
constexpr bool keeps_contract_of_variant() {
  if constexpr (UsersLaw<L>) {
    return true;
  } else {
    return keeps_its_contract<L>();
  }
}
template <class... Ls>
constexpr bool all_keep_their_contract(const std::variant<Ls...>*) {
  return (keeps_contract_of_variant<Ls>() && ...);
}
static_assert(all_keep_their_contract(static_cast<const Law*>(nullptr)));
}  // namespace detail

}  // namespace microslip
