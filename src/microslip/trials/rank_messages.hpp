#pragma once
// What ranks say to each other. A message is one of these letters and what is named behind it.

#include <chrono>

namespace microslip {

enum class RankWord : char {
  // to rank 0
  hello = 'h',    ///< identity, count, threads: I am here and have nothing to do
  want = 'w',     ///< threads that wait: I shall soon have nothing to do
  rows = 'r',     ///< rows (trial_packet.hpp)
  stopped = 's',  ///< somebody here has said stop
  failed = 'f',   ///< a text: as `done`, but it went wrong
  done = 'd',     ///< I say nothing more
  // from rank 0
  block = 'b',  ///< chains to do
  none = 'n',   ///< there are no more chains
  stop = 'x',   ///< finish as you are
  end = 'e'     ///< all have finished; true: your rows are in my database
};

/// Between two looks at messages: nothing is lost where chains are longer, and shorter ones are asked for ahead.
inline constexpr std::chrono::milliseconds rank_pause{1};
/// Chains that take less are asked for before the last one is done.
inline constexpr double short_chain = 0.02;  // [s]
/// A block is to be work for at least so long.
inline constexpr double shortest_block = 0.05;  // [s]
/// Rows go to rank 0 so often.
inline constexpr std::chrono::milliseconds rows_pause{20};

}  // namespace microslip
