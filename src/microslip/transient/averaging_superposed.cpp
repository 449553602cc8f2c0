// Several modes by averaging: each runs by itself, as if it moved the joints alone, and their motions are added. What
// one mode does to the joints of another is left out.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "microslip/transient/averaging_run.hpp"

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
      : modes_(&modes), record_(&record), form_(form) {}

  void go_to(std::size_t row) { row_ = row; }
  [[nodiscard]] const Moment& of(std::size_t mode) const { return (*modes_)[mode].rows[row_]; }
  [[nodiscard]] bool slips(std::size_t mode) const { return of(mode).amplitude > (*modes_)[mode].mode.macroslip(); }

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
  table.add({"macroslip", "-", "1: X of a mode is beyond phi_max of a joint"}, [modes](const Superposition& row) {
    for (std::size_t r = 0; r < modes; ++r) {
      if (row.slips(r)) return 1.0;
    }
    return 0.0;
  });
  return table;
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
  if (one.message.empty()) return;
  all.message += fmt::format("{}mode {}: {}", all.message.empty() ? "" : "; ", number, one.message);
}

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
  for (std::size_t i = 0; i < rows; ++i) {
    row.go_to(i);
    table.write(row, sink);
  }
  return all;
}

}  // namespace microslip::averaging
