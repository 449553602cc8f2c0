#include "microslip/periodic/floquet.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/numerics/lanes.hpp"
#include "microslip/periodic/joint_variation.hpp"
#include "microslip/periodic/straight_flow.hpp"
#include "microslip/transient/scheme.hpp"

namespace microslip {
namespace {

/// Eigenvalues, largest first.
Eigen::VectorXcd falling(const Rows& map) {
  Eigen::VectorXcd values = complex_eigenvalues(Eigen::MatrixXd(map));
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return values;
}

/// Of a spring made of straight lines, a stop in contact among them; 0: of another law.
double steepest_piece(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        double result = 0.0;
        if constexpr (SpringLaw<L>) {
          if constexpr (L::straight_pieces) {
            for (std::size_t i = 0; i <= l.corners().size(); ++i) {
              result = std::max(result, std::abs(static_cast<double>(l.slope(i))));
            }
          }
        }
        return result;
      },
      law);
}

/// a x = b for the few joints of a step, in place of b; rows are exchanged for the largest pivot.
void solve_few(Eigen::MatrixXd& a, Rows& b) {
  const Eigen::Index n = a.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index largest = k;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      if (std::abs(a(i, k)) > std::abs(a(largest, k))) largest = i;
    }
    if (largest != k) {
      a.row(k).swap(a.row(largest));
      b.row(k).swap(b.row(largest));
    }
    const double inverse = 1.0 / a(k, k);
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = a(i, k) * inverse;
      if (factor == 0.0) continue;
      for (Eigen::Index j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
      b.row(i) -= factor * b.row(k);
    }
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    b.row(k) /= a(k, k);
    for (Eigen::Index i = 0; i < k; ++i) b.row(i) -= a(i, k) * b.row(k);
  }
}

constexpr double small_turn = 0.02;  ///< of a multiplier from one length of steps to the next

/// How large the multipliers behind the first may still become with shorter steps: what halving them has changed is
/// more than what is left to change; one that has turned may meet another and grow.
double largest_rival(const Eigen::VectorXcd& fine, const Eigen::VectorXcd& coarse) {
  double result = 0.0;
  for (Eigen::Index i = 1; i < fine.size(); ++i) {
    Eigen::Index nearest = 0;
    const double turn = (coarse.array() - fine(i)).abs().minCoeff(&nearest), size = std::abs(fine(i));
    result = std::max(result, size + (turn > small_turn ? turn : std::abs(size - std::abs(coarse(nearest)))));
  }
  return result;
}

}  // namespace

double multiplier_change(std::complex<double> largest, const Eigen::VectorXcd& others) {
  const double magnitude = std::abs(std::abs(largest) - others.cwiseAbs().maxCoeff());
  const double nearest = (others.array() - largest).abs().minCoeff();
  return std::abs(largest.imag()) <= 2.0 * nearest ? std::max(magnitude, nearest) : magnitude;
}

std::string stability_obstacle(const System& system) {
  if (!system.modal_damping_is_diagonal()) return "the damping matrix couples the modes";
  for (const Joint& joint : system.joints()) {
    if (!tells_change_of_memory(joint.law)) {
      return "the law of joint \"" + joint.name + "\" does not tell how its memory is disturbed";
    }
  }
  return "";
}

