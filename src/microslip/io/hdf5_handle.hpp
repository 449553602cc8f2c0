#pragma once
// An identifier of the HDF5 library that is closed at the end of its scope. For the sources of this folder.

#include <hdf5.h>

#include <string>
#include <utility>

#include "microslip/io/output_file.hpp"

namespace microslip::hdf5 {

/// Of the call that has just failed: what the system said about the file, or else what HDF5 could not do.
[[nodiscard]] OutputError failure(const std::string& file, const char* what);

class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  /// To read: see valid().
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  /// To write.
  Handle(hid_t id, Close closer, const std::string& file, const char* what) : id_(id), close_(closer) {
    if (id < 0) throw failure(file, what);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, hid_t{-1})), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] herr_t close() { return close_(std::exchange(id_, hid_t{-1})); }

 private:
  hid_t id_;
  Close close_;
};

}  // namespace microslip::hdf5
