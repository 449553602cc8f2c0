#include "microslip/io/input_deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_set>

#include "microslip/io/csv_table.hpp"
#include "microslip/io/fixed_fields.hpp"
#include "microslip/io/matrix_file.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

constexpr long long largest_number = 999'999'999'999;
constexpr int most_includes = 16;  ///< of one deck; also stops a deck that includes itself

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

struct Parameter {
  std::string name;  ///< lower case, no blanks
  std::string value;
  Token token;
};

struct Keyword {
  std::string name;  ///< "node", lower case, no blanks
  std::vector<Parameter> parameters;
  Token token;

  [[nodiscard]] const Parameter* find(std::string_view parameter) const {
    for (const Parameter& each : parameters) {
      if (each.name == parameter) return &each;
    }
    return nullptr;
  }
};

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\t') result += c;
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  return fixed_field(text, 0, 0, text.size()).text;
}

/// Numbers by the lower-case names of sets.
struct Sets {
  struct Set {
    std::string name;  ///< as first written
    std::vector<long long> members;
  };
  std::vector<Set> sets;
  std::unordered_map<std::string, std::size_t> places;

  Set& get(std::string_view name) {
    const auto [at, added] = places.emplace(lower_case(name), sets.size());
    if (added) sets.push_back({std::string(name), {}});
    return sets[at->second];
  }
  [[nodiscard]] const Set* find(std::string_view name) const {
    const auto at = places.find(lower_case(name));
    return at == places.end() ? nullptr : &sets[at->second];
  }
};

class DeckParser {
 public:
  DeckParser(std::string file, std::size_t size, const std::function<std::string(const std::string&)>& include)
      : include_(include), room_(1'000'000 + 8 * size) {
    table_.file = std::move(file);
  }

  NodeTable parse(std::string_view text) {
    read(text, table_.file);
    if (table_.numbers.empty()) throw InputError({table_.file, 1, 1}, "the deck holds no *NODE");
    for (const auto& set : element_sets_.sets) {
      if (node_sets_.find(set.name) == nullptr) add_nodes_of(set.members, set.name);
    }
    for (auto& set : node_sets_.sets) {
      std::sort(set.members.begin(), set.members.end());
      set.members.erase(std::unique(set.members.begin(), set.members.end()), set.members.end());
      for (const long long node : set.members) {
        if (!places_.contains(node)) {
          throw InputError({table_.file, 0, 0}, fmt::format("set {} has the node {}, which the deck does not define",
                                                            in_quotes(set.name), node));
        }
      }
      table_.sets.emplace(set.name, std::move(set.members));
    }
    return std::move(table_);
  }

 private:
  [[nodiscard]] InputError fail(const Token& token, const std::string& message) const {
    return {{*file_, token.line, token.column}, message};
  }

  void read(std::string_view text, const std::string& file) {
    const std::string* outer = file_;
    file_ = &file;
    LineReader lines(text);
    Keyword keyword;
    bool more = lines.next();
    while (more) {
      const std::string_view line = lines.line();
      if (lines.blank() || line.starts_with("**")) {
        more = lines.next();
      } else if (line.front() == '*') {
        more = read_keyword(lines, keyword);
        start(keyword);
      } else {
        data(keyword, lines);
        more = lines.next();
      }
    }
    finish_element();
    file_ = outer;
  }