class Floquet::Worker {
 public:
  Worker(const System& system, int steps) : system_(&system), steps_(std::max(16, steps)) {
    const Modes& modes = system.stuck_modes();
    const auto& dampers = system.structure().dampers();
    count_ = modes.omega.size() - modes.rigid;
    const Eigen::Index padded = padded_size(count_);
    omega_ = Eigen::VectorXd::Zero(padded);
    damping_ = Eigen::VectorXd::Zero(padded);
    omega_.head(count_) = modes.omega.tail(count_);
    damping_.head(count_) = system.modal_damping().diagonal().tail(count_);
    const Eigen::Index m = system.components();
    const auto extra = static_cast<Eigen::Index>(dampers.size());
    directions_.resize(count_, m + extra);
    cuts_corners_ = corners_to_cut(system);
    directions_.leftCols(m) = modes.shapes.rightCols(count_).transpose() * system.directions();
    rates_ = Eigen::MatrixXd::Zero(m + extra, m + extra);
    rates_.topLeftCorner(m, m) = system.joint_damping();
    for (Eigen::Index k = 0; k < extra; ++k) {
      const Damper& damper = dampers[static_cast<std::size_t>(k)];
      directions_.col(m + k) = modes.shapes.rightCols(count_).transpose() * damper.direction;
      rates_(m + k, m + k) = damper.coefficient;
    }
    Eigen::VectorXd stiffness = system.stuck_joint_stiffness().diagonal().cwiseAbs();
    for (std::size_t j = 0; j < system.joints().size(); ++j) {
      const int first = system.offset(static_cast<int>(j));
      stiffness(first) = std::max(stiffness(first), steepest_piece(system.joints()[j].law));
    }
    for (Eigen::Index r = 0; r < count_; ++r) {
      const double of_joints = directions_.row(r).head(m).cwiseAbs2().dot(stiffness);
      if (of_joints >= least_share * omega_(r) * omega_(r)) fastest_ = std::max(fastest_, omega_(r));
    }
  }

  /// What the fastest mode that joints have a part in turns in a step [rad].
  [[nodiscard]] double turn_of_step(double omega, int parts) const {
    return two_pi / (omega * steps_ * parts) * fastest_;
  }
  /// Steps of this part are short beside the periods of these modes: what they leave falls as they become shorter.
  [[nodiscard]] bool resolves(double omega, int parts) const { return turn_of_step(omega, parts) <= longest_turn; }

  /// A motion with the events of its joints, ready to be integrated with any number of steps.
  struct Motion {
    double omega = 0.0;
    std::vector<std::unique_ptr<JointVariation>> variations;
    std::vector<double> bounds;  ///< events of all joints, from 0 to 2 pi
    std::vector<int> counts;     ///< steps between them
    Eigen::Index columns = 0;    ///< unknowns of the map
    bool straight = true;        ///< between events all joints are straight lines
    bool exact = false;          ///< so is the map, whatever the steps, but for
    double rounding = 0.0;
  };

  [[nodiscard]] Motion prepare(const PeriodicOrbit& orbit) {
    Motion motion;
    motion.omega = orbit.omega;
    motion.columns = 2 * count_;
    SeriesScanner& scanner = scanner_for(orbit.harmonics);
    std::vector<double> events = {0.0, two_pi};
    for (std::size_t j = 0; j < system_->joints().size(); ++j) {
      const int first = system_->offset(static_cast<int>(j));
      const int width = system_->offset(static_cast<int>(j) + 1) - first;
      motion.variations.push_back(make_variation(system_->joints()[j], orbit.deflection.middleCols(first, width),
                                                 orbit.omega, scanner, cuts_corners_[j]));
      const auto own = motion.variations.back()->events();
      events.insert(events.end(), own.begin(), own.end());
      motion.columns += motion.variations.back()->extra();
      motion.straight = motion.straight && motion.variations.back()->straight();
    }
    std::sort(events.begin(), events.end());
    motion.bounds = {0.0};
    for (const double tau : events) {
      if (tau - motion.bounds.back() > same_time) motion.bounds.push_back(tau);
    }
    if (two_pi - motion.bounds.back() < same_time) motion.bounds.back() = two_pi;
    // All of a backbone may be passed in a small part of the period, between a reversal and macroslip.
    const int least = motion.bounds.size() > 2 ? 4 : 1;
    for (std::size_t i = 0; i + 1 < motion.bounds.size(); ++i) {
      const double length = motion.bounds[i + 1] - motion.bounds[i];
      motion.counts.push_back(std::max(least, static_cast<int>(std::ceil(steps_ * length / two_pi))));
    }
    return motion;
  }

