# `cmake --install`: the program, and the library for `find_package(microslip)`. See docs/library.md.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(microslip_all PROPERTIES EXPORT_NAME microslip)

set(installed microslip_all microslip_ceres)
set_target_properties(microslip_ceres PROPERTIES EXPORT_NAME ceres)
get_property(layers GLOBAL PROPERTY MICROSLIP_LAYERS)
set(third_party "")
list(FILTER layers INCLUDE REGEX ":")  # a folder; what follows it are those that it may include
foreach(layer IN LISTS layers)
  string(REGEX REPLACE ":.*" "" folder "${layer}")
  list(APPEND installed microslip_${folder})
  set_target_properties(microslip_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_include_directories(microslip_${folder} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # The memory layout of Eigen's types depends on the processor that they are compiled for: whoever uses a library that
  # was built for this one has to be, too.
  if(MICROSLIP_NATIVE)
    target_compile_options(microslip_${folder} INTERFACE $<INSTALL_INTERFACE:-march=native>)
  endif()
  get_target_property(libraries microslip_${folder} LINK_LIBRARIES)
  list(APPEND third_party ${libraries})
endforeach()

# Targets that CMake or pkg-config made up here are written down with what they hold, so that a user needs no C compiler
# to ask for HDF5, nor pkg-config.
list(REMOVE_DUPLICATES third_party)
set(MICROSLIP_MADE_UP_TARGETS "")
foreach(library IN LISTS third_party)
  if(NOT library MATCHES "^(HDF5|hdf5|PkgConfig)::")
    continue()
  endif()
  get_target_property(holds ${library} INTERFACE_LINK_LIBRARIES)
  string(APPEND MICROSLIP_MADE_UP_TARGETS "if(NOT TARGET ${library})
  add_library(${library} INTERFACE IMPORTED)
  target_link_libraries(${library} INTERFACE \"${holds}\")
endif()
")
endforeach()

if(TARGET microslip_mpi)
  install(TARGETS microslip_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/microslip COMPONENT mpi)
endif()
install(TARGETS microslip RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/microslip/examples COMPONENT program
        PATTERN "*-results" EXCLUDE
        PATTERN "cpp" EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
install(TARGETS ${installed} EXPORT microslip ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY src/microslip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.hpp"
        PATTERN "hdf5_handle.hpp" EXCLUDE
        PATTERN "web" EXCLUDE)
install(DIRECTORY examples/cpp DESTINATION ${CMAKE_INSTALL_DATADIR}/microslip/examples COMPONENT development)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/microslip)
install(EXPORT microslip NAMESPACE microslip:: DESTINATION ${config_folder} FILE microslipTargets.cmake
        COMPONENT development)
configure_package_config_file(cmake/microslipConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/microslipConfig.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/microslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/microslipConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/microslipConfigVersion.cmake
        DESTINATION ${config_folder} COMPONENT development)
