#include "microslip/numerics/formula.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "microslip/numerics/nearest_name.hpp"

namespace microslip {
namespace {

constexpr int deepest = 200;  ///< parentheses within parentheses

class Parser {
 public:
  Parser(std::string_view text, const std::map<std::string, double>& names) : rest_(text), names_(names) {}

  double whole() {
    const double value = sum();
    skip_blanks();
    if (!rest_.empty()) throw std::invalid_argument(std::string("unexpected \"") + rest_.front() + "\"");
    return value;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] char peek() {
    skip_blanks();
    return rest_.empty() ? '\0' : rest_.front();
  }
  static bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
  static bool begins_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }

  double sum() {
    double value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = factor();
    while (true) {
      if (take('*')) {
        value *= factor();
      } else if (take('/')) {
        value /= factor();
      } else if (begins_name(peek()) || begins_number(peek()) || peek() == '(') {
        value *= power();  // 2 pi
      } else {
        return value;
      }
    }
  }

  double factor() {
    if (take('-')) return -factor();
    if (take('+')) return factor();
    return power();
  }

  double power() {
    const double base = atom();
    return take('^') ? std::pow(base, factor()) : base;
  }

  double atom() {
    if (++depth_ > deepest) throw std::invalid_argument("too many parentheses");
    double value = 0.0;
    if (take('(')) {
      value = sum();
      if (!take(')')) throw std::invalid_argument("a \")\" is missing");
    } else if (begins_number(peek())) {
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc()) throw std::invalid_argument("a number cannot be read");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    } else if (begins_name(peek())) {
      value = named();
    } else {
      throw std::invalid_argument(rest_.empty() ? "it ends too early"
                                                : std::string("unexpected \"") + rest_.front() + "\"");
    }
    --depth_;
    return value;
  }

  double named() {
    std::size_t length = 1;
    while (length < rest_.size() &&
           (begins_name(rest_[length]) || std::isdigit(static_cast<unsigned char>(rest_[length])) != 0)) {
      ++length;
    }
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (const auto at = names_.find(name); at != names_.end()) return at->second;
    if (name == "pi") return std::numbers::pi;
    return function(name);
  }

  double function(const std::string& name) {
    static const std::vector<std::string> known = {"sqrt", "abs", "exp", "log", "log10", "sin", "cos", "min", "max"};
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::vector<std::string> all = known;
      all.emplace_back("pi");
      for (const auto& [other, value] : names_) all.push_back(other);
      const std::string near = nearest_name(name, all);
      throw std::invalid_argument("unknown name \"" + name + "\"" +
                                  (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
    }
    if (!take('(')) throw std::invalid_argument("\"" + name + "\" needs a \"(\"");
    std::vector<double> arguments = {sum()};
    while (take(',')) arguments.push_back(sum());
    if (!take(')')) throw std::invalid_argument("a \")\" is missing");
    const bool pair = name == "min" || name == "max";
    if (arguments.size() != (pair ? 2U : 1U))
      throw std::invalid_argument("\"" + name + "\" takes " + (pair ? "two numbers" : "one number"));
    const double x = arguments[0];
    if (name == "sqrt") return std::sqrt(x);
    if (name == "abs") return std::abs(x);
    if (name == "exp") return std::exp(x);
    if (name == "log") return std::log(x);
    if (name == "log10") return std::log10(x);
    if (name == "sin") return std::sin(x);
    if (name == "cos") return std::cos(x);
    return name == "min" ? std::min(x, arguments[1]) : std::max(x, arguments[1]);
  }

  std::string_view rest_;
  const std::map<std::string, double>& names_;
  int depth_ = 0;
};

}  // namespace

double evaluate_formula(std::string_view text, const std::map<std::string, double>& names) {
  return Parser(text, names).whole();
}

}  // namespace microslip