  /// The map of disturbances over a period, every step cut into `parts`.
  [[nodiscard]] Rows map(Motion& motion, int parts) {
    std::vector<double> nodes = {0.0};
    std::vector<int> counts;
    for (std::size_t i = 0; i < motion.counts.size(); ++i) {
      const double from = motion.bounds[i], to = motion.bounds[i + 1];
      const int number = parts * motion.counts[i];
      for (int k = 1; k <= number; ++k) nodes.push_back(k == number ? to : from + (to - from) * k / number);
      counts.push_back(number);
    }
    Rows d = Rows::Zero(count_, motion.columns), v = d;
    d.leftCols(count_).setIdentity();
    v.middleCols(count_, count_).setIdentity();
    Eigen::Index next = 2 * count_;
    for (auto& variation : motion.variations) {
      variation->begin(nodes, next, motion.columns);
      next += variation->extra();
    }
    integrate(motion, counts, d, v);

    Rows map(motion.columns, motion.columns);
    map.topRows(count_) = d;
    map.middleRows(count_, count_) = v;
    next = 2 * count_;
    for (const auto& variation : motion.variations) {
      variation->finish(map.middleRows(next, variation->extra()));
      next += variation->extra();
    }
    return map;
  }

 private:
  /// Motions come in pairs, often with the numbers of harmonics of the pair before.
  SeriesScanner& scanner_for(int harmonics) {
    constexpr std::size_t most = 4;
    const auto known = std::find_if(scanners_.begin(), scanners_.end(),
                                    [&](const SeriesScanner& s) { return s.harmonics() == harmonics; });
    if (known != scanners_.end()) return *known;
    if (scanners_.size() == most) scanners_.pop_front();
    return scanners_.emplace_back(harmonics);
  }

  StraightFlow& flow_of(const Eigen::MatrixXd& kappa, const Eigen::MatrixXd& gamma) {
    constexpr std::size_t most = 64;
    const auto known =
        std::find_if(flows_.begin(), flows_.end(), [&](const StraightFlow& f) { return f.is_of(kappa, gamma); });
    if (known != flows_.end()) return *known;
    if (flows_.size() == most) flows_.pop_front();
    return flows_.emplace_back(omega_.head(count_), damping_.head(count_), directions_, kappa, gamma);
  }

