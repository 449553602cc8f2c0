#pragma once
// Tables and files of estimated frequency responses.

#include <string>
#include <vector>

#include "microslip/analyses/frf_estimate/analysis.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/results/results.hpp"

namespace microslip {

inline constexpr const char* hits_part = "hits";
inline constexpr const char* signals_part = "signals";
inline constexpr const char* spectrogram_part = "spectrogram";

/// frequency_hz, then re, im, error, coherence, abs and phase of each pair.
void write_responses(const FrfEstimateAnalysis& analysis, const std::vector<FrequencyResponses>& references,
                     Results& results, AnalysisSummary& summary);
void write_hits(const FrfEstimateAnalysis& analysis, const std::vector<HitFacts>& hits, Results& results,
                AnalysisSummary& summary);
/// Force and responses of a block of a record with their windows, at most 4000 rows: of every interval the value of
/// largest size. And the spectrogram of the strongest response.
struct ShownBlock {
  std::size_t record = 0, first = 0, samples = 0;
  const Hit* hit = nullptr;  ///< none of random excitation
  double decay = 0.0;        ///< [1/time]
};
void write_signals(const FrfEstimateAnalysis& analysis, const ShownBlock& block, Results& results,
                   AnalysisSummary& summary);

/// Universal file: dataset 58b, functions of type 4, complex. The names of the channels are in the first line of each.
/// Where all of them are like 12.z they give the nodes; else channels, then references, are counted from 1.
[[nodiscard]] std::string universal_responses(const std::vector<FrequencyResponses>& references);

}  // namespace microslip
