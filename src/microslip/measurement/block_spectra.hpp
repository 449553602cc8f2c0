#pragma once
// Spectra of hits at the lines k/T of their blocks, lead and block together:
//   X_k = sum_{j >= -lead} w_j x_j exp(-2 pi i j k/n),   j from the block's beginning, n its samples,
// one transform of length n: what is before the block is added to its end, since exp(-2 pi i k) = 1.
// Windows: exp(-decay t), 1 at the block's beginning, on force and responses, which rises from 0 over the first half of
// what the lead has before the hit (where filters ring, a sharp cut would leave half of the last swing); and on the
// force a window that is 1 while the hit lasts and falls to 0 on either side.
//   y = h * f  gives  exp(-c t) y = (exp(-c t) h) * (exp(-c t) f):
// the response under the window is that of a structure whose poles lie c further left, exactly.

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "microslip/measurement/hit_blocks.hpp"
#include "microslip/measurement/measured_record.hpp"

namespace microslip {

struct BlockOptions {
  std::size_t samples = 0;
  std::size_t first_line = 1, lines = 0;  ///< those that are kept: first_line, first_line + 1, ... of 1/T
  double decay = 0.0;                     ///< a sample
  bool force_window = true;
};

/// Of one hit.
struct BlockSpectra {
  Eigen::VectorXcd force;
  Eigen::MatrixXcd responses;    ///< lines x channels; zero where the record has none
  double force_power = 0.0;      ///< sum of the squares of the force's window: noise s^2 gives E|N|^2 = s^2 times it
  double response_power = 0.0;   ///< the same of the responses' window
  Eigen::VectorXd offset_power;  ///< |transform of that window|^2: what an offset leaves
};

/// exp(-decay t) over lead and block, behind the half cosine.
[[nodiscard]] Eigen::VectorXd block_window(const Hit& hit, const BlockOptions& options);

/// 1 from half a length of the hit before it, four samples at least, to as long after it, then half a cosine of half
/// its length, eight samples at least, down to 0; 1 everywhere for a double hit. Of lead and block.
[[nodiscard]] Eigen::VectorXd force_window(const Hit& hit, std::size_t samples);

/// Responses are taken less their mean before the hit, or over the last quarter of the block where nothing is before
/// it.
[[nodiscard]] BlockSpectra block_spectra(const MeasuredRecord& record, const Hit& hit, const BlockOptions& options);

/// The mean of a channel before a hit; over the last quarter of its block where fewer than 16 samples are before it.
[[nodiscard]] double offset_before(const std::vector<double>& channel, const Hit& hit, std::size_t samples);

}  // namespace microslip
