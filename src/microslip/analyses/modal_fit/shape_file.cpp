#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "microslip/analyses/modal_fit/tables.hpp"
#include "microslip/io/universal_file.hpp"

namespace microslip {
namespace {

/// Where a channel is: a node and one of six directions, turned or not.
struct ChannelPlace {
  std::string stem;
  int node = 0;  ///< 0: the name has none
  std::size_t direction = 0;
  double sign = 1.0;
};

ChannelPlace place_of(const std::string& name) {
  constexpr std::array<std::string_view, 6> directions = {"x", "y", "z", "rx", "ry", "rz"};
  ChannelPlace place;
  place.stem = name;
  const std::size_t dot = name.find_last_of('.');
  if (dot != std::string::npos) {
    std::string_view direction = std::string_view(name).substr(dot + 1);
    if (direction.starts_with('-')) {
      place.sign = -1.0;
      direction.remove_prefix(1);
    }
    const auto found = std::find(directions.begin(), directions.end(), direction);
    if (found != directions.end()) {
      place.direction = static_cast<std::size_t>(found - directions.begin());
      place.stem = name.substr(0, dot);
    }
  }
  int node = 0;
  const char* end = place.stem.data() + place.stem.size();
  const auto [stop, error] = std::from_chars(place.stem.data(), end, node);
  if (error == std::errc() && stop == end && node > 0) place.node = node;
  return place;
}

/// Names without a node get the next free numbers, all channels of one stem the same.
std::string number_nodes(std::vector<ChannelPlace>& places) {
  std::set<int> taken;
  for (const ChannelPlace& place : places) taken.insert(place.node);
  std::map<std::string, int> numbered;
  std::vector<std::string> told;
  int next = 1;
  for (ChannelPlace& place : places) {
    if (place.node > 0) continue;
    if (!numbered.contains(place.stem)) {
      while (taken.contains(next)) ++next;
      taken.insert(next);
      numbered[place.stem] = next;
      told.push_back(fmt::format("{} = {}", place.stem, next));
    }
    place.node = numbered[place.stem];
  }
  return told.empty() ? "" : fmt::format("nodes of the universal files: {}", fmt::join(told, ", "));
}

UniversalShape shape_of(const MeasuredModes& modes, const std::vector<ChannelPlace>& places, Eigen::Index mode) {
  UniversalShape shape;
  shape.mode = modes.numbers[static_cast<std::size_t>(mode)];
  shape.frequency_hz = modes.frequency_hz(mode);
  shape.damping_ratio = modes.zeta(mode);
  shape.modal_mass = modes.unit_modal_mass ? 1.0 : 0.0;
  const bool turns = std::any_of(places.begin(), places.end(), [](const ChannelPlace& p) { return p.direction > 2; });
  shape.values_a_node = turns ? 6 : 3;
  const bool is_complex = modes.shapes.imag().cwiseAbs().maxCoeff() > 0.0;
  const auto each = static_cast<std::size_t>(shape.values_a_node);
  for (std::size_t c = 0; c < places.size(); ++c) {
    auto at = std::find(shape.nodes.begin(), shape.nodes.end(), places[c].node);
    if (at == shape.nodes.end()) {
      shape.nodes.push_back(places[c].node);
      shape.values.resize(shape.values.size() + each, 0.0);
      if (is_complex) shape.imaginary.resize(shape.values.size(), 0.0);
      at = shape.nodes.end() - 1;
    }
    const std::size_t place = static_cast<std::size_t>(at - shape.nodes.begin()) * each + places[c].direction;
    const std::complex<double> value = places[c].sign * modes.shapes(static_cast<Eigen::Index>(c), mode);
    shape.values[place] = value.real();
    if (is_complex) shape.imaginary[place] = value.imag();
  }
  return shape;
}

}  // namespace

ShapeFile modal_shape_file(const MeasuredModes& modes) {
  ShapeFile file;
  std::vector<ChannelPlace> places;
  for (const std::string& channel : modes.channels) places.push_back(place_of(channel));
  file.told = number_nodes(places);
  UniversalFile content;
  for (Eigen::Index m = 0; m < modes.shapes.cols(); ++m) content.shapes.push_back(shape_of(modes, places, m));
  file.text_55 = universal_text(content);
  file.text_2414 = universal_text(content, UniversalForm::text, UniversalShapes::dataset_2414);
  return file;
}

}  // namespace microslip
