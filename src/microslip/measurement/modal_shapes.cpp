#include "microslip/measurement/modal_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// 1 - exp((p - d) T): residues of a decay that ends after T, on lines 1/T apart, are that much smaller.
Complex kept_share(const ModalLines& lines, Complex pole) {
  if (!(lines.block > 0.0)) return 1.0;
  return 1.0 - std::exp((pole - lines.window_decay) * lines.block);
}

/// Right singular vector of the largest singular value, by powers of a^H a.
Eigen::VectorXcd strongest_direction(const Eigen::MatrixXcd& a) {
  Eigen::Index largest = 0;
  a.colwise().squaredNorm().maxCoeff(&largest);
  Eigen::VectorXcd v = Eigen::VectorXcd::Unit(a.cols(), largest);
  if (a.cols() == 1) return v;
  constexpr int powers = 100;
  for (int i = 0; i < powers; ++i) {
    const Eigen::VectorXcd next = a.adjoint() * (a * v);
    if (!(next.norm() > 0.0)) break;
    v = next / next.norm();
  }
  return v;
}

/// The largest singular value of what the strongest direction leaves, and its singular vectors.
struct SecondPart {
  double size = 0.0;  ///< 0: nothing is left
  Eigen::VectorXcd channels, references;
};

SecondPart second_part(const Eigen::MatrixXcd& a, const Eigen::VectorXcd& strongest) {
  SecondPart part;
  const Eigen::MatrixXcd rest = a - (a * strongest) * strongest.adjoint();
  part.references = strongest_direction(rest);
  part.channels = rest * part.references;
  part.size = part.channels.norm();
  if (part.size > 0.0) part.channels /= part.size;
  return part;
}

/// One mode: its constants, the combination of references that shows it best, and the scale.
class ModeShape {
 public:
  ModeShape(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms, const ModalErrors& errors,
            Eigen::Index mode)
      : lines_(lines), fit_(fit), terms_(terms), errors_(errors), mode_(mode) {
    constants_ = modal_constants(lines, fit, terms, mode);
    direction_ = strongest_direction(constants_);
    combined_ = constants_ * direction_;
    kept_ = kept_share(lines, fit.poles(mode));
  }

  /// The channel at a driving point and its reference, best seen of several; false where there is none.
  bool scale_by(const std::vector<SignedChannel>& driving) {
    double best = 0.0;
    for (std::size_t r = 0; r < driving.size(); ++r) {
      const auto [channel, sign] = driving[r];
      if (channel < 0) continue;
      const double seen = std::abs(combined_(channel) * direction_(static_cast<Eigen::Index>(r)));
      if (!(seen > best)) continue;
      best = seen;
      anchor_ = channel;
      square_ = sign * std::conj(direction_(static_cast<Eigen::Index>(r))) / combined_(channel);
    }
    if (!(best > 0.0)) return false;
    by_driving_point_ = true;
    reversed_ = square_.real() < 0.0;
    factor_ = std::sqrt(reversed_ ? -square_ : square_);
    return true;
  }
  void scale_by_largest() {
    combined_.cwiseAbs().maxCoeff(&anchor_);
    scale_by(anchor_);
  }
  void scale_by(Eigen::Index channel) {
    anchor_ = channel;
    factor_ = 1.0 / combined_(anchor_);
  }

  /// Of one mode the constants over channels and references are phi_c phi_r, of rank one. What they have beside that,
  /// over its size, where it stands out of noise; else 0. Of noise alone, real and imaginary part of deviation e, the
  /// largest singular value is sqrt(2) e (sqrt(channels) + sqrt(references)), hardly ever by 3 e more.
  [[nodiscard]] double second_share(double inflation) const {
    if (direction_.size() == 1 || combined_.size() == 1) return 0.0;
    const SecondPart part = second_part(constants_, direction_);
    const double share = part.size / combined_.norm();
    constexpr double rounding = 1e-6;
    if (!(share > rounding)) return 0.0;
    std::map<Eigen::Index, Complex> of;
    for (Eigen::Index c = 0; c < combined_.size(); ++c) of[c] = std::conj(part.channels(c));
    const double error = std::sqrt(inflation * std::max(0.0, errors_.variance(gradient(of, part.references))));
    const double of_noise = std::sqrt(2.0) * (std::sqrt(static_cast<double>(combined_.size())) +
                                              std::sqrt(static_cast<double>(direction_.size())));
    return part.size > (of_noise + 3.0) * error ? share : 0.0;
  }

