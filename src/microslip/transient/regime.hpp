#pragma once
// Regimes of a piecewise-linear model: which linear system holds, and until when.
//
// A regime ends at the first zero of one of its event functions g(t) >= 0, each a linear function of the state plus a
// known function of time:
//   a sliding damper    g = sign u'                 (it stops)
//   a stuck damper      g = fs(t) -+ f              (it breaks loose upwards, downwards)
//   a spring's piece    g = u - lower, upper - u    (it is left)
// Free motion is a sum of decaying exponentials, so |g'''| is bounded by a number L3 over all the time to come, and
//   g(t + h) >= g + g' h + g'' h^2/2 - L3 h^3/6
// tells how far no zero can be. Steps of that length never pass a zero and converge to it like Newton's method: the
// first event is found, not the first that a sampling sees.

#include <Eigen/Core>
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "microslip/transient/linear_flow.hpp"

namespace microslip {

struct EventFunction {
  enum class Kind { stops, breaks_up, breaks_down, leaves_below, leaves_above };
  Kind kind = Kind::stops;
  int contact = 0;
  Eigen::VectorXd on_force;  ///< weights of the force F(t); empty: none
  double level = 0.0;        ///< times the normal load of the contact
  double constant = 0.0;
  Eigen::VectorXd on_held;    ///< weights of the positions d of stuck dampers
  Eigen::ArrayXd q[4], v[4];  ///< weights of the blocks for g, g', g'', g'''
  /// |g'''| <= sum third[0] size0 + third[1] size1: amplitude of a decaying oscillation, or the largest |q| and |v| to
  /// come of an overdamped block.
  Eigen::ArrayXd third[2];
};

class Regime {
 public:
  Regime(const PiecewiseModel& model, std::shared_ptr<const LinearFlow> flow, ContactStates states);

  [[nodiscard]] const ContactStates& states() const { return states_; }
  [[nodiscard]] const LinearFlow& flow() const { return *flow_; }
  [[nodiscard]] const std::shared_ptr<const LinearFlow>& shared_flow() const { return flow_; }
  [[nodiscard]] const std::vector<EventFunction>& events() const { return events_; }
  /// Index of a function of this contact.
  [[nodiscard]] int event(int contact, EventFunction::Kind kind) const;
  /// Loads less sliding friction and the springs' forces at u = 0. `normals`: of each contact.
  [[nodiscard]] ForceTerms force(const PiecewiseModel& model, const ForceTerms& loads,
                                 const std::vector<ForceTerms>& normals) const;

 private:
  void add(EventFunction::Kind kind, int contact, const Eigen::VectorXd& on_u, const Eigen::VectorXd& on_rate,
           EventFunction function);

  std::shared_ptr<const LinearFlow> flow_;
  ContactStates states_;
  std::vector<EventFunction> events_;
};

/// What a regime does under forces: its steady motion, and the part of the event functions that time alone decides.
struct Drive {
  /// Of one event function: Re[(a + b tau) exp(i omega (tau + shift))], and a polynomial.
  struct Known {
    struct Term {
      double omega = 0.0;
      std::complex<double> a, b;
    };
    std::vector<Term> terms;
    double polynomial[4] = {0.0, 0.0, 0.0, 0.0};
    void value(double tau, double shift, double held, double out[3]) const;
    [[nodiscard]] double third(double until) const;  ///< bound of |d^3/dt^3|
  };
  ForcedMotion motion;
  std::vector<Known> direct;  ///< of the event functions: forces, normal loads, constants
  std::vector<Known> events;  ///< with what the steady motion adds
};
[[nodiscard]] Drive make_drive(const Regime& regime, const ForceTerms& force, const std::vector<ForceTerms>& normals);

/// Motion in one regime from `start` on.
class Segment {
 public:
  /// `state`: all of the motion at the start. `harmonic_origin`: where the harmonics of the drive count their time
  /// from.
  Segment(const Regime& regime, std::shared_ptr<const Drive> drive, double start, double harmonic_origin,
          FlowState state);

  [[nodiscard]] const Regime& regime() const { return *regime_; }
  [[nodiscard]] double start() const { return start_; }
  /// All of the motion at start + tau, and its rate.
  void state(double tau, FlowState& out) const;
  void state_rate(double tau, FlowState& out) const;
  /// Value of an event function and its rate.
  [[nodiscard]] std::pair<double, double> event_value(int function, double tau) const;
  /// Of the free part at start + tau: the largest |a + i beta| among the blocks that matter (`weight` relative to the
  /// largest): how fine the motion is there [1/time].
  [[nodiscard]] double fastest(double tau, double weight) const;

  struct Found {
    double tau = 0.0;
    int function = -1;  ///< -1: none up to the limit
    long evaluations = 0;
    bool lost = false;  ///< too many evaluations
  };
  /// First event in (0, limit]. Functions in `from_zero` begin at a zero, which does not count.
  [[nodiscard]] Found next_event(double limit, const std::vector<int>& from_zero) const;

 private:
  void free_at(double tau, Eigen::Index alive, Eigen::ArrayXd& q, Eigen::ArrayXd& v) const;

  const Regime* regime_;
  std::shared_ptr<const Drive> drive_;
  double start_ = 0.0;
  double shift_ = 0.0;      ///< start - harmonic origin
  Eigen::ArrayXd q0_, v0_;  ///< free part at the start
  Eigen::VectorXd held_;
  std::vector<double> constant_;  ///< of the event functions, with the held positions
};

/// Regimes met so far, made when first needed.
class RegimeBook {
 public:
  explicit RegimeBook(const PiecewiseModel& model) : model_(&model) {}
  [[nodiscard]] const PiecewiseModel& model() const { return *model_; }
  const Regime& operator[](const ContactStates& states);
  [[nodiscard]] std::size_t flows() const { return flows_.size(); }

 private:
  const PiecewiseModel* model_;
  std::map<ContactStates, std::shared_ptr<const LinearFlow>> flows_;  ///< key: sliding is 1
  std::map<ContactStates, std::unique_ptr<Regime>> regimes_;
};

}  // namespace microslip
