#include "microslip/analyses/update/model_of_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/analyses/update/read_parameters.hpp"
#include "microslip/input/read_joints.hpp"
#include "microslip/input/read_structure.hpp"
#include "microslip/io/files_read.hpp"
#include "microslip/joints/make_law.hpp"
#include "microslip/toml/toml_edit.hpp"

namespace microslip {
namespace {

ModelMatrices matrices_of(const LinearStructure& structure, const Eigen::MatrixXd& directions) {
  ModelMatrices matrices;
  matrices.mass = structure.independent_mass();
  matrices.stiffness = structure.independent_stiffness();
  matrices.directions = structure.on_independent(directions);
  matrices.damping = structure.damping();
  for (const Damper& damper : structure.dampers()) {
    matrices.dampers.push_back({structure.on_independent(damper.direction).col(0), damper.coefficient});
  }
  matrices.constrain_rigid_body = structure.constrain_rigid_body();
  return matrices;
}

/// (b - a)/step; entries that are equal are none. Throws std::invalid_argument where the damping changes its kind.
MatrixChange change_between(const ModelMatrices& a, const ModelMatrices& b, double step) {
  MatrixChange change;
  const auto difference = [step](const SparseMatrix& from, const SparseMatrix& to) {
    SparseMatrix result = (to - from) / step;
    result.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0.0; });
    return result;
  };
  change.mass = difference(a.mass, b.mass);
  change.stiffness = difference(a.stiffness, b.stiffness);
  change.stuck = Eigen::VectorXd::Zero(a.directions.cols());
  if (const auto* modal = std::get_if<ModalDamping>(&a.damping)) {
    const auto& other = std::get<ModalDamping>(b.damping).ratios;
    for (std::size_t i = 0; i < other.size(); ++i) change.ratios.push_back((other[i] - modal->ratios[i]) / step);
  } else if (const auto* rayleigh = std::get_if<RayleighDamping>(&a.damping)) {
    const auto& other = std::get<RayleighDamping>(b.damping);
    change.rayleigh_a = (other.a - rayleigh->a) / step;
    change.rayleigh_b = (other.b - rayleigh->b) / step;
  } else if (const auto* full = std::get_if<MatrixDamping>(&a.damping)) {
    change.damping = (std::get<MatrixDamping>(b.damping).matrix - full->matrix) / step;
    if (change.damping.cwiseAbs().maxCoeff() == 0.0) change.damping.resize(0, 0);
  }
  for (std::size_t i = 0; i < a.dampers.size(); ++i) {
    change.dampers.push_back((b.dampers[i].coefficient - a.dampers[i].coefficient) / step);
  }
  return change;
}

bool same_matrices(const SparseMatrix& a, const SparseMatrix& b) {
  constexpr double rounding = 1e-9;
  const Eigen::MatrixXd difference = Eigen::MatrixXd(a - b);
  const double size = Eigen::MatrixXd(a).cwiseAbs().maxCoeff();
  return difference.size() == 0 || difference.cwiseAbs().maxCoeff() <= rounding * size;
}

/// How coordinates follow from others, but for rounding.
bool same_followers(const SparseMatrix& a, const SparseMatrix& b) {
  constexpr double rounding = 1e-9;
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return a.size() == 0 || SparseMatrix(a - b).norm() <= rounding * b.norm();
}

/// Reads the parameters' numbers out of a study and puts others in.
class StudyModel {
 public:
  StudyModel(const TableReader& reader, const StudyParts& parts) : reader_(&reader), parts_(&parts) {
    if (parts.root == nullptr) throw reader.error("kind", "an update cannot stand inside a parameter study");
    for (const char* key : {"units", "structure", "joint", "load"}) {
      if (const auto* entry = parts.root->value().find(key)) result_.tree.entries.push_back(*entry);
    }
    result_.file = reader.file();
    if (parts.files != nullptr) result_.read_files = parts.files->paths();
    for (TableReader& table : reader.tables("parameters")) {
      if (table.has("name")) table.rename(fmt::format("parameter {}", in_quotes(table.string("name"))));
      tables_.push_back(table);
    }
    if (tables_.empty()) throw reader.error("parameters", "parameters: there must be one or more");
  }

  ModelOfStudy read() {
    if (parts_->system.truncated()) {
      throw reader_->error("kind",
                           "a structure of so many degrees of freedom has modes that nobody computed: reduce "
                           "it first, kind = \"reduced\"");
    }
    written_ = read_parameters(tables_);
    model_.laws = read_laws();
    for (std::size_t p = 0; p < written_.size(); ++p) {
      for (const ParameterPath& path : written_[p].paths) add_number(p, path);
    }
    set_starts();
    add_matrices();
    model_.parameters = static_cast<int>(written_.size());
    try {
      result_.model = std::make_shared<const UpdateModel>(std::move(model_));
    } catch (const std::invalid_argument& error) {
      throw reader_->error("parameters", error.what());
    }
    for (const WrittenParameter& written : written_) result_.parameters.push_back(written.parameter);
    return std::move(result_);
  }

