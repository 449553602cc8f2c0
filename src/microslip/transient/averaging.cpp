#include "microslip/transient/averaging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/transient/averaging_run.hpp"

namespace microslip {
namespace averaging {

double joint_force(const AveragedMode& mode, int joint, AveragingForm form, const Moment& moment) {
  const auto& part = mode.parts()[static_cast<std::size_t>(joint)];
  const SteadyCycle cycle = part.law.at(std::abs(part.direction) * moment.amplitude);
  const double stiffness = form == AveragingForm::secant ? cycle.secant : cycle.harmonic;
  return part.direction * (stiffness * moment.x + cycle.loss / moment.omega * moment.v);
}

Averaging::Averaging(const System& system, int mode, std::span<const Load> loads, const InitialConditions& initial,
                     const Record& record, Sink& sink, const AveragingOptions& options, const Observer& observer)
    : system_(system),
      shape_(system.stuck_modes().shapes.col(mode)),
      mode_(system, mode),
      record_(record),
      sink_(sink),
      options_(options),
      observer_(observer),
      recording_(!record.dofs.empty() || !record.joints.empty()),
      total_steps_(row_steps(options)),
      end_(static_cast<double>(total_steps_) * options.step) {
  const Eigen::VectorXd inertia = system.structure().mass() * shape_;
  if (initial.q.size() > 0) x_ = inertia.dot(initial.q);
  if (initial.v.size() > 0) v_ = inertia.dot(initial.v);
  for (const Load& load : loads) loads_.push_back({&load.signal, shape_.dot(load.direction)});
  shapes_ = shape_(record.dofs);
  for (const double corner : mode_.corners()) log_corners_.push_back(std::log(corner));
  rows_ = history_table();
}

void Averaging::watch_macroslip(double t_before, double amplitude_before, double amplitude) {
  result_.largest = std::max(result_.largest, amplitude);
  if (result_.macroslip_time >= 0.0 || !(amplitude > mode_.macroslip())) return;
  const double share =
      amplitude > amplitude_before
          ? std::clamp((mode_.macroslip() - amplitude_before) / (amplitude - amplitude_before), 0.0, 1.0)
          : 1.0;
  result_.macroslip_time = t_before + share * (t_ - t_before);
}

bool Averaging::carry_on() {
  constexpr long observe_every = 4096;
  if (!observer_ || calls_++ % observe_every != 0 || observer_(std::min(1.0, t_ / end_))) return true;
  return fail(Ending::interrupted, fmt::format("stopped at t = {:.6g}", t_));
}

void Averaging::show(double modal, double* values) const {
  for (Eigen::Index i = 0; i < shapes_.size(); ++i) values[i] = shapes_(i) * modal;
}

void Averaging::deflections(double* values) const {
  for (const int joint : record_.joints) *values++ = mode_.parts()[joint].direction * moment_.x;
}

void Averaging::joint_forces(double* values) const {
  for (const int joint : record_.joints) *values++ = joint_force(mode_, joint, options_.form, moment_);
}

/// The columns of a motion, and what averaging knows of it.
Table<Averaging> Averaging::history_table() const {
  Table<Averaging> table = motion_table<Averaging>(system_, record_);
  table.add({"X", "sqrt(mass) length", "amplitude of the modal displacement"},
            [](const Averaging& run) { return run.moment_.amplitude; });
  table.add({"omega", "rad/time", "frequency at this amplitude"},
            [](const Averaging& run) { return run.moment_.omega; });
  table.add({"zeta", "-", "damping ratio at this amplitude", Scale::logarithmic},
            [](const Averaging& run) { return run.moment_.zeta; });
  table.add({"macroslip", "-", "1: X is beyond phi_max of a joint"},
            [](const Averaging& run) { return run.moment_.amplitude > run.mode_.macroslip() ? 1.0 : 0.0; });
  return table;
}

void Averaging::write_row(const Moment& moment) {
  moment_ = moment;
  if (kept_ != nullptr) {
    kept_->push_back(moment);
  } else {
    rows_.write(*this, sink_);
  }
  next_row_ = next_row_ == total_steps_ ? total_steps_ + 1 : std::min(next_row_ + record_.every, total_steps_);
}

/// Up to where the loads that act now are the same: they are in active_.
double Averaging::next_stretch() {
  double stretch = end_;
  active_.clear();
  straight_ = true;
  for (const ModalLoad& load : loads_) {
    const double start = load.signal->start(), stop = load.signal->end();
    for (const double change : {start, stop}) {
      if (change > t_) stretch = std::min(stretch, change);
    }
    if (start > t_ || stop <= t_ || load.factor == 0.0) continue;
    active_.push_back(load);
    straight_ = straight_ && load.signal->piecewise_linear();
  }
  return stretch;
}

AveragingResult Averaging::run(std::vector<Moment>* kept) {
  kept_ = kept;
  if (kept_ == nullptr) rows_.begin(sink_);
  recording_ = recording_ || kept_ != nullptr;

  while (t_ < end_) {
    const double stretch = next_stretch();
    if (t_ == 0.0 && row_due(0.0)) {
      write_forced_row(0.0, x_, v_, amplitude_under_load(x_, v_, std::hypot(x_, v_ / mode_.stuck_omega())));
    }
    const bool done = active_.empty() ? free_to(stretch) : straight_ ? sampled_to(stretch) : forced_to(stretch);
    if (!done) break;
  }
  if (observer_ && result_.ending == Ending::completed) observer_(1.0);

  result_.time = t_;
  result_.q = shape_ * x_;
  result_.v = shape_ * v_;
  result_.amplitude = amplitude_;
  if (result_.macroslip_time >= 0.0 && result_.ending == Ending::completed) {
    result_.message = fmt::format(
        "X passes {:.4g}, phi_max of joint \"{}\", at t = {:.6g} and comes to {:.4g}: in macroslip averaging is a "
        "guess, "
        "compare with transient",
        mode_.macroslip(), system_.joints()[mode_.macroslip_joint()].name, result_.macroslip_time, result_.largest);
  }
  return result_;
}

namespace {

void check(const System& system, std::span<const Load> loads, const InitialConditions& initial, const Record& record,
           const AveragingOptions& options) {
  const auto require = [](bool condition, const char* what, double got) {
    if (!condition) throw std::invalid_argument(fmt::format("{}, got {}", what, got));
  };
  require(options.duration > 0.0, "duration must be > 0", options.duration);
  require(options.step > 0.0, "step must be > 0", options.step);
  require(options.tolerance > 0.0 && options.tolerance <= 1e-2, "tolerance must be in (0, 0.01]", options.tolerance);
  require(options.blocks_per_period >= 1.0, "blocks_per_period must be >= 1", options.blocks_per_period);
  require(options.modes >= 0 && options.modes <= system.computed_modes(), "modes must be one of those computed",
          options.modes);
  require(record.every >= 1, "record every must be >= 1", record.every);
  for (const Eigen::VectorXd* vector : {&initial.q, &initial.v}) {
    require(vector->size() == 0 || vector->size() == system.size(), "initial conditions must have one number a dof",
            static_cast<double>(vector->size()));
  }
  if (initial.memory) throw std::invalid_argument("averaging has no joint memory to start from");
  for (const Load& load : loads) {
    if (load.base) throw std::invalid_argument("averaging takes forces; load \"" + load.name + "\" moves the base");
  }
}

}  // namespace
}  // namespace averaging

AveragingResult simulate_by_averaging(const System& system, std::span<const Load> loads,
                                      const InitialConditions& initial, const Record& record, Sink& sink,
                                      const AveragingOptions& options, const Observer& observer) {
  averaging::check(system, loads, initial, record, options);
  if (const std::string why = AveragedMode::obstacle(system); !why.empty()) throw std::invalid_argument(why);
  const int modes = options.modes > 0 ? options.modes : system.computed_modes();
  if (modes > 1) return averaging::superpose(system, modes, loads, initial, record, sink, options, observer);
  return averaging::Averaging(system, 0, loads, initial, record, sink, options, observer).run();
}

}  // namespace microslip
