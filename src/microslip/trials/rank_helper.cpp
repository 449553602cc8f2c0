#include "microslip/trials/rank_helper.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "microslip/io/text_file.hpp"

namespace microslip {

RankHelper::RankHelper(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
                       const MakeTrialWorker& make_worker, const Observer& observer)
    : plan_(&plan),
      setting_(&setting),
      make_worker_(&make_worker),
      ranks_(setting.ranks),
      threads_(std::max<std::size_t>(1, options.threads)),
      progress_(observer, plan.count, 0, threads_),
      pace_(plan.count, TrialChains(plan).size()) {}

TrialOutcome RankHelper::run() {
  std::exception_ptr error;
  say_hello();
  try {
    // Rank 0 answers when it has taken in what an earlier run has left; only then is the database of this rank made.
    const RankMessage answer = wait_for_message();
    state_ = begin_trials_of_rank(*plan_, *setting_, ranks_->rank());
    take(answer);
    work();
    send(RankWord::done);
  } catch (const std::exception& wrong) {
    error = std::current_exception();
    ByteWriter bytes;
    bytes.put(RankWord::failed);
    bytes.put_text(wrong.what());
    ranks_->send(0, bytes.take());
  }
  wait_for_end();
  if (error) std::rethrow_exception(error);
  TrialOutcome outcome = outcome_of(std::move(state_));
  outcome.part_done = !progress_.stopped();
  return outcome;
}

void RankHelper::say_hello() {
  ByteWriter hello;
  hello.put(RankWord::hello);
  hello.put_text(plan_->identity);
  hello.put(plan_->count);
  hello.put(threads_);
  ranks_->send(0, hello.take());
}

RankMessage RankHelper::wait_for_message() {
  for (;;) {
    if (std::optional<RankMessage> message = ranks_->receive()) return std::move(*message);
    std::this_thread::sleep_for(rank_pause);
  }
}

void RankHelper::work() {
  TrialKeeper keeper(*plan_, state_.rows, std::exchange(state_.store, std::nullopt), {});
  TrialCrew crew(
      {*plan_, *make_worker_, queue_, progress_, state_.rows, state_.known, [&](std::size_t trial, double seconds) {
         keeper.add(trial, seconds);
         if (keeper.failed()) progress_.stop();
         const std::lock_guard lock(mutex_);
         outbox_.emplace_back(trial, seconds);
       }});
  crew.start(0, threads_);
  listen(crew);
  crew.join();
  keeper.finish();
  send_rows();
}

void RankHelper::listen(TrialCrew& crew) {
  while (!crew.ended()) {
    bool quiet = true;
    while (const std::optional<RankMessage> message = ranks_->receive()) {
      take(*message);
      quiet = false;
    }
    progress_.finished_elsewhere(0);  // has anybody said stop?
    if (progress_.stopped() && !told_stop_) {
      queue_.stop();
      send(RankWord::stopped);
      told_stop_ = true;
    }
    ask();
    if (std::chrono::steady_clock::now() - sent_ > rows_pause) send_rows();
    if (quiet) std::this_thread::sleep_for(rank_pause);
  }
}

void RankHelper::take(const RankMessage& message) {
  ByteReader bytes(message.bytes);
  switch (bytes.get<RankWord>()) {
    case RankWord::block:
      while (!bytes.at_end()) queue_.push(bytes.get<std::size_t>());
      asked_ = false;
      break;
    case RankWord::none:
      queue_.close();
      closed_ = true;
      break;
    case RankWord::stop:
      told_stop_ = true;
      progress_.stop();
      queue_.stop();
      break;
    default:
      break;
  }
}

/// When a thread waits, or will soon.
void RankHelper::ask() {
  if (asked_ || closed_ || progress_.stopped()) return;
  const long surplus = queue_.surplus();
  const bool soon = pace_.known() && pace_.seconds() < short_chain && surplus < static_cast<long>(threads_);
  if (surplus >= 0 && !soon) return;
  ByteWriter bytes;
  bytes.put(RankWord::want);
  bytes.put(static_cast<std::size_t>(std::max(0L, -surplus)));
  ranks_->send(0, bytes.take());
  asked_ = true;
}

void RankHelper::send_rows() {
  std::vector<std::pair<std::size_t, double>> trials;
  {
    const std::lock_guard lock(mutex_);
    trials.swap(outbox_);
  }
  sent_ = std::chrono::steady_clock::now();
  if (trials.empty()) return;
  ByteWriter bytes;
  bytes.put(RankWord::rows);
  for (const auto& [trial, seconds] : trials) {
    packer_.add(trial, seconds, state_.rows[trial], bytes);
    pace_.add(seconds);
  }
  ranks_->send(0, bytes.take());
}

/// The rows here are in the database of rank 0 then, and this one has served.
void RankHelper::wait_for_end() {
  for (;;) {
    const RankMessage message = wait_for_message();
    ByteReader bytes(message.bytes);
    if (bytes.get<RankWord>() != RankWord::end) continue;
    const bool kept = bytes.get<bool>();
    if (kept && !state_.file.empty()) remove_trials(file_in(setting_->directory, state_.file));
    return;
  }
}

}  // namespace microslip
