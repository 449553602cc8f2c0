// The memory of the joints over a period, and its derivatives beside it (period_map.hpp).

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/periodic/followed_law.hpp"
#include "microslip/periodic/period_map.hpp"

namespace microslip {
namespace {

/// u with the derivatives that belong to chunk c, of `count` in all.
template <int Size>
Dual<Size> part_of(double u, const double* du, std::size_t count, std::size_t c) {
  Dual<Size> at(u);
  for (std::size_t i = 0; i < Size && c * Size + i < count; ++i) at.derivative[i] = du[c * Size + i];
  return at;
}

}  // namespace

template <class L>
class PeriodMap::ChunksOf final : public Chunks {
 public:
  ChunksOf(L law, double normal) : law_(std::move(law)), normal_(normal) {}
  void restart(std::size_t count) override {
    states_.assign(count, {});
    before_.assign(count, {});
  }
  [[nodiscard]] std::size_t count() const override { return states_.size(); }
  [[nodiscard]] Dual<chunk> force(std::size_t i, const Dual<chunk>& u) const override { return trial(i, u).force; }
  void move(std::size_t i, const Dual<chunk>& u) override {
    before_[i] = states_[i];
    law_.commit(states_[i], trial(i, u));
  }
  void move_again(std::size_t i, const Dual<chunk>& u) override {
    states_[i] = before_[i];
    law_.commit(states_[i], trial(i, u));
  }

 private:
  [[nodiscard]] typename L::Trial trial(std::size_t i, const Dual<chunk>& u) const {
    JointInput<Dual<chunk>> input;
    input.u = u;
    input.normal = normal_;
    return law_.evaluate(states_[i], input);
  }

