#include "microslip/analyses/modal_fit/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/analyses/write_table.hpp"
#include "microslip/measurement/modal_lines.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

using Index = Eigen::Index;

std::vector<Index> rows_up_to(Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) rows[static_cast<std::size_t>(i)] = i;
  return rows;
}

/// Largest MAC with another mode.
Eigen::VectorXd nearest_mac(const MeasuredModes& modes) {
  Eigen::MatrixXd mac = modal_assurance(modes.shapes, modes.shapes);
  mac.diagonal().setZero();
  if (mac.cols() == 0) return {};
  return mac.colwise().maxCoeff().transpose();
}

void add_mode(const MeasuredModes& modes, Table<Index>& table) {
  table.add({"mode", "-", "number, from 1, by frequency"},
            [&modes](Index m) { return static_cast<double>(modes.numbers[static_cast<std::size_t>(m)]); });
}

Table<Index> mode_table(const ModalFit& fit) {
  const MeasuredModes& modes = fit.modes;
  Table<Index> table;
  const auto column = [&table](Column about, const Eigen::VectorXd& values) {
    table.add(std::move(about), [values](Index m) { return values(m); });
  };
  add_mode(modes, table);
  column({"frequency_hz", "1/time", "undamped natural frequency, |pole|/(2 pi)"}, modes.frequency_hz);
  column({"frequency_hz_error", "1/time", "standard error: noise and spread"}, modes.frequency_error);
  column({"zeta", "-", "damping ratio, the window taken out"}, modes.zeta);
  column({"zeta_error", "-", "standard error: noise and spread"}, modes.zeta_error);
  column({"frequency_hz_noise", "1/time", "standard error of noise alone"}, fit.frequency_noise);
  column({"zeta_noise", "-", "standard error of noise alone"}, fit.zeta_noise);
  column({"frequency_hz_spread", "1/time", "between parts of the data, beyond their noise"}, fit.frequency_spread);
  column({"zeta_spread", "-", "between parts of the data, beyond their noise"}, fit.zeta_spread);
  column({"residual_over_noise", "-", "around the mode, of standard deviations"}, fit.noise_ratio.cwiseSqrt());
  column({"significance", "-", "chi^2 of its residues over what noise alone would give"}, fit.significance);
  column({"mpc", "-", "modal phase collinearity: 1 all components in phase or opposite"}, fit.collinearity);
  column({"mean_phase_deviation", "deg", "of the components from the line through them"}, fit.phase_deviation);
  column({"largest_mac", "-", "with another mode"}, nearest_mac(modes));
  column({"scale_error", "-", "relative standard error of the driving point's component; 0: scaled by the largest"},
         fit.scale_error);
  table.add({"stable_orders", "-", "orders at which the pole came; 0: not from orders"},
            [&fit](Index m) { return static_cast<double>(fit.stable_orders[static_cast<std::size_t>(m)]); });
  return table;
}

std::string shape_unit(const ModalFit& fit) {
  return fit.modes.unit_modal_mass ? "1/sqrt(mass)" : "-";
}

Table<Index> shape_table(const ModalFit& fit) {
  Table<Index> table;
  add_mode(fit.modes, table);
  table.add_each("phi", fit.modes.channels, shape_unit(fit), "displacement, real part",
                 [&fit](Index m, std::size_t c) { return fit.modes.shapes(static_cast<Index>(c), m).real(); });
  return table;
}

