// Input decks and tables of nodes: as many positions as nodes, sets of nodes that are there, sorted and none twice.

#include <algorithm>
#include <cmath>

#include "fuzz_target.hpp"
#include "microslip/io/input_deck.hpp"

using namespace microslip;

namespace {

void check(const NodeTable& table) {
  fuzz::must_hold(table.positions.size() == table.numbers.size(), "a position for each node");
  const auto places = table.places();
  fuzz::must_hold(places.size() == table.numbers.size(), "no node twice");
  for (const auto& position : table.positions) {
    fuzz::must_hold(std::all_of(position.begin(), position.end(), [](double x) { return std::isfinite(x); }),
                    "positions are finite");
  }
  for (const auto& [name, members] : table.sets) {
    fuzz::must_hold(&table.set(name) == &members, "sets are found by their names");
    fuzz::must_hold(std::adjacent_find(members.begin(), members.end(), std::greater_equal<>()) == members.end(),
                    "sets ascend");
    for (const long long node : members) fuzz::must_hold(places.contains(node), "sets hold nodes that are there");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  try {
    check(parse_input_deck(text, "mesh.inp"));
    check(
        parse_input_deck(text, "mesh.inp", [](const std::string&) { return std::string("*NODE, NSET=a\n7,1,2,3\n"); }));
  } catch (const InputError&) {
  }
  try {
    check(parse_node_csv(text, "nodes.csv"));
  } catch (const InputError& error) {
    fuzz::must_hold(error.position().line > 0, "a mistake has a line");
  }
  return 0;
}
