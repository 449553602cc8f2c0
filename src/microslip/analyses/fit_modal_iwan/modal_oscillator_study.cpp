#include "microslip/analyses/fit_modal_iwan/modal_oscillator_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

double stuck_omega(const ModalOscillator& oscillator) {
  return std::sqrt(oscillator.parameters.k_inf + oscillator.parameters.k_t);
}

/// One line: remarks must not end the comment.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

std::string structure(const std::vector<ModalOscillator>& oscillators) {
  std::string masses, labels, springs, damping;
  for (const ModalOscillator& o : oscillators) {
    const char* comma = masses.empty() ? "" : ", ";
    masses += fmt::format("{}1.0", comma);
    labels += fmt::format("{}\"mode{}\"", comma, o.mode);
    springs += fmt::format("  [\"ground\", \"mode{}\", {:.17g}],    # Kinf\n", o.mode, o.parameters.k_inf);
    damping += fmt::format("{}{:.17g}", comma, o.parameters.zeta0);
  }
  return fmt::format(
      "[structure]\nkind    = \"lumped\"\nmasses  = [{}]    # modal: q in sqrt(mass) length\nlabels  = [{}]\n"
      "springs = [\n{}]\ndamping = {{ modal = [{}] }}    # zeta0 of the stuck modes\n",
      masses, labels, springs, damping);
}

std::string joint(const ModalOscillator& o) {
  return fmt::format(
      "{}[[joint]]\nname    = \"mode{}\"\nbetween = [\"ground\", \"mode{}\"]\nlaw     = \"iwan4\"\nFS      = {:.17g}\n"
      "KT      = {:.17g}\nchi     = {:.17g}\nbeta    = {:.17g}\n",
      o.remark.empty() ? "" : fmt::format("# {}\n", one_line(o.remark)), o.mode, o.mode, o.parameters.f_s,
      o.parameters.k_t, o.parameters.chi, o.parameters.beta);
}

/// Half a sine of half the stuck period and amplitude p leaves a stuck oscillator with q = pi p/(2 omega0^2).
std::string load(const ModalOscillator& o) {
  const double omega = stuck_omega(o);
  return fmt::format(
      "[[load]]\nname   = \"mode{}\"\nat     = \"mode{}\"\nsignal = {{ kind = \"half_sine\", amplitude = {:.6g}, "
      "duration "
      "= {:.6g} }}\n",
      o.mode, o.mode, o.q_high * 2.0 * omega * omega / pi, pi / omega);
}

/// `number`: of the stuck mode, from 1.
std::string analyses(const ModalOscillator& o, std::size_t number) {
  const ModalIwanModel<double> model(o.parameters);
  const double period = two_pi / stuck_omega(o);
  return fmt::format(
      "[[analysis]]\nkind  = \"qsma\"\nname  = \"qsma-mode{}\"\nmode  = {}\nalpha = [{:.6g}, {:.6g}]\n\n"
      "[[analysis]]\nkind       = \"ringdown\"\nname       = \"ring-mode{}\"\nload       = \"mode{}\"\nmode       = "
      "{}\n"
      "duration   = {:.6g}\nstep       = {:.6g}\nintegrator = \"modal_exact\"\n",
      o.mode, number, model.alpha(o.q_low), model.alpha(o.q_high), o.mode, o.mode, number, 200.0 * period,
      period / 100.0);
}

}  // namespace

std::string modal_oscillator_study(std::vector<ModalOscillator> oscillators, const std::string& origin) {
  // The list of damping ratios follows the stuck modes, which are in order of frequency.
  std::stable_sort(oscillators.begin(), oscillators.end(),
                   [](const ModalOscillator& a, const ModalOscillator& b) { return stuck_omega(a) < stuck_omega(b); });
  std::string text = fmt::format(
      "# Uncoupled modal oscillators, q'' + 2 zeta0 omega0 q' + Kinf q + F_iwan(q) = p, fitted to {}.\n\n"
      "title = \"Modal Iwan oscillators\"\n\n",
      one_line(origin));
  text += structure(oscillators);
  for (const ModalOscillator& o : oscillators) text += fmt::format("\n{}", joint(o));
  for (const ModalOscillator& o : oscillators) text += fmt::format("\n{}", load(o));
  text += "\n[[analysis]]\nkind = \"modes\"\n";
  for (std::size_t i = 0; i < oscillators.size(); ++i) text += fmt::format("\n{}", analyses(oscillators[i], i + 1));
  return text;
}

}  // namespace microslip
