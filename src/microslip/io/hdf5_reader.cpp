#include "microslip/io/hdf5_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "microslip/io/hdf5_handle.hpp"

namespace microslip {

using hdf5::Handle;

Hdf5Reader::Hdf5Reader(std::string path) : path_(std::move(path)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // our exceptions say it
  std::error_code error;
  bytes_ = std::filesystem::file_size(path_, error);
  if (error) throw InputError({path_, 0, 0}, "cannot be read: there is no such file");
  Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) throw InputError({path_, 0, 0}, "is not a whole HDF5 file");
  file_ = std::make_unique<Handle>(std::move(file));
}

Hdf5Reader::~Hdf5Reader() = default;

Handle Hdf5Reader::open(const std::string& table, Shape& shape) const {
  const auto wrong = [&](const char* why) {
    return InputError({path_, 0, 0}, fmt::format("table {} {}", in_quotes(table), why));
  };
  Handle dataset(H5Dopen2(file_->id(), table.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) throw wrong("is not there");
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  hsize_t extent[2] = {0, 0};
  if (!space.valid() || !type.valid() || H5Tget_class(type.id()) != H5T_FLOAT ||
      H5Sget_simple_extent_ndims(space.id()) != 2 || H5Sget_simple_extent_dims(space.id(), extent, nullptr) != 2) {
    throw wrong("is not a table of numbers");
  }
  // Our tables are not compressed: one that claims more than the file holds is broken.
  if (extent[1] > bytes_ || (extent[1] > 0 && extent[0] > bytes_ / extent[1]) ||
      H5Dget_storage_size(dataset.id()) > bytes_ ||
      extent[0] * extent[1] * H5Tget_size(type.id()) > H5Dget_storage_size(dataset.id())) {
    throw wrong("is broken");
  }
  shape = {extent[0], extent[1]};
  return dataset;
}

Hdf5Reader::Shape Hdf5Reader::shape(const std::string& table) const {
  Shape result;
  static_cast<void>(open(table, result));
  return result;
}

std::vector<std::vector<double>> Hdf5Reader::columns(const std::string& table, const std::vector<std::size_t>& numbers,
                                                     std::size_t rows) const {
  const auto wrong = [&](const char* why) {
    return InputError({path_, 0, 0}, fmt::format("table {} {}", in_quotes(table), why));
  };
  Shape shape;
  const Handle dataset = open(table, shape);
  rows = std::min(rows, shape.rows);
  for (const std::size_t number : numbers) {
    if (number >= shape.columns) throw wrong("has fewer columns than it should");
  }
  std::vector<std::vector<double>> result(numbers.size());
  for (std::vector<double>& column : result) column.resize(rows);
  if (rows == 0 || numbers.empty()) return result;
  constexpr std::size_t block_values = std::size_t{1} << 17U;  // 1 MB
  const std::size_t block = std::min(rows, std::max<std::size_t>(1, block_values / shape.columns));
  std::vector<double> buffer(block * shape.columns);
  const Handle source(H5Dget_space(dataset.id()), H5Sclose);
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t here = std::min(block, rows - first);
    const hsize_t start[2] = {first, 0};
    const hsize_t count[2] = {here, shape.columns};
    const Handle target(H5Screate_simple(2, count, nullptr), H5Sclose);
    if (!target.valid() || H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
        H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, target.id(), source.id(), H5P_DEFAULT, buffer.data()) < 0) {
      throw wrong("cannot be read");
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      double* const out = result[k].data() + first;
      const double* const in = buffer.data() + numbers[k];
      for (std::size_t i = 0; i < here; ++i) out[i] = in[i * shape.columns];
    }
  }
  return result;
}

}  // namespace microslip
