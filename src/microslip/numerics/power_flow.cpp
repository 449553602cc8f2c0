#include "microslip/numerics/power_flow.hpp"

namespace microslip {

template class PowerFlow<double>;

}  // namespace microslip
