#pragma once
// The ranks of an MPI run. What talks MPI is a shared object beside the program (apps/mpi), loaded only under mpirun.

#include "microslip/trials/ranks.hpp"

namespace microslip::cli {

/// Null where this process was not started by mpirun or its like, or alone. Throws std::invalid_argument where the
/// shared object is not there. It lives until `leave_ranks`.
[[nodiscard]] Ranks* join_ranks();

/// Rank 0 says to the others that it has read the study without complaint; they wait for it, so that one complains.
void go_on_together(Ranks& ranks);

/// At the end of a run that went as it should: waits for the others.
void leave_ranks();
/// At the end of the program: ends the others, unless this rank has left them. A rank that is gone would be waited for.
void end_ranks(int exit_code);

}  // namespace microslip::cli