  void integrate(Motion& motion, const std::vector<int>& counts, Rows& d, Rows& v) {
    auto& variations = motion.variations;
    const Eigen::Index columns = d.cols();
    const Eigen::Index size = directions_.cols();
    TransientOptions scheme_options;
    scheme_options.scheme = Scheme::modal_exact;
    std::vector<Linearised> joint(variations.size());
    for (std::size_t j = 0; j < variations.size(); ++j) {
      const int width = system_->offset(static_cast<int>(j) + 1) - system_->offset(static_cast<int>(j));
      joint[j] = {Eigen::MatrixXd::Zero(width, width), Eigen::MatrixXd::Zero(width, width), Rows::Zero(width, columns)};
    }
    Eigen::MatrixXd kappa = Eigen::MatrixXd::Zero(size, size), gamma = rates_, matrix(size, size);
    Rows rest = Rows::Zero(size, columns), x = rest, right = rest, u_star = rest, v_joint = rest, before = rest;
    Rows force(count_, columns);
    const auto rows_of = [&](std::size_t j, const Rows& all) {
      return all.middleRows(system_->offset(static_cast<int>(j)), joint[j].kappa.rows());
    };
    const auto gather = [&] {
      for (std::size_t j = 0; j < joint.size(); ++j) {
        const int first = system_->offset(static_cast<int>(j));
        const Eigen::Index width = joint[j].kappa.rows();
        kappa.block(first, first, width, width) =
            joint[j].kappa - system_->stuck_joint_stiffness().block(first, first, width, width);
        gamma.block(first, first, width, width) =
            joint[j].gamma + system_->joint_damping().block(first, first, width, width);
        rest.middleRows(first, width) = joint[j].rest;
      }
    };
    const auto answer = [&](const Rows& u, const Rows& rate) -> Rows& {  // kappa u + gamma u' + rest
      right = rest;
      right.noalias() += kappa.lazyProduct(u);
      if (!gamma.isZero(0.0)) right.noalias() += gamma.lazyProduct(rate);
      return right;
    };
    std::size_t node = 0;
    const Rows of_joints = directions_.transpose();  // the products are of few rows: not worth packing
    Rows u = of_joints * d;
    motion.exact = motion.straight && count_ > 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (std::size_t j = 0; j < variations.size(); ++j) {
        variations[j]->enter(motion.bounds[i], motion.bounds[i + 1], rows_of(j, u));
        variations[j]->at_start(joint[j]);
      }
      gather();
      if (motion.straight && count_ > 0) {
        StraightFlow& flow = flow_of(kappa, gamma);
        if (flow.holds()) {
          motion.rounding += flow.rounding();
          flow.run((motion.bounds[i + 1] - motion.bounds[i]) / motion.omega, rest, d, v);
          u.noalias() = of_joints * d;
          node += static_cast<std::size_t>(counts[i]);
          continue;
        }
        motion.exact = false;
      }
      const double h = (motion.bounds[i + 1] - motion.bounds[i]) / counts[i] / motion.omega;
      const DiagonalScheme scheme = diagonal_scheme(scheme_options, h, omega_, damping_);
      const auto row = [&](const Eigen::VectorXd& blocks, int rows, int k) {
        return coefficient_of_modes(blocks, rows, k, count_);
      };
      const Eigen::VectorXd dd = row(scheme.transition, 9, 0), dv = row(scheme.transition, 9, 1),
                            vd = row(scheme.transition, 9, 3), vv = row(scheme.transition, 9, 4);
      const Eigen::VectorXd d_old = row(scheme.from_old, 3, 0), v_old = row(scheme.from_old, 3, 1),
                            d_new = row(scheme.from_new, 3, 0), v_new = row(scheme.from_new, 3, 1);
      const Eigen::MatrixXd flexible = directions_.transpose() * d_new.asDiagonal() * directions_;
      const Eigen::MatrixXd flexible_rate = directions_.transpose() * v_new.asDiagonal() * directions_;
      v_joint.noalias() = of_joints.lazyProduct(v);
      x = answer(u, v_joint);
      force.noalias() = directions_.lazyProduct(x);
      for (int k = 0; k < counts[i]; ++k) {
        ++node;
        for (Eigen::Index r = 0; r < count_; ++r) {  // without what the joints do at the end of the step
          for (Eigen::Index c = 0; c < columns; ++c) {
            const double d0 = d(r, c), v0 = v(r, c), f0 = force(r, c);
            d(r, c) = dd(r) * d0 + dv(r) * v0 - d_old(r) * f0;
            v(r, c) = vd(r) * d0 + vv(r) * v0 - v_old(r) * f0;
          }
        }
        for (std::size_t j = 0; j < variations.size(); ++j) variations[j]->at_end(node, rows_of(j, u), joint[j]);
        gather();
        u_star.noalias() = of_joints.lazyProduct(d);
        if (!gamma.isZero(0.0)) v_joint.noalias() = of_joints.lazyProduct(v);
        matrix.noalias() = kappa.lazyProduct(flexible);
        matrix.noalias() += gamma.lazyProduct(flexible_rate);
        matrix.diagonal().array() += 1.0;
        answer(u_star, v_joint);
        solve_few(matrix, right);
        x.swap(right);
        force.noalias() = directions_.lazyProduct(x);
        for (Eigen::Index r = 0; r < count_; ++r) {
          for (Eigen::Index c = 0; c < columns; ++c) {
            d(r, c) -= d_new(r) * force(r, c);
            v(r, c) -= v_new(r) * force(r, c);
          }
        }
        before.swap(u);
        u = u_star;
        u.noalias() -= flexible.lazyProduct(x);
        for (std::size_t j = 0; j < variations.size(); ++j) variations[j]->accept(rows_of(j, before), rows_of(j, u));
      }
    }
  }

  const System* system_;
  static constexpr double least_share = 0.02;  ///< of the joints in the stiffness of a mode
  static constexpr double longest_turn = 0.4;  ///< of a mode in a step [rad]
  int steps_;
  double fastest_ = 0.0;    ///< frequency of modes that the joints have a part in
  Eigen::Index count_ = 0;  ///< elastic modes
  Eigen::VectorXd omega_, damping_;
  Rows directions_;                     ///< Phi^T [B, dampers]
  Eigen::MatrixXd rates_;               ///< damping in joint space
  std::vector<bool> cuts_corners_;      ///< of each joint, see corners_to_cut
  std::deque<SeriesScanner> scanners_;  ///< by their harmonics
  std::deque<StraightFlow> flows_;      ///< by what the joints do
};

