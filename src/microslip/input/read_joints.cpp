#include "microslip/input/read_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/input/read_signal.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/joints/make_law.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

const std::vector<std::string> joint_keys = {"name", "between", "direction", "law"};

const LawInfo& read_law_name(const TableReader& joint) {
  const std::string name = joint.string("law");
  const LawInfo* info = find_law(name);
  if (info == nullptr) {
    std::vector<std::string> names;
    for (const auto& law : law_catalogue()) names.push_back(law.name);
    throw joint.error("law", fmt::format("unknown law {}{}", in_quotes(name), suggestion(name, names)));
  }
  return *info;
}

/// k1, k2, ... of a polynomial.
bool is_series_key(const LawInfo& law, const std::string& key) {
  return law.series && key.size() >= 2 && key[0] == 'k' && key.find_first_not_of("0123456789", 1) == std::string::npos;
}

void allow_keys(const TableReader& joint, const LawInfo& law) {
  std::vector<std::string> keys = joint_keys;
  for (const auto& key : law.keys()) keys.push_back(key);
  for (const auto& entry : joint.value().entries) {
    if (is_series_key(law, entry.key)) keys.push_back(entry.key);
  }
  joint.allow_only(keys);
}

bool is_extra(const LawInfo& law, const std::string& key) {
  return std::any_of(law.extra.begin(), law.extra.end(), [&](const ExtraKey& extra) { return extra.name == key; });
}

/// backbone = "file.csv", or u = [...] and f = [...].
void read_backbone(const TableReader& joint, LawSpec& spec) {
  if (joint.exactly_one_of({"backbone", "u"}) == "u") {
    spec.table_u = joint.numbers("u", any_number);
    spec.table_f = joint.numbers("f", any_number);
    return;
  }
  if (joint.has("f")) throw joint.error("f", "backbone and f exclude each other");
  const CsvTable table = read_named_file(joint, "backbone", [](const std::string& path) {
    CsvTable read = read_data_table(path);
    if (read.rows() == 0) throw InputError({path, read.header_line, 1}, "the backbone has no points");
    return read;
  });
  spec.table_u = table.column("u");
  spec.table_f = table.column("f");
}

}  // namespace

LawSpec read_law(const TableReader& joint) {
  const LawInfo& law = read_law_name(joint);
  allow_keys(joint, law);
  LawSpec spec;
  spec.law = law.name;
  for (const auto& entry : joint.value().entries) {
    if (std::find(joint_keys.begin(), joint_keys.end(), entry.key) != joint_keys.end()) continue;
    if (is_extra(law, entry.key)) continue;
    spec.numbers.emplace_back(entry.key, joint.as_number(entry.value, entry.key, any_number));
  }
  if (law.points == PointsOf::backbone) {
    read_backbone(joint, spec);
    spec.interpolation = joint.string_or("interpolation", "");
  } else if (law.points == PointsOf::spring) {
    spec.table_u = joint.numbers("u", any_number);
    spec.table_f = joint.numbers("f", any_number);
  }
  return spec;
}

namespace {

/// Parameters within their bounds may still overflow together.
void require_finite(const TableReader& joint, const Law& law) {
  std::visit(
      [&]<class L>(const L& l) {
        if constexpr (!UsersLaw<L>) {
          if (std::isfinite(l.stuck_stiffness()) && std::isfinite(l.slipped_stiffness())) return;
          throw joint.error("law", "the parameters are too large or too small: the stiffness at rest is not finite");
        }
      },
      law);
}

Law make_law_of(const TableReader& joint) {
  const LawSpec spec = read_law(joint);
  try {
    Law law = make_law(spec);
    require_finite(joint, law);
    return law;
  } catch (const LawError& error) {
    const bool in_file = joint.has("backbone") && (error.key() == "u" || error.key() == "f");
    throw joint.error(in_file ? "backbone" : std::string_view(error.key()), error.what());
  }
}

/// normal = 9.5 or { kind = "fourier", ... } of a coefficient of friction. The last value of a table is held.
Signal read_normal(const TableReader& joint, const Law& law) {
  const TomlValue* normal = joint.find("normal");
  if (normal == nullptr) {
    if (joint.has("mu_s")) {
      throw joint.error("mu_s", "mu_s needs normal, the load that presses the joint together: a number or a signal");
    }
    return default_normal(law);
  }
  if (joint.has("fs")) {
    throw joint.error_at_key(*joint.value().find("normal"), "normal does not go with fs, a force: give mu_s");
  }
  if (normal->type != TomlValue::Type::table) return Signal(Constant{joint.number("normal", nonnegative_number)});
  Signal::Kind kind = read_signal(joint, "normal");
  const bool swings = std::holds_alternative<Sine>(kind) || std::holds_alternative<SineBeat>(kind) ||
                      std::holds_alternative<RampedSine>(kind) || std::holds_alternative<RandomNoise>(kind);
  if (swings) {
    throw joint.table("normal").error(
        "kind",
        "normal must never be negative, and this signal swings about zero: give kind = \"fourier\" with a mean");
  }
  if (auto* table = std::get_if<TableSignal>(&kind)) table->hold = true;
  Signal signal(std::move(kind));
  if (!signal.never_negative()) {
    const bool series = std::holds_alternative<Fourier>(signal.kind());
    throw joint.error("normal", series ? "normal must never be negative, and this series is somewhere: raise its mean"
                                       : "normal must never be negative");
  }
  return signal;
}

Eigen::VectorXd read_direction(const TableReader& joint, const LinearStructure& structure) {
  const auto& labels = structure.labels();
  if (joint.exactly_one_of({"between", "direction"}) == "direction") {
    Eigen::VectorXd direction = weighted_labels(joint, "direction", labels, true);
    if (direction.isZero(0.0)) throw joint.error("direction", "direction must have a weight other than 0");
    return direction;
  }
  const TomlValue& pair = joint.need("between");
  if (pair.type != TomlValue::Type::array || pair.items.size() != 2) {
    throw joint.error(pair, fmt::format("between must be [\"from\", \"to\"], got {}", pair.describe()));
  }
  const int from = degree_of_freedom(joint, pair.items[0], "between", labels, true);
  const int to = degree_of_freedom(joint, pair.items[1], "between", labels, true);
  if (from == to) {
    throw joint.error(pair.items[1], fmt::format("between must name two different degrees of freedom, got {} twice",
                                                 in_quotes(pair.items[0].text)));
  }
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(structure.size());
  if (from != ground) direction(from) = -1.0;
  if (to != ground) direction(to) = 1.0;
  return direction;
}

}  // namespace

std::vector<Joint> read_joints(const TableReader& root, const LinearStructure& structure) {
  std::vector<Joint> joints;
  std::set<std::string> names;
  for (TableReader& joint : root.tables("joint")) {
    const std::string name = joint.string("name");
    const std::string fault = name_fault(name, "name");
    if (!fault.empty()) throw joint.error("name", fault);
    joint.rename(fmt::format("joint \"{}\"", name));
    if (!names.insert(name).second) throw joint.error("name", "another joint has this name");
    Law law = make_law_of(joint);
    Signal normal = read_normal(joint, law);
    joints.push_back({name, std::move(law), read_direction(joint, structure), std::move(normal)});
  }
  return joints;
}

}  // namespace microslip
