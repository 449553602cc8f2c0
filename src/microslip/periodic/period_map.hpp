#pragma once
// One period of a system under a harmonic load, step by step with the exact propagator of the transient, and the exact
// derivative of where it ends with respect to where it started: the extended monodromy matrix.
//
// What a motion starts from is the modal displacements and velocities, and the memory of the joints. A joint with
// return-point memory is given by the reversals of the period before, in time: driven from rest to the outermost of
// them and on through the later ones, it is where it would be, its forces slaved to the virgin curve and the branches.
// A five-parameter element is taken through the reversals three times, until it repeats. A joint whose memory fades
// (FadingLaw) is given by its z. Nothing else is remembered, so that no multiplier belongs to a slider that never
// moves.
//
// Derivatives travel beside the motion. On a branch that left the reversal (u_r, F_r)
//   dF = k (du - du_r) + dF_r,   du_r and dF_r frozen there: the time of a reversal does not matter,
// (iwan5 carries dual numbers instead) and a step of the modes is linear. The step is T/steps, so that a change of
// omega changes it: with z' = A z + B g, g linear over the step, dz[n+1]/dh = z'[n+1] - b1 (g[n+1] - g[n])/h.
//
// Ref: docs/theory.md, "Shooting"; Zare and Allen (HIRP).

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "microslip/numerics/dual.hpp"
#include "microslip/periodic/joint_receptance.hpp"
#include "microslip/periodic/period_state.hpp"
#include "microslip/system/joint_equation.hpp"
#include "microslip/transient/forcing.hpp"
#include "microslip/transient/modal_stepper.hpp"

namespace microslip {

/// Where in a step a joint turns, or its slope changes, when disturbances are followed: at nodes, which is the exact
/// derivative of the steps, for Newton; or between them, where its velocity is zero and its corners are. The motion
/// hardly feels the difference, an excursion of h^2, but a disturbance moves by (k - k_r) du' s over the way s of up to
/// h/2: of first order, and the same for all steps that share a node beside a reversal, whatever their number.
enum class Turns { at_nodes, between_nodes };

class PeriodMap {
 public:
  /// The system must outlive it. Throws std::invalid_argument like require_shooting, and for fewer than 8 steps.
  PeriodMap(const System& system, const HarmonicLoad& load, int steps);

  [[nodiscard]] int steps() const { return steps_; }
  [[nodiscard]] const System& system() const { return *system_; }
  /// At rest, joints that have never moved.
  [[nodiscard]] PeriodState rest() const;

  /// False when a step does not converge: see `failure`.
  bool run(const PeriodState& from, double omega, double level, PeriodState& to, PeriodDerivative* derivative = nullptr,
           PeriodHistory* history = nullptr, Turns turns = Turns::at_nodes);
  [[nodiscard]] const std::string& failure() const { return failure_; }

  /// A degree of freedom over a period that was run; rigid modes follow the load, about where they are.
  struct Motion {
    Eigen::RowVectorXd q, v;
  };
  [[nodiscard]] Motion motion(int dof, const PeriodHistory& history, double omega, double level) const;

 private:
  static constexpr int chunk = 8;
  using Row = std::vector<double>;  ///< derivatives of one number with respect to all parameters

  /// The memory of a joint with sliders in dual numbers, with derivatives with respect to eight parameters a chunk.
  class Chunks {
   public:
    virtual ~Chunks() = default;
    virtual void restart(std::size_t count) = 0;  ///< joints that have never moved
    [[nodiscard]] virtual std::size_t count() const = 0;
    [[nodiscard]] virtual Dual<chunk> force(std::size_t i, const Dual<chunk>& u) const = 0;
    virtual void move(std::size_t i, const Dual<chunk>& u) = 0;
    virtual void move_again(std::size_t i, const Dual<chunk>& u) = 0;  ///< in place of the last time
  };
  template <class L>
  class ChunksOf;

