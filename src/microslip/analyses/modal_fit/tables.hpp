#pragma once
// Tables of kind = "modal_fit", and its universal files.

#include <string>

#include "microslip/analyses/modal_fit/analysis.hpp"
#include "microslip/results/results.hpp"

namespace microslip {

void write_modal_tables(const ModalFitAnalysis& analysis, const ModalFit& fit, Results& results,
                        AnalysisSummary& summary);

/// Datasets 15 is left out: a test without geometry has no places. Channels "12.y" are node 12, +Y; others get numbers,
/// and `told` says which.
struct ShapeFile {
  std::string text_55, text_2414;
  std::string told;  ///< empty: the nodes are those of the channels' names
};
[[nodiscard]] ShapeFile modal_shape_file(const MeasuredModes& modes);

}  // namespace microslip
