#include "closure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace microslip::differential {
namespace {

constexpr double pi = std::numbers::pi;

bool has_law(const Model& model, const std::vector<std::string>& laws) {
  return std::any_of(model.joints.begin(), model.joints.end(), [&](const DrawnJoint& joint) {
    return std::find(laws.begin(), laws.end(), joint.law) != laws.end();
  });
}

/// Orbits count their time from the maximum of the first sine: the loads as they are from then on.
Model from_first_maximum(Model model) {
  const double shift = 0.5 * pi - model.forces[0].phase;
  for (DrawnForce& force : model.forces) force.phase += shift;
  return model;
}

std::string point_of(const Model& model, const CsvTable& orbit, const char* quantity) {
  std::string text;
  for (const std::string& label : model.labels) {
    const double value = orbit.column(fmt::format("{}[{}]", quantity, label))[0];
    text += fmt::format("{}\"{}\" = {}", text.empty() ? "" : ", ", label, number(value));
  }
  return text;
}

}  // namespace

bool may_fold(const Model& model) {
  return has_law(model, elastic_laws());
}

bool forgets(const Model& model) {
  return std::all_of(model.joints.begin(), model.joints.end(), [](const DrawnJoint& joint) {
    return joint.law == "linear" ||
           std::find(elastic_laws().begin(), elastic_laws().end(), joint.law) != elastic_laws().end();
  });
}

bool remembers_its_start(const Model& model) {
  return has_law(model, {"gap"}) && !forgets(model);
}

double miss_after_period(const Model& model, const std::string& method, double omega, Runner& runner) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const Way found = runner.run(study_text(model, omega) +
                               fmt::format("[[analysis]]\nkind = \"orbit\"\nname = \"orbit\"\nload = {}\nomega = "
                                           "{}\nmethod = \"{}\"\n",
                                           load_names(model), number(omega), method));
  if (!found.silent) return none;
  const CsvTable& orbit = found.table("orbit");
  const double period = 2.0 * pi / omega;
  constexpr int steps = 8192;
  const Way way = runner.run(
      study_text(from_first_maximum(model), omega) +
      fmt::format(
          "[[analysis]]\nkind = \"transient\"\nname = \"period\"\nload = {}\nduration = {}\nstep = {}\nmethod = "
          "\"newmark\"\ninitial = {{ q = {{ {} }}, v = {{ {} }} }}\nrecord = {{ every = {}, joints = [] }}\n",
          load_names(model), number(period), number(period / steps), point_of(model, orbit, "q"),
          point_of(model, orbit, "v"), steps));
  if (!way.silent) return none;
  double miss = 0.0, size = 0.0;
  for (const std::string& label : model.labels) {
    const auto &q = way.table("period").column("q[" + label + "]"), &all = orbit.column("q[" + label + "]");
    miss = std::max(miss, std::abs(q.back() - q.front()));
    const auto [least, largest] = std::minmax_element(all.begin(), all.end());
    size = std::max(size, 0.5 * (*largest - *least));
  }
  return miss / size;
}

bool two_motions(const Model& model, const std::string& one, const std::string& other, double omega, double apart,
                 Runner& runner) {
  return forgets(model) && miss_after_period(model, one, omega, runner) < 0.1 * apart &&
         miss_after_period(model, other, omega, runner) < 0.1 * apart;
}

}  // namespace microslip::differential
