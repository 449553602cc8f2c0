#include "microslip/results/mat_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "microslip/io/hdf5_reader.hpp"
#include "microslip/io/mat_writer.hpp"

namespace microslip {
namespace {

constexpr std::size_t values_at_once = std::size_t{1} << 23U;  // 64 MB

void write_table(MatWriter& mat, const Hdf5Reader& hdf5, const std::string& analysis, const TableRecord& record,
                 const UnitLabels& units) {
  const std::string dataset = analysis + "/" + (record.part.empty() ? "table" : record.part);
  MatWriter::Table table;
  table.name = table_name(analysis, record.part);
  table.rows = hdf5.shape(dataset).rows;
  for (const Column& column : record.columns) {
    table.columns.push_back(column.name);
    table.units.push_back(units.of(column.unit));
    table.descriptions.push_back(column.description);
  }
  // Rows are together in the file: some columns with each pass.
  const std::size_t batch = std::max<std::size_t>(1, values_at_once / std::max<std::size_t>(1, table.rows));
  std::vector<std::vector<double>> columns;
  std::size_t first = 0;
  mat.table(table, [&](std::size_t k) {
    if (k >= first + columns.size()) {
      first = k;
      std::vector<std::size_t> numbers;
      for (std::size_t i = k; i < std::min(k + batch, table.columns.size()); ++i) numbers.push_back(i);
      columns = hdf5.columns(dataset, numbers);
    }
    return std::move(columns[k - first]);
  });
}

}  // namespace

void write_mat_results(const Results& results, const std::vector<std::string>& analyses, const std::string& version,
                       const std::string& study) {
  const std::filesystem::path directory(results.directory());
  try {
    const Hdf5Reader hdf5((directory / "results.h5").string());
    MatWriter mat((directory / "results.mat").string());
    mat.texts("microslip", {{"version", version}, {"study", study}});
    for (const std::string& analysis : analyses) {
      for (const TableRecord& record : results.written(analysis)) {
        write_table(mat, hdf5, analysis, record, results.units());
      }
    }
    mat.close();
  } catch (const InputError& error) {
    throw OutputError(fmt::format("results.mat: {}", error.what()));
  }
}

}  // namespace microslip
