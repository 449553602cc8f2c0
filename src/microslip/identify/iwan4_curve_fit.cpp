#include "microslip/identify/iwan4_curve_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/golden_section.hpp"

namespace microslip {
namespace {

constexpr double least_chi = -0.99, most_chi = 3.0;

/// The curve scaled to 1, and the best R, S, K_inf for chi and phi_max.
class Projection {
 public:
  Projection(const ForceCurve& curve, std::optional<double> residual) : free_(!residual) {
    const auto n = static_cast<Eigen::Index>(curve.size());
    u_ = Eigen::Map<const Eigen::VectorXd>(curve.u.data(), n);
    f_ = Eigen::Map<const Eigen::VectorXd>(curve.f.data(), n);
    root_ = Eigen::Map<const Eigen::VectorXd>(curve.weight.data(), n).array().sqrt().matrix();
    if (residual) f_ -= *residual * u_;
    length_ = u_.maxCoeff();
    force_ = std::max(f_.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    u_ /= length_;
    f_ /= force_;
    log_u_ = u_.array().log();
    target_ = f_.cwiseProduct(root_);
    columns_.resize(n, free_ ? 3 : 2);
    if (free_) columns_.col(2) = u_.cwiseProduct(root_);
  }

  /// Weighted sum of squares; coefficients in `best`.
  double operator()(double chi, double phi_max, Eigen::Vector3d* best = nullptr) {
    const double top = std::pow(phi_max, chi + 1.0), log_phi = std::log(phi_max);
    for (Eigen::Index i = 0; i < u_.size(); ++i) {
      const double x = std::min(u_(i), phi_max);
      // a/phi_max^(chi+1): of the size of min(u, phi_max)
      const double power = std::exp((chi + 1.0) * (std::min(log_u_(i), log_phi) - log_phi));
      columns_(i, 0) = root_(i) * x * (1.0 - power / (chi + 2.0)) / (chi + 1.0);
      columns_(i, 1) = root_(i) * x;
    }
    double least = std::numeric_limits<double>::infinity();
    // Every set of coefficients that are not 0, the largest sets first; the first without a negative one is the best of
    // its size, and only sets within it could be better.
    const int unknowns = static_cast<int>(columns_.cols());
    for (int set = (1 << unknowns) - 1; set > 0; --set) {
      std::vector<int> chosen;
      for (int k = 0; k < unknowns; ++k) {
        if ((set >> k) & 1) chosen.push_back(k);
      }
      const Eigen::MatrixXd part = columns_(Eigen::all, chosen);
      const Eigen::VectorXd x = least_squares(part, target_);
      if (x.minCoeff() < 0.0) continue;
      const double rss = (part * x - target_).squaredNorm();
      if (rss < least) {
        least = rss;
        if (best != nullptr) {
          best->setZero();
          for (std::size_t k = 0; k < chosen.size(); ++k) (*best)(chosen[k]) = x(static_cast<Eigen::Index>(k));
          (*best)(0) /= top;
        }
      }
      if (set == (1 << unknowns) - 1) break;
    }
    return least;
  }

  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] double force() const { return force_; }
  [[nodiscard]] Eigen::Index points() const { return u_.size(); }
  [[nodiscard]] double lowest() const { return u_(0); }

 private:
  bool free_;
  Eigen::VectorXd u_, f_, root_, log_u_, target_;
  Eigen::MatrixXd columns_;
  double length_ = 1.0, force_ = 1.0;
};

}  // namespace

double Iwan4CurveFit::force(double u) const {
  const double x = std::min(u, phi_max);
  const double hysteretic =
      r * x * (std::pow(phi_max, chi + 1.0) - std::pow(x, chi + 1.0) / (chi + 2.0)) / (chi + 1.0) + s * x;
  return hysteretic + residual * u;
}

double Iwan4CurveFit::dissipation(double x) const {
  return Iwan4Backbone<double>::from_distribution(r, s, phi_max, chi).dissipation(x);
}

Iwan4CurveFit fit_iwan4_curve(const ForceCurve& curve, std::optional<double> residual) {
  Projection project(curve, residual);
  const double low = std::max(2.0 * project.lowest(), 0.02);
  constexpr int chis = 9, phis = 24;
  const auto chi_at = [](double i) { return least_chi + (most_chi - least_chi) * std::pow(i / (chis - 1), 2); };
  const auto phi_at = [&](double j) { return low * std::pow(1.0 / low, j / (phis - 1)); };
  // phi_max for each chi on its own: a wrong one hides everything else.
  const auto best_phi = [&](double chi, double accuracy) {
    double least = std::numeric_limits<double>::infinity();
    int best = 0;
    for (int j = 0; j < phis; ++j) {
      const double rss = project(chi, phi_at(j));
      if (rss < least) least = rss, best = j;
    }
    return golden_section(phi_at(std::max(best - 1, 0)), phi_at(std::min(best + 1, phis - 1)), accuracy,
                          [&](double phi) { return project(chi, phi); });
  };
  double least = std::numeric_limits<double>::infinity();
  int best = 0;
  for (int i = 0; i < chis; ++i) {
    const double rss = project(chi_at(i), best_phi(chi_at(i), 1e-6));
    if (rss < least) least = rss, best = i;
  }
  const double chi = golden_section(chi_at(std::max(best - 1, 0)), chi_at(std::min(best + 1, chis - 1)), 1e-7,
                                    [&](double x) { return project(x, best_phi(x, 1e-8)); });
  Eigen::Vector3d coefficients = Eigen::Vector3d::Zero();
  const double phi_max = best_phi(chi, 1e-9);
  const double rss = project(chi, phi_max, &coefficients);

  Iwan4CurveFit fit;
  const double stiffness = project.force() / project.length();
  fit.chi = chi;
  fit.phi_max = phi_max * project.length();
  fit.r = coefficients(0) * stiffness / std::pow(project.length(), chi + 1.0);
  fit.s = coefficients(1) * stiffness;
  fit.residual = residual.value_or(coefficients(2) * stiffness);
  const double spread = fit.r * std::pow(fit.phi_max, chi + 1.0) / (chi + 1.0);
  fit.stiffness = spread + fit.s;
  fit.slip_force = fit.phi_max * (spread * (chi + 1.0) / (chi + 2.0) + fit.s);
  fit.beta = spread > 0.0 ? fit.s / spread : std::numeric_limits<double>::infinity();
  fit.misfit = project.force() * std::sqrt(rss / static_cast<double>(project.points()));
  fit.parameters = residual ? 4 : 5;
  return fit;
}

}  // namespace microslip
