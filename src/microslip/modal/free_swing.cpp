#include "microslip/modal/free_swing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "microslip/joints/law_traits.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/gauss_legendre.hpp"

namespace microslip {

FreeSwing::FreeSwing(const QuasiStaticMode& mode, double tolerance, int max_iterations, int steps)
    : path_(mode, tolerance, max_iterations), damping_(mode.damping), steps_(steps) {
  points_.reserve(static_cast<std::size_t>(4 * steps + 2));
  const GaussRule rule = gauss_legendre(static_cast<int>(nodes_.size()));
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double half_sine = std::sin(0.5 * pi * rule.node[i]);
    nodes_[i] = {half_sine * half_sine, 0.5 * pi * std::sin(pi * rule.node[i]) * rule.weight[i]};
  }
  for (const Joint& joint : mode.system->joints()) {
    std::visit(
        [&]<class L>(const L& law) {
          if constexpr (SliderLaw<L>) overshoot_ = std::max(overshoot_, law.decay_reach());
        },
        joint.law);
    fades_ = fades_ || memory_fades(joint.law);
    sides_alike_ = sides_alike_ && std::visit([](const auto& law) { return law.is_odd(); }, joint.law);
  }
}

/// A displacement that Newton does not reach at once is reached in halves.
bool FreeSwing::go_to(double q) {
  constexpr int most_halvings = 12;
  int halvings = 0;
  while (path_.committed().q != q) {
    const double left = q - path_.committed().q;
    const double next = halvings == 0 ? q : path_.committed().q + std::ldexp(left, -halvings);
    if (next != path_.committed().q && path_.try_displacement(next)) {
      path_.commit();
      halvings = std::max(halvings - 1, 0);
    } else if (++halvings > most_halvings) {
      return false;
    }
  }
  return true;
}

bool FreeSwing::raise(double q) {
  const int parts = std::max(1, steps_ / 4);
  const double from = path_.committed().q;
  for (int i = 1; i <= parts; ++i) {
    if (!go_to(i == parts ? q : from + (q - from) * i / parts)) return false;
  }
  return true;
}

/// To `start` as a motion comes that decays about `centre`.
bool FreeSwing::shrink_to(double start, double centre) {
  constexpr int half_cycles = 12;
  const double amplitude = start - centre;
  for (int k = 0; k <= half_cycles; ++k) {
    const double size = amplitude * std::pow(overshoot_, 1.0 - static_cast<double>(k) / half_cycles);
    if (k > 0) path_.turn();
    if (!raise(k == half_cycles ? start : centre + (k % 2 == 0 ? size : -size))) return false;
  }
  return true;
}

/// Of Hermite's cubic over the first `share` of the step.
double FreeSwing::work(const Point& from, const Point& to, double share) {
  const double h = to.way - from.way;
  const double c1 = h * from.slope;
  const double c2 = 3.0 * (to.force - from.force) - h * (2.0 * from.slope + to.slope);
  const double c3 = 2.0 * (from.force - to.force) + h * (from.slope + to.slope);
  return h * share * (from.force + share * (c1 / 2.0 + share * (c2 / 3.0 + share * c3 / 4.0)));
}

/// v is smooth in phi, share = sin^2(phi/2), also where it starts or ends at rest. What is lost within the step, little
/// beside K, counts as if it grew with the way; each round makes it better by c times the time of the step.
double FreeSwing::kinetic(const Point& from, const Point& to, double share) const {
  constexpr int rounds = 4;
  double lost = 0.0;
  for (int round = 0; round < rounds && damping_ > 0.0; ++round) {
    double sum = 0.0;
    for (const Node& node : nodes_) {
      sum += node.weight * std::sqrt(std::max(from.kinetic - work(from, to, node.at * share) - node.at * lost, 0.0));
    }
    lost = damping_ * std::sqrt(2.0) * share * (to.way - from.way) * sum;
  }
  return from.kinetic - work(from, to, share) - lost;
}

FreeSwing::Point FreeSwing::point_at(double way, double sign) const {
  // On the way down the force alpha > 0 pulls along, and falls with the slope of the tangent.
  return {way, -sign * path_.committed().alpha, path_.committed().tangent, 0.0};
}

