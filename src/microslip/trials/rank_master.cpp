#include "microslip/trials/rank_master.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <utility>

#include "microslip/io/output_file.hpp"

namespace microslip {

RankMaster::RankMaster(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
                       const MakeTrialWorker& make_worker, const Observer& observer)
    : plan_(&plan),
      setting_(&setting),
      options_(&options),
      make_worker_(&make_worker),
      ranks_(setting.ranks),
      threads_(std::max<std::size_t>(1, options.threads)),
      pace_(plan.count, TrialChains(plan).size()),
      helpers_(static_cast<std::size_t>(ranks_->size())) {
  try {
    begin(observer);
  } catch (...) {  // the others have to be told first
    error_ = std::current_exception();
  }
}

void RankMaster::begin(const Observer& observer) {
  state_ = begin_trials(*plan_, *setting_);
  const TrialChains chains(*plan_);
  for (std::size_t chain = chains.size(); chain-- > 0;) {
    const std::size_t first = chains.first(chain), end = chains.end(chain);
    if (state_.known_of(first, end) < end - first) pending_.push_back(chain);
  }
  progress_.emplace(observer, plan_->count, state_.known_of(0, plan_->count), threads_);
  if (!options_->seen) return;
  for (std::size_t i = 0; i < plan_->count; ++i) {
    if (state_.known[i] != 0) options_->seen(i, state_.rows[i]);
  }
}

TrialOutcome RankMaster::run() {
  try {
    if (!error_) work();
  } catch (...) {
    if (!error_) error_ = std::current_exception();
  }
  stop_all();  // where it went wrong; else nobody is there to hear it
  while (!all_done()) {
    if (!listen()) std::this_thread::sleep_for(rank_pause);
  }
  const bool kept = !error_ || state_.file.empty();
  for (int rank = 1; rank < ranks_->size(); ++rank) {
    ByteWriter bytes;
    bytes.put(RankWord::end);
    bytes.put(kept);
    ranks_->send(rank, bytes.take());
  }
  if (error_) std::rethrow_exception(error_);
  return outcome_of(std::move(state_));
}

void RankMaster::work() {
  keeper_.emplace(*plan_, state_.rows, std::exchange(state_.store, std::nullopt), options_->seen);
  {
    TrialCrew crew({*plan_, *make_worker_, queue_, *progress_, state_.rows, state_.known,
                    [&](std::size_t trial, double seconds) { keeper_->add(trial, seconds); }});
    crew.start(0, threads_);
    lead(crew);
    crew.join();
  }
  keeper_->finish();
}

void RankMaster::lead(const TrialCrew& crew) {
  while (!crew.ended() || !all_done()) {
    const bool quiet = !listen();
    if (!progress_->finished_elsewhere(0) || keeper_->failed()) stop_all();
    feed_own();
    if (quiet) std::this_thread::sleep_for(rank_pause);
  }
}

bool RankMaster::listen() {
  bool heard = false;
  while (const std::optional<RankMessage> message = ranks_->receive()) {
    take(*message);
    heard = true;
  }
  return heard;
}

void RankMaster::take(const RankMessage& message) {
  Helper& helper = helpers_.at(static_cast<std::size_t>(message.from));
  ByteReader bytes(message.bytes);
  switch (bytes.get<RankWord>()) {
    case RankWord::hello:
      greet(helper, bytes);
      hand_out(message.from, helper.threads);
      break;
    case RankWord::want:
      hand_out(message.from, bytes.get<std::size_t>());
      break;
    case RankWord::rows:
      take_rows(helper, bytes);
      break;
    case RankWord::stopped:
      stop_all();
      break;
    case RankWord::failed:
      helper.done = true;
      fail(fmt::format("rank {}: {}", message.from, bytes.get_text()));
      break;
    case RankWord::done:
      helper.done = true;
      break;
    default:
      break;
  }
}

void RankMaster::greet(Helper& helper, ByteReader& bytes) {
  const std::string identity(bytes.get_text());
  const auto count = bytes.get<std::size_t>();
  helper.threads = bytes.get<std::size_t>();
  if (identity == plan_->identity && count == plan_->count) return;
  fail("the ranks have read different studies, or are different builds of the program");
}

void RankMaster::take_rows(Helper& helper, ByteReader& bytes) {
  std::size_t fresh = 0;
  helper.unpacker.read(bytes, [&](std::size_t trial, double seconds, TrialRow&& row) {
    pace_.add(seconds);
    if (trial >= state_.rows.size() || state_.rows[trial].finished()) return;
    state_.rows[trial] = std::move(row);
    ++fresh;
    if (keeper_) keeper_->add(trial, seconds);
  });
  if (progress_) progress_->finished_elsewhere(fresh);
}

/// Half of what is this rank's fair part of the rest, so that the last blocks are small; but not less than what keeps
/// it at work between two messages.
std::size_t RankMaster::block_size(std::size_t threads, std::size_t idle) const {
  std::size_t heard = threads_, ranks = 1;
  for (const Helper& helper : helpers_) {
    if (helper.threads > 0) heard += helper.threads, ++ranks;
  }
  const double all = static_cast<double>(heard) / static_cast<double>(ranks) * static_cast<double>(ranks_->size());
  const double share = static_cast<double>(pending_.size()) * static_cast<double>(threads) / all;
  double size = 0.5 * share;
  if (pace_.known()) {
    const double enough = shortest_block * static_cast<double>(threads) / std::max(1e-9, pace_.seconds());
    size = std::max(size, std::min(share, enough));
  }
  const auto whole = static_cast<std::size_t>(std::ceil(size));
  return std::min(pending_.size(), std::max({whole, idle, std::size_t{1}}));
}

void RankMaster::hand_out(int rank, std::size_t idle) {
  ByteWriter bytes;
  if (pending_.empty() || stopping_ || error_) {
    bytes.put(RankWord::none);
    ranks_->send(rank, bytes.take());
    return;
  }
  bytes.put(RankWord::block);
  const std::size_t size = block_size(helpers_[static_cast<std::size_t>(rank)].threads, idle);
  for (std::size_t k = 0; k < size; ++k) {
    bytes.put(pending_.back());
    pending_.pop_back();
  }
  ranks_->send(rank, bytes.take());
}

void RankMaster::feed_own() {
  if (pending_.empty()) {
    queue_.close();
    return;
  }
  const long surplus = queue_.surplus();
  const bool soon = pace_.known() && pace_.seconds() < short_chain && surplus < static_cast<long>(threads_);
  if (surplus >= 0 && !soon) return;
  for (std::size_t k = block_size(threads_, static_cast<std::size_t>(std::max(0L, -surplus))); k > 0; --k) {
    queue_.push(pending_.back());
    pending_.pop_back();
  }
}

void RankMaster::stop_all() {
  if (stopping_) return;
  stopping_ = true;
  pending_.clear();
  if (progress_) progress_->stop();
  queue_.stop();
  for (int rank = 1; rank < ranks_->size(); ++rank) {
    if (!helpers_[static_cast<std::size_t>(rank)].done) {
      ranks_->send(rank, std::string(1, static_cast<char>(RankWord::stop)));
    }
  }
}

void RankMaster::fail(const std::string& text) {
  if (!error_) error_ = std::make_exception_ptr(OutputError(text));
  stop_all();
}

bool RankMaster::all_done() const {
  return std::all_of(helpers_.begin() + 1, helpers_.end(), [](const Helper& helper) { return helper.done; });
}

}  // namespace microslip
