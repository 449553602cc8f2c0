#include "microslip/report/result_selector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "microslip/io/text_file.hpp"
#include "microslip/numerics/nearest_name.hpp"

namespace microslip {
namespace {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(near));
}

const std::vector<double>& column_of(const CsvTable& table, const std::string& name) {
  if (!table.has(name)) {
    throw std::invalid_argument(fmt::format("{} has no column {}{}",
                                            std::filesystem::path(table.file).filename().string(), in_quotes(name),
                                            did_you_mean(name, table.names)));
  }
  return table.column(name);
}

bool nearly(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

double interpolated(const std::vector<double>& x, const std::vector<double>& y, const std::vector<std::size_t>& rows,
                    const Condition& at) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double here = x[rows[k]];
    if (here == at.value) return y[rows[k]];
    if (k == 0) continue;
    const double before = x[rows[k - 1]];
    if ((before < at.value) == (here < at.value)) continue;
    const double t = (at.value - before) / (here - before);
    return y[rows[k - 1]] + t * (y[rows[k]] - y[rows[k - 1]]);
  }
  throw std::invalid_argument(fmt::format("{} does not reach {:g}", in_quotes(at.column), at.value));
}

double reduced(const std::string& how, const std::vector<double>& values) {
  if (how == "count") return static_cast<double>(values.size());
  if (values.empty()) throw std::invalid_argument("no row has the values asked for");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  double sum = 0.0, squares = 0.0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(values.size());
  if (how == "max") return *high;
  if (how == "min") return *low;
  if (how == "largest") return std::max(std::abs(*low), std::abs(*high));
  if (how == "half_range") return (*high - *low) / 2.0;
  if (how == "first") return values.front();
  if (how == "last") return values.back();
  if (how == "mean") return sum / count;
  return std::sqrt(squares / count);
}

}  // namespace

ResultFiles::ResultFiles(std::string directory) : directory_(std::move(directory)) {}
ResultFiles::~ResultFiles() = default;

double ResultFiles::value(const ResultSelector& selector) {
  return selector.summary.empty() ? from_table(selector) : from_summary(selector.summary);
}

const CsvTable& ResultFiles::table(const std::string& name) {
  const auto known = tables_.find(name);
  if (known != tables_.end()) return known->second;
  const std::string path = file_in(directory_, name + ".csv");
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_, error)) {
      if (entry.path().extension() == ".csv") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    throw std::invalid_argument(fmt::format("the run left no table {}{}", in_quotes(name), did_you_mean(name, names)));
  }
  return tables_.emplace(name, read_csv_table(path, CsvGaps::allowed)).first->second;
}

double ResultFiles::from_table(const ResultSelector& selector) {
  const CsvTable& rows_of = table(selector.table);
  const std::vector<double>& column = column_of(rows_of, selector.column);
  std::vector<std::size_t> rows(rows_of.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  for (const Condition& condition : selector.where) {
    const std::vector<double>& values = column_of(rows_of, condition.column);
    std::erase_if(rows, [&](std::size_t i) { return !nearly(values[i], condition.value); });
  }
  for (const ResultSelector::Between& bounds : selector.between) {
    const std::vector<double>& values = column_of(rows_of, bounds.column);
    std::erase_if(rows, [&](std::size_t i) { return !(values[i] >= bounds.low && values[i] <= bounds.high); });
  }
  if (selector.at) return interpolated(column_of(rows_of, selector.at->column), column, rows, *selector.at);
  std::vector<double> values;
  for (const std::size_t i : rows) {
    if (!std::isnan(column[i])) values.push_back(column[i]);
  }
  if (!selector.reduce.empty()) return reduced(selector.reduce, values);
  if (rows.size() != 1) {
    throw std::invalid_argument(fmt::format("{} rows of {} are left, there must be one (or say how to \"reduce\" them)",
                                            rows.size(), in_quotes(selector.table)));
  }
  return column[rows.front()];
}

double ResultFiles::from_summary(const std::string& path) {
  if (!summary_) {
    const std::string file = file_in(directory_, "summary.json");
    summary_ = std::make_unique<const nlohmann::json>(nlohmann::json::parse(read_text_file(file), nullptr, false));
    if (summary_->is_discarded()) throw InputError({file, 0, 0}, "is not JSON");
  }
  std::vector<std::string> names;
  for (const auto& analysis : summary_->value("analyses", nlohmann::json::array())) {
    const std::string name = analysis.value("name", "");
    names.push_back(name);
    if (path.compare(0, name.size() + 1, name + ".") != 0) continue;
    const nlohmann::json* here = &analysis;
    std::string rest = path.substr(name.size() + 1);
    while (!rest.empty()) {
      // Keys may hold dots: the longest that is there counts.
      std::string key = rest;
      while (true) {
        if (here->is_object() && here->contains(key)) break;
        if (here->is_array() && !key.empty() && key.find_first_not_of("0123456789") == std::string::npos &&
            std::stoul(key) >= 1 && std::stoul(key) <= here->size()) {
          break;
        }
        const std::size_t dot = key.rfind('.');
        if (dot == std::string::npos) {
          std::vector<std::string> keys;
          if (here->is_object()) {
            for (const auto& [other, value] : here->items()) keys.push_back(other);
          }
          throw std::invalid_argument(
              fmt::format("summary.json has no {} in {}{}", in_quotes(key), in_quotes(path), did_you_mean(key, keys)));
        }
        key.resize(dot);
      }
      here = here->is_array() ? &(*here)[std::stoul(key) - 1] : &(*here)[key];
      rest = key.size() < rest.size() ? rest.substr(key.size() + 1) : "";
    }
    if (!here->is_number())
      throw std::invalid_argument(fmt::format("{} of summary.json is no number", in_quotes(path)));
    return here->get<double>();
  }
  throw std::invalid_argument(fmt::format("{} names no analysis of summary.json{}", in_quotes(path),
                                          did_you_mean(path.substr(0, path.find('.')), names)));
}

}  // namespace microslip
