#include "microslip/periodic/floquet.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/numerics/lanes.hpp"
#include "microslip/periodic/masing_loop.hpp"
#include "microslip/transient/scheme.hpp"

namespace microslip {
namespace {

constexpr double same_time = 1e-12;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowsOf = Eigen::Ref<const Rows>;  ///< some rows of all, not copied

double into_period(double tau) {
  tau = std::fmod(tau, two_pi);
  return tau < 0.0 ? tau + two_pi : tau;
}

/// dx = kappa du + gamma dv + rest at one instant, of one joint.
struct Linearised {
  Eigen::MatrixXd kappa, gamma;  ///< d x d
  Rows rest;                     ///< d x columns
};

/// A joint along its periodic motion. The calls come in the order of time.
class JointVariation {
 public:
  JointVariation() = default;
  JointVariation(const JointVariation&) = delete;
  JointVariation& operator=(const JointVariation&) = delete;
  virtual ~JointVariation() = default;
  /// Instants in [0, 2 pi) where the tangent jumps or the memory changes.
  [[nodiscard]] virtual std::vector<double> events() const = 0;
  /// Unknowns of the memory.
  [[nodiscard]] virtual int extra() const = 0;
  /// The first of its unknowns is column `first` of `columns`. `nodes`: ends of all steps, from 0 to 2 pi.
  virtual void begin(const std::vector<double>& nodes, Eigen::Index first, Eigen::Index columns) = 0;
  /// A piece [from, to] between events begins; `du`: rows of the joint's components there.
  virtual void enter(double from, double to, const RowsOf& du) = 0;
  /// At the start of the present piece.
  virtual void at_start(Linearised& out) = 0;
  /// At node `node`, the end of a step; `du`: at its start.
  virtual void at_end(std::size_t node, const RowsOf& du, Linearised& out) = 0;
  virtual void accept(const RowsOf& du_before, const RowsOf& du) = 0;
  /// Its unknowns at the end of the period.
  virtual void finish(Eigen::Ref<Rows> memory) const = 0;
};

/// Springs without memory, custom laws included.
class SpringVariation final : public JointVariation {
 public:
  SpringVariation(const Joint& joint, const Eigen::MatrixXd& series, double omega, SeriesScanner& scanner)
      : joint_(&joint), series_(series), omega_(omega), harmonics_(scanner.harmonics()) {
    std::vector<double> corners;
    if (const auto* gap = std::get_if<Gap<double>>(&joint_->law)) corners = {gap->gap()};
    if (const auto* spring = std::get_if<PiecewiseLinearSpring<double>>(&joint_->law)) corners = spring->breaks();
    for (const double corner : corners) {
      for (const double tau : scanner.crossings(series_.data(), corner)) events_.push_back(into_period(tau));
    }
  }

  [[nodiscard]] std::vector<double> events() const override { return events_; }
  [[nodiscard]] int extra() const override { return 0; }
  void begin(const std::vector<double>& nodes, Eigen::Index, Eigen::Index) override { nodes_ = &nodes; }
  void enter(double from, double to, const RowsOf&) override { from_ = from, to_ = to; }
  void at_start(Linearised& out) override { evaluate(from_ + 1e-8 * (to_ - from_), out); }
  void at_end(std::size_t node, const RowsOf&, Linearised& out) override {
    evaluate(std::min((*nodes_)[node], to_ - 1e-8 * (to_ - from_)), out);
  }
  void accept(const RowsOf&, const RowsOf&) override {}
  void finish(Eigen::Ref<Rows>) const override {}

