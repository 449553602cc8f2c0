#pragma once
// The combinations of a parameter study: each is the study with other values at a few paths, read by the same readers
// as the study itself, so that every check applies.

#include <memory>
#include <string>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/toml/toml_document.hpp"

namespace microslip {

/// `"joint.damper.fs" = [1.0, 2.0]`: a path and its values.
struct VariedKey {
  std::string path;
  int line = 1;  ///< of the path
  int column = 1;
  std::vector<TomlValue> values;

  /// "joint" of "joint.damper.fs".
  [[nodiscard]] std::string_view section() const { return std::string_view(path).substr(0, path.find('.')); }
  [[nodiscard]] bool numeric() const;
};

/// A combination, ready to run.
struct Combination {
  std::vector<std::size_t> places;  ///< of its values, one a key
  std::shared_ptr<const System> system;
  std::shared_ptr<Analysis> analysis;
};

/// Immutable; any number of threads may read combinations at once.
class ParameterGrid {
 public:
  /// From `analysis`, `vary` and `combine` of a parameter study. Reads every combination; throws StudyError at the
  /// value that is to blame.
  ParameterGrid(const TableReader& reader, const StudyParts& parts);

  /// Combinations. The last key varies fastest.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::vector<VariedKey>& keys() const { return keys_; }
  [[nodiscard]] bool is_list() const { return list_; }
  /// Which value each key has.
  [[nodiscard]] std::vector<std::size_t> places(std::size_t combination) const;
  /// `joint.damper.fs = 2, joint.damper.between = ["ground","1"]`, for messages.
  [[nodiscard]] std::string describe(std::size_t combination) const;

  /// `system` is that of the study. `before`: any other combination, whose system is shared where it is the same; null:
  /// none. The result does not depend on it.
  [[nodiscard]] Combination read(std::size_t combination, const System& system, const Combination* before) const;

  [[nodiscard]] const std::string& inner_kind() const { return inner_kind_; }
  /// The table of the inner analysis, as text.
  [[nodiscard]] std::string inner_table() const;
  /// Of the first combination, one line for people.
  [[nodiscard]] const std::string& inner_description() const { return inner_description_; }
  /// Analyses further up whose tables the inner one reads.
  [[nodiscard]] const std::vector<std::string>& sources() const { return sources_; }
  /// Of the combination that can do most with its neighbour.
  [[nodiscard]] WarmStart warm_start() const { return warm_start_; }

 private:
  void read_analysis_table(const TableReader& reader, const TableReader& root);
  void read_keys(const TableReader& reader);
  void check_all(const System& system);
  [[nodiscard]] TomlValue edited(const std::vector<std::size_t>& places) const;
  [[nodiscard]] Combination read_tree(const TomlValue& tree, std::vector<std::size_t> places, const System& system,
                                      const Combination* before) const;
  [[nodiscard]] bool varies(std::string_view section) const;
  [[nodiscard]] bool same(std::string_view section, const std::vector<std::size_t>& a,
                          const std::vector<std::size_t>& b) const;
  [[nodiscard]] StudyError blamed(std::size_t combination, const InputError& error, const System& system) const;

  std::string file_;
  std::string where_;  ///< `analysis "placement"`
  TomlValue tree_;     ///< structure, joint, load, and `analysis`, the inner one, as a table
  std::vector<LoadDefinition> loads_;
  std::vector<EarlierAnalysis> earlier_;
  std::vector<VariedKey> keys_;
  bool list_ = false;
  std::size_t size_ = 0;
  std::string inner_kind_;
  std::string inner_description_;
  std::vector<std::string> sources_;
  WarmStart warm_start_ = WarmStart::never;
};

}  // namespace microslip
