#include "microslip/io/input_deck.hpp"

#include <gtest/gtest.h>

#include "corruption.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace input_deck_test {

using Numbers = std::vector<long long>;

const std::string deck_text =
    "*HEADING\nA plate, 2 elements\n"
    "** nodes\n"
    "*NODE, NSET=Nall\n"
    "1, 0, 0, 0\n2, 1.0D0, 0\n3, 2.5e-1, 1, .5\n 4 , 1,1,\n10, 2, 0, 0\n11, 2, 1, 0\n"
    "*Element, type=S4, ELSET=plate\n"
    "1, 1, 2, 4, 3\n"
    "7, 2, 10,\n11, 4\n"
    "*NSET, NSET=Left\n1, 3,\n"
    "*NSET, NSET=line,\n GENERATE\n1, 10, 1\n"
    "*ELSET, ELSET=right, GENERATE\n5, 7, 1\n"
    "*NSET, NSET=tip, ELSET=RIGHT\n"
    "*NSET, NSET=both\nleft, 10\nleft\n"
    "*NODE FILE\nU\n"
    "*MATERIAL, NAME=steel\n*ELASTIC\n2e11, 0.3\n";

TEST(InputDeck, NodesSetsAndElementsAreRead) {
  const NodeTable table = parse_input_deck(deck_text, "plate.inp");
  EXPECT_EQ(table.numbers, (Numbers{1, 2, 3, 4, 10, 11}));
  EXPECT_EQ(table.positions[1], (std::array<double, 3>{1.0, 0.0, 0.0}));
  EXPECT_EQ(table.positions[2], (std::array<double, 3>{0.25, 1.0, 0.5}));
  EXPECT_EQ(table.places().at(10), 4U);
  EXPECT_EQ(table.set("NALL"), table.numbers);
  EXPECT_EQ(table.set("left"), (Numbers{1, 3}));
  EXPECT_EQ(table.set("line"), (Numbers{1, 2, 3, 4, 10}));
  EXPECT_EQ(table.set("tip"), (Numbers{2, 4, 10, 11}));
  EXPECT_EQ(table.set("both"), (Numbers{1, 3, 10}));
  EXPECT_EQ(table.set("plate"), table.numbers);
  EXPECT_EQ(table.set("right"), (Numbers{2, 4, 10, 11}));
  ASSERT_EQ(table.elements.size(), 2U);
  EXPECT_EQ(table.elements[1].number, 7);
  EXPECT_EQ(table.elements[1].type, "S4");
  EXPECT_EQ(table.elements[1].nodes, (Numbers{2, 10, 11, 4}));
  try {
    (void)table.set("top");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "plate.inp: has no set \"top\"; it has Left, Nall, both, line, plate, right, tip");
  }
}

TEST(InputDeck, TheDeckOfACalculixBlock) {
  const NodeTable table = read_node_table(MICROSLIP_SOURCE_DIR "/tests/data/calculix_block/block.inp");
  EXPECT_EQ(table.numbers.size(), 30U);
  EXPECT_EQ(table.elements.size(), 8U);
  EXPECT_EQ(table.set("tip"), (Numbers{5, 10, 15, 20, 25, 30}));
  for (const long long node : table.set("tip")) EXPECT_EQ(table.positions[table.places().at(node)][0], 0.0508);
}

TEST(InputDeck, IncludedFilesAreFollowed) {
  const auto include = [](const std::string& name) {
    if (name != "mesh.inp") throw InputError({name, 0, 0}, "cannot be read: there is no such file");
    return std::string("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n");
  };
  const std::string text = "*INCLUDE, INPUT=mesh.inp\n*NSET, NSET=a\n2\n";
  EXPECT_EQ(parse_input_deck(text, "a.inp", include).set("a"), Numbers{2});
  EXPECT_THROW((void)parse_input_deck(text, "a.inp"), InputError);
  const auto endless = [](const std::string&) { return std::string("*INCLUDE, INPUT=mesh.inp\n"); };
  EXPECT_THROW((void)parse_input_deck(text, "a.inp", endless), InputError);
}

TEST(InputDeck, NodesOfATable) {
  const NodeTable table = parse_node_csv("# m\nlabel,x,y,z\n7,0,1,2\n3,0.5,0,-1\n", "nodes.csv");
  EXPECT_EQ(table.numbers, (Numbers{7, 3}));
  EXPECT_EQ(table.positions[1], (std::array<double, 3>{0.5, 0.0, -1.0}));
  EXPECT_TRUE(table.sets.empty());
}

