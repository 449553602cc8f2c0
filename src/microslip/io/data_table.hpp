#pragma once
// Tables of measured data, whatever the file: columns with names.
//
//   test.csv                 names in the first line
//   test.mat, test.mat:S     vectors and columns of matrices of the file or of a struct, by their names: a, b(2); or by
//                            the cell array `names` beside them, one text a column
//   test.unv, test.unv:time  functions of a universal file: `time` or `frequency_hz`, then a[12.z] accelerations, v[..]
//                            velocities, q[..] displacements, f[..] forces, 12.z others; complex ones as re[..], im[..]

#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/channel_name.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/io/universal_file.hpp"

namespace microslip {

/// By the file's ending (.mat, .unv, .uff) or first bytes. Tables of other files than CSV have no lines (0), or those
/// where the first dataset begins. `gaps`: of CSV files. Throws InputError.
[[nodiscard]] CsvTable read_data_table(const std::string& path_and_member, CsvGaps gaps = CsvGaps::refused);
[[nodiscard]] CsvTable mat_table(std::string_view bytes, const std::string& file, const std::string& member);
/// `kind`: "time", "frequency" or, where there is only one of them, "".
[[nodiscard]] CsvTable universal_table(const UniversalFile& content, std::string_view kind);

/// Shapes as a table with one row a mode: `mode`, `frequency_hz` and `zeta` where a universal file has them, then a
/// column a channel (12.x, 12.y, ...). From a universal file
/// those of datasets 55 and 2414; directions that never move are left out; complex shapes turned to be as real as they
/// can. From other files as read_data_table.
[[nodiscard]] CsvTable read_shape_table(const std::string& path_and_member);
[[nodiscard]] CsvTable universal_shape_table(const UniversalFile& content);

/// "12.z" and "12.-z" are the same channel with opposite signs: the column of that name, or of the opposite one,
/// turned. With letter, name[..] stands for the column q[..], v[..] or a[..] as well. Throws InputError at the header
/// when there is none.
[[nodiscard]] std::vector<double> data_column(const CsvTable& table, const std::string& name, char letter = '\0');

}  // namespace microslip
