// MATLAB files of version 7.3: HDF5 with 512 bytes before it. A variable is a dataset, by rows of its transpose, with
// the attribute MATLAB_class; a struct is a group, or, if there are several, a group of datasets of references; a cell
// array is a dataset of references; a sparse matrix is a group with MATLAB_sparse (rows) and jc, ir, data.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>

#include "microslip/io/hdf5_handle.hpp"
#include "microslip/io/mat_walk.hpp"

namespace microslip {
namespace {

using hdf5::Handle;

/// Deflate packs at most 1032 to 1: a dataset that claims more than its bytes can hold is broken.
constexpr std::uint64_t best_packing = 1032;

struct Complex {
  double real, imag;
};

class Mat73Walker {
 public:
  Mat73Walker(hid_t root, std::uint64_t file_bytes, const std::string& file, const MatWalk& walk)
      : root_(root), file_bytes_(file_bytes), file_(&file), walk_(&walk) {}

  void file() {
    for (const std::string& name : links(root_)) {
      if (name.starts_with('#')) continue;  // #refs#, #subsystem#
      if (walk_->opens(name)) link(root_, name, name, 0);
    }
  }

 private:
  [[nodiscard]] InputError error(const std::string& name, const std::string& what) const {
    return {{*file_, 0, 0}, fmt::format("array {} {}", in_quotes(name), what)};
  }

  /// Names of the links of a group that lead to objects of this file.
  [[nodiscard]] static std::vector<std::string> links(hid_t group) {
    std::vector<std::string> names;
    const auto add = [](hid_t, const char* name, const H5L_info_t* info, void* list) -> herr_t {
      if (info->type == H5L_TYPE_HARD) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
      return 0;
    };
    hsize_t at = 0;
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, add, &names);
    return names;
  }

  void link(hid_t group, const std::string& link_name, const std::string& name, int depth) {
    object(Handle(H5Oopen(group, link_name.c_str(), H5P_DEFAULT), H5Oclose), name, depth);
  }

  void object(const Handle& object, const std::string& name, int depth) {
    if (depth > deepest_mat_struct) throw error(name, "lies in structs that are nested too deeply");
    if (++arrays_ > most_mat_arrays / 10) throw error(name, "is one of too many arrays");
    if (!object.valid()) throw error(name, "cannot be opened");
    const H5I_type_t type = H5Iget_type(object.id());
    if (type == H5I_DATASET) {
      dataset(object.id(), name, depth);
    } else if (type == H5I_GROUP && H5Aexists(object.id(), "MATLAB_sparse") > 0) {
      sparse(object.id(), name);
    } else if (type == H5I_GROUP) {
      members(object.id(), name, depth);
    }
  }

  /// One struct, or several by references in the members.
  void members(hid_t group, const std::string& name, int depth) {
    const bool is_struct = text_attribute(group, "MATLAB_class") == "struct";
    for (const std::string& field : links(group)) {
      const Handle member(H5Oopen(group, field.c_str(), H5P_DEFAULT), H5Oclose);
      if (is_struct && member.valid() && H5Iget_type(member.id()) == H5I_DATASET && is_reference(member.id()) &&
          H5Aexists(member.id(), "MATLAB_class") <= 0) {
        const std::vector<hobj_ref_t> list = references(member.id(), name);
        for (std::size_t i = 0; i < list.size(); ++i) {
          follow(member.id(), list[i], mat_member_name(name, field, i, list.size()), depth);
        }
      } else {
        object(member, mat_member_name(name, field, 0, 1), depth + 1);
      }
    }
  }

  void dataset(hid_t id, const std::string& name, int depth) {
    if (is_reference(id)) {  // a cell array
      if (H5Aexists(id, "MATLAB_empty") > 0) return;
      const std::vector<hobj_ref_t> list = references(id, name);
      for (std::size_t i = 0; i < list.size(); ++i) follow(id, list[i], fmt::format("{}{{{}}}", name, i + 1), depth);
      return;
    }
    const std::string kind = text_attribute(id, "MATLAB_class");
    const bool is_text = kind == "char";
    if (kind == "function_handle" || kind == "struct" || kind == "cell") return;  // the latter two: empty
    const H5T_class_t type = type_class(id);
    if (type != H5T_INTEGER && type != H5T_FLOAT && type != H5T_COMPOUND) return;
    if (!walk_->wants(name, is_text)) return;
    MatArray array;
    array.name = name;
    array.is_text = is_text;
    if (H5Aexists(id, "MATLAB_empty") > 0) return walk_->take(std::move(array));
    const std::vector<hsize_t> extent = extents(id, name);
    // MATLAB's first index runs fastest, HDF5's last.
    array.rows = extent.empty() ? 1 : static_cast<int>(extent.back());
    array.columns = extent.size() < 2 ? 1 : static_cast<int>(extent[extent.size() - 2]);
    for (std::size_t i = 0; i + 2 < extent.size(); ++i) {
      if (extent[i] != 1) throw error(name, fmt::format("must have two dimensions, it has {}", extent.size()));
    }
    if (type == H5T_COMPOUND) {
      complex(id, array);
    } else {
      array.values = numbers(id, name);
    }
    if (is_text) {
      std::u16string wide;
      for (const double unit : array.values) {
        wide += unit >= 0.0 && unit < 65536.0 ? static_cast<char16_t>(unit) : u'\xFFFD';
      }
      array.text = utf8_of(wide);
      array.values.clear();
    } else {
      require_sound(array, *file_);
    }
    walk_->take(std::move(array));
  }

