#pragma once
// The processes of an MPI run, as far as trials need them. What talks MPI is a plugin of its own, so that the program
// neither needs it nor starts slower.

#include <optional>
#include <string>
#include <string_view>

namespace microslip {

struct RankMessage {
  int from = 0;
  std::string bytes;
};

/// Used by one thread only.
class Ranks {
 public:
  virtual ~Ranks() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Messages between two ranks arrive in the order in which they are sent.
  virtual void send(int to, std::string_view bytes) = 0;
  /// Ends the processes of all ranks.
  virtual void abort(int exit_code) = 0;
  /// Does not wait.
  [[nodiscard]] virtual std::optional<RankMessage> receive() = 0;
};

}  // namespace microslip
