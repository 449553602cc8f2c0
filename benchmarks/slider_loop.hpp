#pragma once
// The competitor: a single oscillator with a discretised Iwan element, written as tightly as one can and compiled with
// -O3 -march=native -ffast-math. Everything is inlined, nothing is general.

#include <vector>

namespace microslip::benchmarks {

class SliderOscillator {
 public:
  /// m x'' + c x' + k x + sum k_i (x - s_i) = p(t), average acceleration.
  SliderOscillator(double mass, double damping, double stiffness, std::vector<double> slider_stiffness,
                   std::vector<double> slider_strength, double step);

  void set_state(double x, double v);
  /// Free motion for so many steps; returns the displacement.
  double run(int steps);
  [[nodiscard]] long iterations() const { return iterations_; }

  /// Force of the sliders at x, nothing moved: one evaluation of the law.
  [[nodiscard]] double force(double x) const;

 private:
  double m_, c_, k_, h_;
  std::vector<double> slider_k_, slider_phi_, slider_x_;
  double x_ = 0.0, v_ = 0.0, a_ = 0.0;
  long iterations_ = 0;
};

}  // namespace microslip::benchmarks
