#include "microslip/measurement/modal_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/measurement/channel_delays.hpp"
#include "microslip/measurement/lscf.hpp"
#include "microslip/measurement/modal_choice.hpp"
#include "microslip/measurement/modal_errors.hpp"
#include "microslip/measurement/modal_parts.hpp"
#include "microslip/measurement/modal_remarks.hpp"
#include "microslip/measurement/mode_isolation.hpp"
#include "microslip/measurement/reciprocity.hpp"
#include "microslip/measurement/residual_noise.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

Eigen::MatrixXcd fitted_values(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms) {
  const Eigen::MatrixXd columns = FitBasis(lines, fit.poles, terms).columns();
  Eigen::MatrixXcd result(lines.lines(), lines.functions());
  for (Eigen::Index f = 0; f < lines.functions(); ++f) result.col(f) = unstacked(columns * fit.unknowns.col(f));
  return result;
}

/// As in ModalPolish.
Eigen::MatrixXd weighted_residuals(const ModalLines& lines, const Eigen::MatrixXcd& fitted) {
  Eigen::MatrixXd result(2 * lines.lines(), lines.functions());
  for (Eigen::Index f = 0; f < lines.functions(); ++f) {
    const Eigen::VectorXcd left = lines.values.col(f) - fitted.col(f);
    result.col(f) = stacked(left.cwiseProduct(lines.weight.col(f).cast<Complex>()));
  }
  return result;
}

/// Unknowns of the fit, a function's share.
double unknowns_a_function(const ModalLines& lines, const ModalPolish& fit) {
  return static_cast<double>(fit.unknowns.rows()) +
         2.0 * static_cast<double>(fit.poles.size()) / static_cast<double>(lines.functions());
}

/// What was found, by whichever method.
struct FoundModes {
  ChosenModes chosen;
  ModalLines lines;               ///< that were fitted: see thinned
  Eigen::MatrixXd lines_of_mode;  ///< see modal_errors
};

class ModalFitter {
 public:
  ModalFitter(const MeasuredResponses& data, const ModalFitOptions& options,
              const std::function<bool(double)>& observer)
      : data_(data), options_(options), terms_(options.terms), near_(options.near), observer_(observer) {
    carry_on_ = [this] {
      if (!result_.interrupted && observer_ && !observer_(progress_)) result_.interrupted = true;
      return !result_.interrupted;
    };
  }

  ModalFit fit() {
    result_.lines = modal_lines(data_.references, options_.band, options_.channels);
    terms_.cut = result_.lines.block > 0.0 && data_.references.front().quantity != Quantity::displacement;
    for (const std::string& channel : result_.lines.left_out) {
      result_.doubts.push_back(
          fmt::format("channel {} has no values, or some that are no numbers, or no errors: left out", channel));
    }
    for (const FrequencyResponses& responses : data_.references) {
      result_.force_amplitude = std::max(result_.force_amplitude, responses.force_amplitude);
    }
    check_near(near_, result_.lines);
    driving_ = driving_channels(result_.lines.channels, result_.lines.references, options_.driving_point);
    for (std::string& sentence : references_that_disagree(result_.lines, driving_)) {
      result_.doubts.push_back(std::move(sentence));
    }
    FoundModes found = find();
    progress_ = 0.8;
    if (!result_.lines.noise_known) found = with_noise_of_residual(std::move(found));
    if (options_.method == ModalMethod::lscf) {
      const Eigen::VectorXcd poles = found.chosen.fit.poles;
      const ModalPolish polished = std::move(found.chosen.fit);
      found.lines = thinned(result_.lines, poles);
      found.chosen.fit = residues_of(found.lines, poles, terms_);
      found.chosen.fit.converged = polished.converged;
      found.chosen.fit.iterations = polished.iterations;
    }
    take(found);
    progress_ = 0.9;
    fit_parts();
    sum_up_errors();
    return std::move(result_);
  }

 private:
  FoundModes find() {
    if (options_.method == ModalMethod::lscf) find_poles();
    if (!by_hand()) return search();
    while (!near_.empty()) {
      FoundModes found = search();
      std::vector<double> answered = answered_by(found);
      if (answered.size() == near_.size()) return found;
      near_ = std::move(answered);
    }
    FoundModes none;
    none.lines = result_.lines;
    none.chosen.fit = residues_of(none.lines, {}, terms_);
    none.chosen.fit.converged = true;
    return none;
  }

  [[nodiscard]] bool by_hand() const { return !options_.near.empty(); }

