// A joint law of one's own: Dahl friction, dF/du = sigma (1 - s F/limit), s the sign of the velocity. A mass on a
// spring and this joint is hit and rings down. docs/adding-a-law.md derives the step.

#include <cmath>
#include <cstdio>
#include <memory>

#include "microslip/joints/custom_law.hpp"
#include "microslip/transient/transient.hpp"

using namespace microslip;

class Dahl : public CustomLaw {  // state: deflection, force, dissipated energy
 public:
  Dahl(double sigma, double limit) : sigma_(sigma), limit_(limit) {}
  std::string name() const override { return "dahl"; }
  int components() const override { return 1; }
  int state_size() const override { return 3; }
  void evaluate(std::span<const double> state, const CustomInput& input, CustomTrial& trial) const override {
    const double travel = std::abs(input.u[0] - state[0]), s = input.u[0] < state[0] ? -1.0 : 1.0;
    const double share = -std::expm1(-sigma_ * travel / limit_);
    const double force = state[1] + (s * limit_ - state[1]) * share;
    const double work = limit_ * travel - (limit_ - s * state[1]) * limit_ / sigma_ * share;
    trial.force[0] = force;
    trial.stiffness[0][0] = sigma_ * (1.0 - s * force / limit_);
    trial.next_state[0] = input.u[0];
    trial.next_state[1] = force;
    trial.next_state[2] = state[2] + work - (force * force - state[1] * state[1]) / (2.0 * sigma_);
  }
  CustomMatrix stuck_stiffness() const override { return {{{sigma_}}}; }
  CustomMatrix slipped_stiffness() const override { return {}; }
  bool has_energies() const override { return true; }
  double stored_energy(std::span<const double> state) const override { return state[1] * state[1] / (2.0 * sigma_); }
  double dissipated_energy(std::span<const double> state) const override { return state[2]; }

 private:
  double sigma_, limit_;  // [force/length], [force]
};

int main() {
  const auto structure = LinearStructure::lumped({1.0}, {"mass"}, {{-1, 0, 1e4}}, {}, ModalDamping{{1e-3}});
  const Joint joint{"dahl", CustomLawHandle(std::make_shared<Dahl>(2e4, 20.0)), Eigen::MatrixXd::Ones(1, 1)};
  const System system(structure, {joint});
  const Load hit{"hit", Eigen::VectorXd::Ones(1), Signal(HalfSine{50.0, 0.01})};
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.duration = 0.5;
  options.step = 1e-4;
  MemorySink rows;
  const TransientResult result = simulate(system, {&hit, 1}, {}, record_everything(system), rows, options);
  std::printf("steps %ld\nq %.9g\n", result.steps, result.q[0]);
  std::printf("lost_in_the_joint %.9g\nenergy_error %.2g\n", result.energy.joints[0], result.energy.error);
  return result.ending == Ending::completed ? 0 : 1;
}