  void sparse(hid_t group, const std::string& name) {
    if (!walk_->wants(name, false)) return;
    MatArray array;
    array.name = name;
    array.sparse = true;
    const Handle attribute(H5Aopen(group, "MATLAB_sparse", H5P_DEFAULT), H5Aclose);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    std::uint64_t rows = 0;
    if (!space.valid() || H5Sget_simple_extent_npoints(space.id()) != 1 || !type.valid() ||
        H5Tget_class(type.id()) != H5T_INTEGER || H5Aread(attribute.id(), H5T_NATIVE_UINT64, &rows) < 0) {
      throw error(name, "has no number of rows in MATLAB_sparse");
    }
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    if (rows > largest) throw error(name, fmt::format("must have at most {} rows, got {}", largest, rows));
    array.rows = static_cast<int>(rows);
    array.column_start = indices(group, "jc", name);
    if (array.column_start.empty()) throw error(name, "is broken: \"jc\" must hold one number more than columns");
    array.columns = static_cast<int>(array.column_start.size()) - 1;
    if (H5Lexists(group, "ir", H5P_DEFAULT) > 0) array.row_of = indices(group, "ir", name);
    if (H5Lexists(group, "data", H5P_DEFAULT) > 0) {
      const Handle data(H5Dopen2(group, "data", H5P_DEFAULT), H5Dclose);
      if (!data.valid()) throw error(name, "is broken: \"data\" cannot be opened");
      if (type_class(data.id()) == H5T_COMPOUND) {
        complex(data.id(), array);
      } else {
        array.values = numbers(data.id(), name);
      }
    }
    if (array.rows == 0 || array.columns == 0) {
      MatArray empty;
      empty.name = name;
      return walk_->take(std::move(empty));
    }
    require_sound(array, *file_);
    walk_->take(std::move(array));
  }

  [[nodiscard]] std::vector<int> indices(hid_t group, const char* part, const std::string& name) const {
    const Handle dataset(H5Dopen2(group, part, H5P_DEFAULT), H5Dclose);
    if (!dataset.valid() || type_class(dataset.id()) != H5T_INTEGER) {
      throw error(name, fmt::format("is broken: \"{}\" must hold integers", part));
    }
    std::vector<std::int64_t> wide(count(dataset.id(), name));
    if (!wide.empty() && H5Dread(dataset.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, wide.data()) < 0) {
      throw error(name, fmt::format("is broken: \"{}\" cannot be read", part));
    }
    std::vector<int> result;
    result.reserve(wide.size());
    for (const std::int64_t value : wide) {
      if (value < 0 || value > std::numeric_limits<int>::max()) {
        throw error(name, fmt::format("is broken: \"{}\" holds {}", part, value));
      }
      result.push_back(static_cast<int>(value));
    }
    return result;
  }

