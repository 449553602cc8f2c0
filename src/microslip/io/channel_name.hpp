#pragma once
// Names of channels: a node and a direction, "12.z", or "12.-z" against it.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace microslip {

/// The same channel with the other sign: "12.z" <-> "12.-z", "a[12.z]" <-> "a[12.-z]"; nothing for other names.
[[nodiscard]] std::optional<std::string> opposite_channel(const std::string& name);

/// Where a channel is among others, and with which sign.
struct SignedChannel {
  int place = -1;  ///< none
  double sign = 1.0;
};

/// The channel of that name or, with the sign -1, the opposite one.
[[nodiscard]] SignedChannel channel_or_opposite(const std::string& name, const std::vector<std::string>& names);
/// `place_of`: of a name, -1 where there is none.
[[nodiscard]] SignedChannel channel_or_opposite(const std::string& name,
                                                const std::function<int(const std::string&)>& place_of);

}  // namespace microslip
