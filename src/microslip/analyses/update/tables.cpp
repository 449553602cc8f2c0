#include "microslip/analyses/update/tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "microslip/analyses/write_table.hpp"
#include "microslip/inference/prior.hpp"

namespace microslip {
namespace {

using Index = Eigen::Index;
constexpr double no_such_number = std::numeric_limits<double>::quiet_NaN();

/// A row a parameter.
Table<std::size_t> found_table(const UpdateProblem& problem, const LeastSquares& fit) {
  const Eigen::VectorXd values = problem.values_of(fit.x);
  const auto shown = [&problem](std::size_t p) -> const UpdateParameter& { return problem.update_parameters()[p]; };
  const Information& known = fit.information;
  Table<std::size_t> table;
  table.add({"parameter", "-", "number, from 1: " + numbered_parameters(problem)}, [](std::size_t p) { return p + 1; });
  table.add({"value", "", "most likely"}, [values](std::size_t p) { return values(static_cast<Index>(p)); });
  table.add({"error", "", "standard error; inf: neither the test nor the prior holds it, nan: at an end of its range"},
            [values, &known, shown](std::size_t p) {
              const double error = known.errors(static_cast<Index>(p));
              return shown(p).logarithmic ? error * values(static_cast<Index>(p)) : error;
            });
  table.add({"start", "", "as it began"}, [shown](std::size_t p) { return shown(p).start; });
  table.add({"low", "", "end of the range"}, [shown](std::size_t p) { return shown(p).low; });
  table.add({"high", "", "end of the range"}, [shown](std::size_t p) { return shown(p).high; });
  table.add({"at_end", "-", "-1: at the lower end, 1: at the upper end, 0: between"},
            [&known](std::size_t p) { return known.at_end[p]; });
  table.add({"determined", "-", "1: the error is less than half the standard deviation of the prior"},
            [&known](std::size_t p) { return known.determined[p] ? 1.0 : 0.0; });
  return table;
}

/// A row of the problem beside the model.
struct MetRow {
  std::size_t row, group;
};

std::vector<MetRow> met_rows(const UpdateProblem& problem) {
  std::vector<MetRow> rows;
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const auto& group = problem.groups()[g];
    for (std::size_t i = 0; i < group.count; ++i) rows.push_back({group.first + i, g});
  }
  return rows;
}

Table<MetRow> met_table(const UpdateProblem& problem, const LeastSquares& fit) {
  const auto info = [&problem](const MetRow& row) -> const UpdateRow& { return problem.update_rows()[row.row]; };
  const auto model = [&fit](const MetRow& row) {
    return fit.values(static_cast<Index>(row.row)) + fit.offsets[row.group];
  };
  Table<MetRow> table;
  table.add({"group", "-", "number, from 1: " + numbered_groups_of(problem)},
            [](const MetRow& row) { return row.group + 1; });
  table.add({"target", "-", "number, from 1: curves first, then modes, then loops"},
            [info](const MetRow& row) { return info(row).target + 1; });
  table.add({"q", "sqrt(mass) length", "amplitude, of a curve; 0 of others", Scale::logarithmic},
            [&problem](const MetRow& row) { return amplitude_of(problem, row.row); });
  table.add({"mode", "-", "number of the measured mode; 0 of others"}, [&problem, info](const MetRow& row) {
    const auto target = static_cast<std::size_t>(info(row).target), curves = problem.curves().size();
    if (target < curves || target >= curves + problem.mode_targets().size()) return 0.0;
    return static_cast<double>(
        problem.mode_targets()[target - curves].numbers[static_cast<std::size_t>(info(row).index)]);
  });
  table.add({"component", "-", "number of the sensor, of shapes"},
            [info](const MetRow& row) { return info(row).component + 1; });
  table.add({"measured", "", "omega, zeta, frequency in cycles, component of a shape, 1 - MAC (0), or force of a loop"},
            [&problem](const MetRow& row) { return problem.rows()[row.row].measured; });
  table.add({"error", "", "its standard error"},
            [&problem](const MetRow& row) { return problem.rows()[row.row].error; });
  table.add({"model", "", "of the model, with the offset where only shifts count; nan: it does not reach it"}, model);
  table.add({"residual", "-", "model less measured, over the standard deviation of error and discrepancy"},
            [&problem, &fit, model](const MetRow& row) {
              const auto& each = problem.rows()[row.row];
              return (model(row) - each.measured) / std::hypot(each.error, fit.discrepancy[row.group] * each.scale);
            });
  return table;
}

/// Root mean square over a group of what a standard deviation of the prior moves its rows by, in their errors.
Table<std::size_t> sensitivity_table(const UpdateProblem& problem, const LeastSquares& fit) {
  const Eigen::MatrixXd jacobian = problem.evaluate(fit.x, true).jacobian;
  Table<std::size_t> table;
  table.add({"group", "-", "number, from 1: " + numbered_groups_of(problem)}, [](std::size_t g) { return g + 1; });
  table.add_each("s", parameter_names_of(problem), "-",
                 "root mean square over the rows of what one standard deviation of the prior moves them by, over their "
                 "standard deviations",
                 [&problem, &fit, jacobian](std::size_t g, std::size_t p) {
                   const auto& group = problem.groups()[g];
                   double sum = 0.0;
                   for (std::size_t i = group.first; i < group.first + group.count; ++i) {
                     const auto& row = problem.rows()[i];
                     const double deviation = std::hypot(row.error, fit.discrepancy[g] * row.scale);
                     const double slope = jacobian(static_cast<Index>(i), static_cast<Index>(p)) / deviation;
                     sum += slope * slope;
                   }
                   return std::sqrt(sum / static_cast<double>(group.count)) * prior_deviation(problem.parameters()[p]);
                 });
  return table;
}

Table<std::size_t> error_correlations(const UpdateProblem& problem, const LeastSquares& fit) {
  const Eigen::MatrixXd& covariance = fit.information.covariance;
  Table<std::size_t> table;
  table.add({"parameter", "-", "number, from 1: " + numbered_parameters(problem)}, [](std::size_t p) { return p + 1; });
  table.add_each("r", parameter_names_of(problem), "-",
                 "correlation of the errors; nan of a parameter at an end of its range",
                 [covariance](std::size_t p, std::size_t other) {
                   const auto i = static_cast<Index>(p), k = static_cast<Index>(other);
                   const double size = std::sqrt(covariance(i, i) * covariance(k, k));
                   return size > 0.0 ? covariance(i, k) / size : no_such_number;
                 });
  return table;
}

Table<std::size_t> start_table(const UpdateProblem& problem, const LeastSquares& fit) {
  Table<std::size_t> table;
  table.add({"start", "-", "number, from 1"}, [](std::size_t i) { return i + 1; });
  table.add({"square", "-", "sum of the squares where it ended, with the usual discrepancies", Scale::logarithmic},
            [&fit](std::size_t i) { return fit.starts[i].square; });
  table.add({"converged", "-", "1: it came to rest"}, [&fit](std::size_t i) { return fit.starts[i].converged; });
  table.add({"evaluations", "-", "of the model"}, [&fit](std::size_t i) { return fit.starts[i].evaluations; });
  table.add_each("p", parameter_names_of(problem), "", "where it ended",
                 [&problem, &fit](std::size_t i, std::size_t p) {
                   const Eigen::VectorXd& x = fit.starts[i].x;
                   return x.size() == 0 ? no_such_number : problem.values_of(x)(static_cast<Index>(p));
                 });
  return table;
}

Table<UpdateCurveRow> curve_table() {
  Table<UpdateCurveRow> table;
  table.add({"target", "-", "number, from 1"}, [](const UpdateCurveRow& row) { return row.target + 1; });
  table.add({"mode", "-", "of the updated model, number from 1"}, &UpdateCurveRow::mode);
  table.add({"q", "sqrt(mass) length", "modal displacement", Scale::logarithmic}, &UpdateCurveRow::q);
  table.add({"omega", "rad/time", "frequency, with the offset where only shifts count"}, &UpdateCurveRow::omega);
  table.add({"omega_error", "rad/time", "standard error that those of the parameters make"},
            &UpdateCurveRow::omega_error);
  table.add({"zeta", "-", "damping ratio", Scale::logarithmic}, &UpdateCurveRow::zeta);
  table.add({"zeta_error", "-", "standard error that those of the parameters make"}, &UpdateCurveRow::zeta_error);
  return table;
}

/// Number of the group of a curve's frequencies or damping; none: they are not compared.
std::size_t group_of_curve(const UpdateProblem& problem, std::size_t curve, UpdateRow::Quantity quantity) {
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const UpdateRow& row = problem.update_rows()[problem.groups()[g].first];
    if (row.target == static_cast<int>(curve) && row.quantity == quantity) return g;
  }
  return problem.groups().size();
}

