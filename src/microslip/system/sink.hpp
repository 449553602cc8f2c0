#pragma once
// Where the rows of a history go: memory, a file, nowhere. An analysis with a long history never holds it all.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace microslip {

/// The axis on which the values of a column are best seen.
enum class Scale {
  linear,
  logarithmic  ///< positive, over decades
};
[[nodiscard]] std::string_view to_string(Scale scale);

/// `unit` is written in the words length, force, time, mass, e.g. "length/time^2"; the study's labels replace them.
struct Column {
  std::string name;
  std::string unit;
  std::string description;
  Scale scale = Scale::linear;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void begin(std::span<const Column> columns) = 0;
  virtual void row(std::span<const double> values) = 0;
};

/// Keeps everything; for tests and short histories.
class MemorySink final : public Sink {
 public:
  void begin(std::span<const Column> columns) override;
  void row(std::span<const double> values) override;

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : values_.size() / columns_.size(); }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values_[row * columns_.size() + column]; }
  /// One column by name; throws std::out_of_range when there is none.
  [[nodiscard]] std::vector<double> column(const std::string& name) const;

 private:
  std::vector<Column> columns_;
  std::vector<double> values_;
};

/// Forgets everything; for runs of which only the result counts.
class NullSink final : public Sink {
 public:
  void begin(std::span<const Column>) override {}
  void row(std::span<const double>) override {}
};

}  // namespace microslip
