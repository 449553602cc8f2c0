#include "microslip/analyses/fit_ignl/joint_curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "microslip/analyses/read_ramp.hpp"
#include "microslip/joints/joint_memory.hpp"

namespace microslip {
namespace {

struct ForceAt {
  double force = 0.0, slope = 0.0;
};

/// Joints side by side on one deflection q: u = w q, and w F pulls back.
class Parallel {
 public:
  Parallel(std::vector<const Joint*> joints, std::vector<double> factors, std::vector<double> stuck, double stiffness)
      : joints_(std::move(joints)), factors_(std::move(factors)), stuck_(std::move(stuck)), stiffness_(stiffness) {
    std::vector<const Law*> laws;
    std::vector<double> normals;
    for (const Joint* joint : joints_) {
      laws.push_back(&joint->law);
      normals.push_back(joint->normal.static_value());
    }
    fresh_ = JointMemory(laws, normals);
    response_ = fresh_.make_response();
    u_.resize(joints_.size());
    rate_.resize(joints_.size());
    restart();
  }

  void restart() {
    memory_ = fresh_;
    at_ = 0.0;
  }
  /// From the last deflection that was accepted.
  ForceAt slipping(double q) {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      u_[j] = factors_[j] * q;
      rate_[j] = factors_[j] * (q - at_);
    }
    memory_.evaluate(u_.data(), rate_.data(), 1.0, response_);
    ForceAt sum{stiffness_ * q, stiffness_};
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      sum.force += factors_[j] * response_.force[j];
      sum.slope += factors_[j] * factors_[j] * response_.stiffness[j];
    }
    trial_ = q;
    return sum;
  }
  void accept() {
    memory_.commit();
    at_ = trial_;
  }
  /// After slipping(q): the force with friction stuck.
  [[nodiscard]] double stuck(double q) const {
    double sum = stiffness_ * q;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      sum += factors_[j] * (is_spring(joints_[j]->law) ? response_.force[j] : stuck_[j] * factors_[j] * q);
    }
    return sum;
  }
  [[nodiscard]] double stiffness_at_rest() const {
    double sum = stiffness_;
    for (std::size_t j = 0; j < joints_.size(); ++j) sum += factors_[j] * factors_[j] * stuck_[j];
    return sum;
  }

 private:
  std::vector<const Joint*> joints_;
  std::vector<double> factors_, stuck_;
  double stiffness_;
  JointMemory fresh_, memory_;
  JointResponse response_;
  std::vector<double> u_, rate_;
  double at_ = 0.0, trial_ = 0.0;
};

/// Deflection under a force, or the limit load that is in the way.
struct Reach {
  double q = 0.0;
  std::optional<double> limit;  ///< force
};

/// In growing steps from a thousandth of the linear deflection, each two percent longer; then by halving.
Reach deflection_under(Parallel& joints, double force) {
  const double sign = force < 0.0 ? -1.0 : 1.0, load = std::abs(force);
  double low = 0.0, high = 1e-3 * load / joints.stiffness_at_rest();
  joints.restart();
  for (int step = 0; step < 5000; ++step) {
    const ForceAt now = joints.slipping(sign * high);
    const bool enough = sign * now.force >= load, summit = !(now.slope > 0.0);
    if (!enough && !summit) {
      joints.accept();
      low = high;
      high *= 1.02;
      continue;
    }
    for (int halving = 0; halving < 200; ++halving) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      const ForceAt there = joints.slipping(sign * middle);
      (sign * there.force >= load || !(there.slope > 0.0) ? high : low) = middle;
    }
    const double top = sign * joints.slipping(sign * high).force;
    // The summit itself counts where it bears the load, to rounding.
    if (top >= load * (1.0 - 1e-12)) return {high, std::nullopt};
    return {high, sign * top};
  }
  return {high, sign * std::abs(joints.slipping(sign * high).force)};
}

std::vector<double> deflections(double to, double lowest, int points, bool log) {
  std::vector<double> u;
  for (int i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / (points - 1);
    u.push_back(i == points - 1 ? to : log ? lowest * std::pow(to / lowest, share) : to * (i + 1.0) / points);
  }
  return u;
}

/// Both curves to one side; of the negative side -u and -f.
void pull(Parallel& joints, const std::vector<double>& u, double sign, ForceCurve& stuck, ForceCurve& slipping) {
  joints.restart();
  stuck.u = slipping.u = u;
  for (const double x : u) {
    slipping.f.push_back(sign * joints.slipping(sign * x).force);
    stuck.f.push_back(sign * joints.stuck(sign * x));
    joints.accept();
  }
}

