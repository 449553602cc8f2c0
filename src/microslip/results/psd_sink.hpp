#pragma once
// Power spectral densities of the columns of a history as it passes by, on its way to another sink.

#include <span>
#include <string>
#include <vector>

#include "microslip/numerics/welch.hpp"
#include "microslip/system/sink.hpp"

namespace microslip {

struct PsdOptions {
  double segment = 0.0;  ///< length of a segment [time]
  double to = 0.0;       ///< highest frequency of the table [1/time]; 0: half the rate of the rows
  bool only = false;     ///< no table of the history
};

/// Rows a segment: at least the length asked for, even and fast to transform.
[[nodiscard]] std::size_t psd_segment_rows(const PsdOptions& options, double row_step);

class PsdSink final : public Sink {
 public:
  /// `row_step`: time between rows; a last row that comes early does not count. `history` gets the rows, unless only
  /// the densities are asked for; it must outlive the sink.
  PsdSink(const PsdOptions& options, double row_step, Sink& history);

  void begin(std::span<const Column> columns) override;
  void row(std::span<const double> values) override;

  /// frequency_hz, psd_q[..], ...: the columns of motion and force.
  void write(Sink& table) const;
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] long segments() const { return densities_.empty() ? 0 : densities_.front().segments(); }

 private:
  PsdOptions options_;
  double row_step_;
  Sink* history_;
  bool begun_ = false;
  double last_time_ = 0.0;
  bool first_ = true;
  std::vector<Column> columns_;
  std::vector<std::size_t> places_;  ///< of the columns that count
  std::vector<WelchPsd> densities_;
};

}  // namespace microslip
