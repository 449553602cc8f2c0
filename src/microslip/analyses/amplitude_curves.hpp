#pragma once
// Frequency and damping of modes over amplitude, as measured: rows of an earlier analysis or of a file.

#include <vector>

#include "microslip/identify/modal_iwan_fit.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/system/sink.hpp"

namespace microslip {

/// A measured curve of one mode.
struct AmplitudeCurve {
  int mode = 0;  ///< number, from 1
  std::vector<AmplitudePoint> points;
};

/// The curve of a mode; a new one if there is none.
[[nodiscard]] AmplitudeCurve& curve_of_mode(std::vector<AmplitudeCurve>& curves, int mode);

/// Columns q, omega or frequency_hz, zeta; where they are known, mode, omega_error, zeta_error, half_cycles. Throws
/// InputError.
[[nodiscard]] std::vector<AmplitudeCurve> amplitude_curves_of(const CsvTable& table);

/// What is taken of a table of qsma, or of ringdown.
struct AmplitudeColumns {
  bool qsma = false;
  bool secant_omega = false, secant_zeta = false;  ///< of qsma: as of steady vibration
  bool clean_only = true;                          ///< of ringdown: rows that belong to one mode
};
void add_amplitude_rows(const MemorySink& table, const AmplitudeColumns& columns, std::vector<AmplitudeCurve>& curves);

}  // namespace microslip
