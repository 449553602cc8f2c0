#pragma once
// How an analysis ended, and the numbers that sum it up.

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "microslip/system/ending.hpp"

namespace microslip {

/// The numbers that sum up an analysis: counts, headline scalars, energy. A struct for each kind.
class Facts {
 public:
  virtual ~Facts() = default;
  /// For summary.json: an object, in the order in which they are to stand there. Its keys are none of kind, name,
  /// ending, message, wall_seconds, files.
  [[nodiscard]] virtual nlohmann::ordered_json to_json() const = 0;
  /// What the command line prints below the ending, without an end of line; empty: nothing.
  [[nodiscard]] virtual std::string in_a_line() const { return ""; }

 protected:
  Facts() = default;
  Facts(const Facts&) = default;
  Facts& operator=(const Facts&) = default;
};

/// How an analysis ended, as summary.json tells it.
struct AnalysisSummary {
  std::string kind;
  std::string name;
  Ending ending = Ending::interrupted;
  std::string message = "not started";
  bool only_remarks = false;  ///< the message puts no number in doubt: all of it came by add_remark
  double wall_seconds = 0.0;
  std::shared_ptr<const Facts> facts;  ///< null: none
  std::vector<std::string> files;      ///< in the directory

  /// The facts of a kind; null when there are none.
  template <class KindFacts>
  [[nodiscard]] const KindFacts* facts_as() const {
    return dynamic_cast<const KindFacts*>(facts.get());
  }
  /// An object; empty when there are none.
  [[nodiscard]] nlohmann::ordered_json facts_json() const;
  /// Takes them over.
  template <class KindFacts>
  void sum_up(KindFacts&& values) {
    facts = std::make_shared<const std::decay_t<KindFacts>>(std::forward<KindFacts>(values));
  }
};

/// A run that has completed, with nothing to say so far.
[[nodiscard]] AnalysisSummary completed_summary();

/// Behind what the message says already; nothing where `text` is empty.
void add_message(const std::string& text, AnalysisSummary& summary);
/// The same of what is worth knowing and puts no number in doubt.
void add_remark(const std::string& text, AnalysisSummary& summary);

/// Throws std::logic_error when a fact has the name of another key.
[[nodiscard]] nlohmann::ordered_json to_json(const AnalysisSummary& summary);

}  // namespace microslip
