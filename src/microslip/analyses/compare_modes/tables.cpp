#include "microslip/analyses/compare_modes/tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "microslip/analyses/write_table.hpp"
#include "microslip/input/degrees_of_freedom.hpp"

namespace microslip {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What a row is taken from, by index: a measured mode and a mode of the model; and a channel.
struct Pairing {
  int measured = 0, model = 0, channel = 0;
};

struct Lookup {
  const ModeComparison& in;
  Eigen::VectorXd model_zeta;

  [[nodiscard]] int partner(int i) const { return in.pairs.partner[static_cast<std::size_t>(i)]; }
  [[nodiscard]] double measured_number(int i) const { return in.measured.numbers[static_cast<std::size_t>(i)]; }
  [[nodiscard]] double model_number(int j) const { return j < 0 ? 0.0 : in.model[static_cast<std::size_t>(j)] + 1.0; }
  /// Of a pair; nothing else is told.
  [[nodiscard]] double orthogonality(int i) const {
    const auto at = std::find(in.paired.begin(), in.paired.end(), partner(i));
    if (at == in.paired.end() || in.orthogonality.size() == 0) return unknown;
    return in.orthogonality(i, at - in.paired.begin());
  }
  [[nodiscard]] double difference(int i) const {
    const int j = partner(i);
    return j < 0 ? unknown : in.model_frequency(j) / in.measured.frequency_hz(i) - 1.0;
  }
};

Table<int> pair_table(const Lookup& all) {
  const auto of_vector = [](const Eigen::VectorXd& values) {
    return [&values](int i) { return values.size() == 0 ? unknown : values(i); };
  };
  const MeasuredModes& measured = all.in.measured;
  Table<int> table;
  table.add({"measured", "-", "number of the measured mode"}, [&](int i) { return all.measured_number(i); });
  table.add({"model", "-", "number of the stuck mode that is its partner, from 1; 0: none"},
            [&](int i) { return all.model_number(all.partner(i)); });
  table.add({"frequency_hz", "1/time", "measured"}, of_vector(measured.frequency_hz));
  table.add({"frequency_hz_error", "1/time", "its standard error; nan: not known"},
            of_vector(measured.frequency_error));
  table.add({"frequency_hz_model", "1/time", "of the partner"},
            [&](int i) { return all.partner(i) < 0 ? unknown : all.in.model_frequency(all.partner(i)); });
  table.add({"difference", "-", "frequency of the model over the measured one, less 1"},
            [&](int i) { return all.difference(i); });
  table.add({"difference_in_errors", "-", "the same in standard errors of the measured frequency"}, [&](int i) {
    if (measured.frequency_error.size() == 0) return unknown;
    return all.difference(i) * measured.frequency_hz(i) / measured.frequency_error(i);
  });
  table.add({"zeta", "-", "measured"}, of_vector(measured.zeta));
  table.add({"zeta_model", "-", "of the stuck mode, without the joints"}, [&](int i) {
    return all.partner(i) < 0 ? unknown : all.model_zeta(all.in.model[static_cast<std::size_t>(all.partner(i))]);
  });
  table.add({"mac", "-", "modal assurance criterion of the pair; without a partner the largest there is"}, [&](int i) {
    return all.partner(i) < 0 ? all.in.pairs.mac.row(i).maxCoeff() : all.in.pairs.mac(i, all.partner(i));
  });
  table.add({"cross_orthogonality", "-", "of the pair, by the mass at the points; the sign is that of scale"},
            [&](int i) { return all.orthogonality(i); });
  table.add({"scale", "-", "measured shape = scale times mass-normalised shape of the model, in the mean"},
            [&](int i) { return all.partner(i) < 0 ? unknown : all.in.pairs.scale(i); });
  return table;
}

/// A value for every measured mode and every one of some modes of the model.
template <class Value>
Table<Pairing> matrix_table(const Lookup& all, Column column, Value value) {
  Table<Pairing> table;
  table.add({"measured", "-", "number of the measured mode"},
            [&](const Pairing& row) { return all.measured_number(row.measured); });
  table.add({"model", "-", "number of the stuck mode, from 1"},
            [&](const Pairing& row) { return all.model_number(row.model); });
  table.add(std::move(column), value);
  return table;
}

Table<Pairing> point_table(const Lookup& all) {
  Table<Pairing> table;
  table.add({"measured", "-", "number of the measured mode"},
            [&](const Pairing& row) { return all.measured_number(row.measured); });
  table.add({"channel", "-", "number of the channel, from 1, in the order of the measured shapes"},
            [](const Pairing& row) { return row.channel + 1.0; });
  table.add({"phi_measured", "1/sqrt(mass)", "measured shape over its scale"}, [&](const Pairing& row) {
    return all.in.pairs.real_shape(row.channel, row.measured) / all.in.pairs.scale(row.measured);
  });
  table.add({"phi_error", "1/sqrt(mass)", "its standard error; nan: not known"}, [&](const Pairing& row) {
    const Eigen::MatrixXd& error = all.in.measured.shape_error;
    return error.size() == 0 ? unknown : error(row.channel, row.measured) / std::abs(all.in.pairs.scale(row.measured));
  });
  table.add({"phi_model", "1/sqrt(mass)", "shape of the partner, mass-normalised"},
            [&](const Pairing& row) { return all.in.model_shapes(row.channel, all.partner(row.measured)); });
  return table;
}

/// A row is a pair: the model's shape everywhere, the measured one where it is known.
Table<int> pair_shape_table(const Lookup& all, const System& system, const std::vector<int>& dofs) {
  std::vector<std::string> labels;
  for (const int dof : dofs) labels.push_back(system.structure().labels()[static_cast<std::size_t>(dof)]);
  Table<int> table;
  table.add({"measured", "-", "number of the measured mode"}, [&](int i) { return all.measured_number(i); });
  table.add({"model", "-", "number of its partner"}, [&](int i) { return all.model_number(all.partner(i)); });
  table.add_each("phi", labels, "1/sqrt(mass)", "shape of the model, mass-normalised",
                 [&all, &system, dofs](int i, std::size_t at) {
                   const int mode = all.in.model[static_cast<std::size_t>(all.partner(i))];
                   return system.stuck_modes().shapes(dofs[at], mode);
                 });
  table.add_each("measured", all.in.measured.channels, "1/sqrt(mass)", "measured shape over its scale",
                 [&](int i, std::size_t at) {
                   return all.in.pairs.real_shape(static_cast<Eigen::Index>(at), i) / all.in.pairs.scale(i);
                 });
  return table;
}

Table<int> model_table(const Lookup& all) {
  const double largest = all.in.model_shapes.colwise().norm().maxCoeff();
  Table<int> table;
  table.add({"model", "-", "number of the stuck mode, from 1"}, [&](int j) { return all.model_number(j); });
  table.add({"frequency_hz", "1/time", "with every joint stuck"}, [&](int j) { return all.in.model_frequency(j); });
  table.add({"measured", "-", "number of its partner; 0: none"}, [&](int j) {
    const auto& partners = all.in.pairs.partner;
    const auto at = std::find(partners.begin(), partners.end(), j);
    return at == partners.end() ? 0.0 : all.measured_number(static_cast<int>(at - partners.begin()));
  });
  table.add({"visibility", "-", "length of its mass-normalised shape at the points over the largest of these modes"},
            [&, largest](int j) { return largest > 0.0 ? all.in.model_shapes.col(j).norm() / largest : 0.0; });
  return table;
}

std::vector<int> numbers_below(std::size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<Pairing> all_pairings(std::size_t measured, const std::vector<int>& model) {
  std::vector<Pairing> rows;
  for (const int i : numbers_below(measured)) {
    for (const int j : model) rows.push_back({i, j, 0});
  }
  return rows;
}

}  // namespace

void write_comparison(const std::string& analysis, const ModeComparison& comparison, const System& system,
                      Results& results, AnalysisSummary& summary) {
  const Lookup all{comparison, system.damping_ratios()};
  const std::size_t measured = comparison.measured.numbers.size();
  const auto write = [&](const char* part, auto table, const auto& rows) {
    write_table(analysis, part, std::move(table), rows, results, summary);
  };
  std::vector<int> with_partner;
  std::vector<Pairing> points;
  for (const int i : numbers_below(measured)) {
    if (all.partner(i) < 0) continue;
    with_partner.push_back(i);
    for (const int c : numbers_below(comparison.points.size())) points.push_back({i, all.partner(i), c});
  }
  const Eigen::MatrixXd& orthogonality = comparison.orthogonality;
  const auto orthogonality_of = [&](const Pairing& row) {
    const auto at = std::find(comparison.paired.begin(), comparison.paired.end(), row.model);
    return orthogonality.size() == 0 ? unknown : orthogonality(row.measured, at - comparison.paired.begin());
  };
  write("", pair_table(all), numbers_below(measured));
  write(mac_part,
        matrix_table(all, {"mac", "-", "modal assurance criterion"},
                     [&](const Pairing& row) { return comparison.pairs.mac(row.measured, row.model); }),
        all_pairings(measured, numbers_below(comparison.model.size())));
  write(orthogonality_part,
        matrix_table(all, {"cross_orthogonality", "-", "of the shapes by the mass at the points, each of unit mass"},
                     orthogonality_of),
        all_pairings(measured, comparison.paired));
  write(points_part, point_table(all), points);
  write(pair_shapes_part, pair_shape_table(all, system, shape_dofs(system)), with_partner);
  write(model_part, model_table(all), numbers_below(comparison.model.size()));
}

}  // namespace microslip