/// Hermite's cubic may take the step unless a corner lies within. There the mean slope is not that between the ends,
/// and the work is wrong by about their difference.
bool FreeSwing::resolves(const Point& from, const Point& to) const {
  constexpr double tolerance = 1e-6, shortest = 1e-4;  // of the kinetic energy halfway; of the length
  const double h = to.way - from.way;
  const double velocity = 4.0 * expected_.action / (pi * expected_.length);
  const double doubt = h * std::abs(to.force - from.force - 0.5 * h * (from.slope + to.slope));
  return doubt <= tolerance * velocity * velocity || h <= shortest * expected_.length;
}

FreeSwing::Swing FreeSwing::swing(const Swing& expected) {
  Swing result;
  const double tip = path_.committed().q;
  const double sign = path_.committed().alpha > 0.0 ? 1.0 : -1.0;
  expected_ = expected;
  path_.turn();
  points_.assign(1, point_at(0.0, sign));
  int step = 1;
  double way = 0.0;  // the next one
  for (int tries = 0; tries < 40 * steps_; ++tries) {
    const Point from = points_.back();
    const double target = step < steps_ ? 0.5 * expected_.length * (1.0 - std::cos(pi * step / steps_))
                                        : expected_.length * (1.0 + static_cast<double>(step - steps_) / steps_);
    if (!(way > from.way)) way = target;
    if (!path_.try_displacement(tip - sign * way)) {
      way = 0.5 * (from.way + way);
      if (!(way - from.way > 1e-9 * expected_.length)) return result;
      continue;
    }
    Point to{way, -sign * path_.trial().alpha, path_.trial().tangent, 0.0};
    if (!resolves(from, to)) {
      way = 0.5 * (from.way + way);
      continue;
    }
    to.kinetic = kinetic(from, to, 1.0);
    if (to.kinetic > 0.0) {
      path_.commit();
      points_.push_back(to);
      if (way == target) ++step;
      continue;
    }
    // It comes to rest within the step.
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 50; ++k) {
      const double share = 0.5 * (low + high);
      (kinetic(from, to, share) > 0.0 ? low : high) = share;
    }
    way = from.way + low * (to.way - from.way);
    if (tip - sign * way != path_.committed().q) {  // else it was at rest there
      if (!go_to(tip - sign * way)) return result;
      points_.push_back(point_at(way, sign));
    }
    if (points_.size() < 2) return result;
    result.ended = true;
    result.length = way;
    time(result);
    return result;
  }
  return result;
}

void FreeSwing::time(Swing& swing) const {
  const int nodes = 2 * steps_;
  const double length = swing.length;
  std::size_t segment = 0;
  for (int i = 0; i < nodes; ++i) {
    const double half_sine = std::sin(0.5 * pi * (i + 0.5) / nodes);
    const double way = length * half_sine * half_sine;
    while (segment + 2 < points_.size() && points_[segment + 1].way < way) ++segment;
    const Point& from = points_[segment];
    const Point& to = points_[segment + 1];
    const double share = (way - from.way) / (to.way - from.way);
    const double slide = std::sqrt(way * (length - way));  // |dq/d theta|
    const double velocity = std::sqrt(2.0 * std::max(kinetic(from, to, share), 0.0));
    swing.time += slide / velocity * pi / nodes;
    swing.action += slide * velocity * pi / nodes;
  }
}

/// The decay of the last swings from rest at `start`.
FreeDecay FreeSwing::decay_from(const ModalEquilibrium& tip, double start, double amplitude, Plan plan) {
  FreeDecay result;
  path_.continue_from(tip);
  const bool at_start = overshoot_ > 1.0 ? shrink_to(start, tip.committed().q - amplitude) : raise(start);
  if (!at_start) return result;
  const int count = plan.swings;
  for (int k = 0; k < count; ++k) {
    swings_[k] = swing(swings_[k]);
    if (!swings_[k].ended) return result;
  }
  const Swing& last = swings_[count - 1];
  const Swing& middle = swings_[count - 2];
  double from = 0.0, to = last.length, swings = 2.0, time = 0.0;  // lengths, what lies between them, of two swings
  switch (plan.compared) {
    case Compared::neighbours:
      from = middle.length;
      swings = 1.0;
      time = middle.time + last.time;
      break;
    case Compared::every_other:
      from = swings_[count - 3].length;
      time = middle.time + 0.5 * (swings_[count - 3].time + last.time);
      break;
    case Compared::pairs:
      from = 0.5 * (swings_[count - 4].length + swings_[count - 3].length);
      to = 0.5 * (middle.length + last.length);
      time = swings_[count - 3].time + middle.time;
      break;
  }
  const double decrement = std::log(from / to) / swings;
  result.amplitude = 0.5 * std::sqrt(from * to);
  result.omega = two_pi / time;
  result.zeta = decrement / std::hypot(pi, decrement);
  constexpr double rounding =
      1e-9;  // joints and dampers only take; after a shake-down a middle that shifts may seem to give
  result.converged = std::isfinite(result.omega) && result.omega > 0.0 && result.zeta >= -rounding;
  return result;
}

