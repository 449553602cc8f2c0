# Debian packages: cmake --preset package && cmake --build --preset package && (cd build/package && cpack -G DEB)
# `microslip` is the program with its examples, `libmicroslip-dev` the library for find_package,
# `microslip-mpi` what `mpirun microslip` needs, where there was MPI to build with. A build for the processor
# of this machine says so in its version: such a package may not run elsewhere.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME microslip)
set(CPACK_PACKAGE_VENDOR "the microslip authors")
set(CPACK_PACKAGE_CONTACT "the microslip authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Vibration of structures with friction joints")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
if(MICROSLIP_NATIVE)
  set(CPACK_DEBIAN_PACKAGE_RELEASE native)
else()
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME microslip)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS fonts-dejavu-core)  # of pictures
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "Amplitude-dependent frequencies and damping of structures with bolted joints,
dampers and dry friction: command line with reports.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmicroslip-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# packages.txt but for what only the program and its build need.
file(STRINGS ${PROJECT_SOURCE_DIR}/packages.txt development_packages REGEX "-dev$")
list(FILTER development_packages EXCLUDE REGEX "^(libcli11-dev|libtomlplusplus-dev)$")
list(JOIN development_packages ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "C++20 headers and static libraries of microslip, for find_package(microslip).")
if(TARGET microslip_mpi)  # by itself, so that the program does not depend on MPI
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME microslip-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS microslip)
  set(CPACK_COMPONENT_MPI_DESCRIPTION "What microslip needs to share parameter studies out under mpirun.")
endif()
include(CPack)