/// An amplitude of a test's curve.
struct TestPoint {
  std::size_t target, index;
};

/// Of its frequency or damping; NaN where that is not compared.
template <class Value>
double of_test_point(const UpdateProblem& problem, const TestPoint& point, UpdateRow::Quantity quantity,
                     const Value& value) {
  const std::size_t group = group_of_curve(problem, point.target, quantity);
  return group < problem.groups().size() ? value(problem.groups()[group].first + point.index) : no_such_number;
}

void add_test_columns(const UpdateProblem& problem, const UpdateBands& bands, UpdateRow::Quantity quantity,
                      const std::string& name, const std::string& unit, Scale scale, Table<TestPoint>& table) {
  const auto add = [&](const std::string& end, const std::string& meaning, auto value) {
    table.add({name + end, unit, meaning, scale}, [&problem, quantity, value](const TestPoint& point) {
      return of_test_point(problem, point, quantity, value);
    });
  };
  add("", "measured", [&problem](std::size_t row) { return problem.rows()[row].measured; });
  add("_error", "its standard error", [&problem](std::size_t row) { return problem.rows()[row].error; });
  if (bands.model == nullptr) return;
  const auto of = [](const Eigen::VectorXd& values) {
    return [&values](std::size_t row) { return values(static_cast<Index>(row)); };
  };
  add("_median", "of the model, half of the draws lie below", of(bands.model->median));
  add("_low", "of a new measurement, 2.5 % lie below", of(bands.measured->low));
  add("_high", "of a new measurement, 97.5 % lie below", of(bands.measured->high));
}

}  // namespace

