#pragma once
// Nodes, their sets and the elements between them, from an input deck of Abaqus, CalculiX or gmsh (.inp), or nodes
// alone from a CSV table with the columns label, x, y, z.
//
// Read are *NODE (NSET=), *NSET (GENERATE, ELSET=), *ELEMENT (ELSET=), *ELSET (GENERATE) and *INCLUDE; other keywords
// are passed over. A set may name sets defined before it. Element sets count as sets of their nodes too, where no node
// set has that name. Names are alike whatever the case of their letters.

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "microslip/io/input_error.hpp"

namespace microslip {

struct MeshElement {
  long long number = 0;
  std::string type;  ///< "C3D8I", capital letters
  std::vector<long long> nodes;
};

struct NodeTable {
  std::string file;
  std::vector<long long> numbers;  ///< as in the file; none twice
  std::vector<std::array<double, 3>> positions;
  std::map<std::string, std::vector<long long>> sets;  ///< node numbers, ascending; names as first written
  std::vector<MeshElement> elements;

  /// The place of each node in numbers and positions.
  [[nodiscard]] std::unordered_map<long long, std::size_t> places() const;
  /// Throws InputError, with the names there are, when there is no such set.
  [[nodiscard]] const std::vector<long long>& set(std::string_view name) const;
};

/// By its ending: a table (.csv) or a deck. Throws InputError.
[[nodiscard]] NodeTable read_node_table(const std::string& path);

/// *INCLUDE is followed, relative to the deck.
[[nodiscard]] NodeTable read_input_deck(const std::string& path);
/// `include` gives the text behind a name; without it *INCLUDE is refused.
[[nodiscard]] NodeTable parse_input_deck(std::string_view text, const std::string& file,
                                         const std::function<std::string(const std::string&)>& include = {});
[[nodiscard]] NodeTable parse_node_csv(std::string_view text, const std::string& file);

}  // namespace microslip
