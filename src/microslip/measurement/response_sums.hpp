#pragma once
// Frequency responses from sums of spectra over averages: G_ff = sum |F|^2, G_xf = sum X F*, G_xx = sum |X|^2.
//   H1 = G_xf/G_ff      noise of the force makes it small, by the share of noise in G_ff
//   H2 = G_xx/G_fx      noise of the response makes it large
//   Hv = sqrt(H1 H2)    with the phase of G_xf: both by half
//   coherence = |G_xf|^2/(G_ff G_xx)
// Ref: Bendat and Piersol, Random Data; Rocklin, Crowley and Vold 1985.

#include <Eigen/Core>
#include <complex>

namespace microslip {

enum class FrfEstimator { H1, H2, Hv };

/// Of one response to one reference, over lines.
struct ResponseSums {
  Eigen::VectorXd ff, xx;
  Eigen::VectorXcd xf;
  int averages = 0;

  explicit ResponseSums(Eigen::Index lines = 0)
      : ff(Eigen::VectorXd::Zero(lines)), xx(Eigen::VectorXd::Zero(lines)), xf(Eigen::VectorXcd::Zero(lines)) {}

  template <class Force, class Response>
  void add(const Force& f, const Response& x) {
    ff += f.cwiseAbs2();
    xx += x.cwiseAbs2();
    xf += x.cwiseProduct(f.conjugate());
    ++averages;
  }
  void add(const ResponseSums& others) {
    ff += others.ff;
    xx += others.xx;
    xf += others.xf;
    averages += others.averages;
  }
  [[nodiscard]] Eigen::VectorXcd response(FrfEstimator estimator) const;
  /// 0 where either is silent.
  [[nodiscard]] Eigen::VectorXd coherence() const;
};

}  // namespace microslip
