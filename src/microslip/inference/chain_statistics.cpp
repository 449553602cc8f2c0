#include "microslip/inference/chain_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "microslip/numerics/normal_quantile.hpp"
#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

using HalfChains = std::vector<std::vector<double>>;

HalfChains halves(std::span<const double> draws, std::size_t chains) {
  const std::size_t length = draws.size() / chains, half = length / 2;
  HalfChains result;
  for (std::size_t c = 0; c < chains; ++c) {
    const auto chain = draws.subspan(c * length, length);
    result.emplace_back(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(half));
    result.emplace_back(chain.end() - static_cast<std::ptrdiff_t>(half), chain.end());
  }
  return result;
}

/// Normal quantiles of the ranks over all chains; equal draws share the mean of theirs (Blom's 3/8).
std::vector<double> by_ranks(std::span<const double> draws) {
  std::vector<std::size_t> order(draws.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return draws[a] < draws[b]; });
  std::vector<double> result(draws.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && draws[order[end]] == draws[order[i]]) ++end;
    const double rank = 0.5 * static_cast<double>(i + 1 + end);
    const double z = normal_quantile((rank - 0.375) / (static_cast<double>(order.size()) + 0.25));
    for (; i < end; ++i) result[order[i]] = z;
  }
  return result;
}

/// Variances within chains, their mean, and the variance that all chains together have.
struct ChainMoments {
  explicit ChainMoments(const HalfChains& chains) {
    const auto n = static_cast<double>(chains[0].size());
    double sum = 0.0;
    for (const auto& chain : chains) {
      means.push_back(std::accumulate(chain.begin(), chain.end(), 0.0) / n);
      sum += means.back();
      double square = 0.0;
      for (const double x : chain) square += (x - means.back()) * (x - means.back());
      within += square / (n - 1.0) / static_cast<double>(chains.size());
    }
    const double mean = sum / static_cast<double>(chains.size());
    double between = 0.0;
    for (const double m : means) between += (m - mean) * (m - mean) / static_cast<double>(chains.size() - 1);
    together = within * (n - 1.0) / n + between;
  }
  std::vector<double> means;
  double within = 0.0, together = 0.0;
};

double r_hat_of(const HalfChains& chains) {
  const ChainMoments moments(chains);
  return std::sqrt(moments.together / moments.within);
}

double size_of(const HalfChains& chains) {
  const ChainMoments moments(chains);
  const std::size_t n = chains[0].size();
  const double all = static_cast<double>(n * chains.size());
  const auto correlation = [&](std::size_t lag) {
    double covariance = 0.0;
    for (std::size_t c = 0; c < chains.size(); ++c) {
      double sum = 0.0;
      for (std::size_t i = 0; i + lag < n; ++i) {
        sum += (chains[c][i] - moments.means[c]) * (chains[c][i + lag] - moments.means[c]);
      }
      covariance += sum / all;
    }
    return 1.0 - (moments.within - covariance) / moments.together;
  };
  double sum = -1.0, before = std::numeric_limits<double>::infinity();
  for (std::size_t lag = 0; lag + 1 < n; lag += 2) {
    const double pair = (lag == 0 ? 1.0 : correlation(lag)) + correlation(lag + 1);
    if (!(pair > 0.0)) break;
    before = std::min(before, pair);
    sum += 2.0 * before;
  }
  return all / std::max(sum, 1.0 / std::log10(all));
}

HalfChains below(const HalfChains& chains, double limit) {
  HalfChains result = chains;
  for (auto& chain : result) {
    for (double& x : chain) x = x <= limit ? 1.0 : 0.0;
  }
  return result;
}

}  // namespace

ChainDiagnosis diagnose(std::span<const double> draws, std::size_t chains) {
  constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
  ChainDiagnosis result{not_known, not_known, not_known};
  if (chains == 0 || draws.size() / chains < 4) return result;
  const auto [least, most] = std::minmax_element(draws.begin(), draws.end());
  if (!(*least < *most)) return result;
  std::vector<double> sorted(draws.begin(), draws.end());
  const double middle = percentile(sorted, 0.5), low = percentile(sorted, 0.05), high = percentile(sorted, 0.95);
  std::vector<double> distances;
  for (const double x : draws) distances.push_back(std::abs(x - middle));
  const HalfChains bulk = halves(by_ranks(draws), chains), plain = halves(draws, chains);
  result.r_hat = std::max(r_hat_of(bulk), r_hat_of(halves(by_ranks(distances), chains)));
  result.bulk_size = size_of(bulk);
  result.tail_size = std::min(size_of(below(plain, low)), size_of(below(plain, high)));
  return result;
}

}  // namespace microslip
