#pragma once
// A user's own law: a small virtual interface over double, with one to three components.
//
// The law holds parameters only; its memory is `state_size()` numbers that the caller owns. `evaluate` is pure: it
// reads the committed state and writes the next one and everything else into the trial. A contact point, for example,
// is one law with a normal and two tangential components.
//
//   class CubicDamper : public CustomLaw {
//     void evaluate(std::span<const double>, const CustomInput& in, CustomTrial& out) const override {
//       out.force[0] = c_ * in.v[0] * in.v[0] * in.v[0];
//       out.damping[0][0] = 3.0 * c_ * in.v[0] * in.v[0];
//     }
//     ...
//   };
//   CustomLawHandle law(std::make_shared<CubicDamper>(...));

#include <array>
#include <cassert>
#include <concepts>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "microslip/joints/law.hpp"

namespace microslip {

using CustomMatrix = std::array<std::array<double, 3>, 3>;

/// What a joint of up to three components sees at one instant; unused components are 0.
struct CustomInput {
  std::array<double, 3> u{};  ///< deflections [length]
  std::array<double, 3> v{};  ///< their rates [length/time]
  double t = 0.0;             ///< time [time]
  double normal = 0.0;        ///< normal load [force]
};

/// Everything is 0, and next_state a copy of the committed one, when `evaluate` is called.
struct CustomTrial {
  std::array<double, 3> force{};   ///< [force]
  CustomMatrix stiffness{};        ///< [i][j] = dF_i/du_j, consistent with the history [force/length]
  CustomMatrix damping{};          ///< [i][j] = dF_i/dv_j [force time/length]
  std::span<double> next_state{};  ///< state_size() numbers
};

class CustomLaw {
 public:
  virtual ~CustomLaw() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual int components() const = 0;  ///< 1, 2 or 3
  [[nodiscard]] virtual int state_size() const { return 0; }
  /// Writes the state at rest; it is all zeros before.
  virtual void initialize(std::span<double> /*state*/) const {}
  virtual void evaluate(std::span<const double> state, const CustomInput& input, CustomTrial& trial) const = 0;
  /// Tangent at rest, what the joint adds to K0.
  [[nodiscard]] virtual CustomMatrix stuck_stiffness() const = 0;
  /// Stiffness left in macroslip.
  [[nodiscard]] virtual CustomMatrix slipped_stiffness() const { return stuck_stiffness(); }
  /// Settles on a closed loop after one cycle.
  [[nodiscard]] virtual bool return_point_memory() const { return false; }
  /// Energies since the state at rest are known; the ledger integrates the work of other laws itself.
  [[nodiscard]] virtual bool has_energies() const { return false; }
  [[nodiscard]] virtual double stored_energy(std::span<const double> /*state*/) const { return 0.0; }
  [[nodiscard]] virtual double dissipated_energy(std::span<const double> /*state*/) const { return 0.0; }

 protected:
  CustomLaw() = default;
  CustomLaw(const CustomLaw&) = default;
  CustomLaw& operator=(const CustomLaw&) = default;
};

/// A CustomLaw as a value; copies share the law.
class CustomLawHandle {
 public:
  using Scalar = double;
  static constexpr MemoryKind memory = MemoryKind::unknown;
  static constexpr SliderCount sliders = SliderCount::none;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = true;
  static constexpr bool has_backbone = false;
  [[nodiscard]] static constexpr bool is_odd() { return false; }  ///< not known to be

  struct State {
    std::vector<double> values;
  };
  /// Reused from step to step: nothing is allocated after the first.
  struct Trial : CustomTrial {
    Trial() = default;
    Trial(const Trial& other) : CustomTrial(other), values(other.values) { next_state = values; }
    Trial(Trial&& other) noexcept : CustomTrial(other), values(std::move(other.values)) { next_state = values; }
    Trial& operator=(const Trial& other) {
      CustomTrial::operator=(other);
      values = other.values;
      next_state = values;
      return *this;
    }
    Trial& operator=(Trial&& other) noexcept {
      CustomTrial::operator=(other);
      values = std::move(other.values);
      next_state = values;
      return *this;
    }
    ~Trial() = default;

    std::vector<double> values;  ///< storage of next_state
  };

  /// Throws std::invalid_argument unless there are 1 to 3 components and a state size >= 0.
  explicit CustomLawHandle(std::shared_ptr<const CustomLaw> law) : law_(std::move(law)) {
    if (law_ == nullptr) throw std::invalid_argument("custom law: none given");
    if (law_->components() < 1 || law_->components() > 3) {
      throw std::invalid_argument("custom law \"" + law_->name() + "\": components must be 1, 2 or 3, got " +
                                  std::to_string(law_->components()));
    }
    if (law_->state_size() < 0) {
      throw std::invalid_argument("custom law \"" + law_->name() + "\": state size must be >= 0, got " +
                                  std::to_string(law_->state_size()));
    }
  }

  [[nodiscard]] const CustomLaw& law() const { return *law_; }
  [[nodiscard]] std::string name() const { return law_->name(); }
  [[nodiscard]] int components() const { return law_->components(); }
  [[nodiscard]] bool remembers() const { return law_->state_size() > 0; }
  [[nodiscard]] bool return_point_memory() const { return law_->return_point_memory(); }
  [[nodiscard]] CustomMatrix stuck_stiffness() const { return law_->stuck_stiffness(); }
  [[nodiscard]] CustomMatrix slipped_stiffness() const { return law_->slipped_stiffness(); }

  [[nodiscard]] State initial_state() const {
    State state;
    state.values.assign(static_cast<std::size_t>(law_->state_size()), 0.0);
    law_->initialize(state.values);
    return state;
  }

  /// `committed` from initial_state() or commit().
  void evaluate_into(const State& committed, const CustomInput& input, Trial& trial) const {
    assert(committed.values.size() == static_cast<std::size_t>(law_->state_size()));
    trial.values = committed.values;
    trial.force = {};
    trial.stiffness = {};
    trial.damping = {};
    trial.next_state = trial.values;
    law_->evaluate(committed.values, input, trial);
  }
  [[nodiscard]] Trial evaluate(const State& committed, const CustomInput& input) const {
    Trial trial;
    evaluate_into(committed, input, trial);
    return trial;
  }
  void commit(State& state, const Trial& trial) const { state.values = trial.values; }

  [[nodiscard]] bool has_energies() const { return law_->has_energies(); }
  [[nodiscard]] double stored_energy(const State& state) const { return law_->stored_energy(state.values); }
  [[nodiscard]] double dissipated_energy(const State& state) const { return law_->dissipated_energy(state.values); }

 private:
  std::shared_ptr<const CustomLaw> law_;
};

/// Not built in: a contract, a memory and components of its own.
template <class L>
concept UsersLaw = std::same_as<L, CustomLawHandle>;

}  // namespace microslip
