#include "microslip/analyses/update/updated_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "microslip/toml/toml_text.hpp"

namespace microslip {
namespace {

/// Names of files that were read, turned to where the study will lie.
void turn_file_names(TomlValue& value, const std::filesystem::path& from, const std::filesystem::path& to,
                     const std::set<std::string>& files) {
  if (value.type == TomlValue::Type::string && !value.text.empty() && value.text.find('\0') == std::string::npos) {
    const std::filesystem::path path = from / value.text;
    if (!files.contains(path.string()) || std::filesystem::path(value.text).is_absolute()) return;
    std::error_code fault;
    const std::filesystem::path turned = std::filesystem::relative(path, to, fault);
    if (!fault && !turned.empty()) value.text = turned.string();
  }
  for (TomlValue& item : value.items) turn_file_names(item, from, to, files);
  for (auto& entry : value.entries) turn_file_names(entry.value, from, to, files);
}

std::string one_line_of(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

}  // namespace

std::string updated_study(const ModelOfStudy& model, const Eigen::VectorXd& values, const std::vector<StudyRamp>& ramps,
                          const std::string& directory, const std::string& origin) {
  TomlValue tree = model.tree;
  for (const NumberLink& link : model.model->parts().links) {
    const auto k = static_cast<std::size_t>(link.number);
    TomlValue number;
    number.type = TomlValue::Type::real;
    number.real = link.value(values(link.parameter));
    put_in_study(tree, model.paths[k], {"structure", "joint"}, number);
  }
  turn_file_names(tree, std::filesystem::path(model.file).parent_path(), directory,
                  {model.read_files.begin(), model.read_files.end()});
  std::string text = fmt::format("# {} with the parameters that {} found.\n\ntitle = \"Updated model\"\n\n",
                                 one_line_of(std::filesystem::path(model.file).filename().string()), origin);
  text += toml_text(tree);
  text += "\n[[analysis]]\nkind = \"modes\"\n";
  for (std::size_t i = 0; i < ramps.size(); ++i) {
    text += fmt::format("\n[[analysis]]\nkind  = \"qsma\"\nname  = \"qsma-{}\"\nmode  = {}\nalpha = [{:.6g}, {:.6g}]\n",
                        i + 1, ramps[i].mode, ramps[i].low, ramps[i].high);
  }
  return text;
}

}  // namespace microslip