  void find_poles() {
    const ModalLines& lines = result_.lines;
    result_.highest_order = std::min(largest_lscf_order(lines),
                                     options_.highest_order > 0 ? options_.highest_order : default_lscf_order(lines));
    int orders = 0;
    const auto of_order = [&] {
      progress_ = 0.6 * static_cast<double>(++orders) / static_cast<double>(result_.highest_order);
      return carry_on_();
    };
    const std::vector<LscfPole> poles = lscf_poles(lines, options_.lowest_order, result_.highest_order, of_order);
    const double low = lines.frequency(0), high = lines.frequency(lines.lines() - 1);
    result_.diagram = stabilise(poles, {low, high}, options_.stabilisation);
    progress_ = 0.6;
  }

  FoundModes search() {
    if (options_.method == ModalMethod::isolation) return isolated(near_);
    FoundModes found;
    found.chosen = by_hand() ? modes_near(result_.lines, result_.diagram, near_, terms_, carry_on_) : stable();
    return found;
  }
  ChosenModes stable() {
    return stable_modes(result_.lines, result_.diagram, {options_.lowest_order, result_.highest_order}, options_.modes,
                        terms_, carry_on_);
  }

  FoundModes isolated(const std::vector<double>& near) {
    IsolationOptions options;
    options.modes = options_.modes;
    options.near = near;
    Isolation isolation = isolate_modes(result_.lines, terms_, options, carry_on_);
    FoundModes found;
    found.chosen.fit = std::move(isolation.fit);
    found.chosen.remarks = std::move(isolation.remarks);
    found.lines = std::move(isolation.lines);
    found.lines_of_mode = std::move(isolation.lines_of_mode);
    return found;
  }

  /// Those of the frequencies asked for that have a mode of their own; the others are told.
  std::vector<double> answered_by(const FoundModes& found);

  /// The first fit was with one weight a function; now with the noise that it leaves, three times.
  FoundModes with_noise_of_residual(FoundModes found) {
    ModalLines& lines = result_.lines;
    constexpr int rounds = 3;
    for (int round = 0; round < rounds && carry_on_() && found.chosen.fit.poles.size() > 0; ++round) {
      const Eigen::MatrixXcd residuals = lines.values - fitted_values(lines, found.chosen.fit, terms_);
      lines.weight = weights_from_residuals(residuals, unknowns_a_function(lines, found.chosen.fit));
      if (options_.method == ModalMethod::isolation) {
        std::vector<double> near;
        if (round > 0 || by_hand()) {
          for (const Complex pole : found.chosen.fit.poles) near.push_back(pole.imag() / two_pi);
        }
        std::vector<std::string> told = near.empty() ? std::vector<std::string>{} : std::move(found.chosen.remarks);
        found = isolated(near);
        found.chosen.remarks.insert(found.chosen.remarks.begin(), told.begin(), told.end());
      } else if (round == 0 && !by_hand()) {
        found.chosen = stable();
      } else {
        const Eigen::VectorXcd poles = found.chosen.fit.poles;
        found.chosen.fit = polish_modes(thinned(lines, poles), poles, terms_, {}, carry_on_);
      }
    }
    return found;
  }

  /// Numbers of the fit, with the errors of noise alone.
  void take(FoundModes& found);
  void fit_parts();
  void sum_up_errors();

  const MeasuredResponses& data_;
  const ModalFitOptions& options_;
  ModalTerms terms_;
  std::vector<double> near_;  ///< of the options, those that have a mode
  std::vector<SignedChannel> driving_;
  std::vector<Eigen::Index> anchors_;  ///< see ModalShapes
  std::function<bool(double)> observer_;
  std::function<bool()> carry_on_;
  double progress_ = 0.0;
  ModalFit result_;
};

/// A frequency that is asked for, and the pole next to it.
struct NearPole {
  std::size_t asked = 0;
  Eigen::Index pole = 0;
  double off = 0.0;  ///< relative
};

/// Pairs within 2 %, the nearest first, each frequency and each pole once.
std::vector<NearPole> nearest_pairs(const std::vector<double>& near, const Eigen::VectorXcd& poles) {
  constexpr double farthest = 0.02;
  std::vector<NearPole> all, chosen;
  for (std::size_t i = 0; i < near.size(); ++i) {
    for (Eigen::Index m = 0; m < poles.size(); ++m) {
      const double off = std::abs(std::abs(poles(m)) / two_pi - near[i]) / near[i];
      if (off <= farthest) all.push_back({i, m, off});
    }
  }
  std::sort(all.begin(), all.end(), [](const NearPole& a, const NearPole& b) { return a.off < b.off; });
  for (const NearPole& each : all) {
    const auto taken = [&](const NearPole& other) { return other.asked == each.asked || other.pole == each.pole; };
    if (std::none_of(chosen.begin(), chosen.end(), taken)) chosen.push_back(each);
  }
  return chosen;
}

