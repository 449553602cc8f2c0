#pragma once
// Rows of trials as bytes, from one rank to another. All ranks run the same program on processors of one kind.

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "microslip/trials/trial_layouts.hpp"
#include "microslip/trials/trial_plan.hpp"

namespace microslip {

/// Appends values to a message and takes them off again, in the same order.
class ByteWriter {
 public:
  template <class Value>
  void put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text);
  [[nodiscard]] std::string take() { return std::exchange(bytes_, {}); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <class Value>
  [[nodiscard]] Value get() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value;
    std::memcpy(&value, piece(sizeof value).data(), sizeof value);
    return value;
  }
  [[nodiscard]] std::string_view get_text() { return piece(get<std::size_t>()); }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  /// Throws std::runtime_error where the message is too short.
  [[nodiscard]] std::string_view piece(std::size_t size);

  std::string_view bytes_;
};

/// One direction of a pair of ranks: sets of columns travel once.
class TrialPacker {
 public:
  void add(std::size_t trial, double seconds, const TrialRow& row, ByteWriter& bytes);

 private:
  TrialLayouts layouts_;
};

class TrialUnpacker {
 public:
  using Visit = std::function<void(std::size_t trial, double seconds, TrialRow&& row)>;
  void read(ByteReader& bytes, const Visit& visit);

 private:
  TrialLayouts layouts_;
};

}  // namespace microslip
