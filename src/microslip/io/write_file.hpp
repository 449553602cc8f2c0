#pragma once
// A whole file at once, under the name PATH.part until it is whole.

#include <string>
#include <string_view>

#include "microslip/io/output_file.hpp"

namespace microslip {

/// Throws OutputError when it cannot: then nothing is left of it, and a file of this name that was there before stays.
void write_file(const std::string& path, std::string_view text);

/// Removes PATH.part, if it is there.
void remove_part(const std::string& path);

}  // namespace microslip
