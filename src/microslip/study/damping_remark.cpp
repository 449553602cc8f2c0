#include "microslip/study/damping_remark.hpp"

#include <fmt/format.h>

#include <variant>

namespace microslip {

std::string damping_remark(const System& system) {
  if (system.empty()) return "";
  if (!std::holds_alternative<ModalDamping>(system.structure().damping())) return "";
  const Eigen::VectorXd ratios = system.damping_ratios();
  const Modes& modes = system.stuck_modes();
  int overdamped = 0;
  Eigen::Index first = 0;
  for (Eigen::Index i = modes.rigid; i < ratios.size(); ++i) {
    if (!(ratios(i) >= 1.0)) continue;
    if (overdamped++ == 0) first = i;
  }
  if (overdamped == 0) return "";
  return fmt::format(
      "mode {}{} has the damping ratio {:g} and does not vibrate: ratios are shares of critical damping, 2 % is 0.02",
      first + 1, overdamped > 1 ? fmt::format(" (and {} more)", overdamped - 1) : "", ratios(first));
}

}  // namespace microslip
