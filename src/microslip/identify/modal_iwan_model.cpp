#include "microslip/identify/modal_iwan_model.hpp"

namespace microslip {

template class ModalIwanModel<double>;

}  // namespace microslip
