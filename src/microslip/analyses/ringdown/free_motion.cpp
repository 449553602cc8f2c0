#include "microslip/analyses/ringdown/free_motion.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "microslip/modal/modal_filter.hpp"

namespace microslip {
namespace {

/// Rows of a transient -> velocities of the stuck modes that vibrate, phi_r^T M v, from a time on.
class ModalVelocitySink final : public Sink {
 public:
  ModalVelocitySink(const System& system, int modes, double start, double step)
      : size_(system.size()), start_(start), step_(step) {
    const Modes& all = system.stuck_modes();
    const Eigen::Index kept = modes > 0 ? modes : all.omega.size();
    filter_ = mass_filter(all.shapes.middleCols(all.rigid, kept - all.rigid), system.structure().mass());
    motion_.signals.resize(static_cast<std::size_t>(filter_.rows()), {start, step, Quantity::velocity, {}});
    for (Eigen::Index r = 0; r < filter_.rows(); ++r) motion_.modes.push_back(static_cast<int>(all.rigid + r) + 1);
  }
  void begin(std::span<const Column>) override {}
  void row(std::span<const double> values) override {
    const double time = values[0];
    if (time < start_ - 1e-9 * step_) return;
    // The last row of a run is off the grid when the number of steps is no multiple of `every`.
    if (!motion_.signals.empty() && !motion_.signals[0].values.empty() && time - last_ < 0.5 * step_) return;
    const Eigen::Map<const Eigen::VectorXd> velocity(values.data() + 1 + size_, size_);
    modal_.noalias() = filter_ * velocity;
    for (std::size_t r = 0; r < motion_.signals.size(); ++r) {
      SampledMotion& signal = motion_.signals[r];
      if (signal.values.empty()) signal.start = time;
      signal.values.push_back(modal_(static_cast<Eigen::Index>(r)));
    }
    last_ = time;
  }
  [[nodiscard]] MeasuredMotion take() { return std::move(motion_); }

 private:
  Eigen::Index size_;
  double start_, step_, last_ = 0.0;
  Eigen::MatrixXd filter_;
  Eigen::VectorXd modal_;
  MeasuredMotion motion_;
};

}  // namespace

FreeMotion simulated_free_motion(const TransientAnalysis& transient, double start, AnalysisRun& with) {
  ModalVelocitySink sink(with.system, transient.options.modes, start, transient.options.step * transient.record.every);
  const TransientResult result = simulate_into(transient, with, sink);
  return {sink.take(), result.ending, result.message, motion_facts(result, with.system)};
}

FreeMotion measured_free_motion(MeasuredMotion measured, const std::optional<double>& start) {
  const SampledMotion& grid = measured.signals.front();
  std::size_t first = 0;
  if (start) {
    first = static_cast<std::size_t>(std::max(0.0, std::ceil((*start - grid.start) / grid.step - 1e-6)));
  } else {
    double largest = 0.0;
    const double hit = measured.hit_end ? (*measured.hit_end - grid.start) / grid.step + 0.5 : 0.0;
    auto end = static_cast<double>(grid.values.size()) - 16.0;
    if (measured.second_hit) end = std::min(end, (*measured.second_hit - grid.start) / grid.step - 0.5);
    first = static_cast<std::size_t>(hit);
    for (std::size_t i = first; static_cast<double>(i) < end; ++i) {
      double sum = 0.0;
      for (const SampledMotion& signal : measured.signals) sum += signal.values[i] * signal.values[i];
      if (sum <= largest) continue;
      largest = sum;
      first = i;
    }
  }
  for (SampledMotion& signal : measured.signals) {
    signal.start = signal.time(static_cast<double>(first));
    signal.values.erase(signal.values.begin(), signal.values.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return {std::move(measured), Ending::completed, "", {}};
}

}  // namespace microslip