 private:
  std::vector<LawSpec> read_laws() {
    std::vector<LawSpec> laws;
    for (TableReader& joint : parts_->root->tables("joint")) {
      const std::string name = joint.string("name");
      joint_names_.push_back(name);
      joint.rename(fmt::format("joint \"{}\"", name));
      laws.push_back(read_law(joint));
      if (has_virgin_curve(laws.back())) continue;
      throw joint.error("law", fmt::format("an update takes linear springs and laws that obey the Masing rules "
                                           "(iwan4, iwan6, iwan_uniform, jenkins), got {}",
                                           laws.back().law));
    }
    return laws;
  }

  void add_number(std::size_t p, const ParameterPath& path) {
    ModelNumber number;
    const std::string& text = path.path.path;
    const std::string section = text.substr(0, text.find('.'));
    const auto error = [&](const std::string& message) {
      return StudyError(path.path.at, fmt::format("{}: {}: {}", path.path.where, in_quotes(text), message));
    };
    if (section == "joint") {
      find_law_number(path, number);
    } else if (section != "structure") {
      throw error(fmt::format("a path begins with structure or joint{}", suggestion(section, {"structure", "joint"})));
    } else if (const TomlValue* value = value_at(result_.tree, text)) {
      if (!value->is_number()) throw error(fmt::format("must be a number, is {}", value->describe()));
      number.start = value->real;
    } else if (written_[p].has_start) {  // a number that the study leaves out
      put(path.path,
          (path.inverse ? path.factor / written_[p].parameter.start : path.factor * written_[p].parameter.start));
      number.start = value_at(result_.tree, text)->real;
    } else {
      throw error("the study has no number there: give the parameter a start");
    }
    model_.links.push_back({static_cast<int>(p), static_cast<int>(model_.numbers.size()), path.factor, path.inverse});
    model_.numbers.push_back(std::move(number));
    result_.paths.push_back(path.path);
  }

  void find_law_number(const ParameterPath& path, ModelNumber& number) const {
    const std::string rest = path.path.path.size() > 6 ? path.path.path.substr(6) : "";
    const auto error = [&](const std::string& message) {
      return StudyError(path.path.at, fmt::format("{}: {}: {}", path.path.where, in_quotes(path.path.path), message));
    };
    for (std::size_t j = 0; j < joint_names_.size(); ++j) {  // the longest name that the path begins with
      const std::string& name = joint_names_[j];
      const bool better = number.joint < 0 || joint_names_[static_cast<std::size_t>(number.joint)].size() < name.size();
      if (rest.starts_with(name + ".") && better) number.joint = static_cast<int>(j);
    }
    if (number.joint < 0) {
      const std::string name = rest.substr(0, rest.find('.'));
      throw error(fmt::format("unknown joint {}{}", in_quotes(name), suggestion(name, joint_names_)));
    }
    const LawSpec& law = model_.laws[static_cast<std::size_t>(number.joint)];
    const std::string key = rest.substr(joint_names_[static_cast<std::size_t>(number.joint)].size() + 1);
    std::vector<std::string> keys;
    for (std::size_t n = 0; n < law.numbers.size(); ++n) {
      keys.push_back(law.numbers[n].first);
      if (keys.back() != key) continue;
      const ParameterInfo* info = find_law(law.law)->find(key);
      if (key == "spacing" || (info != nullptr && info->integer)) throw error("is no number that can move");
      number.number = static_cast<int>(n);
      number.start = law.numbers[n].second;
      return;
    }
    throw error(fmt::format("the law of this joint is given no number {}{}", in_quotes(key), suggestion(key, keys)));
  }

  /// The study's own numbers, where the parameter names no start.
  void set_starts() {
    for (std::size_t p = 0; p < written_.size(); ++p) {
      UpdateParameter& parameter = written_[p].parameter;
      if (!written_[p].has_start) {
        const auto link = std::find_if(model_.links.begin(), model_.links.end(),
                                       [&](const NumberLink& l) { return l.parameter == static_cast<int>(p); });
        const double own = model_.numbers[static_cast<std::size_t>(link->number)].start;
        parameter.start = link->inverse ? link->factor / own : own / link->factor;
        if (!(parameter.start >= parameter.low && parameter.start <= parameter.high)) {
          throw tables_[p].error("range", fmt::format("the study's own value {:g} lies outside of the range: give a "
                                                      "start",
                                                      parameter.start));
        }
      }
      for (const double end : {parameter.low, parameter.high}) check_laws(p, end);
    }
  }