Floquet::Floquet(const System& system, int steps) {
  const std::string obstacle = stability_obstacle(system);
  if (!obstacle.empty()) throw std::invalid_argument("stability: " + obstacle);
  worker_ = std::make_unique<Worker>(system, steps);
}
Floquet::~Floquet() = default;
Floquet::Floquet(Floquet&&) noexcept = default;
Floquet& Floquet::operator=(Floquet&&) noexcept = default;

Eigen::VectorXcd Floquet::multipliers(const PeriodicOrbit& orbit) const {
  Worker::Motion motion = worker_->prepare(orbit);
  return falling(worker_->map(motion, 1));
}

MultiplierEstimate Floquet::largest(const PeriodicOrbit& orbit, const PeriodicOrbit& rough) const {
  constexpr int most_parts = 32;
  constexpr double accuracy = 1e-3;
  MultiplierEstimate result;
  Worker::Motion motion = worker_->prepare(orbit), less = worker_->prepare(rough);
  if (motion.columns == 0) return result;
  // A step of length h leaves h^p, p = 2 where the tangents are smooth between events and 1 < p < 2 behind the
  // reversals of an Iwan element. Of the extrapolated magnitude (4 fine - coarse)/3 that is at most
  //   2/3 |fine - coarse|, or its change from one pair of lengths to the next, for every p >= 1.
  // Magnitudes may be alike by chance while the multiplier turns; h^4 may make (2 theta)^2/4 of what h^2 does,
  // theta the turn of a mode in a step.
  // Where two multipliers meet on the real axis p is half of that, and nothing is extrapolated: what is left is at most
  //   |fine - coarse|/(2^p - 1) < 2 |fine - coarse|, p > 0.59.
  // Maps are not extrapolated: steps of different lengths turn the highest modes by different angles.
  Eigen::VectorXcd coarse = falling(worker_->map(motion, 1));
  if (motion.exact) {
    return {coarse(0), multiplier_change(coarse(0), falling(worker_->map(less, 1))) + motion.rounding};
  }
  double size_before = 0.0, motion_error = -1.0;
  for (int parts = 2;; parts *= 2) {
    const Eigen::VectorXcd fine = falling(worker_->map(motion, parts));
    const double change = multiplier_change(fine(0), coarse);
    const double magnitude = std::abs(fine(0)), difference = magnitude - std::abs(coarse(0));
    // About to converge, and meets no other one on the real axis.
    const bool regular = change == std::abs(difference) && change <= 0.1 * magnitude;
    const double size = regular ? magnitude + difference / 3.0 : magnitude;
    const double turn = (coarse.array() - fine(0)).abs().minCoeff(), theta = worker_->turn_of_step(motion.omega, parts);
    double step_error = !regular ? 2.0 * change : parts > 2 ? std::abs(size - size_before) : 2.0 / 3.0 * change;
    if (regular) step_error = std::max(step_error, theta * theta * turn);
    const bool last = parts >= most_parts;
    // Steps that are too long for the highest modes make them seem to grow, now and then alike for two lengths, and a
    // magnitude may be alike by chance while the multiplier turns: then a third length is asked. Others that still turn
    // may come to be the largest.
    const bool two_will_do = size < 1.0 && turn <= small_turn && worker_->resolves(motion.omega, parts);
    const double overtaken = std::max(0.0, largest_rival(fine, coarse) - size);
    if (last || (std::max(step_error, overtaken) <= accuracy * std::max(1.0, size) && (parts > 2 || two_will_do))) {
      const double motion_error_before = motion_error;
      motion_error = multiplier_change(coarse(0), falling(worker_->map(less, parts / 2)));
      result.value = magnitude > 0.0 ? fine(0) * (size / magnitude) : 0.0;
      result.error = motion_error + std::max(step_error, overtaken);
      const bool decided = std::abs(size - 1.0) > result.error;
      const bool settled = motion_error < 1.5 * motion_error_before && motion_error_before < 1.5 * motion_error;
      if (last || decided || (settled && std::max(step_error, overtaken) <= 0.1 * motion_error) || result.error <= 1e-9)
        return result;
    }
    size_before = size;
    coarse = fine;
  }
}

}  // namespace microslip
