#pragma once
// Universal files, the format of modal-test software: functions (dataset 58, as text and binary 58b), nodes (15, 2411)
// and shapes (55, 2414). Other datasets are skipped.
// Ref: SDRC, Universal dataset numbers 15, 55, 58, 58b, 2411, 2414.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/input_error.hpp"

namespace microslip {

/// Specific data types of dataset 58 that mean something here.
enum class UniversalKind : int {
  unknown = 0,
  displacement = 8,
  force = 9,
  velocity = 11,
  acceleration = 12,
  excitation = 13,
  time = 17,
  frequency = 18
};

/// A node and a direction: 0 none, 1 to 6 x y z rx ry rz, negative against them.
struct UniversalPoint {
  int node = 0;
  int direction = 0;
};

/// "12.z", "12.-rx", "12" without direction, "12.7" for others.
[[nodiscard]] std::string to_string(const UniversalPoint& point);

/// A function over time or frequency, from dataset 58.
struct UniversalFunction {
  int line = 0;                ///< where the dataset begins
  int type = 0;                ///< 1 time response, 4 frequency response, 12 spectrum, ...
  std::string words = "NONE";  ///< its first line; written, not read
  UniversalPoint response;
  UniversalPoint reference;
  UniversalKind abscissa_kind = UniversalKind::unknown;
  UniversalKind ordinate_kind = UniversalKind::unknown;
  UniversalKind denominator_kind = UniversalKind::unknown;
  std::string unit;  ///< of the values, as the file has it; read, not written
  std::vector<double> abscissa;
  std::vector<double> values;
  std::vector<double> imaginary;  ///< empty: real

  [[nodiscard]] bool is_complex() const { return !imaginary.empty(); }
};

struct UniversalNode {
  int label = 0;
  std::array<double, 3> position{};
};

/// A mode at nodes, from dataset 55 or 2414.
struct UniversalShape {
  int line = 0;
  int mode = 0;  ///< its number; 0 where the file has none
  double frequency_hz = 0.0;
  double damping_ratio = 0.0;
  double modal_mass = 0.0;  ///< that goes with the values; written, not read; 0: not known
  int values_a_node = 0;    ///< x y z (3) or x y z rx ry rz (6)
  std::vector<int> nodes;
  std::vector<double> values;     ///< values_a_node for each node
  std::vector<double> imaginary;  ///< the same; empty: real
};

struct UniversalFile {
  std::string file;
  std::vector<UniversalFunction> functions;
  std::vector<UniversalNode> nodes;
  std::vector<UniversalShape> shapes;
};

/// Does a file of these first bytes look like one: "    -1" on its first line that is not blank?
[[nodiscard]] bool looks_universal(std::string_view bytes);

/// Throws InputError with the line of what is wrong.
[[nodiscard]] UniversalFile read_universal_file(const std::string& path);
[[nodiscard]] UniversalFile parse_universal_file(std::string_view bytes, const std::string& file);

enum class UniversalForm { text, little_endian, big_endian };

/// The dataset that shapes are written as.
enum class UniversalShapes { dataset_55, dataset_2414 };

/// Datasets 15, 55 or 2414 (six digits) and 58 (13 digits; 58b for the binary forms: all); abscissas whose start and
/// step have no more than six digits by these.
[[nodiscard]] std::string universal_text(const UniversalFile& content, UniversalForm form = UniversalForm::text,
                                         UniversalShapes shapes = UniversalShapes::dataset_55);

}  // namespace microslip