std::vector<double> ModalFitter::answered_by(const FoundModes& found) {
  const ModalPolish& fit = found.chosen.fit;
  if (fit.poles.size() == 0) {
    for (const double frequency : near_)
      result_.doubts.push_back(fmt::format("there is no mode near {:.6g} Hz", frequency));
    return {};
  }
  const ModalLines lines = found.lines.lines() > 0 ? found.lines : thinned(result_.lines, fit.poles);
  const ModalErrors errors = modal_errors(lines, fit, terms_, found.lines_of_mode);
  const Eigen::VectorXd inflation = inflation_of(errors);
  const auto constants = [&](Eigen::Index m) {
    return Eigen::VectorXcd(modal_constants(lines, fit, terms_, m).reshaped());
  };
  const std::vector<NearPole> pairs = nearest_pairs(near_, fit.poles);
  const auto decay_error = [&](const NearPole& pair) {
    const double variance = inflation(pair.pole) * errors.poles(2 * pair.pole, 2 * pair.pole);
    if (!std::isfinite(variance)) return std::numeric_limits<double>::infinity();
    return std::sqrt(std::max(0.0, variance)) / (lines.window_decay - fit.poles(pair.pole).real());
  };
  const auto worst = std::max_element(pairs.begin(), pairs.end(), [&](const NearPole& a, const NearPole& b) {
    return decay_error(a) < decay_error(b);
  });
  constexpr double known = 0.5;
  std::vector<bool> answered(near_.size(), false);
  std::vector<Eigen::Index> taken;
  for (const NearPole& pair : pairs) {
    if (&pair == &*worst && !(decay_error(pair) < known)) {  // the others may be known without it
      result_.doubts.push_back(
          fmt::format("near {:.6g} Hz the data do not determine a mode: left out", near_[pair.asked]));
      continue;
    }
    const auto twin = std::find_if(taken.begin(), taken.end(), [&](Eigen::Index other) {
      return pole_distance(fit.poles(other), fit.poles(pair.pole)) < near_poles &&
             shape_likeness(constants(other), constants(pair.pole)) > same_shape &&
             !gap_between(fit.poles, errors, other, pair.pole, std::max(inflation(other), inflation(pair.pole)))
                  .is_known();
    });
    if (twin == taken.end()) {
      answered[pair.asked] = true;
      taken.push_back(pair.pole);
    } else {
      result_.doubts.push_back(fmt::format("near {:.6g} Hz the fit comes to the mode at {:.6g} Hz once more: left out",
                                           near_[pair.asked], std::abs(fit.poles(*twin)) / two_pi));
    }
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < near_.size(); ++i) {
    const auto here = [i](const NearPole& pair) { return pair.asked == i; };
    if (answered[i]) {
      result.push_back(near_[i]);
    } else if (std::none_of(pairs.begin(), pairs.end(), here)) {
      result_.doubts.push_back(
          fmt::format("there is no mode near {:.6g} Hz: the fit leaves the 2 % around it; left out", near_[i]));
    }
  }
  return result;
}