struct Mistake {
  std::string text;
  std::string message;
};

TEST(InputDeck, MistakesAreReportedWithTheirPlace) {
  const std::string node = "*NODE\n1,0,0,0\n";
  const Mistake mistakes[] = {
      {"", "F:1:1: the deck holds no *NODE"},
      {"*NODE\n1,0,0,0\n1,1,0,0\n",
       "F:3:1: node 1 is there twice; decks with parts and instances must be written flat"},
      {"*NODE\nx,0,0,0\n", "F:2:1: the node must be an integer from 1 to 999999999999, got \"x\""},
      {"*NODE\n1,0,0,0,0\n", "F:2:1: a node must be \"number, x, y, z\", got 5 values"},
      {"*NODE\n1,0,zero,0\n", "F:2:5: a coordinate must be a number, got \"zero\""},
      {"*NODE, SYSTEM=C\n1,0,0,0\n", "F:1:8: only rectangular coordinates are read (SYSTEM=R)"},
      {"*NODE, NSET=\n1,0,0,0\n", "F:1:8: NSET of *NODE must have a name"},
      {node + "*NSET\n1\n", "F:3:1: *NSET must have NSET=name"},
      {node + "*NSET, NSET=a\nb\n", "F:4:1: \"b\" is neither a number nor a set before this one"},
      {node + "*NSET, NSET=a\n2\n", "F: set \"a\" has the node 2, which the deck does not define"},
      {node + "*NSET, NSET=a, GENERATE\n3,1\n", "F:4:3: the last number must be >= 3, got 1"},
      {node + "*NSET, NSET=a, GENERATE\n1,3,0\n",
       "F:4:5: the step must be an integer from 1 to 999999999999, got \"0\""},
      {node + "*NSET, NSET=a, GENERATE\n1\n", "F:4:1: a generated set must be \"first, last, step\", got 1 values"},
      {node + "*NSET, NSET=a, ELSET=b\n", "F:3:16: there is no element set \"b\" before"},
      {node + "*ELSET, ELSET=e\n4\n", "F: a set of elements has the element 4, which the deck does not define"},
      {node + "*ELEMENT\n1,1\n1,1\n",
       "F:5:1: element 1 is there twice; decks with parts and instances must be written flat"},
      {"*INCLUDE, INPUT=a.inp\n", "F:1:11: *INCLUDE is not followed here"},
  };
  for (const auto& mistake : mistakes) {
    try {
      (void)parse_input_deck(mistake.text, "F");
      ADD_FAILURE() << "accepted:\n" << mistake.text;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), mistake.message);
    }
  }
  const Mistake tables[] = {
      {"label,x,y\n1,0,0\n", "F:1:1: there is no column \"z\"; the header has \"label,x,y\""},
      {"label,x,y,z\n", "F:1:1: the table holds no node"},
      {"label,x,y,z\n1.5,0,0,0\n", "F:2:1: the label must be the number of a node, got 1.5"},
      {"label,x,y,z\n1,0,0,0\n1,0,0,0\n", "F:3:1: node 1 is there twice"},
  };
  for (const auto& mistake : tables) {
    try {
      (void)parse_node_csv(mistake.text, "F");
      ADD_FAILURE() << "accepted:\n" << mistake.text;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), mistake.message);
    }
  }
}

// 20 bytes can ask for a set of a million nodes; sets of sets would double with every line.
TEST(InputDeck, SetsCannotOutgrowTheirFile) {
  std::string text = "*NODE, NSET=s0\n1,0,0,0\n2,0,0,0\n";
  for (int k = 0; k < 60; ++k)
    text += "*NSET, NSET=s" + std::to_string(k + 1) + "\n" + "s" + std::to_string(k) + ", s" + std::to_string(k) + "\n";
  EXPECT_THROW((void)parse_input_deck(text, "F"), InputError);
  const std::string range = "*NODE\n1,0,0,0\n*NSET, NSET=a, GENERATE\n1, 999999999999, 1\n";
  EXPECT_EQ(parse_input_deck(range, "F").set("a"), Numbers{1});
}

TEST(InputDeck, AnyBytesEndInATableOrAComplaint) {
  test::survives<InputError>(deck_text, [](const std::string& bytes) { (void)parse_input_deck(bytes, "F"); });
  test::survives<InputError>("label,x,y,z\n7,0,1,2\n3,0.5,0,-1\n",
                             [](const std::string& bytes) { (void)parse_node_csv(bytes, "F"); });
}

}  // namespace input_deck_test
}  // namespace microslip
