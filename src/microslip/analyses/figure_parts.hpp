#pragma once
// What the figures and sentences of several kinds of analyses share.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/amplitude_span.hpp"
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

/// A number for people: engineering notation, four digits.
[[nodiscard]] std::string number(double value);
/// With its unit, in the user's labels; without where the study names none.
[[nodiscard]] std::string quantity(double value, std::string_view unit, const UnitLabels& units);
/// "12.3 Hz" where the unit of time is "s", else "12.3 per h".
[[nodiscard]] std::string frequency_text(double per_time, const UnitLabels& units);
/// "3 %", of a share.
[[nodiscard]] std::string percent(double share);
/// "1 point", "2 points".
[[nodiscard]] std::string count_of(long count, std::string_view what);

/// What to say of an analysis that gave nothing.
[[nodiscard]] std::string no_result(const AnalysisSummary& summary);

/// "Mode 2's frequency falls from 4.98 to 4.91 Hz between amplitudes of 0.01 and 2, its damping ratio rises from 1e-4
/// to 2e-3."
[[nodiscard]] std::string amplitude_words(const AmplitudeSpan& span, std::string_view amplitude_unit,
                                          const UnitLabels& units);
/// The sentences of the first few of a list of modes.
[[nodiscard]] std::string amplitude_words_of_all(std::span<const AmplitudeSpan> modes, std::string_view amplitude_unit,
                                                 const UnitLabels& units);
/// " 3 more modes are in the table.", of those behind the first few; else empty.
[[nodiscard]] std::string more_modes(std::size_t modes);
/// Modes of which sentences tell.
inline constexpr std::size_t modes_in_words = 4;

/// Numbers from 0 -> from 1.
[[nodiscard]] std::vector<int> numbers_from_one(std::vector<int> modes);
/// "mode 2", "modes 1, 3".
[[nodiscard]] std::string mode_list(const std::vector<int>& numbers);

}  // namespace microslip