  void complex(hid_t id, MatArray& array) const {
    const Handle own(H5Dget_type(id), H5Tclose);
    if (!own.valid() || H5Tget_nmembers(own.id()) != 2 || H5Tget_member_index(own.id(), "real") < 0 ||
        H5Tget_member_index(own.id(), "imag") < 0 || H5Tget_member_class(own.id(), 0) != H5T_FLOAT ||
        H5Tget_member_class(own.id(), 1) != H5T_FLOAT) {
      throw error(array.name, "is of a kind that is not read");
    }
    const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Complex)), H5Tclose);
    H5Tinsert(type.id(), "real", HOFFSET(Complex, real), H5T_NATIVE_DOUBLE);
    H5Tinsert(type.id(), "imag", HOFFSET(Complex, imag), H5T_NATIVE_DOUBLE);
    std::vector<Complex> pairs(count(id, array.name));
    if (!pairs.empty() && H5Dread(id, type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pairs.data()) < 0) {
      throw error(array.name, "cannot be read");
    }
    for (const Complex& pair : pairs) {
      array.values.push_back(pair.real);
      array.imaginary.push_back(pair.imag);
    }
  }

  [[nodiscard]] std::vector<double> numbers(hid_t id, const std::string& name) const {
    std::vector<double> values(count(id, name));
    if (!values.empty() && H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
      throw error(name, "cannot be read");
    }
    return values;
  }

  [[nodiscard]] static H5T_class_t type_class(hid_t id) {
    const Handle type(H5Dget_type(id), H5Tclose);
    return type.valid() ? H5Tget_class(type.id()) : H5T_NO_CLASS;
  }

  /// References to objects; those to regions have another size.
  [[nodiscard]] static bool is_reference(hid_t id) {
    const Handle type(H5Dget_type(id), H5Tclose);
    return type.valid() && H5Tequal(type.id(), H5T_STD_REF_OBJ) > 0;
  }

  [[nodiscard]] std::vector<hobj_ref_t> references(hid_t id, const std::string& name) const {
    std::vector<hobj_ref_t> list(count(id, name));
    if (!list.empty() && H5Dread(id, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, list.data()) < 0) {
      throw error(name, "cannot be read");
    }
    return list;
  }

  void follow(hid_t from, hobj_ref_t reference, const std::string& name, int depth) {
    object(Handle(H5Rdereference2(from, H5P_DEFAULT, H5R_OBJECT, &reference), H5Oclose), name, depth + 1);
  }

  [[nodiscard]] std::vector<hsize_t> extents(hid_t id, const std::string& name) const {
    const Handle space(H5Dget_space(id), H5Sclose);
    const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(rank, 0)));
    if (rank < 0 || (rank > 0 && H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr) < 0)) {
      throw error(name, "is broken: it has no sizes");
    }
    for (const hsize_t size : extent) {
      if (size > static_cast<hsize_t>(std::numeric_limits<int>::max())) {
        throw error(name, fmt::format("is too large: {} in one dimension", size));
      }
    }
    return extent;
  }

  /// The number of values, checked against the bytes that hold them.
  [[nodiscard]] std::size_t count(hid_t id, const std::string& name) const {
    double total = 1.0;
    for (const hsize_t size : extents(id, name)) total *= static_cast<double>(size);
    const Handle type(H5Dget_type(id), H5Tclose);
    const std::size_t each = type.valid() ? H5Tget_size(type.id()) : 0;
    const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(id), file_bytes_);
    const double room = static_cast<double>(best_packing) * static_cast<double>(stored);
    if (each == 0 || total * static_cast<double>(each) > room) {
      throw error(name, fmt::format("is broken: it announces {:.0f} values in {} bytes", total, stored));
    }
    return static_cast<std::size_t>(total);
  }

  /// A text of fixed length.
  [[nodiscard]] static std::string text_attribute(hid_t object, const char* name) {
    if (H5Aexists(object, name) <= 0) return "";
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    if (!attribute.valid()) return "";
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    if (!type.valid() || !space.valid() || H5Tget_class(type.id()) != H5T_STRING ||
        H5Tis_variable_str(type.id()) != 0 || H5Sget_simple_extent_npoints(space.id()) != 1) {
      return "";
    }
    const std::size_t size = H5Tget_size(type.id());
    if (size == 0 || size > 256) return "";
    std::string text(size, '\0');
    if (H5Aread(attribute.id(), type.id(), text.data()) < 0) return "";
    return text.substr(0, text.find('\0'));
  }

  hid_t root_;
  std::uint64_t file_bytes_;
  const std::string* file_;
  const MatWalk* walk_;
  int arrays_ = 0;
};

}  // namespace

void walk_mat73(const std::string& path, std::string_view bytes, const std::string& file, const MatWalk& walk) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // our exceptions say it
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  std::uint64_t size = bytes.size();
  std::string image;
  if (path.empty()) {
    image = bytes;
    constexpr std::size_t growth = std::size_t{1} << 16U;
    if (H5Pset_fapl_core(access.id(), growth, false) < 0 ||
        H5Pset_file_image(access.id(), image.data(), image.size()) < 0) {
      throw InputError({file, 0, 0}, "cannot be read from memory");
    }
  } else {
    std::error_code error;
    size = std::filesystem::file_size(path, error);
    if (error) throw InputError({file, 0, 0}, "cannot be read: there is no such file");
  }
  // HDF5 refuses an image in memory under a name that exists.
  const char* const name = path.empty() ? "/dev/null/image" : path.c_str();
  const Handle opened(H5Fopen(name, H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!opened.valid()) throw InputError({file, 0, 0}, "is not a whole MATLAB file of version 7.3 (HDF5)");
  const Handle root(H5Gopen2(opened.id(), "/", H5P_DEFAULT), H5Gclose);
  if (!root.valid()) throw InputError({file, 0, 0}, "is not a whole MATLAB file of version 7.3 (HDF5)");
  Mat73Walker(root.id(), size, file, walk).file();
}

}  // namespace microslip
