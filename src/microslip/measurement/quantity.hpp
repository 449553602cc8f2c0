#pragma once
// What a channel of motion measures.

namespace microslip {

enum class Quantity { displacement, velocity, acceleration };

}  // namespace microslip
