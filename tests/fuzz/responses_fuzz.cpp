// Frequency responses of universal files and tables, under a map of channels.

#include <cmath>
#include <cstdint>

#include "fuzz_target.hpp"
#include "microslip/analyses/read_responses.hpp"
#include "microslip/toml/toml_document.hpp"

using namespace microslip;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TomlDocument plain = parse_toml("data = \"fuzz.unv\"\nquantity = \"acceleration\"\n", "study.toml");
  static const TomlDocument mapped = parse_toml(
      "data = \"fuzz.unv\"\nchannels = { \"1.y\" = \"-left\", \"24.y\" = { name = \"tip\", scale = 2.0 } }\n",
      "study.toml");
  for (const TomlDocument* document : {&plain, &mapped}) {
    try {
      const MeasuredResponses read = parse_frequency_responses(TableReader(document->root, document->file, ""),
                                                               fuzz::text_of(data, size), "fuzz.unv");
      fuzz::must_hold(!read.references.empty(), "there is a reference");
      for (const FrequencyResponses& each : read.references) {
        const Eigen::Index lines = each.frequency.size(), columns = static_cast<Eigen::Index>(each.channels.size());
        fuzz::must_hold(each.values.rows() == lines && each.values.cols() == columns, "a value a line and channel");
        fuzz::must_hold(each.error.size() == 0 || each.error.cols() == columns, "errors of all channels, or of none");
        fuzz::must_hold(each.frequency.allFinite(), "frequencies are finite");
        for (Eigen::Index k = 1; k < lines; ++k) {
          fuzz::must_hold(each.frequency(k) > each.frequency(k - 1), "frequencies rise");
        }
      }
    } catch (const InputError&) {
    }
  }
  return 0;
}
