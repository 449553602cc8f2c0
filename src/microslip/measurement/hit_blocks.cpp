#include "microslip/measurement/hit_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/measurement/force_hits.hpp"
#include "microslip/numerics/fft.hpp"
#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

constexpr std::size_t quiet_after_hit = 16;  // samples
constexpr std::size_t fewest_block = 64;
constexpr std::size_t least_lead = 48;
constexpr std::size_t most_quiet = 8192;  // enough for 16 bands of noise to 3 %
constexpr std::size_t fewest_quiet_samples = 16;

/// The largest even length up to `most` with no factor but 2, 3 and 5.
std::size_t fast_even_below(std::size_t most) {
  std::size_t length = most - most % 2;
  while (length > 2 && fast_length_above(length) != length) length -= 2;
  return length;
}

/// The first hit of samples [from, to).
std::optional<Hit> first_hit(const std::vector<double>& force, std::size_t from, std::size_t to) {
  if (to < from + fewest_block) return {};
  const auto at = [&](std::size_t i) { return force.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::vector<double> part(at(from), at(to));
  const ForceHits found = force_hits({&part}, quiet_after_hit);
  if (!found.end) return {};
  Hit hit;
  hit.begin = from + *found.begin;
  hit.end = from + *found.end;
  if (found.second) hit.second = from + *found.second;
  const std::size_t before = hit.begin - from;
  const std::size_t lead = std::min(std::max(least_lead, 4 * (hit.end - hit.begin)), before - before / 2);
  hit.lead = hit.begin - lead;
  const double rest = median(part);
  const auto smaller = [&](double a, double b) { return std::abs(a - rest) < std::abs(b - rest); };
  hit.block = static_cast<std::size_t>(std::max_element(at(hit.begin), at(hit.end), smaller) - force.begin());
  return hit;
}

/// All of [from, to): weaker ones before the first that is a quarter of the strongest as well.
void add_hits(const std::vector<double>& force, std::size_t from, std::size_t to, std::size_t samples,
              std::vector<Hit>& hits) {
  const std::optional<Hit> hit = first_hit(force, from, to);
  if (!hit) return;
  add_hits(force, from, hit->lead, samples, hits);
  hits.push_back(*hit);
  add_hits(force, std::min(hit->block + samples, to), to, samples, hits);
}

/// One hit is another one's second where it comes before that one's block is over.
std::vector<Hit> apart(const std::vector<Hit>& hits, std::size_t samples) {
  std::vector<Hit> result;
  for (const Hit& hit : hits) {
    if (!result.empty() && hit.begin < result.back().block + samples) {
      std::optional<std::size_t>& second = result.back().second;
      second = second ? std::min(*second, hit.begin) : hit.begin;
      continue;
    }
    result.push_back(hit);
  }
  for (Hit& hit : result) {
    if (hit.second && *hit.second >= hit.block + samples) hit.second.reset();
  }
  return result;
}

/// Rest and peak of the force, and where it is quiet before the hit.
void measure(const std::vector<double>& force, std::size_t quiet_from, std::size_t samples, Hit& hit) {
  hit.quiet = std::min(hit.lead, std::max(quiet_from, hit.lead - std::min(hit.lead, most_quiet)));
  const auto at = [&](std::size_t i) { return force.begin() + static_cast<std::ptrdiff_t>(i); };
  if (hit.lead - hit.quiet >= fewest_quiet_samples) {
    double sum = 0.0;
    for (std::size_t i = hit.quiet; i < hit.lead; ++i) sum += force[i];
    hit.rest = sum / static_cast<double>(hit.lead - hit.quiet);
  } else {
    hit.rest = median({at(hit.block), at(hit.block + samples)});
  }
  for (std::size_t i = hit.begin; i < std::min(hit.end, force.size()); ++i) {
    const double value = force[i] - hit.rest;
    if (std::abs(value) > std::abs(hit.peak)) hit.peak = value;
  }
}

/// A record that begins when the hammer has already hit.
void tell_cut_hit(const MeasuredRecord& record, const Hit& hit, std::vector<std::string>& notes) {
  if (hit.begin > 0) return;
  const double share = std::abs((record.force.front() - hit.rest) / hit.peak);
  notes.push_back(
      fmt::format("{}: it begins within the hit, at {:.2g} of the largest force: what was before is missing, and "
                  "responses to the rest are too large; record some time before the hit",
                  record.name, share));
}

/// A hit so late that all blocks are short: less than half of what another one has is left, and more of that is lost
/// before the hit than by a shorter record.
void tell_late_hit(const MeasuredTest& test, const std::vector<Hit>& hits, std::vector<std::string>& notes) {
  constexpr double late = 0.5;
  const auto left = [&](const Hit& hit) {
    return static_cast<double>(test.records[hit.record].force.size()) - static_cast<double>(hit.block);
  };
  const auto by_left = [&](const Hit& a, const Hit& b) { return left(a) < left(b); };
  const auto [least, most] = std::minmax_element(hits.begin(), hits.end(), by_left);
  const double lost = left(*most) - left(*least);
  const double before = static_cast<double>(least->block) - static_cast<double>(most->block);
  if (left(*least) > late * left(*most) || before < 0.5 * lost) return;
  const MeasuredRecord& record = test.records[least->record];
  notes.push_back(
      fmt::format("{}: after its hit, at {:.6g}, there are {:.3g} to the end of the record, after others up to {:.3g}: "
                  "all blocks are as short; leave this record out",
                  record.name, record.time(least->begin), left(*least) * record.step, left(*most) * record.step));
}

void add_record_hits(const MeasuredTest& test, std::size_t record, std::size_t samples, HitBlocks& blocks) {
  const MeasuredRecord& of = test.records[record];
  std::vector<Hit> hits;
  if (samples == 0) {
    if (const auto hit = first_hit(of.force, 0, of.force.size())) hits.push_back(*hit);
  } else {
    add_hits(of.force, 0, of.force.size(), samples, hits);
    hits = apart(hits, samples);
    const auto cut = [&](const Hit& hit) { return hit.block + samples > of.force.size(); };
    const auto whole = std::remove_if(hits.begin(), hits.end(), cut);
    if (whole != hits.end()) {
      blocks.notes.push_back(
          fmt::format("{}: the hit at {:.6g} is left out, the record ends before its duration is over", of.name,
                      of.time(whole->begin)));
    }
    hits.erase(whole, hits.end());
  }
  if (hits.empty()) {
    blocks.notes.push_back(fmt::format(
        "{}: no hit stands out of the noise of its force and is over before its end; the record is left out", of.name));
  }
  for (Hit& hit : hits) {
    hit.record = record;
    blocks.hits.push_back(hit);
  }
}

}  // namespace

