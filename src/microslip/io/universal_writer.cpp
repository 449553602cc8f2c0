// Writes datasets 15, 55, 58, 58b and 2414.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>

#include "microslip/io/universal_file.hpp"

namespace microslip {
namespace {

constexpr std::string_view delimiter = "    -1\n";
constexpr std::string_view no_words = "NONE\nNONE\nNONE\nNONE\nNONE\n";  // ID lines

/// Start and step are written with six digits: even only where these give the abscissa back.
bool is_even(const UniversalFunction& function, double& start, double& step) {
  const auto& x = function.abscissa;
  if (x.size() < 2) return false;
  const auto rounded = [](double value) { return std::stod(fmt::format("{:.5E}", value)); };
  start = rounded(x.front());
  step = rounded((x.back() - x.front()) / static_cast<double>(x.size() - 1));
  if (!(step > 0.0)) return false;
  const double tolerance = 1e-9 * step;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::abs(start + step * static_cast<double>(i) - x[i]) <= tolerance)) return false;
  }
  return true;
}

class Values {
 public:
  explicit Values(UniversalForm form) : form_(form) {}

  /// Text: in columns of 20, `a_line` a line, abscissas in 13.
  void add(double value, bool abscissa, std::size_t a_line) {
    if (form_ == UniversalForm::text) {
      text_ += abscissa ? fmt::format("{:13.5E}", value) : fmt::format("{:20.12E}", value);
      if (++in_line_ == a_line) end_line();
      return;
    }
    std::array<char, 8> raw = std::bit_cast<std::array<char, 8>>(value);
    if ((form_ == UniversalForm::big_endian) != (std::endian::native == std::endian::big)) {
      std::reverse(raw.begin(), raw.end());
    }
    text_.append(raw.data(), raw.size());
  }
  void end_line() {
    if (in_line_ > 0) text_ += '\n';
    in_line_ = 0;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  UniversalForm form_;
  std::string text_;
  std::size_t in_line_ = 0;
};

std::string data_of(const UniversalFunction& function, bool even, UniversalForm form) {
  Values values(form);
  // 4E20.12, 2(E13.5,E20.12), E13.5,2E20.12
  const std::size_t a_line = even ? 4 : function.is_complex() ? 3 : 4;
  for (std::size_t i = 0; i < function.values.size(); ++i) {
    if (!even) values.add(function.abscissa[i], true, a_line);
    values.add(function.values[i], false, a_line);
    if (function.is_complex()) values.add(function.imaginary[i], false, a_line);
  }
  values.end_line();
  return values.text();
}

void add_function(const UniversalFunction& function, UniversalForm form, std::string& out) {
  double start = 0.0, step = 0.0;
  const bool even = is_even(function, start, step);
  const std::string data = data_of(function, even, form);
  out += delimiter;
  if (form == UniversalForm::text) {
    out += "    58\n";
  } else {
    out += fmt::format("    58b{:6d}{:6d}{:12d}{:12d}{:6d}{:6d}{:12d}{:12d}\n",
                       form == UniversalForm::big_endian ? 2 : 1, 2, 11, data.size(), 0, 0, 0, 0);
  }
  out += fmt::format("{:.80}\n{}", function.words, no_words.substr(no_words.find('\n') + 1));
  out += fmt::format("{:5d}{:10d}{:5d}{:10d} {:10}{:10d}{:4d} {:10}{:10d}{:4d}\n", function.type, 0, 1, 0, "NONE",
                     function.response.node, function.response.direction, "NONE", function.reference.node,
                     function.reference.direction);
  out += fmt::format("{:10d}{:10d}{:10d}{:13.5E}{:13.5E}{:13.5E}\n", function.is_complex() ? 6 : 4,
                     function.values.size(), even ? 1 : 0, even ? start : 0.0, even ? step : 0.0, 0.0);
  for (const UniversalKind kind :
       {function.abscissa_kind, function.ordinate_kind, function.denominator_kind, UniversalKind::unknown}) {
    out += fmt::format("{:10d}{:5d}{:5d}{:5d} {:20} {:20}\n", static_cast<int>(kind), 0, 0, 0, "NONE", "NONE");
  }
  out += data;
  if (form != UniversalForm::text) out += '\n';
  out += delimiter;
}

/// Node and values, six a line.
void add_shape_values(const UniversalShape& shape, std::string& out) {
  const bool is_complex = !shape.imaginary.empty();
  const auto each = static_cast<std::size_t>(shape.values_a_node);
  for (std::size_t i = 0; i < shape.nodes.size(); ++i) {
    out += fmt::format("{:10d}", shape.nodes[i]);
    std::size_t written = 0;
    const auto add = [&](double value) {
      if (written++ % 6 == 0) out += '\n';
      out += fmt::format("{:13.5E}", value);
    };
    for (std::size_t k = i * each; k < (i + 1) * each; ++k) {
      add(shape.values[k]);
      if (is_complex) add(shape.imaginary[k]);
    }
    out += '\n';
  }
  out += delimiter;
}

/// Model 1 structural, analysis 2 normal or 3 complex mode, characteristic 2 or 3 (three or six values), 8
/// displacement, data type.
std::string shape_form(const UniversalShape& shape) {
  const bool is_complex = !shape.imaginary.empty();
  return fmt::format("{:10d}{:10d}{:10d}{:10d}{:10d}{:10d}\n", 1, is_complex ? 3 : 2, shape.values_a_node == 6 ? 3 : 2,
                     8, is_complex ? 5 : 2, shape.values_a_node);
}

/// Numbers of a mode, six a line: eigenvalue lambda, modal A and modal B = -lambda A. With residues phi phi^T/A, and
/// phi phi^T/m over (s - lambda)(s - lambda*), A = 2 i m Im lambda.
struct ComplexNumbers {
  explicit ComplexNumbers(const UniversalShape& shape) {
    const double omega = 2.0 * std::numbers::pi * shape.frequency_hz, zeta = shape.damping_ratio;
    eigenvalue = {-zeta * omega, omega * std::sqrt(std::max(0.0, 1.0 - zeta * zeta))};
    a = {0.0, 2.0 * shape.modal_mass * eigenvalue.imag()};
    b = -eigenvalue * a;
  }
  std::complex<double> eigenvalue, a, b;
};

std::string six_numbers(const std::array<double, 6>& numbers) {
  std::string line;
  for (const double number : numbers) line += fmt::format("{:13.5E}", number);
  return line + '\n';
}

/// Record 7 announces two integers and the numbers of record 8: frequency, modal mass, viscous and hysteretic damping
/// of a normal mode; eigenvalue, modal A and B of a complex one.
void add_shape_55(const UniversalShape& shape, std::string& out) {
  const bool is_complex = !shape.imaginary.empty();
  out += fmt::format("{}    55\n{}", delimiter, no_words);
  out += shape_form(shape);
  out += fmt::format("{:10d}{:10d}{:10d}{:10d}\n", 2, is_complex ? 6 : 4, 1, shape.mode);
  if (is_complex) {
    const auto [eigenvalue, a, b] = ComplexNumbers(shape);
    out += six_numbers({eigenvalue.real(), eigenvalue.imag(), a.real(), a.imag(), b.real(), b.imag()});
  } else {
    out += fmt::format("{:13.5E}{:13.5E}{:13.5E}{:13.5E}\n", shape.frequency_hz, shape.modal_mass, shape.damping_ratio,
                       0.0);
  }
  add_shape_values(shape, out);
}

/// Records 1 to 13: label and name of the dataset, 1 data at nodes, ID lines, form, design set .. mode number, and
/// twelve numbers: time, frequency, eigenvalue, modal mass, viscous and hysteretic damping; parts of eigenvalue and of
/// modal A, B.
void add_shape_2414(const UniversalShape& shape, std::string& out) {
  out += fmt::format("{}  2414\n{:10d}\nMODE {}\n{:10d}\n{}", delimiter, shape.mode, shape.mode, 1, no_words);
  out += shape_form(shape);
  out += fmt::format("{:10d}{:10d}{:10d}{:10d}{:10d}{:10d}{:10d}{:10d}\n", 0, 0, 0, 0, 1, shape.mode, 0, 0);
  out += fmt::format("{:10d}{:10d}\n", 0, 0);
  const auto [eigenvalue, a, b] = ComplexNumbers(shape);
  out += six_numbers({0.0, shape.frequency_hz, std::norm(eigenvalue), shape.modal_mass, shape.damping_ratio, 0.0});
  out += shape.imaginary.empty()
             ? six_numbers({eigenvalue.real(), eigenvalue.imag(), 0.0, 0.0, 0.0, 0.0})
             : six_numbers({eigenvalue.real(), eigenvalue.imag(), a.real(), a.imag(), b.real(), b.imag()});
  add_shape_values(shape, out);
}

}  // namespace

std::string universal_text(const UniversalFile& content, UniversalForm form, UniversalShapes shapes) {
  std::string out;
  if (!content.nodes.empty()) {
    out += fmt::format("{}    15\n", delimiter);
    for (const UniversalNode& node : content.nodes) {
      out += fmt::format("{:10d}{:10d}{:10d}{:10d}{:13.5E}{:13.5E}{:13.5E}\n", node.label, 0, 0, 1, node.position[0],
                         node.position[1], node.position[2]);
    }
    out += delimiter;
  }
  for (const UniversalShape& shape : content.shapes) {
    if (shapes == UniversalShapes::dataset_55) {
      add_shape_55(shape, out);
    } else {
      add_shape_2414(shape, out);
    }
  }
  for (const UniversalFunction& function : content.functions) add_function(function, form, out);
  return out;
}

}  // namespace microslip