  L law_;
  double normal_;  ///< load of the joint
  std::vector<typename L::State> states_, before_;
};

/// A joint that has not moved: see require_shooting.
PeriodMap::Track PeriodMap::track_of(int j) const {
  const Joint& joint = system_->joints()[static_cast<std::size_t>(j)];
  Track track;
  track.joint = j;
  std::visit(
      [&]<class L>(const L& law) {
        if constexpr (FollowedLaw<L>) {
          track.memory = L::memory;
          track.residual = law.slipped_stiffness();
          if constexpr (MasingLaw<L>) track.yield = law.max_slider_strength();
          if constexpr (FadingLaw<L>) track.z_stiffness = law.z_stiffness();
          if constexpr (SliderLaw<L>) {
            using ChunkLaw = decltype(law.template with_scalar<Dual<chunk>>());
            track.chunks = std::make_unique<ChunksOf<ChunkLaw>>(law.template with_scalar<Dual<chunk>>(),
                                                                joint.normal.static_value());
          }
        }
      },
      joint.law);
  return track;
}

/// Reversals to go through: from the outermost to the last, of sliders three times more.
std::vector<std::size_t> PeriodMap::path_through(const std::vector<double>& reversals, MemoryKind memory) {
  std::vector<std::size_t> path;
  std::size_t outermost = 0;
  for (std::size_t i = 1; i < reversals.size(); ++i) {  // of equal ones the last: the path is shortest
    if (std::abs(reversals[i]) >= std::abs(reversals[outermost]) * (1.0 - 1e-12)) outermost = i;
  }
  for (std::size_t i = outermost; i < reversals.size(); ++i) path.push_back(i);
  for (int cycle = 0; cycle < 3 && memory == MemoryKind::sliders; ++cycle) {
    for (std::size_t i = 0; i < reversals.size(); ++i) path.push_back(i);
  }
  return path;
}

void PeriodMap::restart(Track& track) const {
  const auto parameters = static_cast<std::size_t>(parameters_);
  for (Row* row : {&track.du, &track.df, &track.dcenter, &track.dz, &track.memory_part, &track.start})
    row->assign(parameters, 0.0);
  track.u = track.f = track.k = track.center = 0.0;
  track.direction = 0;
  track.drifts = false;
  track.stack.clear();
  track.period.clear();
  if (track.chunks) track.chunks->restart((parameters + chunk - 1) / chunk);
}

/// z of the joints whose memory fades, at u0.
void PeriodMap::start_fading(const PeriodState& from, const Eigen::VectorXd& u0) {
  std::size_t z = 0;
  for (std::size_t j = 0; j < tracks_.size(); ++j) {
    Track& track = tracks_[j];
    if (track.memory != MemoryKind::fading) continue;
    if (varying_) track.dz[static_cast<std::size_t>(from.d.size() + from.v.size()) + z] = 1.0;
    memory_.visit_open(track.joint, [&]<class L>(const L&, typename L::State& state) {
      if constexpr (FadingLaw<L>) {
        state.u = u0(static_cast<Eigen::Index>(j));
        state.z = from.z[z];
      }
    });
    ++z;
  }
}

/// Drives the joints from rest to their outermost reversal and on to the last.
void PeriodMap::start_memory(const PeriodState& from, const Eigen::VectorXd& u0) {
  memory_ = system_->initial_memory();
  const std::size_t joints = tracks_.size();
  std::vector<std::size_t> parameter(joints, 0);
  std::vector<std::vector<std::size_t>> path(joints);
  std::size_t longest = 0, at = static_cast<std::size_t>(from.d.size() + from.v.size()) + from.z.size();
  for (std::size_t j = 0; j < joints; ++j) {
    parameter[j] = at;
    at += from.reversals[j].size();
    path[j] = path_through(from.reversals[j], tracks_[j].memory);
    longest = std::max(longest, path[j].size());
    restart(tracks_[j]);
  }
  start_fading(from, u0);
  JointResponse response = memory_.make_response();
  std::vector<double> u(joints, 0.0), zero(joints, 0.0);
  for (std::size_t j = 0; j < joints; ++j) {
    if (tracks_[j].memory == MemoryKind::fading) u[j] = u0(static_cast<Eigen::Index>(j));
  }
  Row unit(static_cast<std::size_t>(parameters_), 0.0);
  for (std::size_t i = 0; i < longest; ++i) {
    for (std::size_t j = 0; j < joints; ++j) {
      if (i < path[j].size()) u[j] = from.reversals[j][path[j][i]];
    }
    memory_.evaluate(u.data(), zero.data(), 0.0, response);
    memory_.commit();
    for (std::size_t j = 0; j < joints; ++j) {
      if (i >= path[j].size()) continue;
      const std::size_t p = parameter[j] + path[j][i];
      if (varying_) unit[p] = 1.0;
      follow(tracks_[j], u[j], response.stiffness[j], false);
      settle(tracks_[j], u[j], response.stiffness[j], unit.data());
      if (varying_) unit[p] = 0.0;
    }
  }
}

void PeriodMap::follow(Track& track, double u, double k, bool in_period) {
  const Eigen::Index count = varying_ ? parameters_ : 0;
  Row& part = track.memory_part;
  if (track.memory == MemoryKind::none) return;
  if (track.memory == MemoryKind::fading) {
    if (count == 0) return;
    // z1 = Z(z0, u1 - u0): dz1 = slope (du1 - du0) + gain dz0; z_stiffness of it is force.
    const auto j = static_cast<std::size_t>(&track - tracks_.data());
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i] = track.z_stiffness * (gains_[j] * track.dz[i] - slopes_[j] * track.du[i]);
    }
    return;
  }
  const int direction = u > track.u ? 1 : u < track.u ? -1 : track.direction;
  track.turned = direction != track.direction && track.direction != 0;
  if (track.turned) {
    track.stack.push_back({track.u, track.du, track.df});
    if (in_period && varying_ && turns_ == Turns::between_nodes) move_to_turn(track, track.stack.back());
    if (in_period) track.period.push_back(track.stack.back());
  }
  track.direction = direction;
  if (track.memory == MemoryKind::sliders) {
    track.stack.clear();
    follow_chunks(track, u);
    return;
  }
  const auto passed = [&](double at) { return direction > 0 ? u >= at : u <= at; };
  bool closes = false;
  while (track.stack.size() >= 2 && passed(track.stack[track.stack.size() - 2].u)) {
    track.start = track.stack[track.stack.size() - 2].du;
    closes = true;
    track.stack.resize(track.stack.size() - 2);
  }
  if (track.stack.size() == 1 && passed(2.0 * track.center - track.stack[0].u)) track.stack.clear();
  track.drifts = track.stack.empty() && std::abs(u - track.center) > track.yield;
  if (track.stack.empty()) {
    for (Eigen::Index i = 0; i < count; ++i) part[i] = -(k - track.residual) * track.dcenter[i];
  } else {
    const Reversal& from = track.stack.back();
    for (Eigen::Index i = 0; i < count; ++i) part[i] = from.df[i] - k * from.du[i];
  }
  if (!closes && turns_ == Turns::between_nodes) {
    track.start = track.stack.empty() ? track.dcenter : track.stack.back().du;
  }
}

/// The derivatives at a reversal at the node before, taken along to where the velocity is zero: by s, linear between
/// the nodes of this step, which may lie before it.
///   du_r = du + s du',   dF_r = dF + k s du'
void PeriodMap::move_to_turn(Track& track, Reversal& reversal) {
  const Eigen::Index j = &track - tracks_.data();
  const double before = joint_rate(j, next_, node_ - 1), after = joint_rate(j, now_, node_);
  const double s = before == after ? 0.0 : std::clamp(before / (before - after), -1.0, 1.0) * step_;
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    const double factor = s * (*psi_)(i, j), *rate = dv_.col(i).data();
    for (std::size_t p = 0; p < reversal.du.size(); ++p) {
      reversal.du[p] += factor * rate[p];
      reversal.df[p] += track.k * factor * rate[p];
    }
  }
  if (track.drifts) track.dcenter = reversal.du;
  if (track.memory == MemoryKind::sliders) {
    for (std::size_t c = 0; c < track.chunks->count(); ++c)
      track.chunks->move_again(c, part_of<chunk>(track.u, reversal.du.data(), reversal.du.size(), c));
  }
}

