#pragma once
// results.mat: the tables of results.h5 for MATLAB.

#include <string>
#include <vector>

#include "microslip/results/results.hpp"

namespace microslip {

/// Writes results.mat beside results.h5, which must be closed: a struct for each table, named as its CSV file
/// (ring, ring_energy), and `microslip` with the version and the study. Throws OutputError.
void write_mat_results(const Results& results, const std::vector<std::string>& analyses, const std::string& version,
                       const std::string& study);

}  // namespace microslip
