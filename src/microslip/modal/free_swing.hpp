#pragma once
// Frequency and damping of one mode from its own free decay: q'' + c q' + alpha(q) = 0, where alpha follows the joints
// with their memory. Nothing is assumed of the loop.
//
// From rest at one tip to rest at the other, v^2/2 = K(q) = -integral of (alpha + c v) dq. With q = m + A cos(theta)
// between the tips the time of the half swing is
//   integral from 0 to pi of d theta/sqrt(2 g),   g = K/((q_tip - q)(q - q_end)),
// smooth and even in theta, by the midpoint rule. Between points alpha is Hermite's cubic, the tangents being exact,
// with steps halved around corners; what c takes, c times the integral of v dq, by Gauss' rule in each step.
//
// The first two swings settle the memory. Those after them, of lengths L and times t, give
//   omega = 2 pi/(t3/2 + t4 + t5/2),   d = ln(L3/L5)/2 = pi zeta/sqrt(1 - zeta^2)   at the amplitude sqrt(L3 L5)/2
// (even and odd swings differ as long as the start is remembered), and the start is moved until that is the amplitude
// asked for. Sliders of iwan5 that slipped once slip again from 2A = (1 + theta) phi on, before that from A = phi: a
// decay comes from amplitudes where all of the former have slipped, 2A/(1 + theta), in cycles that shrink to the start.
// Where no such start is found, because the motion has shaken down by then, the first three swings do in the same way;
// then, if neighbours compare, the first two: omega = 2 pi/(t1 + t2), d = ln(L1/L2).
//
// Neighbouring swings compare where both sides are alike and no memory fades. There, if a swing takes more than a
// seventh, it is the third and the fourth (or the second and the third): two swings would go over too many amplitudes.
// A memory that fades (Bouc-Wen) lets the middle shift from swing to swing by the order of what they lose, to and fro
// in the lengths of neighbours. Where the sides are not alike even every other swing tells which way it went: of two
// tips on the left and two on the right the left ones may come first. Two pairs of swings, after two that settle the
// memory,
//   omega = 2 pi/(t4 + t5),   d = ln((L3 + L4)/(L5 + L6))/2   at the amplitude sqrt((L3 + L4)(L5 + L6))/4,
// have no side; failing that, the first four.

#include <array>
#include <vector>

#include "microslip/modal/modal_equilibrium.hpp"

namespace microslip {

struct FreeDecay {
  bool converged = false;
  bool early = false;  ///< fewer than two swings came before: it remembers the start
  double amplitude = 0.0;
  double omega = 0.0;
  double zeta = 0.0;
};

class FreeSwing {
 public:
  /// The mode must outlive it. `steps`: of a half swing.
  FreeSwing(const QuasiStaticMode& mode, double tolerance, int max_iterations, int steps);

  /// Centred on `amplitude`, from what `tip` has committed, raised further. `decrement`: a guess of d.
  [[nodiscard]] FreeDecay run(const ModalEquilibrium& tip, double amplitude, double decrement);
  [[nodiscard]] long evaluations() const { return path_.evaluations(); }

 private:
  struct Point {
    double way;           ///< from the tip, >= 0
    double force, slope;  ///< against the motion, and its derivative along the way
    double kinetic;
  };
  struct Node {  ///< of a rule for the step: share of it
    double at, weight;
  };
  struct Swing {
    bool ended = false;
    double length = 0.0;
    double time = 0.0;
    double action = 0.0;  ///< integral of v dq
  };

  enum class Compared {
    every_other,  ///< the last with the last but two
    neighbours,   ///< the last two
    pairs         ///< the last two with the two before them
  };
  struct Plan {
    int swings;
    Compared compared;
    /// Swings before those that are compared.
    [[nodiscard]] constexpr int before() const {
      return swings - (compared == Compared::neighbours ? 2 : compared == Compared::every_other ? 3 : 4);
    }
  };

  bool go_to(double q);
  bool raise(double q);
  bool shrink_to(double start, double centre);
  FreeDecay centred(const ModalEquilibrium& tip, double amplitude, double decrement, Plan plan);
  FreeDecay decay_from(const ModalEquilibrium& tip, double start, double amplitude, Plan plan);
  /// `expected`: its length and action, about.
  Swing swing(const Swing& expected);
  void time(Swing& swing) const;
  [[nodiscard]] bool resolves(const Point& from, const Point& to) const;
  [[nodiscard]] Point point_at(double way, double sign) const;
  /// After the first `share` of the step.
  [[nodiscard]] double kinetic(const Point& from, const Point& to, double share) const;
  [[nodiscard]] static double work(const Point& from, const Point& to, double share);

  ModalEquilibrium path_;
  double damping_;
  double overshoot_ = 1.0;   ///< amplitude that a decay comes from, over that of its start
  bool fades_ = false;       ///< the memory of a joint
  bool sides_alike_ = true;  ///< every joint gives the opposite force to the opposite motion
  int steps_;
  std::array<Node, 6> nodes_;
  static constexpr int most_swings = 6;
  std::array<Swing, most_swings> swings_;  ///< of the last decay
  Swing expected_;
  std::vector<Point> points_;  ///< of the swing
};

}  // namespace microslip
