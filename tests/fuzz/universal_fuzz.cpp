// Universal files, the tables made of them, and the way back.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "microslip/io/data_table.hpp"
#include "microslip/io/universal_file.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void look_at(const microslip::CsvTable& table) {
  require(table.names.size() == table.columns.size());
  for (const auto& column : table.columns) require(column.size() == table.rows());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace microslip;
  UniversalFile content;
  try {
    content = parse_universal_file({reinterpret_cast<const char*>(data), size}, "fuzz.unv");
  } catch (const InputError&) {
    return 0;
  }
  if (content.functions.empty() && content.nodes.empty() && content.shapes.empty()) return 0;
  for (const UniversalFunction& function : content.functions) {
    require(function.values.size() == function.abscissa.size());
    require(function.imaginary.empty() || function.imaginary.size() == function.values.size());
  }
  for (const UniversalShape& shape : content.shapes) {
    require(shape.values.size() == shape.nodes.size() * static_cast<std::size_t>(shape.values_a_node));
  }
  for (const char* kind : {"", "time", "frequency"}) {
    try {
      look_at(universal_table(content, kind));
    } catch (const InputError&) {
    }
  }
  try {
    look_at(universal_shape_table(content));
  } catch (const InputError&) {
  }
  // Bytes keep every bit.
  const UniversalFile back = parse_universal_file(universal_text(content, UniversalForm::big_endian), "fuzz.unv");
  require(back.functions.size() == content.functions.size() && back.nodes.size() == content.nodes.size() &&
          back.shapes.size() == content.shapes.size());
  for (std::size_t i = 0; i < back.functions.size(); ++i) {
    require(back.functions[i].values == content.functions[i].values);
    require(back.functions[i].imaginary == content.functions[i].imaginary);
  }
  return 0;
}