 private:
  void evaluate(double tau, Linearised& out) const {
    out.rest.setZero();
    out.gamma.setZero();
    std::visit(
        [&]<class L>(const L& law) {
          if constexpr (std::is_same_v<L, CustomLawHandle>) {
            CustomInput input;
            input.t = tau / omega_;
            input.normal = joint_->normal.static_value();
            for (Eigen::Index c = 0; c < series_.cols(); ++c) {
              const SeriesPoint p = series_at(series_.col(c).data(), harmonics_, tau);
              input.u[static_cast<std::size_t>(c)] = p.value;
              input.v[static_cast<std::size_t>(c)] = omega_ * p.slope;
            }
            const auto trial = law.evaluate(law.initial_state(), input);
            for (Eigen::Index r = 0; r < series_.cols(); ++r) {
              for (Eigen::Index c = 0; c < series_.cols(); ++c) {
                out.kappa(r, c) = trial.stiffness[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
                out.gamma(r, c) = trial.damping[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
              }
            }
          } else {
            const double u = series_at(series_.data(), harmonics_, tau).value;
            out.kappa(0, 0) = law.evaluate({}, {u, 0.0, 0.0, joint_->normal.static_value()}).stiffness;
          }
        },
        joint_->law);
  }

  const Joint* joint_;
  Eigen::MatrixXd series_;
  double omega_;
  int harmonics_;
  std::vector<double> events_;
  const std::vector<double>* nodes_ = nullptr;
  double from_ = 0.0, to_ = 0.0;
};

template <class Shape>
class MasingVariation final : public JointVariation {
 public:
  MasingVariation(const Shape& shape, double residual, const Eigen::VectorXd& series, SeriesScanner& scanner)
      : shape_(shape), residual_(residual), series_(series), harmonics_(scanner.harmonics()) {
    const auto& extrema = scanner.extrema(series.data());
    double swing = series.tail(series.size() - 1).cwiseAbs().sum();
    moves_ = extrema.size() >= 2 && swing > 1e-15 * std::abs(series(0));
    if (!moves_) return;
    std::vector<int> stack;
    walk_masing_loop(shape_, series_.data(), harmonics_, extrema, loop_, stack);
    const auto [low, high] = std::minmax_element(extrema.begin(), extrema.end(),
                                                 [](const auto& a, const auto& b) { return a.value < b.value; });
    closing_slope_ = shape_.at(0.5 * (high->value - low->value)).slope;
    // Unclosed when the period starts anew: the chain below the branch that is under way at 2 pi.
    int top = loop_.pieces.back().reversal;
    for (const auto& piece : loop_.pieces) {
      if (piece.from < two_pi && two_pi <= piece.to) top = piece.reversal;
    }
    for (int r = top; r >= 0; r = loop_.reversals[static_cast<std::size_t>(r)].below) open_.push_back(r);
    std::reverse(open_.begin(), open_.end());
  }

  [[nodiscard]] std::vector<double> events() const override {
    std::vector<double> times;
    const std::vector<double> corners = backbone_corners(shape_);
    for (const auto& piece : loop_.pieces) {
      times.push_back(into_period(piece.from));
      const double u_from = at(piece.from), u_to = at(piece.to);
      const double start = loop_.reversals[static_cast<std::size_t>(piece.reversal)].u;
      for (const double corner : corners) {
        const double u = start + 2.0 * piece.direction * corner;
        if ((u - u_from) * piece.direction <= 0.0 || (u - u_to) * piece.direction >= 0.0) continue;
        times.push_back(into_period(invert_series(series_.data(), harmonics_, piece.from, piece.to, u)));
      }
    }
    return times;
  }
  [[nodiscard]] int extra() const override { return static_cast<int>(open_.size()); }
  void begin(const std::vector<double>& nodes, Eigen::Index first, Eigen::Index columns) override {
    nodes_ = &nodes;
    const auto number = static_cast<Eigen::Index>(loop_.reversals.size());
    du_ = Rows::Zero(number, columns);
    df_ = Rows::Zero(number, columns);
    for (std::size_t i = 0; i < open_.size(); ++i) {
      du_(open_[i], first + static_cast<Eigen::Index>(i)) = 1.0;
      slave(open_[i]);
    }
  }
  void enter(double from, double to, const RowsOf& du) override {
    from_ = from;
    to_ = to;
    if (!moves_) return;
    for (std::size_t r = 0; r < loop_.reversals.size(); ++r) {
      double distance = std::abs(into_period(loop_.reversals[r].tau) - from);
      distance = std::min(distance, two_pi - distance);
      if (distance > 4.0 * same_time) continue;
      du_.row(static_cast<Eigen::Index>(r)) = du.row(0);
      slave(static_cast<int>(r));
    }
    const double middle = 0.5 * (from + to);
    piece_ = nullptr;
    for (const auto& piece : loop_.pieces) {
      for (const double shift : {0.0, two_pi}) {
        if (piece.from <= middle + shift && middle + shift <= piece.to) piece_ = &piece;
      }
    }
  }
  void at_start(Linearised& out) override { evaluate(from_ + 1e-8 * (to_ - from_), out); }
  void at_end(std::size_t node, const RowsOf&, Linearised& out) override {
    evaluate(std::min((*nodes_)[node], to_ - 1e-8 * (to_ - from_)), out);
  }
  void accept(const RowsOf&, const RowsOf&) override {}
  void finish(Eigen::Ref<Rows> memory) const override {
    for (std::size_t i = 0; i < open_.size(); ++i) memory.row(static_cast<Eigen::Index>(i)) = du_.row(open_[i]);
  }

 private:
  [[nodiscard]] double at(double tau) const { return series_at(series_.data(), harmonics_, tau).value; }
  /// dF of a reversal from the du of it and of the one below. A disturbance pushes the outermost one further along the
  /// virgin curve once; as it decays, the motion turns within the loop, on the branch that would close it. For loops
  /// that are the same on both sides these slopes are one.
  void slave(int r) {
    const auto& reversal = loop_.reversals[static_cast<std::size_t>(r)];
    if (reversal.below < 0) {
      df_.row(r) = closing_slope_ * du_.row(r);
    } else {
      df_.row(r) = reversal.slope * (du_.row(r) - du_.row(reversal.below)) + df_.row(reversal.below);
    }
  }
  void evaluate(double tau, Linearised& out) const {
    out.gamma.setZero();
    if (!moves_ || piece_ == nullptr) {
      out.kappa(0, 0) = residual_ + shape_.initial_slope();
      out.rest.setZero();
      return;
    }
    const auto& reversal = loop_.reversals[static_cast<std::size_t>(piece_->reversal)];
    const double u = at(tau);
    const double slope = shape_.at(std::max(0.0, 0.5 * piece_->direction * (u - reversal.u))).slope;
    out.kappa(0, 0) = residual_ + slope;
    out.rest.row(0) = df_.row(piece_->reversal) - slope * du_.row(piece_->reversal);
  }

  Shape shape_;
  double residual_;
  Eigen::VectorXd series_;
  int harmonics_;
  bool moves_ = false;
  double closing_slope_ = 0.0;  ///< at the tips of the loop
  MasingLoop loop_;
  std::vector<int> open_;  ///< reversals at the start of the period, oldest first
  const std::vector<double>* nodes_ = nullptr;
  const MasingLoop::Piece* piece_ = nullptr;
  double from_ = 0.0, to_ = 0.0;
  Rows du_, df_;  ///< of the reversals
};

class BoucWenVariation final : public JointVariation {
 public:
  BoucWenVariation(const BoucWen<double>& law, const Eigen::VectorXd& series, SeriesScanner& scanner)
      : law_(&law), series_(series), harmonics_(scanner.harmonics()) {
    for (const auto& e : scanner.extrema(series_.data())) events_.push_back(into_period(e.tau));
  }

  [[nodiscard]] std::vector<double> events() const override { return events_; }
  [[nodiscard]] int extra() const override { return 1; }
  void begin(const std::vector<double>& nodes, Eigen::Index first, Eigen::Index columns) override {
    // z(2 pi) = z(0) by Newton over the nodes.
    std::vector<double> u;
    for (const double tau : nodes) u.push_back(series_at(series_.data(), harmonics_, tau).value);
    double z = 0.0;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const double miss = march(u, z) - z;
      double gain = 1.0;
      for (const double g : gains_) gain *= g;
      if (!(1.0 - gain > 1e-12) || std::abs(miss) <= 1e-14 * std::abs(z)) break;
      z += miss / (1.0 - gain);
    }
    dz_ = Rows::Zero(1, columns);
    dz_(0, first) = 1.0;
  }
  void enter(double, double, const RowsOf&) override {}
  void at_start(Linearised& out) override {
    out.gamma.setZero();
    out.kappa(0, 0) = law_->slipped_stiffness();
    out.rest = hysteretic() * dz_;
  }
  void at_end(std::size_t node, const RowsOf& du, Linearised& out) override {
    node_ = node;
    out.gamma.setZero();
    out.kappa(0, 0) = law_->slipped_stiffness() + hysteretic() * slopes_[node];
    out.rest = hysteretic() * (gains_[node] * dz_ - slopes_[node] * du);
  }
  void accept(const RowsOf& du_before, const RowsOf& du) override {
    dz_ = slopes_[node_] * (du - du_before) + gains_[node_] * dz_;
  }
  void finish(Eigen::Ref<Rows> memory) const override { memory.row(0) = dz_.row(0); }

 private:
  [[nodiscard]] double hysteretic() const {
    return (law_->stuck_stiffness() - law_->slipped_stiffness()) / law_->parameters().a;
  }
  /// Slopes and gains of the steps that end at each node; returns z at the last.
  double march(const std::vector<double>& u, double z) {
    BoucWen<double>::State state{u.front(), z, 0.0, 0};
    slopes_.assign(u.size(), 0.0);
    gains_.assign(u.size(), 1.0);
    for (std::size_t i = 1; i < u.size(); ++i) {
      const auto trial = law_->evaluate(state, {u[i], 0.0, 0.0, 0.0});
      slopes_[i] = trial.slope;
      gains_[i] = trial.gain;
      law_->commit(state, trial);
    }
    return state.z;
  }

  const BoucWen<double>* law_;
  Eigen::VectorXd series_;
  int harmonics_;
  std::vector<double> events_;
  std::vector<double> slopes_, gains_;
  std::size_t node_ = 0;
  Rows dz_;
};

std::unique_ptr<JointVariation> make_variation(const Joint& joint, const Eigen::MatrixXd& series, double omega,
                                               SeriesScanner& scanner) {
  std::unique_ptr<JointVariation> result;
  const bool masing = visit_masing(joint.law, [&]<class Shape>(const Shape& shape, double residual) {
    result = std::make_unique<MasingVariation<Shape>>(shape, residual, series.col(0), scanner);
  });
  if (masing) return result;
  if (const auto* law = std::get_if<BoucWen<double>>(&joint.law)) {
    return std::make_unique<BoucWenVariation>(*law, series.col(0), scanner);
  }
  return std::make_unique<SpringVariation>(joint, series, omega, scanner);
}

/// Eigenvalues, largest first.
Eigen::VectorXcd falling(const Rows& map) {
  Eigen::VectorXcd values = complex_eigenvalues(Eigen::MatrixXd(map));
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return values;
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
    const bool five =
        std::holds_alternative<Iwan5<double>>(joint.law) || std::holds_alternative<Iwan5Sliders<double>>(joint.law);
    const auto* custom = std::get_if<CustomLawHandle>(&joint.law);
    if (five || (custom != nullptr && custom->law().state_size() > 0)) {
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
    directions_.leftCols(m) = modes.shapes.rightCols(count_).transpose() * system.directions();
    rates_ = Eigen::MatrixXd::Zero(m + extra, m + extra);
    rates_.topLeftCorner(m, m) = system.joint_damping();
    for (Eigen::Index k = 0; k < extra; ++k) {
      const Damper& damper = dampers[static_cast<std::size_t>(k)];
      directions_.col(m + k) = modes.shapes.rightCols(count_).transpose() * damper.direction;
      rates_(m + k, m + k) = damper.coefficient;
    }
  }

  /// A motion with the events of its joints, ready to be integrated with any number of steps.
  struct Motion {
    double omega = 0.0;
    std::vector<std::unique_ptr<JointVariation>> variations;
    std::vector<double> bounds;  ///< events of all joints, from 0 to 2 pi
    std::vector<int> counts;     ///< steps between them
    Eigen::Index columns = 0;    ///< unknowns of the map
  };

  [[nodiscard]] Motion prepare(const PeriodicOrbit& orbit) const {
    Motion motion;
    motion.omega = orbit.omega;
    motion.columns = 2 * count_;
    SeriesScanner scanner(orbit.harmonics);
    std::vector<double> events = {0.0, two_pi};
    for (std::size_t j = 0; j < system_->joints().size(); ++j) {
      const int first = system_->offset(static_cast<int>(j));
      const int width = system_->offset(static_cast<int>(j) + 1) - first;
      motion.variations.push_back(
          make_variation(system_->joints()[j], orbit.deflection.middleCols(first, width), orbit.omega, scanner));
      const auto own = motion.variations.back()->events();
      events.insert(events.end(), own.begin(), own.end());
      motion.columns += motion.variations.back()->extra();
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
  [[nodiscard]] Rows map(Motion& motion, int parts) const {
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
  void integrate(Motion& motion, const std::vector<int>& counts, Rows& d, Rows& v) const {
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
    const auto answer = [&](const Rows& u, const Rows& rate) -> const Rows& {  // kappa u + gamma u' + rest
      right = rest;
      right.noalias() += kappa * u;
      if (!gamma.isZero(0.0)) right.noalias() += gamma * rate;
      return right;
    };
    std::size_t node = 0;
    Rows u = directions_.transpose() * d;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double h = (motion.bounds[i + 1] - motion.bounds[i]) / counts[i] / motion.omega;
      const DiagonalScheme scheme = diagonal_scheme(scheme_options, h, omega_, damping_);
      const auto row = [&](const std::vector<double>& values, int entries, int entry) {
        Eigen::VectorXd result(count_);
        for (Eigen::Index r = 0; r < count_; ++r) {
          result(r) =
              values[static_cast<std::size_t>((r / lane_count * entries + entry) * lane_count + r % lane_count)];
        }
        return result;
      };
      const Eigen::VectorXd dd = row(scheme.transition, 9, 0), dv = row(scheme.transition, 9, 1),
                            vd = row(scheme.transition, 9, 3), vv = row(scheme.transition, 9, 4);
      const Eigen::VectorXd d_old = row(scheme.from_old, 3, 0), v_old = row(scheme.from_old, 3, 1),
                            d_new = row(scheme.from_new, 3, 0), v_new = row(scheme.from_new, 3, 1);
      const Eigen::MatrixXd flexible = directions_.transpose() * d_new.asDiagonal() * directions_;
      const Eigen::MatrixXd flexible_rate = directions_.transpose() * v_new.asDiagonal() * directions_;
      for (std::size_t j = 0; j < variations.size(); ++j) {
        variations[j]->enter(motion.bounds[i], motion.bounds[i + 1], rows_of(j, u));
        variations[j]->at_start(joint[j]);
      }
      gather();
      v_joint.noalias() = directions_.transpose() * v;
      x = answer(u, v_joint);
      force.noalias() = directions_ * x;
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
        u_star.noalias() = directions_.transpose() * d;
        if (!gamma.isZero(0.0)) v_joint.noalias() = directions_.transpose() * v;
        matrix.noalias() = kappa * flexible;
        matrix.noalias() += gamma * flexible_rate;
        matrix.diagonal().array() += 1.0;
        if (size == 1) {
          x = answer(u_star, v_joint) / matrix(0, 0);
        } else {
          x = LuFactors<double>(matrix).solve(answer(u_star, v_joint));
        }
        force.noalias() = directions_ * x;
        for (Eigen::Index r = 0; r < count_; ++r) {
          for (Eigen::Index c = 0; c < columns; ++c) {
            d(r, c) -= d_new(r) * force(r, c);
            v(r, c) -= v_new(r) * force(r, c);
          }
        }
        before.swap(u);
        u = u_star;
        u.noalias() -= flexible * x;
        for (std::size_t j = 0; j < variations.size(); ++j) variations[j]->accept(rows_of(j, before), rows_of(j, u));
      }
    }
  }

  const System* system_;
  int steps_;
  Eigen::Index count_ = 0;  ///< elastic modes
  Eigen::VectorXd omega_, damping_;
  Eigen::MatrixXd directions_;  ///< Phi^T [B, dampers]
  Eigen::MatrixXd rates_;       ///< damping in joint space
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
  // Where two multipliers meet on the real axis p is half of that, and nothing is extrapolated: what is left is at most
  //   |fine - coarse|/(2^p - 1) < 2 |fine - coarse|, p > 0.59.
  // Maps are not extrapolated: steps of different lengths turn the highest modes by different angles.
  Eigen::VectorXcd coarse = falling(worker_->map(motion, 1));
  double size_before = 0.0, motion_error = -1.0;
  for (int parts = 2;; parts *= 2) {
    const Eigen::VectorXcd fine = falling(worker_->map(motion, parts));
    const double change = multiplier_change(fine(0), coarse);
    const double magnitude = std::abs(fine(0)), difference = magnitude - std::abs(coarse(0));
    // About to converge, and meets no other one on the real axis.
    const bool regular = change == std::abs(difference) && change <= 0.1 * magnitude;
    const double size = regular ? magnitude + difference / 3.0 : magnitude;
    const double step_error = !regular ? 2.0 * change : parts > 2 ? std::abs(size - size_before) : 2.0 / 3.0 * change;
    const bool last = parts >= most_parts;
    // Steps that are too long for the highest modes make them seem to grow, now and then alike for two lengths, and a
    // magnitude may be alike by chance while the multiplier turns: then a third length is asked. Others that still turn
    // may come to be the largest.
    const bool two_will_do = size < 1.0 && (coarse.array() - fine(0)).abs().minCoeff() <= small_turn;
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