namespace {

/// `found` moved to `amplitude` along the line through `other`.
FreeDecay moved(FreeDecay found, const FreeDecay& other, double amplitude) {
  const double share = (amplitude - found.amplitude) / (found.amplitude - other.amplitude);
  found.omega += share * (found.omega - other.omega);
  found.zeta += share * (found.zeta - other.zeta);
  found.amplitude = amplitude;
  return found;
}

}  // namespace

FreeDecay FreeSwing::run(const ModalEquilibrium& tip, double amplitude, double decrement) {
  // Of the amplitude: how far the middle may be off while both sides count as alike. A memory that fades shifts it
  // though they are; what pushes to one side shifts it little just behind its onset, where it tells most.
  const double even = sides_alike_ ? 0.02 : 1e-5;
  constexpr double heavy = 0.15;  // two swings go over too many amplitudes
  constexpr int settling = 2;     // swings
  const bool one_sided = std::abs(tip.committed().q - amplitude) > even * amplitude;
  using enum Compared;
  constexpr Plan usual[] = {{5, every_other}, {3, every_other}, {2, neighbours}};
  constexpr Plan fast[] = {{4, neighbours}, {3, neighbours}, {2, neighbours}};
  constexpr Plan uneven[] = {{6, pairs}, {4, pairs}, {3, every_other}};
  std::span<const Plan> plans = usual;
  if (one_sided) {
    plans = uneven;
  } else if (fades_) {
    plans = plans.first(2);
  } else if (decrement > heavy) {
    plans = fast;
  }
  for (const Plan& plan : plans) {
    FreeDecay decay = centred(tip, amplitude, decrement, plan);
    decay.early = plan.before() < settling;
    if (decay.converged) return decay;
  }
  return {};
}

FreeDecay FreeSwing::centred(const ModalEquilibrium& tip, double amplitude, double decrement, Plan plan) {
  constexpr double there = 1e-6, close = 2e-4;  // of the amplitude
  constexpr int most_tries = 20;
  constexpr double largest_guess = 0.5;
  constexpr double flattest = 0.01;  // much of a start far up is lost in the first swings
  decrement = std::clamp(decrement, 0.0, largest_guess);
  const int count = plan.swings;
  // Swings from the start to the amplitude.
  const double middle = count - (plan.compared == Compared::neighbours ? 1.5
                                 : plan.compared == Compared::pairs    ? 2.5
                                                                       : 2.0);
  double start = tip.committed().q + amplitude * std::expm1((middle + 0.5) * decrement);
  for (int k = 0; k < count; ++k) {
    swings_[k].length = 2.0 * amplitude * std::exp((middle - k) * decrement);
    swings_[k].action = pi / 8.0 * std::pow(swings_[k].length, 2) * std::sqrt(tip.committed().alpha / amplitude);
  }
  double last_start = 0.0;
  double too_low = -std::numeric_limits<double>::infinity(), too_high = std::numeric_limits<double>::infinity();
  FreeDecay last;
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    const FreeDecay decay = decay_from(tip, start, amplitude, plan);
    if (!decay.converged) return decay;
    const double off = amplitude - decay.amplitude;
    const bool between = last.converged && std::abs(decay.amplitude - last.amplitude) > there * amplitude;
    if (std::abs(off) <= there * amplitude) return decay;
    const bool beside = between && std::abs(off) <= std::abs(decay.amplitude - last.amplitude);
    if (beside && std::abs(off) <= close * amplitude) return moved(decay, last, amplitude);
    const double slope =
        between ? std::clamp((decay.amplitude - last.amplitude) / (start - last_start), flattest, 3.0) : 1.0;
    last_start = start;
    last = decay;
    (off > 0.0 ? too_low : too_high) = start;
    start += std::clamp(off / slope, -0.5 * amplitude, amplitude);
    if (!(start > too_low && start < too_high)) start = 0.5 * (too_low + too_high);  // a corner is in the way
  }
  return {};
}

}  // namespace microslip
