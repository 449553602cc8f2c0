#pragma once
// From the poles of a stabilisation diagram to modes: a start for each, a polish of all together, and out goes what is
// no mode: poles that leave the band, that noise makes up, that are the same as another.

#include <Eigen/Core>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "microslip/measurement/modal_errors.hpp"
#include "microslip/measurement/modal_polish.hpp"
#include "microslip/measurement/stabilisation.hpp"

namespace microslip {

struct ChosenModes {
  ModalPolish fit;                    ///< modes by frequency
  std::vector<std::size_t> clusters;  ///< that each began from; clusters.size(): none
  std::vector<std::string> remarks;
};

/// One start near each frequency [1/time]: the cluster with most members within 2 %, else a peak.
[[nodiscard]] ChosenModes modes_near(const ModalLines& lines, const Stabilisation& diagram,
                                     const std::vector<double>& near, const ModalTerms& terms,
                                     const std::function<bool()>& carry_on);

/// All that stand out, or the `count` strongest of them.
[[nodiscard]] ChosenModes stable_modes(const ModalLines& lines, const Stabilisation& diagram,
                                       std::pair<int, int> orders, int count, const ModalTerms& terms,
                                       const std::function<bool()>& carry_on);

/// Places of what is no mode in a fit: first all that are lost; else, of undetermined ones that are near to each
/// other, the worst; else, of pairs that the data cannot tell apart, the weaker; else those that noise may have made.
/// `lines_of_mode`: see modal_errors.
[[nodiscard]] std::vector<std::size_t> no_modes(const ModalLines& lines, const ModalPolish& fit,
                                                const ModalTerms& terms, const Eigen::MatrixXd& lines_of_mode,
                                                std::vector<std::string>& remarks);

/// Significance over what noise alone gives from which on a mode counts: of chi^2 with n degrees of freedom
/// 1 + 6 sqrt(2/n) and more, for the search over the band.
[[nodiscard]] double least_significance(Eigen::Index degrees);

}  // namespace microslip