HitBlocks find_hits(const MeasuredTest& test, double duration) {
  HitBlocks blocks;
  if (duration > 0.0) {
    const auto samples = static_cast<std::size_t>(std::llround(duration / test.records.front().step));
    blocks.samples = std::max(samples - samples % 2, fewest_block);
  }
  for (std::size_t k = 0; k < test.records.size(); ++k) add_record_hits(test, k, blocks.samples, blocks);
  if (blocks.hits.empty()) return blocks;
  if (blocks.samples == 0) {
    std::size_t shortest = test.records[blocks.hits.front().record].force.size();
    for (const Hit& hit : blocks.hits) shortest = std::min(shortest, test.records[hit.record].force.size() - hit.block);
    blocks.samples = fast_even_below(shortest);
    tell_late_hit(test, blocks.hits, blocks.notes);
  }
  std::erase_if(blocks.hits, [&](const Hit& hit) {
    const MeasuredRecord& record = test.records[hit.record];
    const bool longer = hit.end - hit.begin > blocks.samples;
    if (longer) {
      blocks.notes.push_back(
          fmt::format("{}: the hit at {:.6g} lasts longer than the duration of a block; it is left out", record.name,
                      record.time(hit.begin)));
    }
    return longer;
  });
  std::size_t before = 0;
  for (std::size_t k = 0; k < blocks.hits.size(); ++k) {
    Hit& hit = blocks.hits[k];
    hit.lead = std::max(hit.lead, hit.block - std::min(hit.block, blocks.samples));
    const bool first = k == 0 || blocks.hits[k - 1].record != hit.record;
    measure(test.records[hit.record].force, first ? 0 : before, blocks.samples, hit);
    tell_cut_hit(test.records[hit.record], hit, blocks.notes);
    before = hit.block + blocks.samples;
    if (hit.second && *hit.second >= before) hit.second.reset();
  }
  return blocks;
}

}  // namespace microslip
