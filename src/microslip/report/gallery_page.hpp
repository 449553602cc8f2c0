#pragma once
// The index page of a gallery: a card for each run, and the table of printed values against ours.

#include <string>
#include <vector>

namespace microslip {

struct GalleryCard {
  std::string name;   ///< of the run's directory below the page
  std::string title;  ///< of the study
  std::string words;  ///< what came out, in a line
  std::string ending;
  std::string message;  ///< why it did not complete
  double wall_seconds = 0.0;
  std::string report;   ///< file to open, relative to the page
  std::string picture;  ///< SVG; empty: none
};

enum class RowColour { good, bad, remark, failure };

struct GalleryRow {
  std::string paper, where, what;
  std::string printed, ours, unit;
  std::string difference;  ///< "+0.3 %"
  std::string verdict;
  RowColour colour = RowColour::good;
  std::string tolerance;  ///< with its reason
  std::string note;
  std::string name;    ///< of the run
  std::string report;  ///< file to open
};

/// A table or figure of a paper, or several.
struct GalleryItem {
  enum class State { reproduced, tested, nothing, cannot, missing, incomplete };
  struct Link {
    std::string text, report;  ///< file to open
  };
  std::string paper, item;
  int count = 1;
  State state = State::missing;
  std::string words;  ///< names of tests, or why
  std::vector<Link> runs;
  std::string note;  ///< which part of it is not there
};

struct GalleryPage {
  std::string version;
  std::vector<GalleryCard> cards;
  std::vector<GalleryRow> rows;
  std::vector<GalleryItem> items;
};

/// How many tables and figures are in this state.
[[nodiscard]] int count_of(const GalleryPage& page, GalleryItem::State state);

/// One self-contained HTML file: no scripts, nothing from elsewhere.
[[nodiscard]] std::string html(const GalleryPage& page);

}  // namespace microslip
