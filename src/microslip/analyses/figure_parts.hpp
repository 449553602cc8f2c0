#pragma once
// What the figures and sentences of several kinds of analyses share.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/report/figure.hpp"
#include "microslip/results/results.hpp"
#include "microslip/system/system.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

/// Curves of one figure, and figures of one kind: more are not drawn, the caption says where they are.
inline constexpr std::size_t curves_in_a_figure = 6;
inline constexpr std::size_t figures_of_a_kind = 4;

[[nodiscard]] Curve curve_of(std::string table, std::string x, std::string y, std::string label = "");
[[nodiscard]] Figure figure_of(std::string name, std::string title, Axis x, Axis y, std::vector<Curve> curves,
                               std::string caption = "");

[[nodiscard]] Axis time_axis();
[[nodiscard]] Axis frequency_axis();                ///< frequency_hz
[[nodiscard]] Axis modal_amplitude_axis(bool log);  ///< sqrt(mass) length
[[nodiscard]] Axis damping_ratio_axis(bool log);

/// "q[3]".
[[nodiscard]] std::string column_of(std::string_view symbol, const std::string& name);
[[nodiscard]] std::vector<std::string> labels_of(const System& system, const std::vector<int>& dofs);
/// Of the components of these joints.
[[nodiscard]] std::vector<std::string> component_names(const System& system, const std::vector<int>& joints);
[[nodiscard]] std::vector<std::string> joint_names(const System& system);

/// symbol[name] of each name over x; the first few, the caption tells of the others.
[[nodiscard]] Figure each_over(std::string name, std::string title, const std::string& table, std::string x,
                               Axis x_axis, std::string_view symbol, Axis y_axis, const std::vector<std::string>& names,
                               std::string caption = "");

/// f over u of each component, a figure each: loop-1, loop-2, ...
[[nodiscard]] std::vector<Figure> loop_figures(const std::vector<std::string>& components, std::string_view caption);

/// Shapes on the geometry of the structure, a row each; none where nothing is known of it. `y` and `z`: see FigureKind.
[[nodiscard]] std::vector<Figure> shape_figures(const System& system, std::string title, std::string y, std::string z,
                                                std::vector<std::string> split, std::string caption);

/// Histories of what is recorded and their power spectral densities: displacement, deflection, force, psd-q, psd-f.
[[nodiscard]] std::vector<Figure> history_figures(const System& system, const Record& record, bool history, bool psd);

}  // namespace microslip
