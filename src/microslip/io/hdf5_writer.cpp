#include "microslip/io/hdf5_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "microslip/io/hdf5_handle.hpp"
#include "microslip/io/write_file.hpp"

namespace microslip {
namespace hdf5 {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 16U;

// At the end of a program HDF5 1.10 closes once more the files that it could not close because the disk was full, and
// crashes. Every file of ours is closed before.
[[maybe_unused]] const herr_t without_cleanup_at_exit = H5dont_atexit();

/// HDF5 keeps a list of errors, innermost first: the driver's has "error message = 'No space left on device'".
herr_t find_reason(unsigned, const H5E_error2_t* error, void* text) {
  constexpr std::string_view mark = "error message = '";
  const std::string_view words = error->desc == nullptr ? "" : error->desc;
  const std::size_t at = words.find(mark);
  if (at == std::string_view::npos) return 0;
  const std::string_view reason = words.substr(at + mark.size());
  *static_cast<std::string*>(text) = reason.substr(0, reason.find('\''));
  return 0;
}

void require(herr_t status, const std::string& file, const char* what) {
  if (status < 0) throw failure(file, what);
}

Handle string_type(const std::string& file) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, file, "make a string type");
  require(H5Tset_size(type.id(), H5T_VARIABLE), file, "make a string type");
  require(H5Tset_cset(type.id(), H5T_CSET_UTF8), file, "make a string type");
  return type;
}

void write_strings(hid_t object, const std::string& name, std::span<const std::string> values, hid_t space,
                   const std::string& file) {
  const Handle type = string_type(file);
  const Handle attribute(H5Acreate2(object, name.c_str(), type.id(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, file,
                         "make an attribute");
  std::vector<const char*> pointers;
  pointers.reserve(values.size());
  for (const std::string& value : values) pointers.push_back(value.c_str());
  require(H5Awrite(attribute.id(), type.id(), pointers.data()), file, "write an attribute");
}

void write_string_list(hid_t object, const std::string& name, std::span<const std::string> values,
                       const std::string& file) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, file, "make a dataspace");
  write_strings(object, name, values, space.id(), file);
}

/// Property list of a new object that leaves out when it was made: the same study gives the same bytes, whatever the
/// clock says.
Handle without_times(hid_t kind, const std::string& file) {
  Handle list(H5Pcreate(kind), H5Pclose, file, "make a property list");
  require(H5Pset_obj_track_times(list.id(), false), file, "leave out times");
  return list;
}

/// Makes the groups on the way to a new object, as far as they are missing.
void make_groups_above(hid_t root, const std::string& name, const std::string& file) {
  const Handle create = without_times(H5P_GROUP_CREATE, file);
  for (std::size_t at = name.find('/', 1); at != std::string::npos; at = name.find('/', at + 1)) {
    const std::string group = name.substr(0, at);
    const htri_t exists = H5Lexists(root, group.c_str(), H5P_DEFAULT);
    require(exists, file, "find a group");
    if (exists > 0) continue;
    const Handle made(H5Gcreate2(root, group.c_str(), H5P_DEFAULT, create.id(), H5P_DEFAULT), H5Gclose, file,
                      "make a group");
  }
}

}  // namespace

OutputError failure(const std::string& file, const char* what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_reason, &reason);
  return OutputError(reason.empty() ? fmt::format("{}: HDF5 cannot {}", file, what)
                                    : fmt::format("{}: cannot be written: {}", file, reason));
}

}  // namespace hdf5

using hdf5::Handle;
using hdf5::require;

Hdf5Table::Hdf5Table(std::string path, std::unique_ptr<Handle> dataset, std::size_t columns, std::size_t rows_a_chunk)
    : path_(std::move(path)), dataset_(std::move(dataset)), columns_(columns), rows_a_chunk_(rows_a_chunk) {
  buffer_.reserve(columns_ * rows_a_chunk_);
}
Hdf5Table::Hdf5Table(Hdf5Table&&) noexcept = default;
Hdf5Table::~Hdf5Table() = default;

void Hdf5Table::row(std::span<const double> values) {
  assert(values.size() == columns_);
  buffer_.insert(buffer_.end(), values.begin(), values.end());
  if (buffer_.size() >= columns_ * rows_a_chunk_) flush();
}

