#pragma once
// How far the poles of parts of the data (single hits, the first part of each record) lie from those of all of them,
// beyond their noise: of a linear structure nothing, of one with joints what its frequency and damping change with
// amplitude.
//
// Parts that share no data (hits) are judged among themselves: with weights w_p = 1/s_p^2 and their own mean m,
//   Q = sum w_p (x_p - m)^2   is chi^2 with one degree of freedom less than there are parts (Cochran 1954).
// (Of k equal ones, whose mean is the whole, this is (k-1)/k sum d_p^2/var(d_p): the distances d_p from the whole are
// not independent of each other.) A part of all of them (the first of each record) is in the whole: of an efficient
// estimate the variance of their difference d is that of the part less that of the whole (Hausman 1978), and d is
// independent of how hits differ: d^2/var(d) is one degree more.

#include <vector>

namespace microslip {

/// A number of a part, with its standard error of noise alone.
struct PartNumber {
  double value = 0.0, error = 0.0;
  bool of_all = false;  ///< see MeasuredResponses::Part
};

/// Parts that are not finite or have no error do not count. Where the chance that noise makes the parts differ as much
/// as they do is above `chance`, 0; else the root mean square of their distances from the whole, less noise.
/// `noise_freedom`: degrees of freedom behind the variances of noise, which all parts share; 0: they are known.
[[nodiscard]] double spread_beyond_noise(double whole, double whole_error, const std::vector<PartNumber>& parts,
                                         double chance, double noise_freedom = 0.0);

}  // namespace microslip