void ModalFitter::take(FoundModes& found) {
  const ModalLines& lines = result_.lines;
  result_.fit = std::move(found.chosen.fit);
  const ModalErrors errors = modal_errors(found.lines, result_.fit, terms_, found.lines_of_mode);
  result_.remarks.insert(result_.remarks.end(), found.chosen.remarks.begin(), found.chosen.remarks.end());
  result_.converged = result_.fit.converged;
  result_.fitted = fitted_values(lines, result_.fit, terms_);
  result_.circles = modal_circles(lines, result_.fit, terms_);
  result_.fit.residuals = weighted_residuals(lines, result_.fitted);  // of all lines
  result_.fit.chi_squared = result_.fit.residuals.squaredNorm();
  const Eigen::Index modes = result_.fit.poles.size();
  result_.mode_of_cluster.assign(result_.diagram.clusters.size(), 0);
  result_.stable_orders.assign(static_cast<std::size_t>(modes), 0);
  for (std::size_t m = 0; m < found.chosen.clusters.size(); ++m) {
    const std::size_t cluster = found.chosen.clusters[m];
    if (cluster >= result_.diagram.clusters.size()) continue;
    result_.mode_of_cluster[cluster] = static_cast<int>(m) + 1;
    result_.stable_orders[m] = static_cast<int>(result_.diagram.clusters[cluster].members.size());
  }
  const double values = 2.0 * static_cast<double>(lines.lines() * lines.functions());
  const double freedom = values - static_cast<double>(lines.functions()) * unknowns_a_function(lines, result_.fit);
  result_.chi_squared_ratio = result_.fit.chi_squared / std::max(1.0, freedom);

  const Eigen::VectorXd inflation = inflation_of(errors);
  const PoleNumbers numbers = numbers_of(result_.fit.poles, errors, inflation);
  MeasuredModes& out = result_.modes;
  out.channels = lines.channels;
  for (Eigen::Index m = 0; m < modes; ++m) out.numbers.push_back(static_cast<int>(m) + 1);
  out.frequency_hz = numbers.frequency;
  out.zeta = numbers.zeta;
  result_.frequency_noise = numbers.frequency_error;
  result_.zeta_noise = numbers.zeta_error;
  result_.noise_ratio = errors.noise_ratio;
  ModalShapes shapes = modal_shapes(lines, result_.fit, terms_, errors, driving_, inflation);
  out.shapes = std::move(shapes.shapes);
  out.shape_error = std::move(shapes.error);
  out.unit_modal_mass = shapes.unit_modal_mass;
  result_.scale_error = shapes.scale_error;
  anchors_ = std::move(shapes.anchors);
  result_.doubts.insert(result_.doubts.end(), shapes.remarks.begin(), shapes.remarks.end());
  result_.significance.resize(modes);
  result_.collinearity.resize(modes);
  result_.phase_deviation.resize(modes);
  for (Eigen::Index m = 0; m < modes; ++m) {
    result_.significance(m) = mode_significance(result_.fit, terms_, errors, m) /
                              (inflation(m) * static_cast<double>(terms_.a_mode() * lines.functions()));
    result_.collinearity(m) = phase_collinearity(out.shapes.col(m));
    result_.phase_deviation(m) = mean_phase_deviation(out.shapes.col(m));
  }
  tell_of_modes(errors, inflation, options_, result_);
  for (std::string& sentence : delays_that_show(lines, result_.fit, terms_, out)) {
    result_.doubts.push_back(std::move(sentence));
  }
}

void ModalFitter::fit_parts() {
  if (result_.fit.poles.size() == 0) return;
  const PartFits with{options_.band, terms_, driving_, anchors_, carry_on_};
  result_.parts = fits_of_parts(data_.parts, with, result_);
}

void ModalFitter::sum_up_errors() {
  add_spread_of_parts(result_);
  for (std::size_t m = 0; m < anchors_.size(); ++m) {
    const auto mode = static_cast<Eigen::Index>(m);
    if (!(result_.scale_error(mode) > 0.0)) continue;
    const double size = std::abs(result_.modes.shapes(anchors_[m], mode));
    result_.scale_error(mode) = std::hypot(result_.scale_error(mode), result_.shape_spread(anchors_[m], mode) / size);
  }
  if (result_.lines.hann) {
    result_.modes.zeta_error = root_of_squares(result_.modes.zeta_error, largest_leakage(result_) / std::sqrt(12.0));
    tell_of_leakage(result_);
  }
  tell_of_spread(result_);
}

}  // namespace

std::vector<SignedChannel> driving_channels(const std::vector<std::string>& channels,
                                            const std::vector<std::string>& references,
                                            const std::string& driving_point) {
  if (!driving_point.empty() && references.size() > 1) {
    throw std::invalid_argument(fmt::format(
        "driving_point {} is one channel and there are {} references ({}): name the channel at each of them "
        "like the reference",
        driving_point, references.size(), fmt::join(references, ", ")));
  }
  std::vector<SignedChannel> driving;
  for (const std::string& reference : references) {
    driving.push_back(channel_or_opposite(driving_point.empty() ? reference : driving_point, channels));
  }
  return driving;
}

void check_near(const std::vector<double>& near, const ModalLines& lines) {
  const double low = lines.frequency(0), high = lines.frequency(lines.lines() - 1);
  for (const double frequency : near) {
    if (frequency > low && frequency < high) continue;
    throw std::invalid_argument(
        fmt::format("near_hz must be within the lines, {:.6g} to {:.6g} Hz, got {:.6g}", low, high, frequency));
  }
}

ModalFit fit_modes(const MeasuredResponses& data, const ModalFitOptions& options,
                   const std::function<bool(double)>& observer) {
  return ModalFitter(data, options, observer).fit();
}

}  // namespace microslip
