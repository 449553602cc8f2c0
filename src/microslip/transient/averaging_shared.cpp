#include "microslip/transient/averaging_shared.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "microslip/joints/driven_joint.hpp"

namespace microslip::averaging {
namespace {

double deflection(const ModeAt& at, std::size_t joint) {
  return std::abs(at.mode->parts()[joint].direction) * at.amplitude;
}

/// Power that the joints take from a mode that moves alone.
double joint_power(const ModeAt& at, double omega) {
  double power = 0.0;
  for (std::size_t j = 0; j < at.mode->parts().size(); ++j) {
    const double u = deflection(at, j);
    power += 0.5 * omega * u * u * at.mode->parts()[j].law.at(u).loss;
  }
  return power;
}

/// `powers`: what the joints take from each mode when all move.
LossLeftOut compared(std::span<const ModeAt> modes, std::span<const double> powers, AveragingForm form) {
  LossLeftOut left_out;
  double all = 0.0, more = 0.0, most = 0.0;
  for (std::size_t r = 0; r < modes.size(); ++r) {
    const AveragedMode::Rates rates = modes[r].mode->rates(modes[r].amplitude, form);
    const double speed = rates.omega * modes[r].amplitude;
    const double told = rates.zeta_forced * rates.omega * speed * speed;  // linear damping with it
    const double extra = powers[r] - joint_power(modes[r], rates.omega);
    all += told;
    more += extra;
    if (std::abs(extra) <= most) continue;
    most = std::abs(extra);
    left_out.mode = static_cast<int>(r);
    left_out.of_mode = told > 0.0 ? extra / told : 0.0;
  }
  left_out.share = all > 0.0 ? more / all : 0.0;
  return left_out;
}

/// Visibly, of all that moves the joint.
bool moves(const ModeAt& at, std::size_t joint, std::span<const double> joint_amplitudes) {
  constexpr double seen = 1e-3;
  return deflection(at, joint) > seen * joint_amplitudes[joint];
}

bool moves_any(const ModeAt& at, std::span<const double> joint_amplitudes) {
  for (std::size_t j = 0; j < joint_amplitudes.size(); ++j) {
    if (moves(at, j, joint_amplitudes)) return true;
  }
  return false;
}

/// What a mode does to a joint: u cos(omega t), turned on step by step.
struct MovingShape {
  std::size_t mode;
  double omega, u = 0.0;
  std::complex<double> turn = 1.0;  ///< e^(i omega t)
};

/// Least difference of two frequencies that move the same joint, at most `largest`.
double slowest_beat(std::span<const ModeAt> modes, std::span<const MovingShape> moving,
                    std::span<const double> joint_amplitudes, double largest) {
  double least = largest;
  for (std::size_t j = 0; j < joint_amplitudes.size(); ++j) {
    for (std::size_t r = 0; r < moving.size(); ++r) {
      if (!moves(modes[moving[r].mode], j, joint_amplitudes)) continue;
      for (std::size_t s = 0; s < r; ++s) {
        if (!moves(modes[moving[s].mode], j, joint_amplitudes)) continue;
        least = std::min(least, std::abs(moving[r].omega - moving[s].omega));
      }
    }
  }
  return least;
}

struct WalkLength {
  double steps = 0.0, step = 0.0;  ///< 0 steps: too many
};

/// Through each joint. `moving`: two or more.
WalkLength walk_length(std::span<const ModeAt> modes, std::span<const MovingShape> moving,
                       std::span<const double> joint_amplitudes) {
  constexpr double points = 40.0;                          // of a period of the fastest
  constexpr double periods = 60.0, fewest_periods = 10.0;  // of the slowest
  constexpr double beats = 3.0;                            // the main lobe of the window ends at 2
  constexpr double most_work = 1e8;                        // of steps, modes and joints: some seconds
  const auto by_omega = [](const MovingShape& a, const MovingShape& b) { return a.omega < b.omega; };
  const auto [slowest, fastest] = std::minmax_element(moving.begin(), moving.end(), by_omega);
  const double needed =
      std::max(fewest_periods, beats * slowest->omega / slowest_beat(modes, moving, joint_amplitudes, slowest->omega));
  const double a_period = points * fastest->omega / slowest->omega;
  const double affordable = most_work / (a_period * static_cast<double>(moving.size() * joint_amplitudes.size()));
  if (!(needed <= affordable)) return {};
  const double length = std::min(std::max(periods, needed), affordable);
  return {std::round(a_period * length), 2.0 * std::numbers::pi / (points * fastest->omega)};
}

/// Adds the power that the joint takes from each of them to `powers`, one a mode.
void walk(const Law& law, double stuck_stiffness, double steps, double step, std::span<MovingShape> moving,
          std::span<double> powers) {
  std::vector<std::complex<double>> a_step;
  for (MovingShape& shape : moving) {
    a_step.push_back(std::polar(1.0, shape.omega * step));
    shape.turn = 1.0;
  }
  DrivenJoint joint(law);
  for (double i = 0.0; i <= steps; ++i) {
    double u = 0.0, v = 0.0;
    for (const MovingShape& shape : moving) {
      u += shape.u * shape.turn.real();
      v -= shape.u * shape.omega * shape.turn.imag();
    }
    joint.move_to(u, v, i * step);
    const double window = (1.0 - std::cos(2.0 * std::numbers::pi * i / steps)) / steps;
    const double slip = window * (joint.force() - stuck_stiffness * u);
    for (std::size_t r = 0; r < moving.size(); ++r) {
      powers[moving[r].mode] -= slip * moving[r].u * moving[r].omega * moving[r].turn.imag();
      moving[r].turn *= a_step[r];
    }
  }
}

}  // namespace

std::vector<double> joint_amplitudes(std::span<const ModeAt> modes) {
  std::vector<double> sums(modes.front().mode->parts().size(), 0.0);
  for (const ModeAt& at : modes) {
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += deflection(at, j);
  }
  return sums;
}

int slipping_joint(std::span<const ModeAt> modes, std::span<const double> joint_amplitudes) {
  const auto& parts = modes.front().mode->parts();
  for (std::size_t j = 0; j < parts.size(); ++j) {
    if (joint_amplitudes[j] > parts[j].law.macroslip()) return static_cast<int>(j);
  }
  return -1;
}

LossLeftOut estimated_loss_left_out(std::span<const ModeAt> modes, std::span<const double> joint_amplitudes,
                                    AveragingForm form) {
  std::vector<double> powers;
  for (const ModeAt& at : modes) {
    const double omega = at.mode->rates(at.amplitude, form).omega;
    double power = 0.0;
    for (std::size_t j = 0; j < joint_amplitudes.size(); ++j) {
      const double u = deflection(at, j);
      power += 0.5 * omega * u * u * at.mode->parts()[j].law.at(joint_amplitudes[j]).loss;
    }
    powers.push_back(power);
  }
  return compared(modes, powers, form);
}

LossLeftOut walked_loss_left_out(const System& system, std::span<const ModeAt> modes,
                                 std::span<const double> joint_amplitudes, AveragingForm form) {
  std::vector<double> powers;
  std::vector<MovingShape> moving;
  for (std::size_t r = 0; r < modes.size(); ++r) {
    const double omega = modes[r].mode->rates(modes[r].amplitude, form).omega;
    powers.push_back(joint_power(modes[r], omega));
    if (!moves_any(modes[r], joint_amplitudes)) continue;
    moving.push_back({r, omega});
    powers[r] = 0.0;
  }
  if (moving.size() < 2) return {};
  const WalkLength length = walk_length(modes, moving, joint_amplitudes);
  if (length.steps == 0.0) return estimated_loss_left_out(modes, joint_amplitudes, form);
  for (std::size_t j = 0; j < joint_amplitudes.size(); ++j) {
    for (MovingShape& shape : moving) {
      const ModeAt& at = modes[shape.mode];
      shape.u = at.mode->parts()[j].direction * at.amplitude;
    }
    const auto joint = static_cast<Eigen::Index>(j);
    walk(system.joints()[j].law, system.stuck_joint_stiffness()(joint, joint), length.steps, length.step, moving,
         powers);
  }
  LossLeftOut left_out = compared(modes, powers, form);
  left_out.walked = true;
  return left_out;
}

}  // namespace microslip::averaging
