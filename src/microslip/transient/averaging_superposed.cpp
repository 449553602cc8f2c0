// Several modes by averaging: each runs by itself, as if it moved the joints alone, and their motions are added. What
// one mode does to the joints of another is left out, and told.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/transient/averaging_run.hpp"
#include "microslip/transient/averaging_shared.hpp"

namespace microslip::averaging {
namespace {

/// A mode and the rows of its motion.
struct MovingMode {
  AveragedMode mode;
  Eigen::VectorXd shape;  ///< of what is recorded
  std::vector<Moment> rows;
};

/// A row of the whole motion.
class Superposition {
 public:
  Superposition(const std::vector<MovingMode>& modes, const Record& record, AveragingForm form)
      : modes_(&modes), record_(&record), form_(form) {
    for (const MovingMode& moving : modes) at_.push_back({&moving.mode, 0.0});
  }

  void go_to(std::size_t row) {
    row_ = row;
    for (std::size_t r = 0; r < at_.size(); ++r) at_[r].amplitude = of(r).amplitude;
    joint_amplitudes_ = joint_amplitudes(at_);
  }
  [[nodiscard]] const Moment& of(std::size_t mode) const { return (*modes_)[mode].rows[row_]; }
  /// That all modes together move as a whole; -1: none.
  [[nodiscard]] int slipping() const { return slipping_joint(at_, joint_amplitudes_); }
  [[nodiscard]] LossLeftOut estimated() const { return estimated_loss_left_out(at_, joint_amplitudes_, form_); }
  [[nodiscard]] LossLeftOut walked(const System& system) const {
    return walked_loss_left_out(system, at_, joint_amplitudes_, form_);
  }

  [[nodiscard]] double time() const { return of(0).t; }
  void displacements(double* values) const { add_shapes(&Moment::x, values); }
  void velocities(double* values) const { add_shapes(&Moment::v, values); }
  void accelerations(double* values) const { add_shapes(&Moment::a, values); }
  void deflections(double* values) const {
    for (const int joint : record_->joints) {
      double sum = 0.0;
      for (std::size_t r = 0; r < modes_->size(); ++r) {
        sum += (*modes_)[r].mode.parts()[static_cast<std::size_t>(joint)].direction * of(r).x;
      }
      *values++ = sum;
    }
  }
  void joint_forces(double* values) const {
    for (const int joint : record_->joints) {
      double sum = 0.0;
      for (std::size_t r = 0; r < modes_->size(); ++r) sum += joint_force((*modes_)[r].mode, joint, form_, of(r));
      *values++ = sum;
    }
  }

 private:
  void add_shapes(double Moment::*part, double* values) const {
    for (std::size_t i = 0; i < record_->dofs.size(); ++i) {
      double sum = 0.0;
      for (std::size_t r = 0; r < modes_->size(); ++r) {
        sum += (*modes_)[r].shape(static_cast<Eigen::Index>(i)) * of(r).*part;
      }
      values[i] = sum;
    }
  }

  const std::vector<MovingMode>* modes_;
  const Record* record_;
  AveragingForm form_;
  std::size_t row_ = 0;
  std::vector<ModeAt> at_;                ///< the modes at this row
  std::vector<double> joint_amplitudes_;  ///< of all modes together
};

Table<Superposition> history_table(const System& system, const Record& record, std::size_t modes) {
  Table<Superposition> table = motion_table<Superposition>(system, record);
  std::vector<std::string> numbers;
  for (std::size_t r = 0; r < modes; ++r) numbers.push_back(std::to_string(r + 1));
  const auto each = [](double Moment::*part) {
    return [part](const Superposition& row, std::size_t mode) { return row.of(mode).*part; };
  };
  table.add_each("X", numbers, "sqrt(mass) length", "amplitude of this mode", each(&Moment::amplitude));
  table.add_each("omega", numbers, "rad/time", "its frequency at this amplitude", each(&Moment::omega));
  table.add_each("zeta", numbers, "-", "its damping ratio at this amplitude", each(&Moment::zeta), Scale::logarithmic);
  table.add({"macroslip", "-", "1: the modes together move a joint beyond its phi_max"},
            [](const Superposition& row) { return row.slipping() >= 0 ? 1.0 : 0.0; });
  return table;
}

void tell(const std::string& what, AveragingResult& all) {
  all.message += (all.message.empty() ? "" : "; ") + what;
}

/// Of the motion so far and a further mode.
void add_mode(const AveragingResult& one, int number, AveragingResult& all) {
  all.forced_steps += one.forced_steps;
  all.free_steps += one.free_steps;
  all.evaluations += one.evaluations;
  all.largest = std::max(all.largest, one.largest);
  if (one.macroslip_time >= 0.0) {
    all.macroslip_time =
        all.macroslip_time < 0.0 ? one.macroslip_time : std::min(all.macroslip_time, one.macroslip_time);
  }
  if (number == 1) {
    all.time = one.time;
    all.q = one.q;
    all.v = one.v;
    all.amplitude = one.amplitude;
  } else {
    all.time = std::min(all.time, one.time);
    all.q += one.q;
    all.v += one.v;
  }
  all.ending = worse(all.ending, one.ending);
  if (!one.message.empty()) tell(fmt::format("mode {}: {}", number, one.message), all);
}

std::string more_or_less(double share) {
  return fmt::format("{:.2g} % {} than is told", 100.0 * std::abs(share), share < 0.0 ? "less" : "more");
}

/// What the rows tell that no mode knows by itself.
class SharedJoints {
 public:
  explicit SharedJoints(std::size_t rows) : every_(1 + rows / looked_at) {}

