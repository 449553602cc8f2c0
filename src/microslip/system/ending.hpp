#pragma once
// How an analysis ended. Lack of convergence is a result, never an exception.

#include <string>
#include <string_view>

namespace microslip {

enum class Ending { completed, no_convergence, limit_load, step_too_small, interrupted };

/// The word that summary.json uses.
constexpr std::string_view to_string(Ending ending) {
  switch (ending) {
    case Ending::completed:
      return "completed";
    case Ending::no_convergence:
      return "no_convergence";
    case Ending::limit_load:
      return "limit_load";
    case Ending::step_too_small:
      return "step_too_small";
    case Ending::interrupted:
      return "interrupted";
  }
  return "no_convergence";
}

/// How a whole of several parts ended: interrupted if one of them was, since the others may never have begun, else the
/// worst of them.
constexpr Ending worse(Ending a, Ending b) {
  constexpr auto rank = [](Ending ending) {
    switch (ending) {
      case Ending::completed:
        return 0;
      case Ending::limit_load:
        return 1;
      case Ending::step_too_small:
        return 2;
      case Ending::no_convergence:
        return 3;
      case Ending::interrupted:
        break;
    }
    return 4;
  };
  return rank(b) > rank(a) ? b : a;
}

/// A note behind what a message says already; nothing where the note is empty.
void add_note(const std::string& note, std::string& message);

}  // namespace microslip
