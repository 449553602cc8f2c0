// Springs without memory: the force is that of the deflection, node by node.

#include <algorithm>
#include <vector>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/piece_quadrature.hpp"

namespace microslip {
namespace {

class StraightTransform final : public JointTransform {
 public:
  StraightTransform(double stiffness, const TransformSetting& setting)
      : JointTransform(setting), stiffness_(stiffness) {}

 private:
  bool run(const double* u, double /*omega*/) override {
    add_spring(stiffness_, u);
    return true;
  }

  double stiffness_;
};

template <SpringLaw L>
class SpringTransform final : public PieceQuadrature {
 public:
  SpringTransform(const L& law, const TransformSetting& setting)
      : PieceQuadrature(setting), law_(law), scanner_(setting.harmonics) {}

 private:
  /// Gauss from crossing to crossing of the corners; without any, equal distances: exact for a polynomial as soon as no
  /// harmonic of F cos(h tau) folds back.
  bool run(const double* u, double /*omega*/) override {
    cuts_.clear();
    for (const double corner : law_.corners()) {
      const std::vector<double>& crossings = scanner_.crossings(u, corner);
      cuts_.insert(cuts_.end(), crossings.begin(), crossings.end());
    }
    std::sort(cuts_.begin(), cuts_.end());
    if (cuts_.empty()) {
      set_uniform_nodes(std::max(samples, (L::straight_pieces ? 2 : law_.degree() + 2) * harmonics + 1));
      integrate(u);
    }
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      set_nodes(cuts_[i], i + 1 < cuts_.size() ? cuts_[i + 1] : cuts_[0] + two_pi, false);
      integrate(u);
    }
    return true;
  }

  void integrate(const double* u) {
    fill_nodes(u);
    const typename L::State nothing{};
    for (std::size_t i = 0; i < used; ++i) {
      const auto trial = law_.evaluate(nothing, {deflection[i], 0.0, 0.0, normal});
      weighted_force[i] = weight[i] * trial.force;
      weighted_stiffness[i] = weight[i] * trial.stiffness;
    }
    evaluations += static_cast<long>(count);
    clear_tangent_sums();
    accumulate();
    if (out_jacobian != nullptr) add_tangent_matrix();
  }

  const L& law_;
  SeriesScanner scanner_;
  std::vector<double> cuts_;  // crossings of the corners
};

}  // namespace

std::unique_ptr<JointTransform> spring_transform(const Law& law, const TransformSetting& setting) {
  return std::visit(
      [&]<class L>(const L& l) -> std::unique_ptr<JointTransform> {
        if constexpr (StraightLaw<L>) {
          return std::make_unique<StraightTransform>(l.stuck_stiffness(), setting);
        } else if constexpr (SpringLaw<L>) {
          return std::make_unique<SpringTransform<L>>(l, setting);
        }
        return nullptr;
      },
      law);
}

}  // namespace microslip
