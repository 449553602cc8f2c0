#include "microslip/io/calculix_matrix.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <unordered_set>

#include "microslip/io/coordinate_text.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {

std::vector<std::string> parse_calculix_dofs(std::string_view text, const std::string& file) {
  LineReader lines(text);
  std::vector<Token> tokens;
  std::vector<std::string> labels;
  std::unordered_set<std::string> seen;
  while (lines.next()) {
    if (lines.blank()) continue;
    lines.split(tokens);
    const Token& token = tokens[0];
    const std::size_t dot = token.text.find('.');
    if (tokens.size() != 1 || dot == std::string_view::npos) {
      throw InputError({file, lines.number(), token.column},
                       fmt::format("a line must be \"node.direction\", got {}", in_quotes(lines.line())));
    }
    const Token direction{token.text.substr(dot + 1), token.line, token.column + static_cast<int>(dot) + 1};
    const long long node =
        parse_integer({token.text.substr(0, dot), token.line, token.column}, file, "the node", 1, largest_matrix_size);
    const auto number = static_cast<int>(parse_integer(direction, file, "the direction", 0, 99));
    labels.push_back(row_label(node, number));
    if (!seen.insert(labels.back()).second) {
      throw InputError({file, token.line, token.column}, fmt::format("{} is there twice", in_quotes(token.text)));
    }
  }
  return labels;
}

MatrixFile parse_calculix_matrix(std::string_view text, const std::string& file,
                                 const std::vector<std::string>& labels) {
  MatrixFile matrix = parse_coordinate_text(text, file);
  if (!labels.empty()) {
    for (const auto& entry : matrix.entries) {
      const auto largest = static_cast<std::size_t>(std::max(entry.row, entry.column)) + 1;
      if (largest > labels.size()) {
        throw InputError(matrix.position(entry),
                         fmt::format("row {} has no line in the .dof file, which has {}", largest, labels.size()));
      }
    }
    // CalculiX writes every diagonal entry, zeros too.
    if (matrix.rows < static_cast<int>(labels.size())) {
      int last = 1;
      for (const auto& entry : matrix.entries) last = std::max(last, entry.line);
      throw InputError({file, last, 1},
                       fmt::format("the matrix ends at row {}, the .dof file has {} rows: is it whole?", matrix.rows,
                                   labels.size()));
    }
    matrix.rows = matrix.columns = static_cast<int>(labels.size());
    matrix.labels = labels;
  }
  complete_symmetric(matrix);
  return matrix;
}

MatrixFile read_calculix_matrix(const std::string& path) {
  std::filesystem::path dofs = path;
  dofs.replace_extension(".dof");
  std::vector<std::string> labels;
  std::error_code error;
  if (std::filesystem::exists(dofs, error)) labels = parse_calculix_dofs(read_text_file(dofs.string()), dofs.string());
  return parse_calculix_matrix(read_text_file(path), path, labels);
}

}  // namespace microslip
