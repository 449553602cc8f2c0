// Ranks of MPI, for the program to load. One thread, that which has called MPI_Init, makes all calls.

#include <mpi.h>

#include <chrono>
#include <cstring>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "microslip/trials/ranks.hpp"

namespace microslip {
namespace {

constexpr int tag = 20;

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override {
    while (!sending_.empty()) {
      forget_sent();
      std::this_thread::sleep_for(pause);
    }
    wait_for_all();
    MPI_Finalize();
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  /// Does not wait for the other side: two that sent long messages to each other would wait forever.
  void send(int to, std::string_view bytes) override {
    forget_sent();
    Message& message = sending_.emplace_back();
    message.bytes = bytes;
    MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD,
              &message.request);
  }

  [[nodiscard]] std::optional<RankMessage> receive() override {
    forget_sent();
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    RankMessage message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

 private:
  static constexpr std::chrono::milliseconds pause{1};
  struct Message {
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void forget_sent() {
    sending_.remove_if([](Message& message) {
      int done = 0;
      MPI_Test(&message.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }
  /// As MPI_Finalize does, but that turns round and round meanwhile, for hours if rank 0 has more to do.
  static void wait_for_all() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) std::this_thread::sleep_for(pause);
  }

  int rank_ = 0, size_ = 1;
  std::list<Message> sending_;  ///< their places do not change
};

}  // namespace
}  // namespace microslip

/// Null for a program of another version.
extern "C" __attribute__((visibility("default"))) microslip::Ranks* microslip_ranks(const char* version) {
  return std::strcmp(version, MICROSLIP_VERSION) == 0 ? new microslip::MpiRanks : nullptr;
}
