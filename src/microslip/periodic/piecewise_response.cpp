#include "microslip/periodic/piecewise_response.hpp"

#include <cmath>
#include <stdexcept>

#include "microslip/periodic/piecewise_curve.hpp"

namespace microslip {
namespace {

/// The recorded degrees of freedom, then the one whose peaks count.
std::vector<int> measured_dofs(const ResponseRecord& record) {
  std::vector<int> dofs = record.dofs;
  if (record.peak_dof >= 0) dofs.push_back(record.peak_dof);
  return dofs;
}

FrequencyResponse no_motion(const std::string& message) {
  FrequencyResponse result;
  result.ending = Ending::no_convergence;
  result.message = message;
  return result;
}

}  // namespace

PiecewiseResponses::PiecewiseResponses(const System& system, std::span<const Load> loads, ResponseRecord record,
                                       const FrequencyResponseOptions& options)
    : PiecewiseResponses(PiecewiseModel(system, loads, options.modes), std::move(record), options) {}

PiecewiseResponses::PiecewiseResponses(PiecewiseModel model, ResponseRecord record,
                                       const FrequencyResponseOptions& options)
    : model_(std::move(model)),
      orbits_(model_, options.periods),
      record_(std::move(record)),
      options_(options),
      measures_(model_, orbits_.load(), measured_dofs(record_)) {}

ResponsePoint PiecewiseResponses::measure(const PiecewiseOrbit& orbit) {
  ResponsePoint point;
  point.orbit.omega = orbit.omega;
  point.orbit.level = orbit.level;
  point.iterations = orbit.iterations;
  ExactOrbit& exact = point.exact.emplace();
  exact.events = orbit.events();
  exact.error = orbit.error;
  point.amplitude = measures_.amplitudes(orbit);
  for (const std::complex<double>& harmonic : measures_.first_harmonics(orbit)) {
    point.harmonic1.push_back(std::abs(harmonic));
    point.phase1.push_back(std::arg(harmonic));
  }
  if (record_.peak_dof >= 0) {
    exact.peak_amplitude = point.amplitude.back();
    exact.peak_motion = std::polar(point.harmonic1.back(), point.phase1.back());
    for (auto* values : {&point.amplitude, &point.harmonic1, &point.phase1}) values->pop_back();
  }
  measures_.friction(orbit, point);
  if (options_.stability) point.multiplier = orbits_.multipliers(orbit).cwiseAbs().maxCoeff();
  return point;
}

double PiecewiseResponses::peak_amplitude(const PiecewiseOrbit& orbit) {
  return measures_.amplitudes(orbit, measures_.count() - 1).front();
}

bool PiecewiseResponses::begin(double omega, double level, const OrbitSeed& near, PiecewiseOrbit& orbit) {
  first_ = {};
  const bool found = near.q.size() > 0 && orbits_.find_near(near, omega, level, orbit);
  if (!found && !orbits_.find(omega, level, orbit)) return false;
  first_ = orbit;
  return true;
}

/// Brent's search for a maximum; every trial begins at the best motion so far.
std::optional<ResponsePoint> PiecewiseResponses::maximise(PiecewiseOrbit orbit, const Sweep& sweep, double low,
                                                          double high) {
  constexpr double golden = 0.3819660112501051;
  double x = sweep.lambda(orbit);
  double w = x, v = x;
  double fx = peak_amplitude(orbit);
  double fw = fx, fv = fx;
  double step = 0.0, before_last = 0.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double middle = 0.5 * (low + high);
    const double tolerance = 2e-9 * std::abs(x);
    if (std::abs(x - middle) <= 2.0 * tolerance - 0.5 * (high - low)) break;
    double p = 0.0, q = 0.0, r = 0.0;
    if (std::abs(before_last) > tolerance) {
      r = (x - w) * (fx - fv);
      q = (x - v) * (fx - fw);
      p = (x - v) * q - (x - w) * r;
      q = 2.0 * (q - r);
      if (q > 0.0) p = -p;
      q = std::abs(q);
    }
    const double old = before_last;
    before_last = step;
    if (q != 0.0 && std::abs(p) < std::abs(0.5 * q * old) && p > q * (low - x) && p < q * (high - x)) {
      step = p / q;
      const double trial = x + step;
      if (trial - low < 2.0 * tolerance || high - trial < 2.0 * tolerance) step = x < middle ? tolerance : -tolerance;
    } else {
      before_last = (x < middle ? high : low) - x;
      step = golden * before_last;
    }
    if (std::abs(step) < tolerance) step = step > 0.0 ? tolerance : -tolerance;
    const double u = x + step;
    PiecewiseOrbit trial = orbit;
    if (!follow(sweep, u, trial)) return std::nullopt;
    const double fu = peak_amplitude(trial);
    if (!std::isfinite(fu)) return std::nullopt;
    if (fu >= fx) {
      (u >= x ? low : high) = x;
      v = w;
      fv = fw;
      w = x;
      fw = fx;
      x = u;
      fx = fu;
      orbit = std::move(trial);
    } else {
      (u < x ? low : high) = u;
      if (fu >= fw || w == x) {
        v = w;
        fv = fw;
        w = u;
        fw = fu;
      } else if (fu >= fv || v == x || v == w) {
        v = u;
        fv = fu;
      }
    }
  }
  return measure(orbit);
}

