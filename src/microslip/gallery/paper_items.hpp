#pragma once
// The tables and figures of papers, and what of ours is beside each: the file `papers.toml` of a folder of studies.

#include <string>
#include <vector>

#include "microslip/toml/study_error.hpp"

namespace microslip {

/// An analysis of a study of the gallery.
struct GalleryRun {
  std::string study;     ///< GalleryStudy::name
  std::string analysis;  ///< its name
};

struct PaperItem {
  FilePosition position;
  std::string paper, item;
  int count = 1;                   ///< tables and figures that it stands for
  std::vector<GalleryRun> runs;    ///< that give its content; or
  std::vector<std::string> tests;  ///< that do; or
  std::string nothing;             ///< why there is nothing to compute in it; or
  std::string cannot;              ///< why it cannot be had; none of these: it is missing
  std::string note;                ///< which part of it is not there
};

/// Nothing where the folder has no such file. Throws StudyError with file, line and column of the first mistake.
[[nodiscard]] std::vector<PaperItem> read_paper_items(const std::string& folder);

}  // namespace microslip
