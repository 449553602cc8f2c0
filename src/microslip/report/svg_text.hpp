#pragma once
// Words in a vector picture: any text is harmless and fits.

#include <cstddef>
#include <string>
#include <string_view>

namespace microslip {

/// Safe in XML and HTML, between tags and in quoted attributes: markup escaped, control characters and bytes that are
/// not UTF-8 replaced.
[[nodiscard]] std::string escaped(std::string_view text);
/// At most `length` characters, the last one an ellipsis when something is cut; never inside a UTF-8 sequence.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t length);
/// Estimate in ems, for DejaVu Sans or a narrower font.
[[nodiscard]] double text_width(std::string_view text);
/// Shortened to a width in ems.
[[nodiscard]] std::string shortened_to_width(std::string_view text, double ems);

}  // namespace microslip
