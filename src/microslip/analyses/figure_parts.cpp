#include "microslip/analyses/figure_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace microslip {
namespace {

std::string in_the_table(std::size_t left_out, std::string_view of) {
  return fmt::format("{} more {} in the table.", left_out, of);
}

}  // namespace

Curve curve_of(std::string table, std::string x, std::string y, std::string label) {
  Curve curve;
  curve.table = std::move(table);
  curve.x = std::move(x);
  curve.y = std::move(y);
  curve.label = std::move(label);
  return curve;
}

Figure figure_of(std::string name, std::string title, Axis x, Axis y, std::vector<Curve> curves, std::string caption) {
  Figure figure;
  figure.name = std::move(name);
  figure.title = std::move(title);
  figure.x = std::move(x);
  figure.y = std::move(y);
  figure.curves = std::move(curves);
  figure.caption = std::move(caption);
  return figure;
}

Axis time_axis() {
  return {"time", "time", false};
}
Axis frequency_axis() {
  return {"frequency", "1/time", false};
}
Axis modal_amplitude_axis(bool log) {
  return {"modal amplitude", "sqrt(mass) length", log};
}
Axis damping_ratio_axis(bool log) {
  return {"damping ratio", "-", log};
}

std::string column_of(std::string_view symbol, const std::string& name) {
  return fmt::format("{}[{}]", symbol, name);
}

std::vector<std::string> labels_of(const System& system, const std::vector<int>& dofs) {
  std::vector<std::string> labels;
  for (const int dof : dofs) labels.push_back(system.structure().labels()[static_cast<std::size_t>(dof)]);
  return labels;
}

std::vector<std::string> component_names(const System& system, const std::vector<int>& joints) {
  std::vector<std::string> names;
  for (const int joint : joints) {
    for (int c = system.offset(joint); c < system.offset(joint + 1); ++c) names.push_back(system.component_name(c));
  }
  return names;
}

std::vector<std::string> joint_names(const System& system) {
  std::vector<std::string> names;
  for (const Joint& joint : system.joints()) names.push_back(joint.name);
  return names;
}

Figure each_over(std::string name, std::string title, const std::string& table, std::string x, Axis x_axis,
                 std::string_view symbol, Axis y_axis, const std::vector<std::string>& names, std::string caption) {
  Figure figure = figure_of(std::move(name), std::move(title), std::move(x_axis), std::move(y_axis), {}, "");
  for (std::size_t i = 0; i < names.size() && i < curves_in_a_figure; ++i) {
    figure.curves.push_back(curve_of(table, x, column_of(symbol, names[i]), names[i]));
  }
  figure.caption = std::move(caption);
  if (names.size() > curves_in_a_figure) {
    if (!figure.caption.empty()) figure.caption += " ";
    figure.caption += in_the_table(names.size() - curves_in_a_figure, "curves are");
  }
  return figure;
}

std::vector<Figure> loop_figures(const std::vector<std::string>& components, std::string_view caption) {
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < components.size() && i < figures_of_a_kind; ++i) {
    const std::string& name = components[i];
    figures.push_back(figure_of(fmt::format("loop-{}", i + 1), fmt::format("Force over deflection of joint {}", name),
                                {"deflection", "length", false}, {"force", "force", false},
                                {curve_of("", column_of("u", name), column_of("f", name), name)},
                                std::string(caption)));
  }
  if (components.size() > figures_of_a_kind) {
    figures.back().caption += fmt::format("{}{}", caption.empty() ? "" : " ",
                                          in_the_table(components.size() - figures_of_a_kind, "joints are"));
  }
  return figures;
}

std::vector<Figure> shape_figures(const System& system, std::string title, std::string y, std::string z,
                                  std::vector<std::string> split, std::string caption) {
  if (system.structure().geometry().empty()) return {};
  Curve curve = curve_of("shapes", "", std::move(y));
  curve.z = std::move(z);
  curve.split = std::move(split);
  Figure figure =
      figure_of("shapes", std::move(title), {}, {"shape", "1/sqrt(mass)", false}, {curve}, std::move(caption));
  figure.kind = FigureKind::shapes;
  return {figure};
}

std::vector<Figure> history_figures(const System& system, const Record& record, bool history, bool psd) {
  const std::vector<std::string> dofs = labels_of(system, record.dofs);
  const std::vector<std::string> components = component_names(system, record.joints);
  std::vector<Figure> figures;
  if (history && !dofs.empty()) {
    figures.push_back(each_over("displacement", "Displacement over time", "", "time", time_axis(), "q",
                                {"displacement", "length", false}, dofs));
  }
  if (history && !components.empty()) {
    figures.push_back(each_over("deflection", "Deflection of the joints over time", "", "time", time_axis(), "u",
                                {"deflection", "length", false}, components));
    figures.push_back(each_over("force", "Force of the joints over time", "", "time", time_axis(), "f",
                                {"force", "force", false}, components));
  }
  if (psd && !dofs.empty()) {
    figures.push_back(each_over("psd-q", "Power spectral density of the displacement", "psd", "frequency_hz",
                                frequency_axis(), "psd_q", {"density", "(length)^2*time", true}, dofs,
                                "One-sided; mean of overlapping segments with a Hann window."));
  }
  if (psd && !components.empty()) {
    figures.push_back(each_over("psd-f", "Power spectral density of the joint forces", "psd", "frequency_hz",
                                frequency_axis(), "psd_f", {"density", "(force)^2*time", true}, components));
  }
  return figures;
}

}  // namespace microslip
