#pragma once
// Samples of the prior, each known by its number alone: any thread or machine can make any of them.
//
//   sobol             a net: scrambled by a random triangular matrix and a shift in every direction (Matousek 1998),
//                     which keeps what makes it even; 2^m samples from number 0 on are the most even
//   latin_hypercube   every parameter once in each of `count` equal shares of its prior
//   random            independent

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "microslip/inference/residual_problem.hpp"

namespace microslip {

enum class SampleKind { sobol, latin_hypercube, random };

class Samples {
 public:
  /// `count`: so many samples are asked for; the Latin hypercube depends on it, the others do not. Throws
  /// std::invalid_argument for more than `most_sobol_dimensions` of Sobol's, or a count of 0 or beyond 2^32.
  Samples(SampleKind kind, std::size_t dimensions, std::uint64_t count, std::uint64_t seed);

  /// In (0, 1) each; number < count. Thread-safe.
  void unit(std::uint64_t number, std::span<double> u) const;
  /// The sample of these parameters, as many as there are dimensions.
  [[nodiscard]] Eigen::VectorXd point(std::uint64_t number,
                                      const std::vector<ResidualProblem::Parameter>& parameters) const;

 private:
  SampleKind kind_;
  std::size_t dimensions_;
  std::uint64_t count_, seed_;
  std::vector<std::array<std::uint32_t, 32>> directions_;  // Sobol's, scrambled
  std::vector<std::uint32_t> shifts_;
};

}  // namespace microslip
