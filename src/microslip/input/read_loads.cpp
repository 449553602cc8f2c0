#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/input/load_definition.hpp"
#include "microslip/input/read_base_motion.hpp"
#include "microslip/input/read_signal.hpp"
#include "microslip/system/unit_labels.hpp"

namespace microslip {
namespace {

Eigen::VectorXd nonzero_vector(const TableReader& load, const std::vector<std::string>& labels) {
  Eigen::VectorXd direction = weighted_labels(load, "vector", labels, false);
  if (direction.isZero(0.0)) throw load.error("vector", "vector must have an entry other than 0");
  return direction;
}

/// M phi of a stuck mode, or of the slipped one of that number.
Eigen::VectorXd modal_force(const TableReader& load, const System& system) {
  const int mode = static_cast<int>(load.integer("mode", 1, system.computed_modes())) - 1;
  if (!load.has("shape") || load.choice("shape", {"stuck", "slipped"}) == "stuck") return system.modal_force(mode);
  try {
    return system.structure().mass() * system.slipped_modes().shapes.col(mode);
  } catch (const std::invalid_argument& error) {
    throw load.error("shape", fmt::format("shape: slipped modes: {}", error.what()));
  }
}

Eigen::VectorXd read_direction(const TableReader& load, const System& system, bool base) {
  const auto& labels = system.structure().labels();
  if (load.has("shape") && !load.has("mode")) {
    throw load.error_at_key(*load.value().find("shape"), "shape goes with mode: the shape of which mode?");
  }
  if (base) {
    if (load.has("at") || load.has("mode")) {
      const char* other = load.has("at") ? "at" : "mode";
      throw load.error_at_key(*load.value().find(other), fmt::format("base and {} exclude each other", other));
    }
    return read_base_shape(load, system.structure());
  }
  for (const char* key : {"direction", "rigid"}) {
    if (!load.has(key)) continue;
    throw load.error_at_key(*load.value().find(key), fmt::format("{} goes with base = true", key));
  }
  const std::string kind = load.exactly_one_of({"at", "mode", "vector"});
  if (kind == "vector") return nonzero_vector(load, labels);
  if (kind == "mode") return modal_force(load, system);
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(system.size());
  direction(degree_of_freedom(load, load.need("at"), "at", labels, false)) = 1.0;
  return direction;
}

void add_sentence(const std::string& sentence, std::string& text) {
  if (!sentence.empty()) text += (text.empty() ? "" : "; ") + sentence;
}

/// A record in another unit than the study, that nothing scales.
std::string foreign_force(const SignalNotes& record, const TableReader& root) {
  const std::string own = root.has("units") ? root.table("units").string_or("force", "") : "";
  if (own.empty() || record.unit.empty() || record.unit == "NONE" || record.scaled || same_unit(record.unit, own)) {
    return "";
  }
  return fmt::format("{}: {} is in {}, the study in {}, and nothing is converted: scale does it", record.file,
                     record.channel, record.unit, own);
}

}  // namespace

Load LoadDefinition::over(double duration) const {
  Signal::Kind kind = signal;
  if (auto* noise = std::get_if<RandomNoise>(&kind)) {
    if (noise->duration == 0.0) noise->duration = duration;
    const double samples = noise_samples_per_period * noise->duration * noise->cutoff;
    if (samples > most_noise_samples) {
      throw std::invalid_argument(
          fmt::format("load \"{}\" would have {:.3g} samples, {:g} a period of its cut-off; the limit is {:.0e}", name,
                      samples, noise_samples_per_period, most_noise_samples));
    }
  }
  if (auto* table = std::get_if<TableSignal>(&kind)) table->hold = base;
  return {name, direction, Signal(std::move(kind)), base};
}

Eigen::MatrixXd static_load_directions(const TableReader& root, const LinearStructure& structure) {
  const auto& labels = structure.labels();
  std::vector<Eigen::VectorXd> directions;
  for (const TableReader& load : root.tables("load")) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(structure.size());
    if (load.flag_or("base", false)) {
      direction = structure.mass() * read_base_shape(load, structure);
    } else if (load.has("vector")) {
      direction = nonzero_vector(load, labels);
    } else if (load.has("at")) {
      direction(degree_of_freedom(load, load.need("at"), "at", labels, false)) = 1.0;
    } else {
      continue;  // the force of a mode has no static answer beside that mode
    }
    directions.push_back(std::move(direction));
  }
  Eigen::MatrixXd result(structure.size(), static_cast<Eigen::Index>(directions.size()));
  for (std::size_t i = 0; i < directions.size(); ++i) result.col(static_cast<Eigen::Index>(i)) = directions[i];
  return result;
}

std::vector<LoadDefinition> read_loads(const TableReader& root, const System& system) {
  std::vector<LoadDefinition> loads;
  std::set<std::string> names;
  for (TableReader& load : root.tables("load")) {
    load.allow_only({"name", "at", "mode", "shape", "vector", "base", "direction", "rigid", "signal"});
    const std::string name = load.string("name");
    const std::string fault = name_fault(name, "name");
    if (!fault.empty()) throw load.error("name", fault);
    load.rename(fmt::format("load \"{}\"", name));
    if (!names.insert(name).second) throw load.error("name", "another load has this name");
    const bool base = load.flag_or("base", false);
    Eigen::VectorXd direction = read_direction(load, system, base);
    std::string note = base ? strained_by_base(direction, system) : "";
    SignalNotes of_record;
    Signal::Kind signal = read_signal(load, "signal", &of_record);
    if (base && !of_record.file.empty()) {
      throw load.table("signal").error("kind",
                                       "a measured force is no base motion: give its displacement, kind = \"table\"");
    }
    add_sentence(of_record.text, note);
    add_sentence(foreign_force(of_record, root), note);
    loads.push_back({name, std::move(direction), std::move(signal), base, std::move(note)});
  }
  return loads;
}

const LoadDefinition& find_load(const TableReader& reader, const TomlValue& value, std::string_view what,
                                const std::vector<LoadDefinition>& loads) {
  const std::string& name = reader.as_string(value, what);
  std::vector<std::string> names;
  for (const auto& load : loads) {
    if (load.name == name) return load;
    names.push_back(load.name);
  }
  throw reader.error(value, fmt::format("{}: unknown load {}{}", what, in_quotes(name), suggestion(name, names)));
}

Load load_over(const TableReader& reader, const TomlValue& value, std::string_view what,
               const std::vector<LoadDefinition>& loads, double duration) {
  const LoadDefinition& definition = find_load(reader, value, what, loads);
  try {
    return definition.over(duration);
  } catch (const std::invalid_argument& error) {
    throw reader.error(value, fmt::format("{}: {}", what, error.what()));
  }
}

std::vector<Load> read_load_names(const TableReader& reader, const std::vector<LoadDefinition>& definitions,
                                  double duration) {
  std::vector<Load> loads;
  const TomlValue* value = reader.find("load");
  if (value == nullptr) return loads;
  if (value->type != TomlValue::Type::array) {
    return {load_over(reader, *value, "load", definitions, duration)};
  }
  for (const auto& item : value->items) {
    Load load = load_over(reader, item, "load", definitions, duration);
    const bool twice = std::any_of(loads.begin(), loads.end(), [&](const Load& l) { return l.name == load.name; });
    if (twice) throw reader.error(item, fmt::format("load: {} is there twice", in_quotes(load.name)));
    loads.push_back(std::move(load));
  }
  return loads;
}

}  // namespace microslip
