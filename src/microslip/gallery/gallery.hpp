#pragma once
// A gallery: all studies below a folder, run into the folders of one directory, and the page that shows them.

#include <string>
#include <vector>

#include "microslip/gallery/paper_items.hpp"
#include "microslip/gallery/printed_values.hpp"
#include "microslip/report/gallery_page.hpp"

namespace microslip {

struct GalleryStudy {
  std::string name;   ///< of its folder of results: "01_three_masses"; "23_chain-five_hundred" for further files
  std::string title;  ///< of the study
  std::string path;
  std::vector<PrintedValue> values;
  std::vector<std::string> analyses;  ///< names
};

/// Every TOML file below the folder that has a [structure], by name; folders of results and printed.toml left out. All
/// are read and checked, with the printed values beside them. Throws InputError when there is none, and with all
/// complaints when some are wrong.
[[nodiscard]] std::vector<GalleryStudy> find_gallery_studies(const std::string& folder);

/// Throws StudyError where an item names a study or an analysis that is not there.
void check_paper_items(const std::vector<PaperItem>& items, const std::vector<GalleryStudy>& studies);

/// From what the runs left in DIRECTORY/name.
[[nodiscard]] GalleryPage gallery_page(const std::vector<GalleryStudy>& studies, const std::vector<PaperItem>& items,
                                       const std::string& directory, const std::string& version);

}  // namespace microslip