  /// "*NSET, NSET=tip, GENERATE"; a comma at the end goes on in the next line. Returns whether a line follows.
  bool read_keyword(LineReader& lines, Keyword& keyword) {
    keyword = {};
    bool goes_on = true;
    bool more = true;
    bool first = true;
    while (goes_on) {
      lines.split(',', tokens_);
      goes_on = tokens_.size() > 1 && tokens_.back().text.empty();
      for (const Token& token : tokens_) {
        if (token.text.empty()) continue;
        if (first) {
          keyword.name = lower_case(without_blanks(token.text.substr(1)));
          keyword.token = token;
          first = false;
          continue;
        }
        const std::size_t equals = token.text.find('=');
        const std::string_view value =
            equals == std::string_view::npos ? std::string_view() : trimmed(token.text.substr(equals + 1));
        const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
        keyword.parameters.push_back({lower_case(without_blanks(token.text.substr(0, equals))),
                                      std::string(quoted ? value.substr(1, value.size() - 2) : value), token});
      }
      do more = lines.next();
      while (more && lines.line().starts_with("**"));
      if (!more || lines.line().starts_with("*")) goes_on = false;
    }
    return more;
  }

  /// A parameter that must have a value.
  [[nodiscard]] const std::string& value(const Keyword& keyword, const Parameter& parameter) const {
    if (parameter.value.empty()) {
      throw fail(parameter.token,
                 fmt::format("{} of *{} must have a name", upper_case(parameter.name), upper_case(keyword.name)));
    }
    return parameter.value;
  }

  void start(const Keyword& keyword) {
    finish_element();
    node_set_.clear();
    element_set_.clear();
    generate_ = keyword.find("generate") != nullptr;
    const auto set = [&](std::string_view name, std::string& to, Sets& sets) {
      const Parameter* parameter = keyword.find(name);
      if (parameter == nullptr) return false;
      to = value(keyword, *parameter);
      sets.get(to);
      return true;
    };
    if (keyword.name == "node") {
      set("nset", node_set_, node_sets_);
      const Parameter* system = keyword.find("system");
      if (system != nullptr && lower_case(system->value) != "r") {
        throw fail(system->token, "only rectangular coordinates are read (SYSTEM=R)");
      }
    } else if (keyword.name == "nset") {
      if (!set("nset", node_set_, node_sets_)) throw fail(keyword.token, "*NSET must have NSET=name");
      const Parameter* elements = keyword.find("elset");
      if (elements != nullptr) add_nodes_of(element_set(*elements), node_set_);
    } else if (keyword.name == "elset") {
      if (!set("elset", element_set_, element_sets_)) throw fail(keyword.token, "*ELSET must have ELSET=name");
    } else if (keyword.name == "element") {
      set("elset", element_set_, element_sets_);
      const Parameter* type = keyword.find("type");
      type_ = type == nullptr ? "" : upper_case(type->value);
    } else if (keyword.name == "include") {
      include(keyword);
    }
  }

  void include(const Keyword& keyword) {
    const Parameter* input = keyword.find("input");
    if (input == nullptr) throw fail(keyword.token, "*INCLUDE must have INPUT=file");
    const std::string name = value(keyword, *input);
    if (!include_) throw fail(input->token, "*INCLUDE is not followed here");
    if (++includes_ > most_includes) {
      throw fail(input->token, fmt::format("more than {} files are included", most_includes));
    }
    const std::string text = include_(name);
    room_ += 8 * text.size();
    read(text, name);
  }

  [[nodiscard]] const std::vector<long long>& element_set(const Parameter& parameter) const {
    const auto* set = element_sets_.find(parameter.value);
    if (set == nullptr) {
      throw fail(parameter.token, fmt::format("there is no element set {} before", in_quotes(parameter.value)));
    }
    return set->members;
  }

  void data(const Keyword& keyword, const LineReader& lines) {
    lines.split(',', tokens_);
    const bool goes_on = tokens_.size() > 1 && tokens_.back().text.empty();
    if (goes_on) tokens_.pop_back();
    if (keyword.name == "node") {
      node();
    } else if (keyword.name == "element") {
      element(goes_on);
    } else if (keyword.name == "nset") {
      // With ELSET= the set is whole already; no data belong to it.
      if (keyword.find("elset") == nullptr) members(node_sets_, node_set_);
    } else if (keyword.name == "elset") {
      members(element_sets_, element_set_);
    }
  }

  [[nodiscard]] long long number(const Token& token, std::string_view what) const {
    return parse_integer(token, *file_, what, 1, largest_number);
  }

