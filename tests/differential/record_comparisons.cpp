// Records and energies: ring-downs out of noise against the damping that made them, the energy ledger against its own
// history, and fits of data that the fitted law has made.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "comparisons.hpp"

namespace microslip::differential {
namespace {

constexpr double pi = std::numbers::pi;

Model draw_any_mass(Random& random) {
  Range range;
  range.masses = 1;
  range.joints = 1;
  range.laws = {"linear"};
  return draw(range, random);
}

// A linear ring-down in white noise.

double normal(Random& random) {
  return std::sqrt(-2.0 * std::log(1.0 - random.uniform(0.0, 1.0))) * std::cos(2.0 * pi * random.uniform(0.0, 1.0));
}

/// Rows are correlated, and a case has about a hundred: six standard errors are not met by chance.
constexpr double sigmas = 6.0;

void out_of_noise(const Model& model, Runner& runner, Verdict& verdict) {
  const double f = std::pow(10.0, 3.0 * model.dice[0]), zeta = std::pow(10.0, -3.3 + 1.5 * model.dice[1]);
  const double omega = 2.0 * pi * f, damped = omega * std::sqrt(1.0 - zeta * zeta);
  const char* const quantities[] = {"displacement", "velocity", "acceleration"};
  const int quantity = static_cast<int>(2.999 * model.dice[2]);
  const double noise = std::pow(10.0, -3.5 + 1.5 * model.dice[3]);
  Random random(static_cast<std::uint64_t>(model.dice[3] * 1e15));
  const double step = 1.0 / (40.0 * f);
  std::string rows = "time,a\n";
  const auto count = static_cast<int>(std::min(4.0 / (zeta * omega) / step, 12000.0));
  for (int i = 0; i < count; ++i) {
    const double t = i * step;
    rows += fmt::format("{},{}\n", t, std::exp(-zeta * omega * t) * std::cos(damped * t) + noise * normal(random));
  }
  runner.file("record.csv", rows);
  std::string text = structure_text(model);
  const bool bands[] = {false, true};
  const char* const methods[] = {"peaks", "hilbert"};
  for (const char* method : methods) {
    for (const bool band : bands) {
      text += fmt::format(
          "[[analysis]]\nkind = \"ringdown\"\nname = \"{}{}\"\ndata = \"record.csv\"\nquantity = \"{}\"\nchannel = "
          "\"a\"\nmethod = \"{}\"\nstart = 0.0\n",
          method, band ? "band" : "", quantities[quantity], method);
      if (band) text += fmt::format("band_hz = [{}, {}]\n", number(0.7 * f), number(1.35 * f));
    }
  }
  const Way way = runner.run(text);
  if (!way.silent) verdict.leave(way.said);
  for (const auto& [name, table] : way.tables) {
    if (!table.has("zeta_error")) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double zeta_error = table.column("zeta_error")[row], omega_error = table.column("omega_error")[row];
      if (table.column("clean")[row] != 1.0 || !(zeta_error > 0.0) || !(omega_error > 0.0)) continue;
      const std::string where =
          fmt::format("{}, row {} of {} in {}", name, row + 1, table.rows(), quantities[quantity]);
      verdict.agree("zeta of " + where, table.column("zeta")[row], zeta, sigmas * zeta_error + 1e-3 * zeta);
      verdict.agree("omega of " + where, table.column("omega")[row], damped, sigmas * omega_error + 1e-6 * damped);
    }
  }
}

// The energy ledger.

Model draw_for_energy(Random& random) {
  Range range;
  range.laws = all_laws();
  range.level_from = -1.0;
  range.forces = 2;
  return draw(range, random);
}

void energy(const Model& model, Runner& runner, Verdict& verdict) {
  const StuckModes modes = stuck_modes(model);
  const double omega = modes.omega[0] * (0.4 + model.dice[0]), period = 2.0 * pi / omega;
  const Way way = runner.run(study_text(model, omega) +
                             fmt::format("[[analysis]]\nkind = \"transient\"\nname = \"motion\"\nload = {}\nduration = "
                                         "{}\nstep = {}\n",
                                         load_names(model), number(10.0 * period),
                                         number(std::min(period / 500.0, 0.1 / modes.omega.back()))));
  if (!way.silent) return verdict.leave(way.said);
  const CsvTable &rows = way.table("motion"), &ledger = way.table("motion-energy");
  double input = 0.0, scale = 0.0;
  for (const DrawnForce& force : model.forces) {
    const auto &t = rows.column("time"),
               &v = rows.column("v[" + model.labels[static_cast<std::size_t>(force.at - 1)] + "]");
    const auto power = [&](std::size_t i) { return force.amplitude * std::sin(omega * t[i] + force.phase) * v[i]; };
    for (std::size_t i = 0; i + 1 < rows.rows(); ++i) {
      input += 0.5 * (power(i) + power(i + 1)) * (t[i + 1] - t[i]);
      scale += 0.5 * (std::abs(power(i)) + std::abs(power(i + 1))) * (t[i + 1] - t[i]);
    }
  }
  // A trapezoid over 500 steps a period: (2 pi/500)^2/12 of what goes in and out; the highest mode is resolved by 60.
  verdict.agree("input of the ledger and of force times velocity", ledger.column("input").back(), input, 2e-3 * scale);
  double spent = ledger.column("stored").back() - ledger.column("stored").front() + ledger.column("damping").back();
  for (const DrawnJoint& joint : model.joints) spent += ledger.column("joint[" + joint.name + "]").back();
  // Average acceleration keeps the energy of a linear step; a joint that bends within one is off by its square, 1e-4 of
  // what goes in and out with 60 steps of the highest mode, and corners add as many times as they are met.
  verdict.agree("the balance of the ledger", ledger.column("input").back(), spent, 2e-3 * scale);
}

// A fit finds the law that made the data.

Model draw_for_fit(Random& random) {
  Range range;
  range.masses = 1;
  range.joints = 1;
  range.laws = {"iwan4"};
  range.zeta_from = -4.0;
  range.zeta_to = -3.0;
  return draw(range, random);
}

void fit(const Model& model, Runner& runner, Verdict& verdict) {
  const double m = model.masses[0], root = std::sqrt(m);
  double k = 0.0;
  for (const Link& spring : model.springs) k += spring.value;
  const auto parameter = [&](const char* name) {
    for (const Parameter& p : model.joints[0].parameters) {
      if (p.name == name) return p.values[0];
    }
    return std::nan("");
  };
  const double FS = parameter("FS"), KT = parameter("KT");
  const double force = FS + k * FS / KT;
  const Way way =
      runner.run(structure_text(model) + joints_text(model) +
                 fmt::format("[[analysis]]\nkind = \"qsma\"\nname = \"curve\"\nmode = 1\nalpha = [{}, "
                             "{}]\npoints = 60\n[[analysis]]\nkind = \"fit_modal_iwan\"\nname = \"fit\"\nfrom = "
                             "\"curve\"\n",
                             number(1e-3 * force / root), number(20.0 * force / root)));
  if (!way.silent) return verdict.leave(way.said);
  const CsvTable& fitted = way.table("fit");
  const auto compare = [&](const char* name, double truth) {
    const double error = fitted.column(std::string(name) + "_error")[0];
    if (std::isfinite(error)) {
      verdict.agree(fmt::format("{} of a fit", name), fitted.column(name)[0], truth,
                    sigmas * error + 2e-3 * std::abs(truth));
    }
  };
  compare("FS", FS / root);
  compare("KT", KT / m);
  compare("chi", parameter("chi"));
  compare("beta", parameter("beta"));
}

constexpr Comparison all[] = {
    {"noise", draw_any_mass, out_of_noise, 10},
    {"energy", draw_for_energy, energy, 15},
    {"fit", draw_for_fit, fit, 10},
};

}  // namespace

std::span<const Comparison> record_comparisons() {
  return all;
}

}  // namespace microslip::differential
