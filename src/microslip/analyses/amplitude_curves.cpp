#include "microslip/analyses/amplitude_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/io/input_error.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {

AmplitudeCurve& curve_of_mode(std::vector<AmplitudeCurve>& curves, int mode) {
  const auto found =
      std::find_if(curves.begin(), curves.end(), [&](const AmplitudeCurve& c) { return c.mode == mode; });
  return found != curves.end() ? *found : curves.emplace_back(AmplitudeCurve{mode, {}});
}

std::vector<AmplitudeCurve> amplitude_curves_of(const CsvTable& table) {
  const std::vector<double>& q = table.column("q");
  const bool hertz = !table.has("omega") && table.has("frequency_hz");
  const std::vector<double>& frequency = table.column(hertz ? "frequency_hz" : "omega");
  const std::vector<double>& zeta = table.column("zeta");
  const std::vector<double>* mode = table.has("mode") ? &table.column("mode") : nullptr;
  const auto errors = [&](const char* name) { return table.has(name) ? &table.column(name) : nullptr; };
  const std::vector<double>*omega_error = errors("omega_error"), *zeta_error = errors("zeta_error"),
        *half_cycles = errors("half_cycles");
  const auto error = [](const std::vector<double>* column, std::size_t i) {
    return column != nullptr && (*column)[i] > 0.0 && std::isfinite((*column)[i]) ? (*column)[i] : 0.0;
  };
  std::vector<AmplitudeCurve> curves;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const auto wrong = [&](const std::string& what) { return InputError({table.file, table.lines[i], 1}, what); };
    if (!(q[i] > 0.0)) throw wrong(fmt::format("q must be > 0, got {}", q[i]));
    if (!(frequency[i] > 0.0)) throw wrong(fmt::format("the frequency must be > 0, got {}", frequency[i]));
    const double number = mode != nullptr ? (*mode)[i] : 1.0;
    if (!(number >= 1.0 && number <= 1e6 && number == std::floor(number))) {
      throw wrong(fmt::format("mode must be a whole number from 1, got {}", number));
    }
    curve_of_mode(curves, static_cast<int>(number))
        .points.push_back({q[i], (hertz ? two_pi : 1.0) * frequency[i], zeta[i], error(omega_error, i),
                           error(zeta_error, i), ring_down_span(error(half_cycles, i), zeta[i])});
  }
  if (curves.empty()) throw InputError({table.file, table.header_line, 1}, "the table has no rows");
  return curves;
}

void add_amplitude_rows(const MemorySink& table, const AmplitudeColumns& columns, std::vector<AmplitudeCurve>& curves) {
  if (table.rows() == 0) return;
  const bool qsma = columns.qsma;
  const std::vector<double> mode = table.column("mode"), q = table.column("q"),
                            omega = table.column(qsma && !columns.secant_omega ? "omega_ringdown" : "omega"),
                            zeta = table.column(qsma && columns.secant_zeta ? "zeta_secant" : "zeta"),
                            clean = qsma ? std::vector<double>(q.size(), 1.0) : table.column("clean"),
                            none(qsma ? q.size() : 0, 0.0), omega_error = qsma ? none : table.column("omega_error"),
                            zeta_error = qsma ? none : table.column("zeta_error"),
                            half_cycles = qsma ? none : table.column("half_cycles");
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (columns.clean_only && clean[i] == 0.0) continue;
    if (qsma && !(std::isfinite(omega[i]) && std::isfinite(zeta[i]))) continue;  // the motion dies there
    curve_of_mode(curves, static_cast<int>(mode[i]))
        .points.push_back(
            {q[i], omega[i], zeta[i], omega_error[i], zeta_error[i], ring_down_span(half_cycles[i], zeta[i])});
  }
}

}  // namespace microslip
