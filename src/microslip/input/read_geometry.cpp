#include "microslip/input/read_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

const std::vector<std::string> needed = {"label", "x", "y", "z", "dx", "dy", "dz"};
constexpr long long most_lines = 1'000'000;

bool next_data_line(LineReader& lines, std::vector<Token>& tokens) {
  while (lines.next()) {
    if (lines.blank() || lines.line().front() == '#') continue;
    lines.split(',', tokens);
    return true;
  }
  return false;
}

/// Place of each needed column in a row, then that of `line`, -1 without it.
std::vector<int> places_of(const std::vector<Token>& header, const std::string& file) {
  std::vector<std::string> known = needed;
  known.emplace_back("line");
  std::vector<int> places(known.size(), -1);
  for (std::size_t k = 0; k < header.size(); ++k) {
    const Token& token = header[k];
    const auto at = std::find(known.begin(), known.end(), token.text);
    const FilePosition position{file, token.line, token.column};
    if (at == known.end()) {
      throw InputError(position,
                       fmt::format("unknown column {}{}", in_quotes(token.text), suggestion(token.text, known)));
    }
    int& place = places[static_cast<std::size_t>(at - known.begin())];
    if (place >= 0) throw InputError(position, fmt::format("column {} is there twice", in_quotes(token.text)));
    place = static_cast<int>(k);
  }
  for (std::size_t k = 0; k < needed.size(); ++k) {
    if (places[k] < 0) {
      throw InputError({file, header.front().line, 1}, fmt::format("there is no column {}", in_quotes(needed[k])));
    }
  }
  return places;
}

int dof_of(const Token& token, const std::string& file, const std::vector<std::string>& labels) {
  if (token.text == ground_label) return ground;
  const auto at = std::find(labels.begin(), labels.end(), token.text);
  if (at == labels.end()) {
    throw InputError({file, token.line, token.column},
                     fmt::format("unknown label {}{}", in_quotes(token.text), suggestion(token.text, labels)));
  }
  return static_cast<int>(at - labels.begin());
}

class Builder {
 public:
  int point(const Geometry::Vector& place) {
    const auto [at, added] = points_.try_emplace(place, static_cast<int>(geometry_.points.size()));
    if (added) geometry_.points.push_back(place);
    return at->second;
  }
  void move(int point, int dof, const Geometry::Vector& direction) {
    geometry_.motions.push_back({point, dof, direction});
  }
  /// Line 0 is none.
  void join(long long line, int point) {
    if (line == 0) return;
    std::vector<int>& points = lines_[line];
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  }
  Geometry take() {
    for (auto& [number, points] : lines_) {
      if (points.size() > 1) geometry_.lines.push_back(std::move(points));
    }
    return std::move(geometry_);
  }

 private:
  Geometry geometry_;
  std::map<Geometry::Vector, int> points_;
  std::map<long long, std::vector<int>> lines_;
};

}  // namespace

Geometry parse_geometry(const std::string& text, const std::string& file, const std::vector<std::string>& labels) {
  LineReader lines(text);
  std::vector<Token> tokens;
  if (!next_data_line(lines, tokens)) throw InputError({file, 1, 1}, "the file holds no header line");
  const std::vector<int> places = places_of(tokens, file);
  const std::size_t width = tokens.size();
  Builder builder;
  while (next_data_line(lines, tokens)) {
    if (tokens.size() != width) {
      throw InputError({file, lines.number(), 1},
                       fmt::format("a row must have {} values like the header, got {}", width, tokens.size()));
    }
    const auto vector = [&](std::size_t first) {
      Geometry::Vector result{};
      for (std::size_t k = 0; k < result.size(); ++k) {
        result[k] = parse_number(tokens[static_cast<std::size_t>(places[first + k])], file,
                                 fmt::format("column {}", in_quotes(needed[first + k])));
      }
      return result;
    };
    const int dof = dof_of(tokens[static_cast<std::size_t>(places[0])], file, labels);
    const int point = builder.point(vector(1));
    const Geometry::Vector direction = vector(4);
    if (dof != ground) builder.move(point, dof, direction);
    const int line = places.back();
    builder.join(
        line < 0 ? 1 : parse_integer(tokens[static_cast<std::size_t>(line)], file, "column \"line\"", 0, most_lines),
        point);
  }
  Geometry geometry = builder.take();
  if (geometry.empty()) throw InputError({file, std::max(1, lines.number()), 1}, "the file holds no points");
  return geometry;
}

Geometry universal_geometry(const UniversalFile& content, const std::vector<std::string>& labels) {
  std::map<int, Geometry::Vector> places;
  for (const UniversalNode& node : content.nodes) places[node.label] = node.position;
  std::map<std::string, int> numbers;
  for (std::size_t i = 0; i < labels.size(); ++i) numbers[labels[i]] = static_cast<int>(i);
  Builder builder;
  for (const auto& [node, place] : places) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = numbers.find(to_string(UniversalPoint{node, axis + 1}));
      if (at == numbers.end()) continue;
      Geometry::Vector direction{};
      direction[static_cast<std::size_t>(axis)] = 1.0;
      builder.move(builder.point(place), at->second, direction);
    }
  }
  Geometry geometry = builder.take();
  if (geometry.empty()) {
    throw InputError({content.file, 1, 1},
                     "no node of the file (datasets 15 and 2411) is a degree of freedom, named like 12.x");
  }
  return geometry;
}

Geometry read_geometry(const TableReader& structure, const std::vector<std::string>& labels) {
  if (!structure.has("geometry")) return {};
  return read_named_file(structure, "geometry", [&](const std::string& path) {
    const std::string text = read_text_file(path);
    if (looks_universal(text)) return universal_geometry(parse_universal_file(text, path), labels);
    return parse_geometry(text, path, labels);
  });
}

}  // namespace microslip
