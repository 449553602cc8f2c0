#pragma once
// Names of the methods of integration, in studies and results.

#include <string_view>

#include "microslip/analyses/choice.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {

inline constexpr Choice<Scheme> scheme_choices[] = {{"newmark", Scheme::newmark},
                                                    {"hht", Scheme::hht},
                                                    {"generalized_alpha", Scheme::generalized_alpha},
                                                    {"modal_exact", Scheme::modal_exact}};
/// No scheme: from event to event.
inline constexpr std::string_view events_method = "events";

}  // namespace microslip
