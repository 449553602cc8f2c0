#pragma once
// Small systems that nobody chose: masses, springs, joints of every law and forces, drawn at random, written as
// studies, and written again in other words (other units, another order, upside down, as matrices) or made smaller.

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace microslip::differential {

/// The same numbers from a seed everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}
  double uniform(double from, double to);
  /// 10 to a power between the two.
  double decades(double from, double to);
  int integer(int from, int to);
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  template <class Items>
  const auto& one_of(const Items& items) {
    return items[static_cast<std::size_t>(integer(0, static_cast<int>(items.size()) - 1))];
  }

 private:
  std::mt19937_64 generator_;
};

/// What the unit of each kind of number is, in the units of the model.
struct Units {
  double length = 1.0, force = 1.0, time = 1.0;
};

/// Of a law; its unit is force^`force` length^`length`.
struct Parameter {
  std::string name;
  std::vector<double> values;
  double force = 0.0, length = 0.0;
  bool list = false;
  std::string word;  ///< instead of numbers
};

/// Masses count from 1; 0 is the ground.
struct Link {
  int from = 0, to = 0;
  double value = 0.0;
};

struct DrawnJoint {
  std::string name;
  int from = 0, to = 0;
  std::string law;
  std::vector<Parameter> parameters;
};

struct DrawnForce {
  int at = 1;
  double amplitude = 0.0, phase = 0.0;
};

struct Model {
  std::vector<double> masses;
  std::vector<std::string> labels;
  std::vector<Link> springs, dampers;
  double zeta = 0.01;  ///< of every stuck mode; 0: none
  bool free = false;   ///< nothing holds it to the ground; its rigid motion is left out
  std::vector<DrawnJoint> joints;
  std::vector<DrawnForce> forces;
  double deflection = 1.0;          ///< at which the joints bend, about
  std::array<double, 4> dice = {};  ///< 0 to 1, for what a comparison wants to choose
};

/// What may be drawn.
struct Range {
  int masses = 4, joints = 3, forces = 1;  ///< at most
  std::vector<std::string> laws;
  double zeta_from = -2.5, zeta_to = -1.3;   ///< decades
  double level_from = -1.5, level_to = 0.5;  ///< of the static deflection over that at which joints bend, decades
  double joint_from = -1.0, joint_to = 1.0;  ///< stiffness of joints over that of springs, decades
  bool sliders = false;                      ///< some of the Iwan elements are discrete
  bool dampers = false;
  bool free = false;   ///< may it be free
  bool round = false;  ///< masses, springs and dampers are small powers of two: frequencies meet
};

[[nodiscard]] const std::vector<std::string>& masing_laws();   ///< with return-point memory
[[nodiscard]] const std::vector<std::string>& elastic_laws();  ///< without memory
[[nodiscard]] const std::vector<std::string>& all_laws();

[[nodiscard]] Model draw(const Range& range, Random& random);

/// Structure, joints, and loads "l1", "l2", … (sines of that frequency) of a study.
[[nodiscard]] std::string study_text(const Model& model, double omega = 1.0, const Units& units = {});
/// The parts of it.
[[nodiscard]] std::string structure_text(const Model& model, const Units& units = {});
[[nodiscard]] std::string joints_text(const Model& model, const Units& units = {});
[[nodiscard]] std::string loads_text(const Model& model, double omega, const Units& units = {});
/// ["l1", "l2"].
[[nodiscard]] std::string load_names(const Model& model);

/// Frequencies and shapes with the joints stuck, as the program finds them.
struct StuckModes {
  std::vector<double> omega;
  std::vector<std::vector<double>> shapes;  ///< mass-normalised, a mode each
};
[[nodiscard]] StuckModes stuck_modes(const Model& model);

/// Masses, springs, joints and forces in the reverse order.
[[nodiscard]] Model reversed(const Model& model);
/// Every displacement has the other sign: forces too, and joints are between their ends the other way round.
[[nodiscard]] Model upside_down(const Model& model);
/// Dense symmetric matrices in Matrix Market form, without the joints.
[[nodiscard]] std::string mass_matrix(const Model& model);
[[nodiscard]] std::string stiffness_matrix(const Model& model);

/// Models with one thing less each.
[[nodiscard]] std::vector<Model> smaller(const Model& model);

/// A number that is read back as it was.
[[nodiscard]] std::string number(double value);

}  // namespace microslip::differential
