// Laws with fading memory: the loop z(T) = z(0) (fading_loop.hpp), differentiated implicitly,
//   dz_1 = slope (du_1 - du_0) + gain dz_0,   dz_T = dz_0.

#include "microslip/periodic/fading_loop.hpp"
#include "microslip/periodic/path_quadrature.hpp"

namespace microslip {
namespace {

template <FadingLaw L>
class FadingTransform final : public PathQuadrature {
 public:
  FadingTransform(const L& law, const TransformSetting& setting) : PathQuadrature(setting), law_(law) {}

 private:
  bool run(const double* u, double /*omega*/) override {
    if (!set_turns(u)) {
      const auto trial = from_rest(u[0]);
      stay_at_rest(trial.force, trial.stiffness, law_.stuck_stiffness(), u);
      return true;
    }
    close_fading_loop(law_, normal, turns, loop_);
    evaluations += loop_.evaluations;
    if (out_jacobian != nullptr) set_start_slope();
    for (std::size_t leg = 0; leg < legs(); ++leg) walk(leg, u);
    if (out_jacobian != nullptr) add_derivatives();
    add_spring(law_.slipped_stiffness(), u);
    return loop_.closed;
  }

  [[nodiscard]] auto from_rest(double at) const { return law_.evaluate(typename L::State{}, {at, 0.0, 0.0, normal}); }
  [[nodiscard]] auto state_at(std::size_t turn) const { return fading_state<L>(turns[turn].value, loop_.z[turn]); }

  /// dz_1 from dz_0 over a leg.
  void pass(std::size_t leg, double gain, double slope) {
    dz_ *= gain;
    dz_(place_of(leg)) -= slope;
    dz_(place_of(leg + 1)) += slope;
  }

  /// dz over the period for dz_0 = 0, then dz_0 = dz_T/(1 - gain).
  void set_start_slope() {
    dz_.setZero(static_cast<Eigen::Index>(legs()));
    for (std::size_t leg = 0; leg < legs(); ++leg) {
      const auto trial = law_.evaluate(state_at(leg), {turns[leg + 1].value, 0.0, 0.0, normal});
      pass(leg, trial.gain, trial.slope);
    }
    if (1.0 - loop_.gain > 1e-12) {
      dz_ /= 1.0 - loop_.gain;
    } else {  // too small a motion forgets nothing: then it comes from the first loading
      dz_.setZero();
      dz_(0) = from_rest(turns[0].value).slope;
    }
  }

  /// Forces, and with a Jacobian their slopes, at the nodes of a leg.
  void walk(std::size_t leg, const double* u) {
    const double hysteretic = law_.z_stiffness();
    cuts.clear();
    const double zero = passage_of_fading_loop(law_, normal, turns, loop_, leg, 0.0, u, harmonics);
    if (zero > turns[leg].tau && zero < turns[leg + 1].tau) cuts.push_back(zero);
    auto state = state_at(leg);
    double gain = 1.0;  // dz/dz_0; from node to node, short steps of the flow
    walk_leg(leg, u, [&] {
      gains_.setZero(static_cast<Eigen::Index>(used), 4);
      for (std::size_t i = 0; i < count; ++i) {
        const auto trial = law_.evaluate(state, {deflection[i], 0.0, 0.0, normal});
        law_.commit(state, trial);
        gain *= trial.gain;
        weighted_force[i] = weight[i] * hysteretic * trial.z;
        weighted_stiffness[i] = weight[i] * hysteretic * trial.slope;
        gains_(static_cast<Eigen::Index>(i), 0) = hysteretic * gain;
      }
      add_nodes();
      if (out_jacobian == nullptr) return;
      by_turn.col(place_of(leg)) -= weighted_tangent;
      sums_.setZero(size, 1);
      add_basis_sums(gains_, sums_);
      by_turn.noalias() += sums_ * dz_.transpose();
    });
    evaluations += 1;
    if (out_jacobian == nullptr) return;
    const auto trial = law_.evaluate(state, {turns[leg + 1].value, 0.0, 0.0, normal});
    pass(leg, gain * trial.gain, trial.slope);
  }

  const L& law_;
  FadingLoop loop_;
  Eigen::VectorXd dz_;     // at the start of the present leg, by the deflections at the turns
  Eigen::MatrixXd gains_;  // of F at the nodes, the first of four columns
  Eigen::MatrixXd sums_;
};

}  // namespace

std::unique_ptr<JointTransform> fading_transform(const Law& law, const TransformSetting& setting) {
  return std::visit(
      [&]<class L>(const L& l) -> std::unique_ptr<JointTransform> {
        if constexpr (FadingLaw<L>) return std::make_unique<FadingTransform<L>>(l, setting);
        return nullptr;
      },
      law);
}

}  // namespace microslip
