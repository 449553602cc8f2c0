#pragma once
// From measured channels to modal coordinates, and how strong the other modes are.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "microslip/modal/ringdown.hpp"

namespace microslip {

/// q = filter * channels.
/// By mass orthogonality: Phi^T M. Every degree of freedom must be a channel.
[[nodiscard]] Eigen::MatrixXd mass_filter(const Eigen::MatrixXd& shapes, const Eigen::MatrixXd& mass);
/// By pseudo-inverse of the shapes at the channels (channels x modes). Throws std::invalid_argument unless there are at
/// least as many channels as modes and the shapes are linearly independent at them.
[[nodiscard]] Eigen::MatrixXd pseudo_inverse_filter(const Eigen::MatrixXd& shapes);

/// The strongest of the other signals beside a point of a ring-down.
struct OtherMode {
  int index = -1;      ///< -1: there is none
  double ratio = 0.0;  ///< its root mean square over that of the mode, over the cycle around the point
};
/// `signals` have the same start and step; `mode` is the one that the points belong to.
[[nodiscard]] std::vector<OtherMode> strongest_others(std::span<const SampledMotion> signals, std::size_t mode,
                                                      std::span<const RingdownPoint> points);

/// The same for one channel, whose rest outside a band stands for the other modes: by root mean square over the
/// half-cycles of a point. Neither an offset counts, nor what white noise of this standard deviation could be: its mean
/// square over n samples and four standard deviations of that, sqrt(2/n).
[[nodiscard]] std::vector<OtherMode> rest_of_channel(const SampledMotion& own, const SampledMotion& rest, int index,
                                                     double noise, std::span<const RingdownPoint> points);

/// The signal of the largest mean square; -1 when all are zero.
[[nodiscard]] int dominant(std::span<const SampledMotion> signals);

}  // namespace microslip
