#include "microslip/periodic/joint_variation.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/fading_loop.hpp"
#include "microslip/periodic/masing_loop.hpp"

namespace microslip {
namespace {

double into_period(double tau) {
  tau = std::fmod(tau, two_pi);
  return tau < 0.0 ? tau + two_pi : tau;
}

/// Springs without memory, custom laws included.
class SpringVariation final : public JointVariation {
 public:
  SpringVariation(const Joint& joint, const Eigen::MatrixXd& series, double omega, SeriesScanner& scanner)
      : joint_(&joint), series_(series), omega_(omega), harmonics_(scanner.harmonics()) {
    for (const double tau : scanner.crossings(series_.data(), corners_of(joint_->law))) {
      events_.push_back(into_period(tau));
    }
  }

  [[nodiscard]] std::vector<double> events() const override { return events_; }
  [[nodiscard]] bool straight() const override {
    return std::visit(
        []<class L>(const L&) {
          if constexpr (SpringLaw<L>) return L::straight_pieces;
          return false;
        },
        joint_->law);
  }
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
          if constexpr (!UsersLaw<L>) {
            static_assert(!L::needs_rates || L::rigid_friction, "of built-in laws only dF/du is varied");
            const double u = series_value(series_.data(), harmonics_, tau);
            out.kappa(0, 0) = law.evaluate({}, {u, 0.0, 0.0, joint_->normal.static_value()}).stiffness;
          } else {
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

/// Of all joints.
constexpr std::size_t most_cut = 32;

/// Corners that end no steps are met by slopes averaged over cells, half a step to either side of a node. A jump dk at
/// a phase t' within a cell of length h is then weighed with du at the node instead of du(t'), and with its share of
/// the way instead of the time: dk h^2 at most (in units of du' and du u''/u'), and all together, sum dk <= k, k h^2:
/// second order as everything else, however many there are. The slope at the nodes alone would leave dk h/2 a step.

template <class Shape>
class MasingVariation final : public JointVariation {
 public:
  MasingVariation(const Shape& shape, double residual, const Eigen::VectorXd& series, SeriesScanner& scanner,
                  bool cuts_corners)
      : shape_(shape), residual_(residual), series_(series), harmonics_(scanner.harmonics()) {
    const auto& extrema = scanner.extrema(series.data());
    double swing = series.tail(series.size() - 1).cwiseAbs().sum();
    moves_ = extrema.size() >= 2 && swing > 1e-15 * std::abs(series(0));
    if (!moves_) return;
    averages_ = !cuts_corners;
    if (!averages_) corners_ = shape_.corners();
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
    for (const auto& piece : loop_.pieces) {
      times.push_back(into_period(piece.from));
      const double u_from = at(piece.from), u_to = at(piece.to);
      const double start = loop_.reversals[static_cast<std::size_t>(piece.reversal)].u;
      for (const double corner : corners_) {
        const double u = start + 2.0 * piece.direction * corner;
        if ((u - u_from) * piece.direction <= 0.0 || (u - u_to) * piece.direction >= 0.0) continue;
        times.push_back(into_period(invert_series(series_.data(), harmonics_, piece.from, piece.to, u)));
      }
    }
    return times;
  }
  [[nodiscard]] bool straight() const override { return !averages_ && is_made_of_lines(shape_); }
  [[nodiscard]] int extra() const override { return static_cast<int>(open_.size()); }
  void begin(const std::vector<double>& nodes, Eigen::Index first, Eigen::Index columns) override {
    nodes_ = &nodes;
    node_ = 0;
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
  void at_start(Linearised& out) override {
    cell_x_ = branch(from_);
    if (averages_) cell_force_ = shape_.at(cell_x_).force;
    evaluate(from_ + 1e-8 * (to_ - from_), out);
  }
  void at_end(std::size_t node, const RowsOf&, Linearised& out) override {
    node_ = node;
    evaluate(std::min((*nodes_)[node], to_ - 1e-8 * (to_ - from_)), out);
  }
  void accept(const RowsOf&, const RowsOf&) override {}
  void finish(Eigen::Ref<Rows> memory) const override {
    for (std::size_t i = 0; i < open_.size(); ++i) memory.row(static_cast<Eigen::Index>(i)) = du_.row(open_[i]);
  }

 private:
  [[nodiscard]] double at(double tau) const { return series_value(series_.data(), harmonics_, tau); }
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
  /// The way from the reversal that the present branch left, as its backbone counts it.
  [[nodiscard]] double branch(double tau) const {
    if (!moves_ || piece_ == nullptr) return 0.0;
    const double start = loop_.reversals[static_cast<std::size_t>(piece_->reversal)].u;
    return std::max(0.0, 0.5 * piece_->direction * (at(tau) - start));
  }
  /// Mean slope from the end of the last cell to that of this one, half way to the next node.
  double mean_slope(double tau) {
    const bool last = node_ + 1 >= nodes_->size() || (*nodes_)[node_] >= to_;
    const double x = branch(last ? to_ : 0.5 * ((*nodes_)[node_] + (*nodes_)[node_ + 1]));
    const double force = shape_.at(x).force, dx = x - cell_x_;
    const double slope = dx > 1e-12 * x ? (force - cell_force_) / dx : shape_.at(branch(tau)).slope;
    cell_x_ = x;
    cell_force_ = force;
    return slope;
  }
  void evaluate(double tau, Linearised& out) {
    out.gamma.setZero();
    if (!moves_ || piece_ == nullptr) {
      out.kappa(0, 0) = residual_ + shape_.initial_slope();
      out.rest.setZero();
      return;
    }
    const double slope = averages_ ? mean_slope(tau) : shape_.at(branch(tau)).slope;
    out.kappa(0, 0) = residual_ + slope;
    out.rest.row(0) = df_.row(piece_->reversal) - slope * du_.row(piece_->reversal);
  }

  Shape shape_;
  double residual_;
  Eigen::VectorXd series_;
  int harmonics_;
  bool moves_ = false;
  double closing_slope_ = 0.0;              ///< at the tips of the loop
  std::vector<double> corners_;             ///< of the backbone, where steps end
  bool averages_ = false;                   ///< they end none
  std::size_t node_ = 0;                    ///< the last one
  double cell_x_ = 0.0, cell_force_ = 0.0;  ///< end of the last cell
  MasingLoop loop_;
  std::vector<int> open_;  ///< reversals at the start of the period, oldest first
  const std::vector<double>* nodes_ = nullptr;
  const MasingLoop::Piece* piece_ = nullptr;
  double from_ = 0.0, to_ = 0.0;
  Rows du_, df_;  ///< of the reversals
};

/// z passes from zero to this part of its largest in a small part of the period where the law saturates.
constexpr double nearly_saturated = 0.9;

template <FadingLaw L>
class FadingVariation final : public JointVariation {
 public:
  FadingVariation(const L& law, double normal, const Eigen::VectorXd& series, SeriesScanner& scanner)
      : law_(&law), normal_(normal), series_(series), harmonics_(scanner.harmonics()) {
    const auto& extrema = scanner.extrema(series_.data());
    for (const auto& e : extrema) events_.push_back(into_period(e.tau));
    const double u_start = series_value(series_.data(), harmonics_, 0.0);
    if (extrema.size() < 2) {
      z_start_ = law.evaluate(typename L::State{}, {u_start, 0.0, 0.0, normal}).z;
      return;
    }
    std::vector<SeriesScanner::Extremum> turns;
    FadingLoop loop;
    list_turns(extrema, turns);
    close_fading_loop(law, normal, turns, loop);
    for (std::size_t leg = 0; leg + 1 < turns.size(); ++leg) {
      for (const double level : {0.0, nearly_saturated * loop.z[leg + 1]}) {
        const double tau = passage_of_fading_loop(law, normal, turns, loop, leg, level, series_.data(), harmonics_);
        if (std::isfinite(tau)) events_.push_back(into_period(tau));
      }
      const bool passes_start = turns[leg].tau <= two_pi && two_pi < turns[leg + 1].tau;
      if (!passes_start && turns[leg].tau != 0.0) continue;
      const auto state = fading_state<L>(turns[leg].value, loop.z[leg]);
      z_start_ = law.evaluate(state, {u_start, 0.0, 0.0, normal}).z;
    }
  }

  [[nodiscard]] std::vector<double> events() const override { return events_; }
  [[nodiscard]] bool straight() const override { return false; }
  [[nodiscard]] int extra() const override { return 1; }
  void begin(const std::vector<double>& nodes, Eigen::Index first, Eigen::Index columns) override {
    std::vector<double> u;
    for (const double tau : nodes) u.push_back(series_value(series_.data(), harmonics_, tau));
    march(u, z_start_);
    dz_ = Rows::Zero(1, columns);
    dz_(0, first) = 1.0;
  }
  void enter(double, double, const RowsOf&) override {}
  void at_start(Linearised& out) override {
    out.gamma.setZero();
    out.kappa(0, 0) = law_->slipped_stiffness();
    out.rest = law_->z_stiffness() * dz_;
  }
  void at_end(std::size_t node, const RowsOf& du, Linearised& out) override {
    node_ = node;
    out.gamma.setZero();
    out.kappa(0, 0) = law_->slipped_stiffness() + law_->z_stiffness() * slopes_[node];
    out.rest = law_->z_stiffness() * (gains_[node] * dz_ - slopes_[node] * du);
  }
  void accept(const RowsOf& du_before, const RowsOf& du) override {
    dz_ = slopes_[node_] * (du - du_before) + gains_[node_] * dz_;
  }
  void finish(Eigen::Ref<Rows> memory) const override { memory.row(0) = dz_.row(0); }

 private:
  /// Slopes and gains of the steps that end at each node.
  void march(const std::vector<double>& u, double z) {
    typename L::State state{};
    state.u = u.front();
    state.z = z;
    slopes_.assign(u.size(), 0.0);
    gains_.assign(u.size(), 1.0);
    for (std::size_t i = 1; i < u.size(); ++i) {
      const auto trial = law_->evaluate(state, {u[i], 0.0, 0.0, normal_});
      slopes_[i] = trial.slope;
      gains_[i] = trial.gain;
      law_->commit(state, trial);
    }
  }

  const L* law_;
  double normal_;  ///< load of the joint
  Eigen::VectorXd series_;
  int harmonics_;
  std::vector<double> events_;
  double z_start_ = 0.0;  ///< at tau = 0, on the closed loop
  std::vector<double> slopes_, gains_;
  std::size_t node_ = 0;
  Rows dz_;
};

}  // namespace

std::vector<bool> corners_to_cut(const System& system) {
  const auto& joints = system.joints();
  std::vector<std::pair<std::size_t, std::size_t>> corners;  // how many, and of which joint
  for (std::size_t j = 0; j < joints.size(); ++j) {
    std::size_t number = 0;
    std::visit(
        [&]<class L>(const L& law) {
          if constexpr (MasingLaw<L>) number = law.shape().corners().size();
        },
        joints[j].law);
    corners.emplace_back(number, j);
  }
  std::sort(corners.begin(), corners.end());
  std::vector<bool> cut(joints.size(), false);
  std::size_t sum = 0;
  for (const auto& [number, joint] : corners) {
    sum += number;
    cut[joint] = sum <= most_cut;
  }
  return cut;
}

std::unique_ptr<JointVariation> make_variation(const Joint& joint, const Eigen::MatrixXd& series, double omega,
                                               SeriesScanner& scanner, bool cuts_corners) {
  return std::visit(
      [&]<class L>(const L& law) -> std::unique_ptr<JointVariation> {
        if constexpr (MasingLaw<L>) {
          using Shape = std::decay_t<decltype(law.shape())>;
          return std::make_unique<MasingVariation<Shape>>(law.shape(), law.residual(), series.col(0), scanner,
                                                          cuts_corners);
        } else if constexpr (FadingLaw<L>) {
          return std::make_unique<FadingVariation<L>>(law, joint.normal.static_value(), series.col(0), scanner);
        } else {  // sliders and custom laws with a state are kept out: tells_change_of_memory
          static_assert(L::memory == MemoryKind::none || SliderLaw<L> || UsersLaw<L>, "how does this law remember?");
          return std::make_unique<SpringVariation>(joint, series, omega, scanner);
        }
      },
      joint.law);
}

}  // namespace microslip
