# The library used from other projects: programs of examples/cpp against the command line, an installation, a package.
# Sanitized libraries ask their users for the same sanitizers: without them only.
if(MICROSLIP_SANITIZE)
  return()
endif()
add_subdirectory(${PROJECT_SOURCE_DIR}/examples/cpp ${PROJECT_BINARY_DIR}/examples/cpp)
add_test(NAME library.examples
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/test_examples.py $<TARGET_FILE:microslip>
                 ${PROJECT_BINARY_DIR}/examples/cpp)
add_test(NAME library.install
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/test_install.py ${PROJECT_BINARY_DIR}
                 ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(library.install PROPERTIES TIMEOUT 900)