/// A row is a mode at a channel.
Table<Index> sensor_table(const ModalFit& fit) {
  const MeasuredModes& modes = fit.modes;
  const std::string unit = shape_unit(fit);
  const auto channels = static_cast<Index>(modes.channels.size());
  const auto value = [&modes, channels](Index row) { return modes.shapes(row % channels, row / channels); };
  Table<Index> table;
  table.add({"mode", "-", "number, from 1"}, [&modes, channels](Index row) {
    return static_cast<double>(modes.numbers[static_cast<std::size_t>(row / channels)]);
  });
  table.add({"channel", "-", "its place among the columns of the shapes, from 1"},
            [channels](Index row) { return static_cast<double>(row % channels + 1); });
  table.add({"phi", unit, "displacement, real part"}, [value](Index row) { return value(row).real(); });
  table.add({"phi_error", unit, "standard error of that: noise and spread"},
            [&modes, channels](Index row) { return modes.shape_error(row % channels, row / channels); });
  table.add({"phi_spread", unit, "between parts of the data, beyond their noise"},
            [&fit, channels](Index row) { return fit.shape_spread(row % channels, row / channels); });
  table.add({"phi_relative", "-", "phi over the largest magnitude of the mode"}, [&modes, channels, value](Index row) {
    return value(row).real() / modes.shapes.col(row / channels).cwiseAbs().maxCoeff();
  });
  table.add({"phi_im", unit, "imaginary part"}, [value](Index row) { return value(row).imag(); });
  table.add({"magnitude", unit, "of both"}, [value](Index row) { return std::abs(value(row)); });
  table.add({"phase", "deg", "of both"}, [value](Index row) { return std::arg(value(row)) * 180.0 / pi; });
  return table;
}

/// "12.y", or "12.y/24.y" where there are several references.
std::vector<std::string> function_names(const ModalLines& lines) {
  std::vector<std::string> names;
  for (Index f = 0; f < lines.functions(); ++f) {
    const std::string& channel = lines.channels[lines.channel_of(f)];
    names.push_back(lines.references.size() == 1
                        ? channel
                        : fmt::format("{}/{}", channel, lines.references[lines.reference_of(f)]));
  }
  return names;
}

/// The composite on a logarithmic scale between 0 and the highest order, to stand behind the stabilisation diagram.
Eigen::VectorXd on_orders(const Eigen::VectorXd& composite, int highest) {
  const double top = std::log(composite.maxCoeff());
  const double bottom = std::max(std::log(std::max(composite.minCoeff(), 1e-300)), top - 14.0);
  const auto scaled = (composite.array().max(1e-300).log() - bottom) / std::max(top - bottom, 1e-6);
  return scaled.max(0.0) * static_cast<double>(std::max(highest, 1));
}

Table<Index> response_table(const ModalFit& fit, const std::string& unit) {
  const ModalLines& lines = fit.lines;
  Table<Index> table;
  const auto column = [&table](Column about, const Eigen::VectorXd& values) {
    table.add(std::move(about), [values](Index k) { return values(k); });
  };
  column({"frequency_hz", "1/time", "of the line"}, lines.frequency);
  const Eigen::VectorXd measured = composite(lines.values);
  column({"composite", unit, "root mean square over all responses", Scale::logarithmic}, measured);
  column({"composite_fit", unit, "the same of the fit", Scale::logarithmic}, composite(fit.fitted));
  column({"composite_residual", unit, "the same of measured less fit", Scale::logarithmic},
         composite(lines.values - fit.fitted));
  column({"composite_noise", unit, "the same of noise", Scale::logarithmic},
         composite((std::sqrt(2.0) * lines.weight.cwiseInverse()).cast<std::complex<double>>()));
  column({"composite_on_orders", "-", "logarithm of the composite, from 0 to the highest order"},
         on_orders(measured, fit.highest_order));
  const std::vector<std::string> names = function_names(lines);
  const auto each = [&](std::string_view symbol, const std::string& what, const Eigen::MatrixXcd& values, bool real) {
    table.add_each(symbol, names, unit, what, [&values, real](Index k, std::size_t f) {
      const std::complex<double> value = values(k, static_cast<Index>(f));
      return real ? value.real() : value.imag();
    });
  };
  each("re", "measured, real part", lines.values, true);
  each("im", "measured, imaginary part", lines.values, false);
  each("re_fit", "fit, real part", fit.fitted, true);
  each("im_fit", "fit, imaginary part", fit.fitted, false);
  return table;
}

