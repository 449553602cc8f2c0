#include "microslip/measurement/reciprocity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/measurement/response_gain.hpp"

namespace microslip {
namespace {

/// Of responses of one channel each; the errors of those that have none stay empty.
FrequencyResponses turned(const std::vector<FrequencyResponses>& references) {
  FrequencyResponses result = references.front();
  const auto count = static_cast<Eigen::Index>(references.size());
  const Eigen::Index lines = result.frequency.size();
  const auto side_by_side = [&](auto member) {
    auto columns = (references.front().*member).eval();
    const bool all = std::all_of(references.begin(), references.end(), [&](const FrequencyResponses& of) {
      return (of.*member).rows() == lines && (of.*member).cols() == 1;
    });
    columns.resize(all ? lines : 0, all ? count : 0);
    for (Eigen::Index r = 0; r < columns.cols(); ++r) columns.col(r) = references[static_cast<std::size_t>(r)].*member;
    return columns;
  };
  result.reference = result.channels.front();
  result.channels.clear();
  for (const FrequencyResponses& of : references) {
    result.channels.push_back(of.reference);
    result.force_amplitude = std::max(result.force_amplitude, of.force_amplitude);
    result.averages = std::min(result.averages, of.averages);
    result.noise_freedom = fewer_degrees(result.noise_freedom, of.noise_freedom);
  }
  result.values = side_by_side(&FrequencyResponses::values);
  result.error = side_by_side(&FrequencyResponses::error);
  result.coherence = side_by_side(&FrequencyResponses::coherence);
  // The noise of a force is now that of its channel alone: phi_c = a_c/sqrt(a_d) holds e_c and e_d/2, where a common
  // factor e leaves e/2.
  if (result.force_error.size() != lines) return result;
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(lines);
  for (const FrequencyResponses& of : references) {
    if (of.force_error.size() == lines) squares += of.force_error.cwiseAbs2();
  }
  result.force_error = (5.0 / static_cast<double>(count) * squares).cwiseSqrt();
  return result;
}

/// What the noise of a force makes of all responses to it, over their size: the least over the lines.
double noise_of_force(const ModalLines& lines, std::size_t reference) {
  return lines.force_error.empty() ? 0.0 : lines.force_error[reference].minCoeff();
}

bool is_roving(const std::vector<FrequencyResponses>& references) {
  return references.size() > 1 && std::all_of(references.begin(), references.end(), [&](const FrequencyResponses& of) {
           return of.channels.size() == 1 && of.channels == references.front().channels &&
                  of.values.rows() == references.front().values.rows() && of.values.cols() == 1;
         });
}

}  // namespace

MeasuredResponses roving_as_channels(MeasuredResponses data) {
  if (is_roving(data.references)) data.references = {turned(data.references)};
  for (MeasuredResponses::Part& part : data.parts) {
    if (is_roving(part.references)) part.references = {turned(part.references)};
  }
  return data;
}

std::vector<std::string> references_that_disagree(const ModalLines& lines, const std::vector<SignedChannel>& driving) {
  std::vector<std::string> told;
  const auto response = [&](std::size_t point, std::size_t reference, Eigen::VectorXd& error) {
    const SignedChannel& at = driving[point];
    const Eigen::Index column = lines.function(static_cast<std::size_t>(at.place), reference);
    error = lines.weight.col(column).cwiseInverse();
    return Eigen::VectorXcd(at.sign * lines.values.col(column));
  };
  for (std::size_t r = 0; r < driving.size(); ++r) {
    for (std::size_t s = r + 1; s < driving.size(); ++s) {
      if (driving[r].place < 0 || driving[s].place < 0) continue;
      Eigen::VectorXd a_error, b_error;
      const Eigen::VectorXcd a = response(s, r, a_error), b = response(r, s, b_error);
      ResponseGain gain = gain_between(a, a_error, b, b_error, lines.correlation, lines.noise_freedom);
      gain.error = std::hypot(gain.error, noise_of_force(lines, r), noise_of_force(lines, s));
      if (!gain.known || !gain.differs()) continue;
      const std::string &first = lines.references[r], &second = lines.references[s];
      told.push_back(
          fmt::format("{0} answers to {1} {2:.2g} times as much as {1} to {0}, which reciprocity has alike: the gain "
                      "or the sign of a hammer or of a channel, or damping that is not the same in both; components of "
                      "shapes may be as wrong",
                      first, second, gain.value));
    }
  }
  return told;
}

}  // namespace microslip