  /// The laws take the ends of the range.
  void check_laws(std::size_t p, double value) const {
    for (const NumberLink& link : model_.links) {
      const ModelNumber& number = model_.numbers[static_cast<std::size_t>(link.number)];
      if (link.parameter != static_cast<int>(p) || number.joint < 0) continue;
      LawSpec law = model_.laws[static_cast<std::size_t>(number.joint)];
      law.numbers[static_cast<std::size_t>(number.number)].second = link.value(value);
      try {
        check_law(law);
      } catch (const LawError& error) {
        throw tables_[p].error("range",
                               fmt::format("{} = {:g}: {}", result_.paths[static_cast<std::size_t>(link.number)].path,
                                           link.value(value), error.what()));
      }
    }
  }

  void put(const StudyPath& path, double number) { put_in(result_.tree, path, number); }
  static void put_in(TomlValue& tree, const StudyPath& path, double number) {
    TomlValue value;
    value.type = TomlValue::Type::real;
    value.real = number;
    value.line = path.at.line;
    value.column = path.at.column;
    put_in_study(tree, path, {"structure", "joint"}, value);
  }

  /// With these values at the numbers of matrices.
  ModelMatrices matrices_at(const std::vector<std::pair<std::size_t, double>>& values, std::size_t parameter) const {
    TomlValue tree = result_.tree;
    std::string words;
    for (const auto& [k, value] : values) {
      put_in(tree, result_.paths[k], value);
      words += fmt::format("{}{} = {:g}", words.empty() ? "" : ", ", result_.paths[k].path, value);
    }
    const LinearStructure structure = [&] {
      const TableReader root(tree, result_.file, "");
      StructureFacts facts;
      try {
        return read_structure(root, facts);
      } catch (const InputError& error) {
        throw tables_[parameter].error("range", fmt::format("{}: {}", words, error.message()));
      } catch (const std::exception& error) {
        throw tables_[parameter].error("range", fmt::format("{}: {}", words, error.what()));
      }
    }();
    if (!same_followers(structure.dependent(), parts_->system.structure().dependent())) {
      throw tables_[parameter].error(
          "paths", fmt::format("{}: this moves points, and joints, dampers and sensors with them, which an update does "
                               "not follow",
                               words));
    }
    return matrices_of(structure, parts_->system.directions());
  }

  /// What the matrices are linear in, from two readings each; a last one with all of them elsewhere checks it.
  void add_matrices() {
    model_.matrices = matrices_at({}, 0);
    std::vector<std::pair<std::size_t, double>> elsewhere;
    std::size_t last = 0;
    for (const NumberLink& link : model_.links) {
      const auto k = static_cast<std::size_t>(link.number), p = static_cast<std::size_t>(link.parameter);
      ModelNumber& number = model_.numbers[k];
      if (number.joint >= 0) continue;
      const UpdateParameter& parameter = written_[p].parameter;
      const double low = link.value(parameter.low), high = link.value(parameter.high);
      number.change = change_between(matrices_at({{k, low}}, p), matrices_at({{k, high}}, p), high - low);
      if (number.change.keeps_damping()) {
        throw tables_[p].error("paths", fmt::format("{} moves neither masses nor stiffness nor damping",
                                                    in_quotes(result_.paths[k].path)));
      }
      elsewhere.emplace_back(k, low + (0.37 + 0.11 * static_cast<double>(k % 5)) * (high - low));
      last = p;
    }
    if (elsewhere.empty()) return;
    const ModelMatrices there = matrices_at(elsewhere, last);
    ModelMatrices sum = model_.matrices;
    for (const auto& [k, value] : elsewhere) {
      const ModelNumber& number = model_.numbers[k];
      sum.mass += (value - number.start) * number.change.mass;
      sum.stiffness += (value - number.start) * number.change.stiffness;
    }
    if (same_matrices(there.mass, sum.mass) && same_matrices(there.stiffness, sum.stiffness)) return;
    throw reader_->error("parameters",
                         "the matrices are not linear in the numbers of the structure that the parameters "
                         "move, as those of kind = \"reduced\" are in most of its numbers");
  }

  const TableReader* reader_;
  const StudyParts* parts_;
  std::vector<TableReader> tables_;
  std::vector<WrittenParameter> written_;
  std::vector<std::string> joint_names_;
  UpdateModel::Parts model_;
  ModelOfStudy result_;
};

}  // namespace

std::string ModelOfStudy::paths_of(std::size_t parameter) const {
  std::string text;
  for (const NumberLink& link : model->parts().links) {
    if (link.parameter != static_cast<int>(parameter)) continue;
    const std::string& path = paths[static_cast<std::size_t>(link.number)].path;
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ",
                        link.inverse         ? fmt::format("{:g}/", link.factor)
                        : link.factor == 1.0 ? ""
                                             : fmt::format("{:g} ", link.factor),
                        path);
  }
  return text;
}

ModelOfStudy read_model_of_study(const TableReader& reader, const StudyParts& parts) {
  return StudyModel(reader, parts).read();
}

}  // namespace microslip
