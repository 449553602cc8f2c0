// Laws with fading memory: the loop z(T) = z(0) (fading_loop.hpp), differentiated implicitly,
//   dz_1 = slope (du_1 - du_0) + gain dz_0,   dz_T = dz_0.

#include "microslip/periodic/fading_loop.hpp"
#include "microslip/periodic/path_quadrature.hpp"

namespace microslip {
namespace {

template <FadingLaw L>
class FadingTransform final : public PathQuadrature {
 public:
  FadingTransform(const L& law, const TransformSetting& setting) : PathQuadrature(setting), law_(law), dz_(size) {}

 private:
  bool run(const double* u, double /*omega*/) override {
    if (!set_turns(u)) {
      const auto trial = from_rest(u[0]);
      stay_at_rest(trial.force, trial.stiffness, law_.stuck_stiffness(), u);
      return true;
    }
    close_fading_loop(law_, normal, turns, loop_);
    evaluations += loop_.evaluations;
    cut_at_zeros(u);
    set_path(u);
    if (out_jacobian != nullptr) {
      path_slope.resize(size, static_cast<Eigen::Index>(path_u.size()));
      set_start_slope();
    }
    walk_legs();
    if (out_jacobian != nullptr) add_slopes(0, size);
    add_spring(law_.slipped_stiffness(), u);
    return loop_.closed;
  }

  [[nodiscard]] auto from_rest(double at) const { return law_.evaluate(typename L::State{}, {at, 0.0, 0.0, normal}); }
  [[nodiscard]] auto state_at(std::size_t turn) const { return fading_state<L>(turns[turn].value, loop_.z[turn]); }
  void set_basis_of(std::size_t turn) { series_basis_at(turns[turn].tau, start_basis); }

  void cut_at_zeros(const double* u) {
    cuts.clear();
    leg_ends.clear();
    for (std::size_t leg = 0; leg < legs(); ++leg) {
      cuts.push_back(turns[leg].tau);
      const double zero = passage_of_fading_loop(law_, normal, turns, loop_, leg, 0.0, u, harmonics);
      if (zero > turns[leg].tau && zero < turns[leg + 1].tau) cuts.push_back(zero);
      leg_ends.push_back(cuts.size());
    }
  }

  /// dz over the period for dz_0 = 0, then dz_0 = dz_T/(1 - gain).
  void set_start_slope() {
    dz_.setZero();
    for (std::size_t leg = 0; leg < legs(); ++leg) {
      const auto trial = law_.evaluate(state_at(leg), {turns[leg + 1].value, 0.0, 0.0, normal});
      dz_ *= trial.gain;
      set_basis_of(leg + 1);
      dz_ += trial.slope * start_basis;
      set_basis_of(leg);
      dz_ -= trial.slope * start_basis;
    }
    set_basis_of(0);
    // Too small a motion forgets nothing: then it comes from the first loading.
    dz_ = 1.0 - loop_.gain > 1e-12 ? Eigen::VectorXd(dz_ / (1.0 - loop_.gain))
                                   : Eigen::VectorXd(from_rest(turns[0].value).slope * start_basis);
  }

  /// Forces, and with a Jacobian their slopes, at the nodes.
  void walk_legs() {
    const double hysteretic = law_.z_stiffness();
    std::size_t at = 0;
    for (std::size_t leg = 0; leg < legs(); ++leg) {
      auto state = state_at(leg);
      double gain = 1.0;  // dz/dz_0; from node to node, short steps of the flow
      set_basis_of(leg);
      for (; at < leg_ends[leg]; ++at) {
        const auto trial = law_.evaluate(state, {path_u[at], 0.0, 0.0, normal});
        const auto node = static_cast<Eigen::Index>(at);
        law_.commit(state, trial);
        gain *= trial.gain;
        add_force(node, hysteretic * trial.z);
        if (out_jacobian == nullptr) continue;
        path_slope.col(node) = hysteretic * (trial.slope * (path_basis.col(node) - start_basis) + gain * dz_);
      }
      if (out_jacobian == nullptr) continue;
      const auto trial = law_.evaluate(state, {turns[leg + 1].value, 0.0, 0.0, normal});
      dz_ = gain * trial.gain * dz_ - trial.slope * start_basis;
      set_basis_of(leg + 1);
      dz_ += trial.slope * start_basis;
    }
    evaluations += static_cast<long>(at + legs());
  }

  const L& law_;
  FadingLoop loop_;
  Eigen::VectorXd dz_;
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
