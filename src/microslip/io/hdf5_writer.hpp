#pragma once
// HDF5 files with groups, tables that grow row by row, texts and attributes.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "microslip/io/output_file.hpp"

namespace microslip {

namespace hdf5 {
class Handle;
}

/// A 2-D dataset of doubles, rows x columns, that grows. Rows are buffered up to a chunk.
class Hdf5Table {
 public:
  Hdf5Table(Hdf5Table&&) noexcept;
  Hdf5Table& operator=(Hdf5Table&&) = delete;
  ~Hdf5Table();

  /// As many values as the table has columns.
  void row(std::span<const double> values);
  void flush();

 private:
  friend class Hdf5Writer;
  Hdf5Table(std::string path, std::unique_ptr<hdf5::Handle> dataset, std::size_t columns, std::size_t rows_a_chunk);

  std::string path_;
  std::unique_ptr<hdf5::Handle> dataset_;
  std::size_t columns_;
  std::size_t rows_a_chunk_;
  std::uint64_t written_ = 0;
  std::vector<double> buffer_;
};

/// Writes <path>.part; close() gives the file its name. Throws OutputError. One thread at a time.
/// Objects are named by their path in the file, e.g. "ring/history"; groups on the way are made.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(std::string path);
  Hdf5Writer(Hdf5Writer&&) = delete;
  ~Hdf5Writer();

  void group(const std::string& name);
  /// A dataset with the attributes `columns` and `units`.
  [[nodiscard]] Hdf5Table table(const std::string& name, std::span<const std::string> columns,
                                std::span<const std::string> units);
  /// A dataset that holds one string.
  void text(const std::string& name, const std::string& value);

  void attribute(const std::string& object, const std::string& name, const std::string& value);
  void attribute(const std::string& object, const std::string& name, double value);
  void attribute(const std::string& object, const std::string& name, std::span<const std::string> values);

  /// Tables must be flushed and destroyed before.
  void close();

 private:
  std::string path_;
  std::unique_ptr<hdf5::Handle> file_;
};

}  // namespace microslip
