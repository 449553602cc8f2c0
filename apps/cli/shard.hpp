#pragma once
// Which part of the trials this process does.

#include <string>

#include "microslip/trials/trial_setting.hpp"

namespace microslip::cli {

/// "3/16", or "auto": from the environment of an array job (Slurm, Grid Engine). Throws std::invalid_argument.
[[nodiscard]] TrialShare parse_shard(const std::string& text);

}  // namespace microslip::cli