std::string numbered_parameters(const UpdateProblem& problem) {
  std::string text;
  for (std::size_t p = 0; p < problem.parameters().size(); ++p) {
    text += fmt::format("{}{} {}", p > 0 ? "; " : "", p + 1, problem.parameters()[p].name);
  }
  return text;
}

std::string numbered_groups_of(const UpdateProblem& problem) {
  std::string text;
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    text += fmt::format("{}{} {}", g > 0 ? "; " : "", g + 1, problem.groups()[g].name);
  }
  return text;
}

std::vector<std::string> parameter_names_of(const UpdateProblem& problem) {
  std::vector<std::string> names;
  for (const auto& parameter : problem.parameters()) names.push_back(parameter.name);
  return names;
}

std::vector<std::size_t> counted_up(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

double amplitude_of(const UpdateProblem& problem, std::size_t row) {
  const UpdateRow& info = problem.update_rows()[row];
  const auto target = static_cast<std::size_t>(info.target);
  if (target >= problem.curves().size()) return 0.0;
  return problem.curves()[target].q[static_cast<std::size_t>(info.index)];
}

void write_loops(const std::string& analysis, const UpdateProblem& problem, const Eigen::VectorXd& model,
                 Results& results, AnalysisSummary& summary) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < problem.rows().size(); ++i) {
    if (problem.update_rows()[i].quantity == UpdateRow::Quantity::force) rows.push_back(i);
  }
  if (rows.empty()) return;
  const std::size_t others = problem.curves().size() + problem.mode_targets().size();
  const auto loop = [&problem, others](std::size_t row) {
    return static_cast<std::size_t>(problem.update_rows()[row].target) - others;
  };
  Table<std::size_t> table;
  table.add({"loop", "-", "number, from 1"}, [loop](std::size_t row) { return loop(row) + 1; });
  table.add({"u", "length", "deflection of the joint, as measured"}, [&problem, loop](std::size_t row) {
    return problem.loops()[loop(row)].u[static_cast<std::size_t>(problem.update_rows()[row].index)];
  });
  table.add({"f", "force", "measured"}, [&problem](std::size_t row) { return problem.rows()[row].measured; });
  table.add({"f_error", "force", "its standard error"},
            [&problem](std::size_t row) { return problem.rows()[row].error; });
  table.add({"f_model", "force", "of the model, to the constant that fits best where the cycle has settled"},
            [&model](std::size_t row) { return model(static_cast<Index>(row)); });
  write_table(analysis, update_loops_part, std::move(table), rows, results, summary);
}