/// Where the slope changes inside a step, at a stop, where all sliders begin to slip or where a loop closes, the force
/// of a disturbance jumps there, and the line between its ends takes the jump for one in the middle. What this leaves
/// of the impulse, with the mean slope of the step:
///   h [(F_1 - F_0)/(u_1 - u_0) - (k_0 + k_1)/2] (du - du_r)
void PeriodMap::pass_corners(const Track& track, double u, double f, double k, const double* du) {
  constexpr double smooth = 1e-3;  // of the slopes: second order, also where it is left
  const double excess = (f - track.f) / (u - track.u) - 0.5 * (k + track.k);
  if (!(std::abs(excess) > smooth * std::max(std::abs(k), std::abs(track.k)))) return;
  const Eigen::Index j = &track - tracks_.data();
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    const double factor = step_ * excess * (*psi_)(i, j);
    double* rate = dv_.col(i).data();
    for (std::size_t p = 0; p < track.du.size(); ++p)
      rate[p] -= factor * (0.5 * (track.du[p] + du[p]) - track.start[p]);
  }
}

void PeriodMap::settle(Track& track, double u, double k, const double* du) {
  const auto index = static_cast<std::size_t>(&track - tracks_.data());
  const double f = equation_.response().force[index];
  const bool of_curve = track.memory == MemoryKind::none || track.memory == MemoryKind::reversals;
  if (varying_ && turns_ == Turns::between_nodes && node_ > 0 && of_curve && !track.turned &&
      equation_.response().damping[index] == 0.0) {
    pass_corners(track, u, f, k, du);
  }
  track.u = u;
  track.f = f;
  track.k = k;
  if (track.drifts) track.center = u > track.center ? u - track.yield : u + track.yield;
  if (!varying_) return;
  if (track.memory == MemoryKind::fading) {
    const auto j = static_cast<std::size_t>(&track - tracks_.data());
    for (std::size_t i = 0; i < track.dz.size(); ++i) {
      track.dz[i] = slopes_[j] * (du[i] - track.du[i]) + gains_[j] * track.dz[i];
    }
  }
  if (track.memory == MemoryKind::sliders) settle_chunks(track, u, du);
  for (std::size_t i = 0; i < track.du.size(); ++i) {
    track.du[i] = du[i];
    track.df[i] = k * du[i] + track.memory_part[i];
  }
  if (track.drifts) track.dcenter = track.du;
}

/// The force at a given u, whose derivatives are those of the memory alone.
void PeriodMap::follow_chunks(Track& track, double u) {
  for (std::size_t c = 0; c < track.chunks->count(); ++c) {
    const Dual<chunk> force = track.chunks->force(c, Dual<chunk>(u));
    for (std::size_t i = 0; i < chunk && c * chunk + i < track.memory_part.size(); ++i) {
      track.memory_part[c * chunk + i] = force.derivative[i];
    }
  }
}

void PeriodMap::settle_chunks(Track& track, double u, const double* du) {
  for (std::size_t c = 0; c < track.chunks->count(); ++c)
    track.chunks->move(c, part_of<chunk>(u, du, track.du.size(), c));
}

/// How joints whose memory fades pass their z on over the step, from where it begins. Where they turn in the step, by
/// the share theta of it, dz = theta g_old du + (1 - theta) g_new du; the step itself knows the direction of its ends
/// alone, and the other one is that of a step back.
void PeriodMap::set_gains() {
  for (std::size_t j = 0; j < tracks_.size(); ++j) {
    if (tracks_[j].memory != MemoryKind::fading) continue;
    memory_.visit(tracks_[j].joint, [&]<class L>(const L& law, const typename L::State& state) {
      if constexpr (FadingLaw<L>) {
        const double normal = system_->joints()[j].normal.static_value();
        const auto trial = law.evaluate(state, {equation_.deflection()[j], 0.0, 0.0, normal});
        gains_[j] = trial.gain;
        slopes_[j] = trial.slope;
        if (turns_ == Turns::at_nodes) return;
        const auto column = static_cast<Eigen::Index>(j);
        const double before = joint_rate(column, now_, node_ - 1), after = joint_rate(column, next_, node_);
        if (!(before * after < 0.0)) return;
        const double u = equation_.deflection()[j], theta = before / (before - after);
        const double mirrored = law.evaluate(state, {2.0 * state.u - u, 0.0, 0.0, normal}).slope;
        const bool as_after = (u > state.u) == (after > 0.0);
        slopes_[j] =
            as_after ? theta * mirrored + (1.0 - theta) * trial.slope : theta * trial.slope + (1.0 - theta) * mirrored;
      }
    });
  }
}

}  // namespace microslip