  [[nodiscard]] bool reversed() const { return reversed_; }
  [[nodiscard]] Eigen::Index anchor() const { return anchor_; }
  [[nodiscard]] Complex component(Eigen::Index channel) const { return factor_ * combined_(channel); }
  /// Standard error of the real part of a component; `inflation` of the variance that the noise of the lines makes.
  [[nodiscard]] double error(Eigen::Index channel, double inflation) const {
    if (channel == anchor_ && !by_driving_point_) return 0.0;  // 1 by definition, and not by rounding
    // d phi_c = k d u_c - (1/2 or 1) phi_c d u_anchor/u_anchor
    std::map<Eigen::Index, Complex> of;
    of[channel] += factor_;
    of[anchor_] -= (by_driving_point_ ? 0.5 : 1.0) * component(channel) / combined_(anchor_);
    const double scale = by_driving_point_ ? 0.5 * force_error() * std::abs(component(channel)) : 0.0;
    return std::sqrt(inflation * std::max(0.0, errors_.variance(gradient(of, direction_))) + scale * scale);
  }

 private:
  /// What the noise of the force does to the constants of the mode, all of them alike, over their size: it is smooth
  /// over the lines, so that it turns and stretches the resonance and leaves its pole.
  [[nodiscard]] double force_error() const {
    if (lines_.force_error.empty()) return 0.0;
    Eigen::Index line = 0;
    (lines_.frequency.array() - std::abs(fit_.poles(mode_)) / two_pi).abs().minCoeff(&line);
    double square = 0.0;
    for (std::size_t r = 0; r < lines_.references.size(); ++r) {
      square += std::norm(direction_(static_cast<Eigen::Index>(r)) * lines_.force_error[r](line));
    }
    return std::sqrt(square);
  }
  /// Of Re(sum z_c du_c), u_c = sum_r v_r a_cr, du_c = sum_r v_r (dA + p dB + B dp)/k - u_c dk/k with k the kept share
  /// 1 - exp((p - d) T), dk = -T (1 - k) dp, and dp = -d alpha + i d beta.
  [[nodiscard]] ModalGradient gradient(const std::map<Eigen::Index, Complex>& of, const Eigen::VectorXcd& v) const {
    const Complex pole = fit_.poles(mode_);
    ModalGradient result;
    result.poles = Eigen::VectorXd::Zero(2 * fit_.poles.size());
    const Complex by_share = lines_.block > 0.0 ? lines_.block * (1.0 - kept_) / kept_ : 0.0;
    for (const auto& [channel, z] : of) {
      const Complex of_share = z * (constants_.row(channel) * v)(0) * by_share;
      result.poles(2 * mode_) -= of_share.real();
      result.poles(2 * mode_ + 1) += (i_unit * of_share).real();
      for (std::size_t r = 0; r < lines_.references.size(); ++r) {
        const Eigen::Index f = lines_.function(static_cast<std::size_t>(channel), r);
        const Complex weight = z * v(static_cast<Eigen::Index>(r)) / kept_;
        Eigen::VectorXd own = Eigen::VectorXd::Zero(fit_.unknowns.rows());
        own(mode_ * terms_.a_mode()) = weight.real();
        if (!terms_.normal) {
          const double b = fit_.unknowns(2 * mode_ + 1, f);
          own(2 * mode_ + 1) = (weight * pole).real();
          result.poles(2 * mode_) -= weight.real() * b;
          result.poles(2 * mode_ + 1) += (i_unit * weight).real() * b;
        }
        result.unknowns.push_back({f, std::move(own)});
      }
    }
    return result;
  }

  const ModalLines& lines_;
  const ModalPolish& fit_;
  const ModalTerms& terms_;
  const ModalErrors& errors_;
  Eigen::Index mode_;
  Eigen::MatrixXcd constants_;
  Eigen::VectorXcd direction_, combined_;
  Complex kept_ = 1.0, square_ = 1.0, factor_ = 1.0;
  Eigen::Index anchor_ = 0;
  bool by_driving_point_ = false, reversed_ = false;
};

}  // namespace

Eigen::MatrixXcd modal_constants(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                 Eigen::Index mode) {
  Eigen::MatrixXcd result(static_cast<Eigen::Index>(lines.channels.size()),
                          static_cast<Eigen::Index>(lines.references.size()));
  const Complex kept = kept_share(lines, fit.poles(mode));
  for (Eigen::Index f = 0; f < lines.functions(); ++f) {
    result(static_cast<Eigen::Index>(lines.channel_of(f)), static_cast<Eigen::Index>(lines.reference_of(f))) =
        modal_constant(fit.unknowns.col(f), mode, fit.poles(mode), terms) / kept;
  }
  return result;
}