void Hdf5Table::flush() {
  const hsize_t rows = columns_ == 0 ? 0 : buffer_.size() / columns_;
  if (rows == 0) return;
  const hsize_t start[2] = {written_, 0};
  const hsize_t count[2] = {rows, columns_};
  const hsize_t extent[2] = {written_ + rows, columns_};
  require(H5Dset_extent(dataset_->id(), extent), path_, "enlarge a table");
  const Handle target(H5Dget_space(dataset_->id()), H5Sclose, path_, "find a table");
  require(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start, nullptr, count, nullptr), path_, "select rows");
  const Handle source(H5Screate_simple(2, count, nullptr), H5Sclose, path_, "make a dataspace");
  require(H5Dwrite(dataset_->id(), H5T_NATIVE_DOUBLE, source.id(), target.id(), H5P_DEFAULT, buffer_.data()), path_,
          "write rows");
  written_ += rows;
  buffer_.clear();
}

Hdf5Writer::Hdf5Writer(std::string path) : path_(std::move(path)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // our exceptions say it
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path_, "make a property list");
  // The newer format keeps attributes above 64 kB: the names of many columns.
  require(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_LATEST), path_, "choose a version");
  const Handle create = hdf5::without_times(H5P_FILE_CREATE, path_);
  file_ = std::make_unique<Handle>(H5Fcreate(part_name(path_).c_str(), H5F_ACC_TRUNC, create.id(), access.id()),
                                   H5Fclose, path_, "create the file");
}

Hdf5Writer::~Hdf5Writer() {
  if (file_ && file_->close() < 0) remove_part(path_);  // nobody can read it
}

void Hdf5Writer::group(const std::string& name) {
  hdf5::make_groups_above(file_->id(), name, path_);
  const Handle create = hdf5::without_times(H5P_GROUP_CREATE, path_);
  const Handle group(H5Gcreate2(file_->id(), name.c_str(), H5P_DEFAULT, create.id(), H5P_DEFAULT), H5Gclose, path_,
                     "make a group");
}

Hdf5Table Hdf5Writer::table(const std::string& name, std::span<const std::string> columns,
                            std::span<const std::string> units) {
  const std::size_t rows =
      std::max<std::size_t>(1, hdf5::chunk_bytes / (sizeof(double) * std::max<std::size_t>(1, columns.size())));
  const hsize_t none[2] = {0, columns.size()};
  const hsize_t limit[2] = {H5S_UNLIMITED, columns.size()};
  const hsize_t chunk[2] = {rows, std::max<hsize_t>(1, columns.size())};
  const Handle space(H5Screate_simple(2, none, limit), H5Sclose, path_, "make a dataspace");
  const Handle create = hdf5::without_times(H5P_DATASET_CREATE, path_);
  require(H5Pset_chunk(create.id(), 2, chunk), path_, "choose chunks");
  hdf5::make_groups_above(file_->id(), name, path_);
  auto dataset = std::make_unique<Handle>(
      H5Dcreate2(file_->id(), name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, create.id(), H5P_DEFAULT),
      H5Dclose, path_, "make a table");
  hdf5::write_string_list(dataset->id(), "columns", columns, path_);
  hdf5::write_string_list(dataset->id(), "units", units, path_);
  return {path_, std::move(dataset), columns.size(), rows};
}

void Hdf5Writer::text(const std::string& name, const std::string& value) {
  const Handle type = hdf5::string_type(path_);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, path_, "make a dataspace");
  hdf5::make_groups_above(file_->id(), name, path_);
  const Handle create = hdf5::without_times(H5P_DATASET_CREATE, path_);
  const Handle dataset(
      H5Dcreate2(file_->id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, create.id(), H5P_DEFAULT), H5Dclose,
      path_, "make a text");
  const char* pointer = value.c_str();
  require(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer), path_, "write a text");
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Handle target(H5Oopen(file_->id(), object.c_str(), H5P_DEFAULT), H5Oclose, path_, "find an object");
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, path_, "make a dataspace");
  hdf5::write_strings(target.id(), name, {&value, 1}, space.id(), path_);
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name, double value) {
  const Handle target(H5Oopen(file_->id(), object.c_str(), H5P_DEFAULT), H5Oclose, path_, "find an object");
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, path_, "make a dataspace");
  const Handle attribute(H5Acreate2(target.id(), name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, path_, "make an attribute");
  require(H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, &value), path_, "write an attribute");
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name, std::span<const std::string> values) {
  const Handle target(H5Oopen(file_->id(), object.c_str(), H5P_DEFAULT), H5Oclose, path_, "find an object");
  hdf5::write_string_list(target.id(), name, values, path_);
}

void Hdf5Writer::close() {
  if (!file_) return;
  const std::unique_ptr<Handle> file = std::move(file_);
  if (file->close() < 0) {
    const OutputError error = hdf5::failure(path_, "close the file");
    remove_part(path_);
    throw error;
  }
  finish_part(path_);
}

}  // namespace microslip
