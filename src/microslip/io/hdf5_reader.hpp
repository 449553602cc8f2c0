#pragma once
// Reads back the tables of Hdf5Writer.

#include <memory>
#include <string>
#include <vector>

#include "microslip/io/input_error.hpp"

namespace microslip {

namespace hdf5 {
class Handle;
}

/// Any file may be given: what does not look like a table of ours ends in an InputError. One thread at a time.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::string path);
  ~Hdf5Reader();

  struct Shape {
    std::size_t rows = 0;
    std::size_t columns = 0;
  };
  [[nodiscard]] Shape shape(const std::string& table) const;

  /// Some columns of a table, numbered from 0, in the order asked for; of at most `rows` first rows.
  [[nodiscard]] std::vector<std::vector<double>> columns(const std::string& table,
                                                         const std::vector<std::size_t>& numbers,
                                                         std::size_t rows = static_cast<std::size_t>(-1)) const;

 private:
  [[nodiscard]] hdf5::Handle open(const std::string& table, Shape& shape) const;

  std::string path_;
  std::size_t bytes_ = 0;  ///< of the file
  std::unique_ptr<hdf5::Handle> file_;
};

}  // namespace microslip
