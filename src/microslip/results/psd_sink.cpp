#include "microslip/results/psd_sink.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {

std::size_t psd_segment_rows(const PsdOptions& options, double row_step) {
  const auto half = static_cast<std::size_t>(std::max(2.0, std::round(0.5 * options.segment / row_step)));
  return 2 * fast_length_above(half);
}

PsdSink::PsdSink(const PsdOptions& options, double row_step, Sink& history)
    : options_(options), row_step_(row_step), history_(&history) {}

void PsdSink::begin(std::span<const Column> columns) {
  begun_ = true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    // q[..], v[..], a[..], u[..], f[..]
    if (columns[i].name.find('[') == std::string::npos) continue;
    places_.push_back(i);
    columns_.push_back({"psd_" + columns[i].name, "(" + columns[i].unit + ")^2*time",
                        "one-sided power spectral density, " + columns[i].description, Scale::logarithmic});
    densities_.emplace_back(psd_segment_rows(options_, row_step_), row_step_);
  }
  if (!options_.only) history_->begin(columns);
}

void PsdSink::row(std::span<const double> values) {
  if (!options_.only) history_->row(values);
  if (!first_ && std::abs(values[0] - last_time_ - row_step_) > 1e-3 * row_step_) return;
  first_ = false;
  last_time_ = values[0];
  for (std::size_t i = 0; i < places_.size(); ++i) densities_[i].add(values[places_[i]]);
}

void PsdSink::write(Sink& table) const {
  std::vector<Column> columns = {{"frequency_hz", "1/time", "cycles"}};
  columns.insert(columns.end(), columns_.begin(), columns_.end());
  table.begin(columns);
  if (densities_.empty() || segments() == 0) return;
  std::vector<std::vector<double>> psd;
  for (const WelchPsd& density : densities_) psd.push_back(density.psd());
  std::vector<double> values(columns.size());
  for (std::size_t k = 0; k < psd.front().size(); ++k) {
    values[0] = static_cast<double>(k) * densities_.front().bin();
    if (options_.to > 0.0 && values[0] > options_.to * (1.0 + 1e-12)) break;
    for (std::size_t i = 0; i < psd.size(); ++i) values[1 + i] = psd[i][k];
    table.row(values);
  }
}

}  // namespace microslip
