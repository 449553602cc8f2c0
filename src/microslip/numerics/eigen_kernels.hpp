#pragma once
// The inner kernels of Eigen's products, compiled in eigen_kernels.cpp and nowhere else: every source that multiplies
// two matrices would compile them again, for seconds each. Part of the precompiled headers (cmake/folders.cmake);
// without it everything means the same and takes longer to build.

#include <Eigen/Core>

/// KERNEL(explicit instantiation) of packing, the block kernel and the products with vectors, for one scalar.
#define MICROSLIP_EIGEN_KERNELS(PREFIX, SCALAR)                                                                  \
  PREFIX template struct Eigen::internal::gebp_kernel<                                                           \
      SCALAR, SCALAR, Eigen::Index, Eigen::internal::blas_data_mapper<SCALAR, Eigen::Index, Eigen::ColMajor>,    \
      Eigen::internal::gebp_traits<SCALAR, SCALAR>::mr, Eigen::internal::gebp_traits<SCALAR, SCALAR>::nr, false, \
      false>;                                                                                                    \
  MICROSLIP_EIGEN_KERNELS_BY_ORDER(PREFIX, SCALAR, Eigen::ColMajor)                                              \
  MICROSLIP_EIGEN_KERNELS_BY_ORDER(PREFIX, SCALAR, Eigen::RowMajor)

#define MICROSLIP_EIGEN_KERNELS_BY_ORDER(PREFIX, SCALAR, ORDER)                                                    \
  PREFIX template struct Eigen::internal::gemm_pack_lhs<                                                           \
      SCALAR, Eigen::Index, Eigen::internal::const_blas_data_mapper<SCALAR, Eigen::Index, ORDER>,                  \
      Eigen::internal::gebp_traits<SCALAR, SCALAR>::mr, Eigen::internal::gebp_traits<SCALAR, SCALAR>::LhsProgress, \
      Eigen::internal::gebp_traits<SCALAR, SCALAR>::LhsPacket4Packing, ORDER>;                                     \
  PREFIX template struct Eigen::internal::gemm_pack_rhs<                                                           \
      SCALAR, Eigen::Index, Eigen::internal::const_blas_data_mapper<SCALAR, Eigen::Index, ORDER>,                  \
      Eigen::internal::gebp_traits<SCALAR, SCALAR>::nr, ORDER>;                                                    \
  PREFIX template struct Eigen::internal::general_matrix_vector_product<                                           \
      Eigen::Index, SCALAR, Eigen::internal::const_blas_data_mapper<SCALAR, Eigen::Index, ORDER>, ORDER, false,    \
      SCALAR, Eigen::internal::const_blas_data_mapper<SCALAR, Eigen::Index, Eigen::ColMajor>, false>;              \
  PREFIX template struct Eigen::internal::general_matrix_vector_product<                                           \
      Eigen::Index, SCALAR, Eigen::internal::const_blas_data_mapper<SCALAR, Eigen::Index, ORDER>, ORDER, false,    \
      SCALAR, Eigen::internal::const_blas_data_mapper<SCALAR, Eigen::Index, Eigen::RowMajor>, false>;

MICROSLIP_EIGEN_KERNELS(extern, double)
MICROSLIP_EIGEN_KERNELS(extern, std::complex<double>)
