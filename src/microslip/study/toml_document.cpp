#include "microslip/study/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// toml++ 3.3 asserts that the name in a table header starts like a key, and then checks it all the same. The assertion
// would abort on user input and, as an assumption in optimised builds, remove the check.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

namespace microslip {
namespace {

void set_position(TomlValue& value, const toml::source_region& source) {
  // Tables that exist only through dotted headers of their children have no place of their own.
  value.line = std::max(1, static_cast<int>(source.begin.line));
  value.column = std::max(1, static_cast<int>(source.begin.column));
}

TomlValue convert(const toml::node& node) {
  TomlValue value;
  set_position(value, node.source());
  if (const auto* table = node.as_table()) {
    value.type = TomlValue::Type::table;
    for (const auto& [key, child] : *table) {
      TomlValue::Entry entry{std::string(key.str()), static_cast<int>(key.source().begin.line),
                             static_cast<int>(key.source().begin.column), convert(child)};
      value.entries.push_back(std::move(entry));
    }
    std::sort(value.entries.begin(), value.entries.end(),
              [](const auto& a, const auto& b) { return std::pair(a.line, a.column) < std::pair(b.line, b.column); });
  } else if (const auto* array = node.as_array()) {
    value.type = TomlValue::Type::array;
    for (const auto& child : *array) value.items.push_back(convert(child));
  } else if (const auto* text = node.as_string()) {
    value.type = TomlValue::Type::string;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.type = TomlValue::Type::integer;
    value.integer = integer->get();
    value.real = static_cast<double>(value.integer);
  } else if (const auto* real = node.as_floating_point()) {
    value.type = TomlValue::Type::real;
    value.real = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.type = TomlValue::Type::boolean;
    value.boolean = boolean->get();
  } else {
    value.type = TomlValue::Type::date;
  }
  return value;
}

/// toml++ 3.3 nests one table a dot without limit, and tables that nest too deep overflow the stack.
class DottedKeyGuard {
 public:
  DottedKeyGuard(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void check() {
    constexpr int deepest = 32;
    int dots = 0;
    for (; at_ < text_.size(); ++at_) {
      switch (text_[at_]) {
        case '\n':
          line_start_ = at_ + 1;
          ++line_;
          [[fallthrough]];
        case '=':
        case ',':
        case '[':
        case ']':
        case '{':
        case '}':
          dots = 0;
          break;
        case '#':
          while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
          break;
        case '"':
        case '\'':
          skip_string();
          break;
        case '.':
          if (++dots > deepest) {
            throw StudyError({file_, line_, static_cast<int>(at_ - line_start_) + 1},
                             fmt::format("a key may have at most {} dots", deepest));
          }
          break;
        default:
          break;
      }
    }
  }

 private:
  /// Leaves at_ on the last character of the string.
  void skip_string() {
    const char quote = text_[at_];
    const std::string triple(3, quote);
    const bool multiline = text_.substr(at_, 3) == triple;
    at_ += multiline ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        if (!multiline) {
          --at_;
          return;
        }
        line_start_ = at_ + 1;
        ++line_;
      } else if (text_[at_] == '\\' && quote == '"') {
        if (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      } else if (multiline ? text_.substr(at_, 3) == triple : text_[at_] == quote) {
        at_ += multiline ? 2 : 0;
        return;
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace

const TomlValue::Entry* TomlValue::find(std::string_view key) const {
  const auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return at == entries.end() ? nullptr : &*at;
}

std::string TomlValue::describe() const {
  switch (type) {
    case Type::string:
      return fmt::format("the string {}", in_quotes(text));
    case Type::integer:
      return fmt::format("{}", integer);
    case Type::real:
      return fmt::format("{}", real);
    case Type::boolean:
      return boolean ? "true" : "false";
    case Type::date:
      return "a date or time";
    case Type::array:
      return fmt::format("a list of {}", items.size());
    case Type::table:
      return "a table";
  }
  return "";
}

TomlDocument parse_toml(std::string text, const std::string& file) {
  DottedKeyGuard(text, file).check();
  TomlDocument document{file, std::move(text), {}};
  try {
    document.root = convert(toml::parse(std::string_view(document.text), std::string_view(file)));
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw StudyError({file, std::max(1, static_cast<int>(at.line)), std::max(1, static_cast<int>(at.column))},
                     std::string(error.description()));
  }
  document.root.line = 1;
  document.root.column = 1;
  return document;
}

}  // namespace microslip
