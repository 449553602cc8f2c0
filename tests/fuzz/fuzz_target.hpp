#pragma once
// What every target offers. libFuzzer calls it with bytes it has made up; replay_main.cpp with those of files.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// 0: an input worth keeping if it reached something new; -1: never keep it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace microslip::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What must hold of a value that was read. Unlike assert, in every build.
inline void must_hold(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "must hold: %s\n", what);
  std::abort();
}

}  // namespace microslip::fuzz
