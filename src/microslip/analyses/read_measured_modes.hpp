#pragma once
// Measured modes for a later analysis: of a modal_fit further up, or from a file.

#include <string>
#include <string_view>

#include "microslip/analyses/analysis.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/measurement/measured_modes.hpp"

namespace microslip {

/// `from`: the name of a modal_fit further up.
[[nodiscard]] std::string read_modal_fit_source(const TableReader& reader, const StudyParts& parts);

/// `shapes`: a file with one row a mode: `mode` (else they count from 1), `frequency_hz`, `frequency_hz_error`, `zeta`,
/// `zeta_error` where they are known, and the channels: columns phi[name], or without any all others by their names.
/// Frequencies are 0 where the file has none. Throws InputError.
[[nodiscard]] MeasuredModes read_measured_modes(const TableReader& reader);
[[nodiscard]] MeasuredModes measured_modes_of(const CsvTable& table);

}  // namespace microslip
