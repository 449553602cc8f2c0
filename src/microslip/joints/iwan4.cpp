#include "microslip/joints/iwan4.hpp"

namespace microslip {

template class Iwan4Backbone<double>;

}  // namespace microslip
