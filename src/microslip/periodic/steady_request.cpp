#include "microslip/periodic/steady_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace microslip {
namespace {

void require_request(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("steady vibration: " + what);
}

void check_level(double level) {
  require_request(level != 0.0 && std::isfinite(level), fmt::format("level must be finite and not 0, got {:g}", level));
}

void check_omega(double omega) {
  require_request(omega > 0.0 && std::isfinite(omega), fmt::format("omega must be finite and > 0, got {:g}", omega));
}

void check_range(double from, double to) {
  check_omega(from);
  check_omega(to);
  require_request(from != to, fmt::format("omega must go from one value to another, got {:g} twice", from));
}

void check_asked(const OverFrequency& asked) {
  check_level(asked.level);
  check_range(asked.from, asked.to);
}

void check_asked(const ThroughFrequency& asked) {
  check_level(asked.level);
  check_range(asked.from, asked.to);
  const auto [low, high] = std::minmax(asked.from, asked.to);
  require_request(asked.omega >= low && asked.omega <= high,
                  fmt::format("omega = {:g} is not between {:g} and {:g}", asked.omega, low, high));
}

void check_asked(const OverLevel& asked) {
  check_omega(asked.omega);
  check_level(asked.from);
  check_level(asked.to);
  require_request((asked.from > 0.0) == (asked.to > 0.0) && asked.from != asked.to,
                  fmt::format("levels must go from one value to another of the same sign, got {:g} and {:g}",
                              asked.from, asked.to));
}

void check_asked(const AtFrequencies& asked) {
  check_level(asked.level);
  for (const double omega : asked.omegas) check_omega(omega);
}

}  // namespace

void check_request(const SteadyRequest& request) {
  std::visit([](const auto& asked) { check_asked(asked); }, request);
}

}  // namespace microslip