Table<StabilisedPole> stabilisation_table(const ModalFit& fit) {
  using Row = StabilisedPole;
  Table<Row> table;
  table.add({"order", "-", "of the polynomials"}, [](const Row& row) { return static_cast<double>(row.pole.order); });
  table.add({"frequency_hz", "1/time", "|pole|/(2 pi)"},
            [](const Row& row) { return std::abs(row.pole.pole) / two_pi; });
  table.add({"zeta", "-", "damping ratio, the window taken out"},
            [](const Row& row) { return -row.pole.pole.real() / std::abs(row.pole.pole); });
  table.add({"stability", "-", "beside the order below: 0 new, 1 frequency, 2 and damping, 3 and shape are the same"},
            [](const Row& row) { return static_cast<double>(row.kind); });
  table.add({"mode", "-", "that was chosen from it; 0: none"}, [&fit](const Row& row) {
    return row.cluster < 0 ? 0.0 : static_cast<double>(fit.mode_of_cluster[static_cast<std::size_t>(row.cluster)]);
  });
  return table;
}

struct MacRow {
  int mode = 0, with = 0;
  double mac = 0.0;
};

std::vector<MacRow> mac_rows(const MeasuredModes& modes) {
  const Eigen::MatrixXd mac = modal_assurance(modes.shapes, modes.shapes);
  std::vector<MacRow> rows;
  for (Index i = 0; i < mac.rows(); ++i) {
    for (Index j = 0; j < mac.cols(); ++j) {
      rows.push_back(
          {modes.numbers[static_cast<std::size_t>(i)], modes.numbers[static_cast<std::size_t>(j)], mac(i, j)});
    }
  }
  return rows;
}

Table<MacRow> mac_table() {
  Table<MacRow> table;
  table.add({"mode", "-", "number"}, [](const MacRow& row) { return static_cast<double>(row.mode); });
  table.add({"with_mode", "-", "number"}, [](const MacRow& row) { return static_cast<double>(row.with); });
  table.add({"mac", "-", "|a^H b|^2/(a^H a b^H b)"}, [](const MacRow& row) { return row.mac; });
  return table;
}

/// A line near a mode, in the response where the mode is strongest.
struct NyquistRow {
  Index mode = 0, line = 0, function = 0;
};

std::vector<NyquistRow> nyquist_rows(const ModalFit& fit) {
  const ModalLines& lines = fit.lines;
  std::vector<NyquistRow> rows;
  for (Index m = 0; m < fit.fit.poles.size(); ++m) {
    const ModalCircle& circle = fit.circles[static_cast<std::size_t>(m)];
    const double middle = fit.fit.poles(m).imag() / two_pi;
    for (Index k = 0; k < lines.lines(); ++k) {
      if (std::abs(lines.frequency(k) - middle) <= circle.reach) rows.push_back({m, k, circle.function});
    }
  }
  return rows;
}

Table<NyquistRow> nyquist_table(const ModalFit& fit, const std::string& unit) {
  using Row = NyquistRow;
  const auto of = [](const Eigen::MatrixXcd& values, bool real) {
    return [&values, real](const Row& row) {
      const std::complex<double> value = values(row.line, row.function);
      return real ? value.real() : value.imag();
    };
  };
  Table<Row> table;
  table.add({"mode", "-", "number"}, [](const Row& row) { return static_cast<double>(row.mode + 1); });
  table.add({"channel", "-", "place of the response where the mode is strongest, from 1"},
            [&fit](const Row& row) { return static_cast<double>(fit.lines.channel_of(row.function) + 1); });
  table.add({"frequency_hz", "1/time", "of the line"},
            [&fit](const Row& row) { return fit.lines.frequency(row.line); });
  table.add({"re", unit, "measured"}, of(fit.lines.values, true));
  table.add({"im", unit, "measured"}, of(fit.lines.values, false));
  table.add({"re_fit", unit, "fit"}, of(fit.fitted, true));
  table.add({"im_fit", unit, "fit"}, of(fit.fitted, false));
  return table;
}

/// A point of the fitted circle of a mode.
struct CircleRow {
  Index mode = 0, point = 0;
};