  void node() {
    if (tokens_.size() > 4 && tokens_.size() != 7) {  // three more: the direction of a normal
      throw fail(tokens_[0], fmt::format("a node must be \"number, x, y, z\", got {} values", tokens_.size()));
    }
    const long long node = number(tokens_[0], "the node");
    if (!places_.emplace(node, table_.numbers.size()).second) {
      throw fail(tokens_[0],
                 fmt::format("node {} is there twice; decks with parts and instances must be written flat", node));
    }
    std::array<double, 3> position{};
    for (std::size_t k = 0; k < 3 && k + 1 < tokens_.size(); ++k) {
      if (tokens_[k + 1].text.empty()) continue;  // 0 by default
      position[k] = parse_fortran_number(tokens_[k + 1], *file_, "a coordinate");
    }
    table_.numbers.push_back(node);
    table_.positions.push_back(position);
    if (!node_set_.empty()) add_members(node_sets_.get(node_set_), {node}, tokens_[0]);
  }

  void element(bool goes_on) {
    std::size_t first = 0;
    if (!in_element_) {
      table_.elements.push_back({number(tokens_[0], "the element"), type_, {}});
      first = 1;
    }
    for (std::size_t k = first; k < tokens_.size(); ++k) {
      table_.elements.back().nodes.push_back(number(tokens_[k], "a node of the element"));
    }
    in_element_ = goes_on;
    if (!goes_on) finish_element_at(tokens_[0]);
  }

  void finish_element() {
    if (in_element_) finish_element_at({{}, 0, 0});
    in_element_ = false;
  }

  void finish_element_at(const Token& token) {
    const MeshElement& element = table_.elements.back();
    if (!element_places_.emplace(element.number, table_.elements.size() - 1).second) {
      throw fail(token, fmt::format("element {} is there twice; decks with parts and instances must be written flat",
                                    element.number));
    }
    if (!element_set_.empty()) add_members(element_sets_.get(element_set_), {element.number}, token);
  }

  /// A line of *NSET or *ELSET: numbers and names of sets, or "first, last, step".
  void members(Sets& sets, const std::string& name) {
    if (generate_) {
      generated(sets, name);
      return;
    }
    for (const Token& token : tokens_) {
      if (token.text.empty()) continue;
      const bool is_number = token.text.find_first_not_of("0123456789") == std::string_view::npos;
      if (is_number) {
        add_members(sets.get(name), {number(token, "a member of the set")}, token);
        continue;
      }
      const auto* other = sets.find(token.text);
      if (other == nullptr) {
        throw fail(token, fmt::format("{} is neither a number nor a set before this one", in_quotes(token.text)));
      }
      const std::vector<long long> copy = other->members;
      add_members(sets.get(name), copy, token);
    }
  }

  /// Only nodes and elements that are there: a step may pass over gaps in the numbers.
  void generated(Sets& sets, const std::string& name) {
    if (tokens_.size() < 2 || tokens_.size() > 3) {
      throw fail(tokens_[0],
                 fmt::format("a generated set must be \"first, last, step\", got {} values", tokens_.size()));
    }
    const long long first = number(tokens_[0], "the first number");
    const long long last = number(tokens_[1], "the last number");
    const long long step = tokens_.size() < 3 || tokens_[2].text.empty() ? 1 : number(tokens_[2], "the step");
    if (last < first) throw fail(tokens_[1], fmt::format("the last number must be >= {}, got {}", first, last));
    const auto& known = &sets == &node_sets_ ? places_ : element_places_;
    std::vector<long long> found;
    if (static_cast<std::size_t>((last - first) / step) < known.size()) {
      for (long long each = first; each <= last; each += step) {
        if (known.contains(each)) found.push_back(each);
      }
    } else {
      for (const auto& [each, place] : known) {
        if (each >= first && each <= last && (each - first) % step == 0) found.push_back(each);
      }
    }
    add_members(sets.get(name), found, tokens_[0]);
  }

