#include "microslip/report/figure_json.hpp"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace microslip {
namespace {

using nlohmann::ordered_json;

template <class Word>
using Words = std::pair<Word, std::string_view>;

constexpr std::array<Words<CurveStyle>, 4> styles = {{{CurveStyle::line, "line"},
                                                      {CurveStyle::dots, "dots"},
                                                      {CurveStyle::line_and_dots, "line_and_dots"},
                                                      {CurveStyle::steps, "steps"}}};
constexpr std::array<Words<FigureKind>, 3> kinds = {
    {{FigureKind::curves, "curves"}, {FigureKind::map, "map"}, {FigureKind::shapes, "shapes"}}};

template <class List, class Word>
std::string word_of(const List& list, Word value) {
  for (const auto& [word, text] : list) {
    if (word == value) return std::string(text);
  }
  return std::string(list.front().second);
}

template <class List>
auto value_of(const List& list, const std::string& text) {
  for (const auto& [word, known] : list) {
    if (known == text) return word;
  }
  throw std::invalid_argument("a figure holds the unknown word \"" + text.substr(0, 60) + "\"");
}

ordered_json to_json(const Axis& axis) {
  return {{"label", axis.label}, {"unit", axis.unit}, {"log", axis.log}};
}

ordered_json to_json(const Curve& curve) {
  ordered_json json = {{"table", curve.table}, {"x", curve.x}, {"y", curve.y}};
  if (!curve.z.empty()) json["z"] = curve.z;
  if (!curve.label.empty()) json["label"] = curve.label;
  if (!curve.split.empty()) json["split"] = curve.split;
  for (const Condition& condition : curve.where) {
    json["where"].push_back({{"column", condition.column}, {"value", condition.value}});
  }
  if (!curve.stable.empty()) json["stable"] = curve.stable;
  if (!curve.more.empty()) json["more"] = curve.more;
  if (curve.period != 0.0) json["period"] = curve.period;
  json["style"] = word_of(styles, curve.style);
  return json;
}

ordered_json to_json(const Picking& picking) {
  return {{"key", picking.key},
          {"noun", picking.noun},
          {"same", picking.same},
          {"known", to_json(picking.known)},
          {"beside", to_json(picking.beside)},
          {"advice", picking.advice}};
}

Axis axis_from(const ordered_json& json, const char* key) {
  if (!json.contains(key)) return {};
  const ordered_json& axis = json[key];
  return {axis.value("label", ""), axis.value("unit", ""), axis.value("log", false)};
}

Curve curve_from(const ordered_json& json) {
  Curve curve;
  curve.table = json.value("table", "");
  curve.x = json.value("x", "");
  curve.y = json.value("y", "");
  curve.z = json.value("z", "");
  curve.label = json.value("label", "");
  curve.split = json.value("split", std::vector<std::string>());
  curve.stable = json.value("stable", "");
  curve.more = json.value("more", std::vector<std::string>());
  curve.period = json.value("period", 0.0);
  curve.style = value_of(styles, json.value("style", "line"));
  if (json.contains("where")) {
    for (const ordered_json& condition : json["where"]) {
      // JSON has no word for a number that is not one.
      const bool number = condition.contains("value") && condition["value"].is_number();
      curve.where.push_back({condition.value("column", ""),
                             number ? condition["value"].get<double>() : std::numeric_limits<double>::quiet_NaN()});
    }
  }
  return curve;
}

Picking picking_from(const ordered_json& json) {
  return {json.value("key", ""),     json.value("noun", ""),
          json.value("same", ""),    curve_from(json.value("known", ordered_json::object())),
          axis_from(json, "beside"), json.value("advice", "")};
}

}  // namespace

ordered_json to_json(const Figure& figure) {
  ordered_json json;
  json["name"] = figure.name;
  json["title"] = figure.title;
  json["kind"] = word_of(kinds, figure.kind);
  json["x"] = to_json(figure.x);
  json["y"] = to_json(figure.y);
  json["z"] = to_json(figure.z);
  json["curves"] = ordered_json::array();
  for (const Curve& curve : figure.curves) json["curves"].push_back(to_json(curve));
  json["marks"] = ordered_json::array();
  for (const Marks& marks : figure.marks) {
    json["marks"].push_back({{"points", to_json(marks.points)}, {"event", marks.event}});
  }
  if (!figure.picking.key.empty()) json["picking"] = to_json(figure.picking);
  json["caption"] = figure.caption;
  if (!figure.method.empty()) json["method"] = figure.method;
  return json;
}

Figure figure_from_json(const ordered_json& json) {
  try {
    Figure figure;
    figure.name = json.value("name", "");
    figure.title = json.value("title", "");
    figure.kind = value_of(kinds, json.value("kind", "curves"));
    figure.x = axis_from(json, "x");
    figure.y = axis_from(json, "y");
    figure.z = axis_from(json, "z");
    for (const ordered_json& curve : json.value("curves", ordered_json::array())) {
      figure.curves.push_back(curve_from(curve));
    }
    for (const ordered_json& marks : json.value("marks", ordered_json::array())) {
      figure.marks.push_back({curve_from(marks.value("points", ordered_json::object())), marks.value("event", "")});
    }
    if (json.contains("picking")) figure.picking = picking_from(json["picking"]);
    figure.caption = json.value("caption", "");
    figure.method = json.value("method", "");
    return figure;
  } catch (const ordered_json::exception& error) {
    throw std::invalid_argument(std::string("a figure cannot be read: ") + error.what());
  }
}

}  // namespace microslip