  void look_at(const Superposition& row, std::size_t number) {
    if (slipping_ < 0 && row.slipping() >= 0) {
      slipping_ = row.slipping();
      slips_at_ = row.time();
    }
    if (number % every_ != 0) return;
    const double here = std::abs(row.estimated().share);
    if (here <= most_) return;
    most_ = here;
    most_in_ = number;
  }

  void tell_of_them(const System& system, Superposition& row, AveragingResult& all) const {
    constexpr double worth_a_walk = 0.005, worth_telling = 0.02;
    if (slipping_ >= 0 && all.macroslip_time < 0.0) {
      tell(fmt::format("at t = {:.6g} the modes together move joint \"{}\" beyond its phi_max, though none does alone: "
                       "in macroslip averaging is a guess, compare with transient",
                       slips_at_, system.joints()[static_cast<std::size_t>(slipping_)].name),
           all);
    }
    if (slipping_ >= 0 && !(all.macroslip_time >= 0.0 && all.macroslip_time <= slips_at_)) {
      all.macroslip_time = slips_at_;
    }
    if (most_ < worth_a_walk) return;
    row.go_to(most_in_);
    const LossLeftOut left_out = row.walked(system);
    if (std::abs(left_out.share) < worth_telling && std::abs(left_out.of_mode) < worth_telling) return;
    if (left_out.walked) {
      tell(fmt::format("the modes move the same joints, each as if alone: moved by all of them, at t = {:.6g} the "
                       "joints take {}, of mode {} {}; compare with transient",
                       row.time(), more_or_less(left_out.share), left_out.mode + 1, more_or_less(left_out.of_mode)),
           all);
    } else {
      tell(
          "the modes move the same joints, each as if alone; what the joints take when all of them move is not known, "
          "as there are too many joints or frequencies too close or too far apart to find it: compare with transient",
          all);
    }
  }

 private:
  static constexpr std::size_t looked_at = 200;  ///< rows: amplitudes change slowly
  std::size_t every_;
  int slipping_ = -1;
  double slips_at_ = 0.0;
  double most_ = 0.0;  ///< estimated share
  std::size_t most_in_ = 0;
};

}  // namespace

AveragingResult superpose(const System& system, int modes, std::span<const Load> loads,
                          const InitialConditions& initial, const Record& record, Sink& sink,
                          const AveragingOptions& options, const Observer& observer) {
  AveragingResult all;
  std::vector<MovingMode> moving;
  std::size_t rows = 0;
  for (int r = 0; r < modes && all.ending != Ending::interrupted; ++r) {
    const Observer part =
        !observer ? Observer{} : [&observer, r, modes](double share) { return observer((r + share) / modes); };
    Averaging one(system, r, loads, initial, record, sink, options, part);
    MovingMode mode{one.mode(), system.stuck_modes().shapes.col(r)(record.dofs), {}};
    add_mode(one.run(&mode.rows), r + 1, all);
    rows = r == 0 ? mode.rows.size() : std::min(rows, mode.rows.size());
    moving.push_back(std::move(mode));
  }
  if (std::ssize(moving) < modes) rows = 0;  // stopped: the others are not known
  Superposition row(moving, record, options.form);
  Table<Superposition> table = history_table(system, record, moving.size());
  table.begin(sink);
  SharedJoints shared(rows);
  const bool recording = !record.dofs.empty() || !record.joints.empty();
  for (std::size_t i = 0; i < rows; ++i) {
    row.go_to(i);
    shared.look_at(row, i);
    if (recording) table.write(row, sink);
  }
  shared.tell_of_them(system, row, all);
  return all;
}

}  // namespace microslip::averaging