  /// The nodes of elements join a node set.
  void add_nodes_of(const std::vector<long long>& elements, const std::string& name) {
    std::vector<long long> nodes;
    for (const long long number : elements) {
      const auto at = element_places_.find(number);
      if (at == element_places_.end()) {
        throw InputError({table_.file, 0, 0},
                         fmt::format("a set of elements has the element {}, which the deck does not define", number));
      }
      const auto& more = table_.elements[at->second].nodes;
      nodes.insert(nodes.end(), more.begin(), more.end());
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    add_members(node_sets_.get(name), nodes, {{}, 0, 0});
  }

  /// Sets made of sets must not outgrow the file that describes them.
  void add_members(Sets::Set& set, const std::vector<long long>& members, const Token& token) {
    if (members.size() > room_) throw fail(token, "the sets hold too many members for a file of this size");
    room_ -= members.size();
    set.members.insert(set.members.end(), members.begin(), members.end());
  }

  const std::function<std::string(const std::string&)>& include_;
  std::size_t room_;  ///< members that sets may still take
  NodeTable table_;
  const std::string* file_ = &table_.file;
  std::unordered_map<long long, std::size_t> places_;
  std::unordered_map<long long, std::size_t> element_places_;
  Sets node_sets_;
  Sets element_sets_;
  std::vector<Token> tokens_;
  // What the keyword at hand says.
  std::string node_set_;
  std::string element_set_;
  std::string type_;
  bool generate_ = false;
  bool in_element_ = false;
  int includes_ = 0;
};

}  // namespace

std::unordered_map<long long, std::size_t> NodeTable::places() const {
  std::unordered_map<long long, std::size_t> result;
  for (const long long number : numbers) result.emplace(number, result.size());
  return result;
}

const std::vector<long long>& NodeTable::set(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& [each, members] : sets) {
    if (lower_case(each) == lower_case(name)) return members;
    names.push_back(each);
  }
  throw InputError({file, 0, 0},
                   names.empty() ? fmt::format("has no set {}, nor any other", in_quotes(name))
                                 : fmt::format("has no set {}; it has {}", in_quotes(name), fmt::join(names, ", ")));
}

NodeTable parse_input_deck(std::string_view text, const std::string& file,
                           const std::function<std::string(const std::string&)>& include) {
  return DeckParser(file, text.size(), include).parse(text);
}

NodeTable read_input_deck(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return parse_input_deck(read_text_file(path), path,
                          [&folder](const std::string& name) { return read_text_file((folder / name).string()); });
}

NodeTable parse_node_csv(std::string_view text, const std::string& file) {
  const CsvTable csv = parse_csv_table(text, file);
  NodeTable table;
  table.file = file;
  const std::vector<double>* xyz[] = {&csv.column("x"), &csv.column("y"), &csv.column("z")};
  const std::vector<double>& labels = csv.column("label");
  std::unordered_set<long long> seen;
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    const double label = labels[row];
    if (label < 1.0 || label > static_cast<double>(largest_number) || label != std::floor(label)) {
      throw InputError({file, csv.lines[row], 1}, fmt::format("the label must be the number of a node, got {}", label));
    }
    const auto number = static_cast<long long>(label);
    if (!seen.insert(number).second) {
      throw InputError({file, csv.lines[row], 1}, fmt::format("node {} is there twice", number));
    }
    table.numbers.push_back(number);
    table.positions.push_back({(*xyz[0])[row], (*xyz[1])[row], (*xyz[2])[row]});
  }
  if (table.numbers.empty()) throw InputError({file, csv.header_line, 1}, "the table holds no node");
  return table;
}

NodeTable read_node_table(const std::string& path) {
  return file_ending(path) == "csv" ? parse_node_csv(read_text_file(path), path) : read_input_deck(path);
}

}  // namespace microslip