std::vector<CircleRow> circle_rows(const ModalFit& fit) {
  std::vector<CircleRow> rows;
  for (std::size_t m = 0; m < fit.circles.size(); ++m) {
    for (Index k = 0; k < fit.circles[m].frequency.size(); ++k) rows.push_back({static_cast<Index>(m), k});
  }
  return rows;
}

Table<CircleRow> circle_table(const ModalFit& fit, const std::string& unit) {
  using Row = CircleRow;
  const auto circle = [&fit](const Row& row) -> const ModalCircle& {
    return fit.circles[static_cast<std::size_t>(row.mode)];
  };
  Table<Row> table;
  table.add({"mode", "-", "number"}, [](const Row& row) { return static_cast<double>(row.mode + 1); });
  table.add(
      {"channel", "-", "place of the response where the mode is strongest, from 1"},
      [&fit, circle](const Row& row) { return static_cast<double>(fit.lines.channel_of(circle(row).function) + 1); });
  table.add({"frequency_hz", "1/time", "between the lines"},
            [circle](const Row& row) { return circle(row).frequency(row.point); });
  table.add({"re", unit, "fit"}, [circle](const Row& row) { return circle(row).values(row.point).real(); });
  table.add({"im", unit, "fit"}, [circle](const Row& row) { return circle(row).values(row.point).imag(); });
  return table;
}

/// A mode in a part of the data.
struct PartRow {
  const ModalPart* part;
  std::size_t number = 0;
  Index mode = 0;
};

Table<PartRow> part_table() {
  using Row = PartRow;
  const auto of = [](Eigen::VectorXd ModalPart::*which) {
    return [which](const Row& row) { return (row.part->*which)(row.mode); };
  };
  Table<Row> table;
  table.add({"part", "-", "of the data, from 1"}, [](const Row& row) { return static_cast<double>(row.number + 1); });
  table.add({"force_amplitude", "force", "largest force of its hits; 0: not known"},
            [](const Row& row) { return row.part->force_amplitude; });
  table.add({"mode", "-", "number"}, [](const Row& row) { return static_cast<double>(row.mode + 1); });
  table.add({"frequency_hz", "1/time", "in this part"}, of(&ModalPart::frequency_hz));
  table.add({"frequency_hz_error", "1/time", "standard error of noise alone"}, of(&ModalPart::frequency_error));
  table.add({"zeta", "-", "in this part"}, of(&ModalPart::zeta));
  table.add({"zeta_error", "-", "standard error of noise alone"}, of(&ModalPart::zeta_error));
  return table;
}

std::vector<PartRow> part_rows(const ModalFit& fit) {
  std::vector<PartRow> rows;
  for (std::size_t p = 0; p < fit.parts.size(); ++p) {
    for (Index m = 0; m < fit.fit.poles.size(); ++m) rows.push_back({&fit.parts[p], p, m});
  }
  return rows;
}

}  // namespace

void write_modal_tables(const ModalFitAnalysis& analysis, const ModalFit& fit, Results& results,
                        AnalysisSummary& summary) {
  const std::string unit = analysis.response_unit();
  const Index modes = fit.fit.poles.size();
  const auto write = [&](const std::string& part, auto table, const auto& rows) {
    write_table(analysis.name, part, std::move(table), rows, results, summary);
  };
  write("", mode_table(fit), rows_up_to(modes));
  write("shapes", shape_table(fit), rows_up_to(modes));
  write("sensors", sensor_table(fit), rows_up_to(modes * static_cast<Index>(fit.modes.channels.size())));
  write("frf", response_table(fit, unit), rows_up_to(fit.lines.lines()));
  write("stabilisation", stabilisation_table(fit), fit.diagram.poles);
  write("mac", mac_table(), mac_rows(fit.modes));
  write("nyquist", nyquist_table(fit, unit), nyquist_rows(fit));
  write("circles", circle_table(fit, unit), circle_rows(fit));
  write("parts", part_table(), part_rows(fit));
}

}  // namespace microslip
