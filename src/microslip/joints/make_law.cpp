#include "microslip/joints/make_law.hpp"

namespace microslip {

Law make_law(const LawSpec& spec) {
  check_law(spec);
  return find_law(spec.law)->make(spec);
}

std::string laws_that(const std::function<bool(const Law&)>& are_so) {
  std::vector<std::string> names;
  for (const LawInfo& law : law_catalogue()) {
    std::size_t number = 0;
    std::string words;
    for (const LawExample& example : law.examples) {
      if (!are_so(make_law(example.spec))) continue;
      words += (number == 0 ? " " : " or ") + example.words;
      ++number;
    }
    if (number > 0) names.push_back(law.name + (number < law.examples.size() ? words : ""));
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

}  // namespace microslip