double mode_significance(const ModalPolish& fit, const ModalTerms& terms, const ModalErrors& errors, Eigen::Index mode,
                         Eigen::Index function) {
  const Eigen::Index each = terms.a_mode(), at = mode * each;
  const Eigen::MatrixXd covariance = errors.own[static_cast<std::size_t>(function)].block(at, at, each, each);
  const Eigen::VectorXd x = fit.unknowns.col(function).segment(at, each);
  return x.dot(Eigen::VectorXd(solve_scaled(covariance, x)));
}

double mode_significance(const ModalPolish& fit, const ModalTerms& terms, const ModalErrors& errors,
                         Eigen::Index mode) {
  double sum = 0.0;
  for (Eigen::Index f = 0; f < fit.unknowns.cols(); ++f) sum += mode_significance(fit, terms, errors, mode, f);
  return sum;
}

ModalShapes modal_shapes(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                         const ModalErrors& errors, const std::vector<SignedChannel>& driving,
                         const Eigen::VectorXd& inflation, const std::vector<Eigen::Index>& anchors) {
  const auto channels = static_cast<Eigen::Index>(lines.channels.size());
  const Eigen::Index modes = fit.poles.size();
  ModalShapes result;
  result.unit_modal_mass =
      modes > 0 && std::any_of(driving.begin(), driving.end(), [](const SignedChannel& at) { return at.place >= 0; });
  result.shapes.resize(channels, modes);
  result.error.resize(channels, modes);
  result.scale_error = Eigen::VectorXd::Zero(modes);
  for (Eigen::Index m = 0; m < modes; ++m) {
    ModeShape shape(lines, fit, terms, errors, m);
    const bool scaled = shape.scale_by(driving);
    if (!scaled && anchors.empty()) shape.scale_by_largest();
    if (!scaled && !anchors.empty()) shape.scale_by(anchors[static_cast<std::size_t>(m)]);
    result.anchors.push_back(shape.anchor());
    for (Eigen::Index c = 0; c < channels; ++c) {
      result.shapes(c, m) = shape.component(c);
      result.error(c, m) = shape.error(c, inflation(m));
    }
    if (const double share = shape.second_share(inflation(m)); share > 0.0) {
      result.remarks.push_back(fmt::format(
          "mode {}: its constants over channels and references are not those of one shape, what is left is {:.2g} of "
          "them: there may be two modes at one frequency, and this shape a mixture, or the references do not fit "
          "together",
          m + 1, share));
    }
    if (!scaled) continue;
    const double size = std::abs(result.shapes(shape.anchor(), m));
    result.scale_error(m) = result.error(shape.anchor(), m) / size;
    if (shape.reversed()) {
      result.remarks.push_back(fmt::format(
          "mode {}: the driving point moves against its force: the sign of a channel or the point is wrong; "
          "scaled by its magnitude",
          m + 1));
    }
    constexpr double poor_scale = 0.1;
    if (result.scale_error(m) > poor_scale) {
      result.remarks.push_back(
          fmt::format("mode {}: the driving point hardly moves: its modal mass is known to {:.0f} %", m + 1,
                      200.0 * result.scale_error(m)));
    }
  }
  return result;
}

double phase_collinearity(const Eigen::VectorXcd& shape) {
  const double x = shape.real().squaredNorm(), y = shape.imag().squaredNorm();
  const double xy = shape.real().dot(shape.imag());
  return x + y > 0.0 ? ((x - y) * (x - y) + 4.0 * xy * xy) / ((x + y) * (x + y)) : 0.0;
}

double mean_phase_deviation(const Eigen::VectorXcd& shape) {
  // The line that is nearest: phase of half the sum of squares.
  const double angle = 0.5 * std::arg(shape.array().square().sum());
  double sum = 0.0, weight = 0.0;
  for (const Complex value : shape) {
    const double size = std::abs(value);
    if (!(size > 0.0)) continue;
    const Complex turned = value * std::polar(1.0, -angle);
    sum += size * std::atan2(std::abs(turned.imag()), std::abs(turned.real()));
    weight += size;
  }
  return weight > 0.0 ? sum / weight * 180.0 / pi : 0.0;
}

}  // namespace microslip