  struct Reversal {
    double u;
    Row du, df;
  };
  /// A joint beside its law: what its derivatives need.
  struct Track {
    MemoryKind memory = MemoryKind::none;
    int joint = 0;
    double yield = 0.0;     ///< all sliders slip beyond it
    double residual = 0.0;  ///< stiffness left then
    double z_stiffness = 0.0;
    double u = 0.0, f = 0.0, k = 0.0, center = 0.0;
    int direction = 0;
    bool turned = false;  ///< at the start of the present step
    Row start;            ///< du_r of the present step; of the reversal that it passes, if it closes a loop
    Row du, df, dcenter, dz;
    std::vector<Reversal> stack;   ///< unclosed reversals
    std::vector<Reversal> period;  ///< reversals since the start of the period
    Row memory_part;               ///< dF - k du of the present step
    bool drifts = false;
    std::unique_ptr<Chunks> chunks;  ///< of sliders
  };

  [[nodiscard]] Track track_of(int joint) const;
  void set_ground();
  void set_omega(double omega);
  [[nodiscard]] static std::vector<std::size_t> path_through(const std::vector<double>& reversals, MemoryKind memory);
  void restart(Track& track) const;
  void start_fading(const PeriodState& from, const Eigen::VectorXd& u0);
  void start_memory(const PeriodState& from, const Eigen::VectorXd& u0);
  bool first_forces(const PeriodState& from);
  bool step(int n);
  void set_gains();
  /// The reversals of the tracks, and the part of dF that is memory; `u` and `k` after the step.
  void follow(Track& track, double u, double k, bool in_period);
  void settle(Track& track, double u, double k, const double* du);
  void follow_chunks(Track& track, double u);
  void settle_chunks(Track& track, double u, const double* du);
  [[nodiscard]] double joint_rate(Eigen::Index j, const ModalState& state, int n) const;
  void move_to_turn(Track& track, Reversal& reversal);
  void pass_corners(const Track& track, double u, double f, double k, const double* du);
  void vary_start();
  void vary_start_force();
  void vary(int n);
  void vary_joints(const Eigen::MatrixXd& a, const Eigen::MatrixXd& a_rate);
  void set_derivative(const PeriodState& from, const PeriodState& to, PeriodDerivative& derivative) const;
  void set_load(int n);
  void add_ground(int n, double* u, double* v) const;
  void start_history(PeriodHistory& history) const;
  void store(PeriodHistory& history, int n) const;
  /// Where the period has come to.
  [[nodiscard]] PeriodState state() const;

  const System* system_;
  HarmonicLoad load_;
  int steps_;
  ModalBasis basis_;
  JointEquation equation_;
  std::shared_ptr<const Eigen::MatrixXd> psi_;
  std::unique_ptr<ModalStepper> stepper_;
  Eigen::ArrayXd t00_, t01_, t10_, t11_, b0d_, b0v_, b1d_, b1v_;  ///< of each kept mode
  Eigen::VectorXcd modal_force_, modal_ground_, joint_ground_;
  Eigen::VectorXcd beyond_;        ///< of the ground's motion beyond all modes; empty: nothing
  double absolute_damping_ = 0.0;  ///< System::absolute_mass_damping
  Eigen::VectorXd modal_constant_;
  double omega_ = 0.0, level_ = 1.0, step_ = 0.0;

  // The motion.
  JointMemory memory_;
  ModalState now_, next_;
  Eigen::VectorXd load_now_, force_, old_force_, joint_force_;
  std::vector<double> x_, guess_, older_[3], u_star_, v_star_;
  int history_ = 0;
  std::vector<Track> tracks_;
  std::vector<double> gains_, slopes_;  ///< of joints whose memory fades, in the present step
  std::string failure_;

  // Its derivatives: a column a parameter.
  bool varying_ = false;
  Turns turns_ = Turns::at_nodes;
  int node_ = 0;                 ///< at the end of the present step
  Eigen::Index parameters_ = 0;  ///< with omega and level, the last two
  Eigen::MatrixXd dd_, dv_, dg_, du_, dvr_, dx_;
};

}  // namespace microslip