std::vector<const Joint*> find_joints(const TableReader& data, const System& system) {
  std::vector<std::string> names, chosen;
  for (const Joint& joint : system.joints()) names.push_back(joint.name);
  if (data.has("names")) {
    const TomlValue& list = data.need("names");
    for (const TomlValue& item : data.as_list(list, "names")) chosen.push_back(data.as_string(item, "names"));
  } else {
    chosen = names;
  }
  if (chosen.empty()) throw data.error("names", "names: there are no joints");
  std::vector<const Joint*> joints;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto found = std::find(names.begin(), names.end(), chosen[i]);
    if (found == names.end()) {
      throw data.error("names",
                       fmt::format("there is no joint {}{}", in_quotes(chosen[i]), suggestion(chosen[i], names)));
    }
    if (std::find(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(i), chosen[i]) !=
        chosen.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw data.error("names", fmt::format("names: joint {} is there twice", in_quotes(chosen[i])));
    }
    const Joint& joint = system.joints()[static_cast<std::size_t>(found - names.begin())];
    if (joint.directions.cols() != 1) {
      throw data.error("names", fmt::format("joint {} has {} components; a curve has one", in_quotes(joint.name),
                                            joint.directions.cols()));
    }
    joints.push_back(&joint);
  }
  return joints;
}

Parallel make_parallel(const TableReader& data, const System& system, const std::vector<const Joint*>& joints) {
  const bool single = system.size() == 1;
  std::vector<double> factors, stuck;
  for (const Joint* joint : joints) {
    factors.push_back(single ? joint->directions(0, 0) : 1.0);
    const int column = system.offset(static_cast<int>(joint - system.joints().data()));
    stuck.push_back(system.stuck_joint_stiffness()(column, column));
  }
  const double stiffness =
      data.number_or("stiffness", single ? system.structure().stiffness().coeff(0, 0) : 0.0, any_number);
  return {joints, std::move(factors), std::move(stuck), stiffness};
}

}  // namespace

JointCurves read_joint_curves(const TableReader& reader, std::string_view key, const System& system) {
  const TableReader data = reader.table(key);
  data.allow_only({"names", "stiffness", "to", "force", "both", "points", "spacing", "lowest"});
  const std::vector<const Joint*> joints = find_joints(data, system);
  Parallel parallel = make_parallel(data, system, joints);
  if (!(parallel.stiffness_at_rest() > 0.0)) {
    throw data.error(key,
                     fmt::format("the stuck stiffness of the joints and the spring beside them is {:g}; it must be > 0",
                                 parallel.stiffness_at_rest()));
  }
  const bool by_force = data.exactly_one_of({"to", "force"}) == "force";
  const double end = by_force ? data.number("force", positive_number) : data.number("to", positive_number);
  const bool both = data.flag_or("both", false);
  const int points =
      static_cast<int>(data.integer_or("points", 400, static_cast<long long>(fewest_ignl_points), 100'000));
  const bool log = read_choice_or(data, "spacing", Spacing::log, spacings) == Spacing::log;
  if (data.has("lowest") && !log) throw data.error("lowest", "lowest goes with spacing = \"log\"");

  JointCurves result;
  try {
    for (const double sign : {1.0, -1.0}) {
      if (sign < 0.0 && !both) break;
      double to = end;
      if (by_force) {
        const Reach reach = deflection_under(parallel, sign * end);
        if (reach.limit) {
          throw data.error("force", fmt::format("force {:g} has no static solution: the limit load is {:.6g}, at the "
                                                "deflection {:.6g}; give a smaller force, or to = a deflection",
                                                sign * end, *reach.limit, sign * reach.q));
        }
        to = reach.q;
      }
      const double lowest = log ? data.number_or("lowest", 1e-5 * to, {0.0, to, false, false}) : 0.0;
      ForceCurve stuck, slipping;
      pull(parallel, deflections(to, lowest, points, log), sign, stuck, slipping);
      if (sign > 0.0) {
        result.curves.stuck = std::move(stuck);
        result.curves.slipping = std::move(slipping);
      } else {
        result.curves.stuck_negative = std::move(stuck);
        result.curves.slipping_negative = std::move(slipping);
      }
    }
  } catch (const std::domain_error& error) {
    throw data.error(by_force ? "force" : "to", error.what());
  }
  std::vector<std::string> names;
  for (const Joint* joint : joints) names.push_back(fmt::format("\"{}\"", joint->name));
  result.origin = fmt::format("joint{} {}", names.size() > 1 ? "s" : "", fmt::join(names, ", "));
  return result;
}

}  // namespace microslip