std::optional<ResponsePoint> PiecewiseResponses::peak(const OverFrequency& between) {
  PiecewiseOrbit orbit;
  if (!begin(0.5 * (between.from + between.to), between.level, near_, orbit)) return std::nullopt;
  return maximise(std::move(orbit), Sweep::over_frequency(between.level), between.from, between.to);
}

FrequencyResponse PiecewiseResponses::answer(const SteadyRequest& request, const Observer& observer) {
  check_request(request);
  return std::visit([&](const auto& asked) { return respond(asked, observer); }, request);
}

FrequencyResponse PiecewiseResponses::respond(const OverFrequency& asked, const Observer& observer) {
  PiecewiseOrbit orbit;
  if (!begin(asked.from, asked.level, near_, orbit)) return no_motion(orbits_.message());
  return PiecewiseCurve(*this, {Sweep::over_frequency(asked.level), asked.from, asked.to}, orbit).run(observer);
}

FrequencyResponse PiecewiseResponses::respond(const OverLevel& asked, const Observer& observer) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model_.shapes().rows());
  PiecewiseOrbit orbit;
  if (!begin(asked.omega, asked.from, near_.q.size() > 0 ? near_ : OrbitSeed{0.0, zero, zero}, orbit))
    return no_motion(orbits_.message());
  return PiecewiseCurve(*this, {Sweep::over_levels(asked.omega), asked.from, asked.to}, orbit).run(observer);
}

FrequencyResponse PiecewiseResponses::respond(const ThroughFrequency& /*asked*/, const Observer& /*observer*/) {
  throw std::invalid_argument("steady vibration: curves of exact orbits begin at one end of the range");
}

FrequencyResponse PiecewiseResponses::respond(const AtFrequencies& asked, const Observer& observer) {
  FrequencyResponse result;
  PiecewiseOrbit orbit;
  bool have = false;
  for (std::size_t i = 0; i < asked.omegas.size(); ++i) {
    if (observer && !observer(static_cast<double>(i) / static_cast<double>(asked.omegas.size()))) {
      result.ending = Ending::interrupted;
      result.message = "interrupted";
      return result;
    }
    const double omega = asked.omegas[i];
    have = have ? orbits_.follow(omega, asked.level, orbit) : begin(omega, asked.level, near_, orbit);
    if (have) {
      result.points.push_back(measure(orbit));
      continue;
    }
    result.ending = Ending::no_convergence;
    add_note(orbits_.message(), result.message);
  }
  return result;
}

}  // namespace microslip