std::vector<UpdateCurveRow> update_curve_rows(const UpdateProblem& problem, const LeastSquares& fit) {
  std::vector<UpdateCurveRow> rows;
  const Eigen::VectorXd values = problem.values_of(fit.x);
  const Eigen::MatrixXd jacobian = problem.evaluate(fit.x, true).jacobian;
  const Index parameters = values.size();
  for (std::size_t c = 0; c < problem.curves().size(); ++c) {
    const UpdateProblem::NodeCurve curve = problem.curve_at(fit.x, c, true);
    const CurveTarget& target = problem.curves()[c];
    const int omega = target.secant ? omega_column : omega_ringdown_column;
    const int zeta = target.secant ? zeta_secant_column : zeta_column;
    const std::size_t group = group_of_curve(problem, c, UpdateRow::Quantity::omega);
    const bool with_offset = group < problem.groups().size() && target.shift;
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(parameters);  // what the offset takes of a change
    if (with_offset) {
      double weights = 0.0;
      for (std::size_t i = 0; i < target.omega.size(); ++i) {
        const double weight = 1.0 / (target.omega_error[i] * target.omega_error[i]);
        mean += weight * jacobian.row(static_cast<Index>(problem.groups()[group].first + i)).transpose();
        weights += weight;
      }
      mean /= weights;
    }
    for (int node = 0; node < curve.values.reached; ++node) {
      const auto error = [&](int column, const Eigen::VectorXd& less) {
        Eigen::VectorXd gradient(parameters);
        for (Index p = 0; p < parameters; ++p) {
          const bool logarithmic = problem.update_parameters()[static_cast<std::size_t>(p)].logarithmic;
          gradient(p) =
              curve.values.derivatives[static_cast<std::size_t>(p)](node, column) * (logarithmic ? values(p) : 1.0);
        }
        return fit.information.error(gradient - less);
      };
      rows.push_back({c, curve.mode + 1, curve.q[static_cast<std::size_t>(node)],
                      curve.values.values(node, omega) + (with_offset ? fit.offsets[group] : 0.0), error(omega, mean),
                      curve.values.values(node, zeta), error(zeta, Eigen::VectorXd::Zero(parameters))});
    }
  }
  return rows;
}

void write_test_curves(const std::string& analysis, const UpdateProblem& problem, const UpdateBands& bands,
                       Results& results, AnalysisSummary& summary) {
  Table<TestPoint> table;
  table.add({"target", "-", "number, from 1"}, [](const TestPoint& point) { return point.target + 1; });
  table.add({"q", "sqrt(mass) length", "modal displacement", Scale::logarithmic},
            [&problem](const TestPoint& point) { return problem.curves()[point.target].q[point.index]; });
  add_test_columns(problem, bands, UpdateRow::Quantity::omega, "omega", "rad/time", Scale::linear, table);
  add_test_columns(problem, bands, UpdateRow::Quantity::zeta, "zeta", "-", Scale::logarithmic, table);
  std::vector<TestPoint> points;
  for (std::size_t c = 0; c < problem.curves().size(); ++c) {
    for (std::size_t i = 0; i < problem.curves()[c].q.size(); ++i) points.push_back({c, i});
  }
  if (!points.empty()) write_table(analysis, update_test_part, table, points, results, summary);
}

void write_update_tables(const std::string& analysis, const UpdateProblem& problem, const LeastSquares& fit,
                         const std::vector<UpdateCurveRow>& curves, Results& results, AnalysisSummary& summary) {
  const std::vector<std::size_t> parameters = counted_up(problem.parameters().size());
  write_table(analysis, "", found_table(problem, fit), parameters, results, summary);
  write_table(analysis, update_rows_part, met_table(problem, fit), met_rows(problem), results, summary);
  if (!problem.curves().empty()) {
    write_table(analysis, update_curves_part, curve_table(), curves, results, summary);
    write_test_curves(analysis, problem, {}, results, summary);
  }
  Eigen::VectorXd with_offsets = fit.values;
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    with_offsets.segment(static_cast<Index>(problem.groups()[g].first), static_cast<Index>(problem.groups()[g].count))
        .array() += fit.offsets[g];
  }
  write_loops(analysis, problem, with_offsets, results, summary);
  write_table(analysis, update_sensitivity_part, sensitivity_table(problem, fit), counted_up(problem.groups().size()),
              results, summary);
  write_table(analysis, update_correlation_part, error_correlations(problem, fit), parameters, results, summary);
  write_table(analysis, update_starts_part, start_table(problem, fit), counted_up(fit.starts.size()), results, summary);
}

}  // namespace microslip
