#include "closure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/study/study.hpp"

namespace microslip::differential {
namespace {

constexpr double pi = std::numbers::pi;

bool remembers(const DrawnJoint& joint) {
  const auto& elastic = elastic_laws();
  return joint.law != "linear" && std::find(elastic.begin(), elastic.end(), joint.law) == elastic.end();
}

bool has_law(const Model& model, const std::vector<std::string>& laws) {
  return std::any_of(model.joints.begin(), model.joints.end(), [&](const DrawnJoint& joint) {
    return std::find(laws.begin(), laws.end(), joint.law) != laws.end();
  });
}

/// A point of a motion, and the phases of the loads there.
struct Point {
  Model loaded;
  std::vector<double> q, v;
  double size = 0.0;  ///< largest amplitude of the motion
};

Model shifted(Model model, double phase) {
  for (DrawnForce& force : model.forces) force.phase += phase;
  return model;
}

/// The row where joints that remember are the farthest out, all in all: one that returns along its branches is there
/// as a first loading leaves it.
std::size_t outermost_row(const Model& model, const CsvTable& orbit) {
  std::vector<double> out(orbit.rows(), 0.0);
  for (const DrawnJoint& joint : model.joints) {
    if (!remembers(joint)) continue;
    const std::vector<double>& u = orbit.column("u[" + joint.name + "]");
    double largest = 0.0;
    for (const double value : u) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < u.size() && largest > 0.0; ++i) out[i] += std::abs(u[i]) / largest;
  }
  return static_cast<std::size_t>(std::max_element(out.begin(), out.end()) - out.begin());
}

/// Orbits count their time from the maximum of the first sine.
std::optional<Point> point_of_orbit(const Model& model, const std::string& method, double omega, Runner& runner) {
  const Way found = runner.run(study_text(model, omega) +
                               fmt::format("[[analysis]]\nkind = \"orbit\"\nname = \"orbit\"\nload = {}\nomega = "
                                           "{}\nmethod = \"{}\"\n",
                                           load_names(model), number(omega), method));
  if (!found.tables.contains("orbit") || found.table("orbit").rows() == 0) return {};
  const CsvTable& orbit = found.table("orbit");
  const std::size_t row = outermost_row(model, orbit);
  Point point{shifted(model, 0.5 * pi - model.forces[0].phase + omega * orbit.column("time")[row]), {}, {}};
  for (const std::string& label : model.labels) {
    const std::vector<double>& q = orbit.column("q[" + label + "]");
    point.q.push_back(q[row]);
    point.v.push_back(orbit.column("v[" + label + "]")[row]);
    const auto [least, largest] = std::minmax_element(q.begin(), q.end());
    point.size = std::max(point.size, 0.5 * (*largest - *least));
  }
  return point;
}

std::optional<Point> point_of_arcs(const Model& model, double omega) {
  const Study study = parse_study(study_text(model, omega), "study.toml");
  std::vector<Load> loads;
  std::vector<int> dofs;
  for (const DrawnForce& force : model.forces) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(study.system.size());
    direction(force.at - 1) = 1.0;
    loads.push_back({"f", direction, Signal(Sine{force.amplitude, omega, force.phase})});
  }
  for (int i = 0; i < study.system.size(); ++i) dofs.push_back(i);
  PiecewiseResponses responses(study.system, loads, {dofs, -1});
  const FrequencyResponse found = responses.answer(AtFrequencies{.level = 1.0, .omegas = {omega}});
  if (found.points.empty()) return {};
  const OrbitSeed seed = responses.orbits().seed(responses.first());
  // Phases count from the maximum of the first sine.
  return Point{shifted(model, seed.phase + 0.5 * pi - model.forces[0].phase),
               {seed.q.begin(), seed.q.end()},
               {seed.v.begin(), seed.v.end()},
               *std::max_element(found.points[0].amplitude.begin(), found.points[0].amplitude.end())};
}

std::string values(const Model& model, const std::vector<double>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += fmt::format("{}\"{}\" = {}", text.empty() ? "" : ", ", model.labels[i], number(numbers[i]));
  }
  return text;
}

std::string initial_key(const Model& model, const Point& point) {
  return fmt::format("initial = {{ q = {{ {} }}, v = {{ {} }} }}\n", values(model, point.q), values(model, point.v));
}

}  // namespace

std::optional<OrbitStart> start_on_orbit(const Model& model, const std::string& method, double omega, Runner& runner) {
  const auto point = point_of_orbit(model, method, omega, runner);
  if (!point) return {};
  return OrbitStart{point->loaded, initial_key(model, *point)};
}

bool may_fold(const Model& model) {
  return has_law(model, elastic_laws());
}

bool forgets(const Model& model) {
  return std::none_of(model.joints.begin(), model.joints.end(), remembers);
}

bool remembers_its_start(const Model& model) {
  return has_law(model, {"gap"}) && !forgets(model);
}

double miss_after_period(const Model& model, const std::string& method, double omega, Runner& runner) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const auto start =
      method == "piecewise_linear" ? point_of_arcs(model, omega) : point_of_orbit(model, method, omega, runner);
  if (!start) return none;
  const double period = 2.0 * pi / omega;
  constexpr int steps = 8192;
  const Way way = runner.run(
      study_text(start->loaded, omega) +
      fmt::format(
          "[[analysis]]\nkind = \"transient\"\nname = \"period\"\nload = {}\nduration = {}\nstep = {}\nmethod = "
          "\"newmark\"\n{}record = {{ every = {}, joints = [] }}\n",
          load_names(model), number(period), number(period / steps), initial_key(model, *start), steps));
  double miss = 0.0;
  for (const std::string& label : model.labels) {
    const auto& q = way.table("period").column("q[" + label + "]");
    miss = std::max(miss, std::abs(q.back() - q.front()));
  }
  return miss / start->size;
}

bool two_motions(const Model& model, const std::string& one, const std::string& other, double omega, double apart,
                 Runner& runner) {
  if (!forgets(model)) return false;
  const double a = miss_after_period(model, one, omega, runner), b = miss_after_period(model, other, omega, runner);
  return a < 0.1 * apart && b < 0.1 * apart;
}

}  // namespace microslip::differential
