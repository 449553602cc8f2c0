// Springs without memory: the force is that of the deflection, line by line in closed form, or node by node.

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
    cuts_ = scanner_.crossings(u, law_.corners());
    std::sort(cuts_.begin(), cuts_.end());
    clear_tangent_sums();
    if constexpr (L::straight_pieces) {
      if (cuts_.empty()) cuts_.push_back(0.0);
      for (std::size_t i = 0; i < cuts_.size(); ++i) add_line_between(cuts_[i], end_of(i), u);
      add_line_forces(u);
    } else {
      if (cuts_.empty()) {
        set_uniform_nodes(std::max(samples, (law_.degree() + 2) * harmonics + 1));
        integrate(u);
      }
      for (std::size_t i = 0; i < cuts_.size(); ++i) {
        set_nodes(cuts_[i], end_of(i), false);
        integrate(u);
      }
    }
    if (out_jacobian != nullptr) add_tangent_matrix();
    return true;
  }

  [[nodiscard]] double end_of(std::size_t piece) const {
    return piece + 1 < cuts_.size() ? cuts_[piece + 1] : cuts_[0] + two_pi;
  }

  void add_line_between(double from, double to, const double* u) {
    const auto corners = law_.corners();
    const double middle = series_at(u, harmonics, 0.5 * (from + to)).value;
    const auto line =
        static_cast<std::size_t>(std::lower_bound(corners.begin(), corners.end(), middle) - corners.begin());
    add_line(from, to, law_.slope(line), law_.offset(line));
    ++evaluations;
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
    accumulate();
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
