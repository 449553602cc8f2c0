#include "microslip/numerics/eigen_kernels.hpp"

MICROSLIP_EIGEN_KERNELS(, double)
MICROSLIP_EIGEN_KERNELS(, std::complex<double>)
