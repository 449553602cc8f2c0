#pragma once
// Motion of a piecewise-linear model from event to event.

#include <Eigen/Core>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "microslip/transient/regime.hpp"

namespace microslip {

/// Loads and normal loads in time, and what they make of each regime.
class Excitation {
 public:
  /// The model's own loads.
  explicit Excitation(const PiecewiseModel& model);
  /// Harmonics of one frequency.
  Excitation(const PiecewiseModel& model, const PeriodicLoad& load, double omega, double level);

  /// Valid up to the next corner; `origin`: where its harmonics count their time from.
  [[nodiscard]] std::shared_ptr<const Drive> drive(const Regime& regime, double t, double& origin);
  [[nodiscard]] double next_corner(double t) const { return steady_ ? infinity : model_->next_corner(t); }
  /// Force on the coordinates and normal load of a contact, just after t.
  [[nodiscard]] Eigen::VectorXd force(double t) const;
  [[nodiscard]] double normal(int contact, double t) const;
  [[nodiscard]] const PiecewiseModel& model() const { return *model_; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  const PiecewiseModel* model_;
  bool steady_ = false;  ///< the same terms for all times
  ForceTerms force_;
  std::vector<ForceTerms> normals_;
  std::map<const Regime*, std::shared_ptr<const Drive>> drives_;
};

struct ContactEvent {
  double time = 0.0;
  int contact = 0;  ///< whose event function it was; -1: a corner of a load
  EventFunction::Kind kind = EventFunction::Kind::stops;
  ContactStates before, after;
};

/// The regime at an instant: which of the dampers at rest stick, a complementarity problem over all of them,
///   a = a0 - B^T B f,  a_j = 0 with |f_j| <= fs_j,  or  f_j = fk_j sign(a_j).
/// `at_rest`: friction contacts with no rate; `released`: one of them that breaks loose in the direction `sign`, or -1.
/// False when no choice is consistent. `favour`: static levels are this much larger, relative, to see what is marginal.
[[nodiscard]] bool choose_regime(const Excitation& excitation, double t, const Eigen::VectorXd& eta,
                                 const Eigen::VectorXd& rate, const std::vector<int>& at_rest, int released, int sign,
                                 ContactStates& states, double favour = 0.0);

/// Friction contacts at rest when `function` of a regime ends it: the stuck ones, and the one that stops.
[[nodiscard]] std::vector<int> contacts_at_rest(const PiecewiseModel& model, const Regime& before, int function);
/// Event functions of `after` that begin at zero when `function` has ended the regime `before`.
[[nodiscard]] std::vector<int> functions_from_zero(const PiecewiseModel& model, const Regime& before, int function,
                                                   const Regime& after);

class ContactMotion {
 public:
  ContactMotion(RegimeBook& book, Excitation& excitation) : book_(&book), excitation_(&excitation) {}

  /// From coordinates relative to the ground. False when no regime is consistent.
  bool start(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate);
  /// The same inside a regime, away from its events. False when it does not hold.
  bool start_in(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate, const ContactStates& states);

  /// The motion from the last event on; the segment holds until `until()`.
  [[nodiscard]] const Segment& segment() const { return *segment_; }
  [[nodiscard]] double until() const { return until_; }
  /// Event function that ends it; -1: none.
  [[nodiscard]] int ends_with() const { return ends_with_; }
  /// Finds where the segment ends, at the latest at `limit`.
  bool find_end(double limit);
  /// Passes into the next segment: after an event, a corner of a load, or the limit itself.
  bool pass();
  /// The last pass changed the state of a contact.
  [[nodiscard]] bool was_event() const { return last_.before != last_.after; }
  [[nodiscard]] const ContactEvent& last_event() const { return last_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] long evaluations() const { return evaluations_; }

 private:
  bool enter(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate, const ContactStates& states);
  [[nodiscard]] bool ground_jumps(Eigen::VectorXd& eta, Eigen::VectorXd& rate) const;
  bool pass_corner(const Eigen::VectorXd& eta, const Eigen::VectorXd& rate);
  bool pass_event(const Eigen::VectorXd& eta, const Eigen::VectorXd& rate);
  bool fail(std::string message);

  RegimeBook* book_;
  Excitation* excitation_;
  std::unique_ptr<Segment> segment_;
  std::vector<int> from_zero_;
  double until_ = 0.0;
  int ends_with_ = -1;  ///< event function
  ContactEvent last_;
  std::string message_;
  long evaluations_ = 0;
  int crowded_ = 0;  ///< events that followed each other at once
  double last_time_ = 0.0;
};

}  // namespace microslip
