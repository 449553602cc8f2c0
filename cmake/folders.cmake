# The layers of src/microslip: each folder names the folders it may include, all of them below it.
# A folder with sources is a static library, one with headers only an interface.
#
# BATCH n compiles n sources at a time as one (a unity build): time goes into what they all include. TOGETHER a b ... does
# so with these sources. Names in anonymous namespaces must differ within a folder. Sources are dealt out by size, so that
# batches come out alike; at the next configuration a source that is new or has grown may move others to other batches.

# Sources that read what users write. They are in batches of their own, so that the fuzz targets can put instrumented ones
# in their place.
set(MICROSLIP_READERS "io/[a-z0-9_]+" "toml/[a-z_]+" "input/[a-z_]+" "analyses/[a-z_]+/(read[a-z_]*|grid)"
    "analyses/(kinds|read_[a-z_]+|mode_numbers|joint_methods)" "analyses/(motion/history_tables|fit_ignl/joint_curves)" "study/study" "gallery/printed_values"
    "joints/(catalogue|check_law|make_law)" "numerics/formula"
    "trials/(sqlite|trial_store|trial_query)")
list(JOIN MICROSLIP_READERS "|" MICROSLIP_READERS)
set(MICROSLIP_READERS "/src/microslip/(${MICROSLIP_READERS})[.]cpp$")

# Numbers go round in these long enough for -O3 to pay. They are compiled by themselves, without precompiled headers, which
# bring their level of optimisation along and overrule the command line's.
set(microslip_fast "/(dense|fft|uniform_samples|averaging_loaded|averaging_free|floquet|joint_variation|ignl_model|regime)[.]cpp$")

# Large sources, those with names of their own for what others name too, and two whose types stay their own.
set(microslip_alone "(mat5_reader|mat73_reader|mat_writer|universal_file|web_assets|dense|eigen_kernels|floquet|joint_variation)[.]cpp$")

# Nothing here goes round long: these and the program itself are compiled in little time (-O1). What is inline in the
# folders below has no copy there that could take the place of theirs (tests/one_copy.sh).
set(microslip_top toml input results report analyses study gallery)

function(microslip_batch name size)
  set(sized)
  foreach(source IN LISTS ARGN)
    file(SIZE ${source} bytes)
    list(APPEND sized "${bytes} ${source}")
  endforeach()
  list(SORT sized COMPARE NATURAL ORDER DESCENDING)
  list(LENGTH sized sources)
  math(EXPR batches "(${sources} + ${size} - 1) / ${size}")
  set(count 0)
  foreach(source IN LISTS sized)
    string(REGEX REPLACE "^[0-9]+ " "" source ${source})
    math(EXPR batch "${count} % (2 * ${batches})")  # forth and back
    if(batch GREATER_EQUAL batches)
      math(EXPR batch "2 * ${batches} - 1 - ${batch}")
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${batch})
    math(EXPR count "${count} + 1")
  endforeach()
endfunction()

function(microslip_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 folder "" "BATCH" "TOGETHER;ABOVE")
  set(dir ${PROJECT_SOURCE_DIR}/src/microslip/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp ${dir}/*/*.cpp)
  set(target microslip_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:microslip_flags>)
    if(name IN_LIST microslip_top)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
      target_precompile_headers(${target} REUSE_FROM microslip_top_headers)
    else()
      target_precompile_headers(${target} REUSE_FROM microslip_headers)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  set(fast ${sources})
  list(FILTER fast INCLUDE REGEX ${microslip_fast})
  if(fast AND NOT MICROSLIP_SANITIZE)
    set_source_files_properties(${fast} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
                                                   COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")
    list(FILTER sources EXCLUDE REGEX ${microslip_fast})
  endif()
  if(folder_BATCH OR folder_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    list(TRANSFORM folder_TOGETHER REPLACE "(.+)" "${dir}/\\1.cpp")
    foreach(source IN LISTS folder_TOGETHER)
      if(NOT EXISTS ${source})
        message(FATAL_ERROR "TOGETHER of ${name} names ${source}, which is not there")
      endif()
    endforeach()
    microslip_batch(together 100 ${folder_TOGETHER})
  endif()
  if(folder_BATCH)
    list(FILTER sources EXCLUDE REGEX ${microslip_alone})
    list(REMOVE_ITEM sources ${folder_TOGETHER})
    set(readers ${sources})
    list(FILTER readers INCLUDE REGEX ${MICROSLIP_READERS})
    list(FILTER sources EXCLUDE REGEX ${MICROSLIP_READERS})
    microslip_batch(readers ${folder_BATCH} ${readers})
    microslip_batch(others ${folder_BATCH} ${sources})
  endif()
  add_library(microslip::${name} ALIAS ${target})
  foreach(dependency IN LISTS folder_ABOVE)
    target_link_libraries(${target} ${scope} microslip::${dependency})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY MICROSLIP_LAYERS "${name}:${folder_ABOVE}")
endfunction()

# What nearly every source includes, compiled once: from outside, and for the folders at the top the study too. It saves
# parsing and means nothing else: a file includes what it uses (of the readers, the fuzz targets check that).
set(microslip_outside <algorithm> <any> <array> <cmath> <complex> <filesystem> <fstream> <functional> <map> <memory>
    <optional> <span> <sstream> <string> <string_view> <utility> <variant> <vector> <Eigen/Core> <Eigen/SparseCore>
    <fmt/format.h> ${PROJECT_SOURCE_DIR}/src/microslip/numerics/eigen_kernels.hpp)
foreach(headers microslip_headers microslip_top_headers)
  add_library(${headers} OBJECT ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
  target_link_libraries(${headers} PRIVATE microslip_flags Eigen3::Eigen fmt::fmt)
  target_precompile_headers(${headers} PRIVATE ${microslip_outside})
endforeach()
target_compile_options(microslip_top_headers PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(microslip_top_headers PRIVATE nlohmann_json::nlohmann_json)
target_precompile_headers(microslip_top_headers PRIVATE <nlohmann/json.hpp>
                          ${PROJECT_SOURCE_DIR}/src/microslip/study/study.hpp
                          ${PROJECT_SOURCE_DIR}/src/microslip/results/analysis_summary.hpp)

microslip_folder(numerics BATCH 9)
microslip_folder(io BATCH 12)
microslip_folder(joints BATCH 4 ABOVE numerics)
microslip_folder(inference BATCH 8 ABOVE numerics)
microslip_folder(structure BATCH 7 ABOVE numerics)
microslip_folder(system BATCH 12 ABOVE structure joints numerics)
microslip_folder(transient BATCH 8 TOGETHER contact_motion events linear_flow piecewise_model regime
                 ABOVE system structure joints numerics)
microslip_folder(periodic BATCH 6 TOGETHER event_map flow_transition orbit_history piecewise_curve piecewise_response
                 ABOVE transient system structure joints numerics)
microslip_folder(measurement BATCH 12 ABOVE numerics io)
microslip_folder(modal BATCH 12 ABOVE measurement periodic transient system structure joints numerics)
microslip_folder(identify BATCH 20 ABOVE modal measurement transient system structure joints numerics)
microslip_folder(updating BATCH 8 ABOVE inference measurement system structure joints numerics)
microslip_folder(toml BATCH 6 ABOVE numerics io)
microslip_folder(input BATCH 16 ABOVE toml measurement system structure joints numerics io)
microslip_folder(results BATCH 8 ABOVE system structure joints numerics io)
microslip_folder(trials BATCH 16 ABOVE system numerics io)
microslip_folder(report BATCH 15 ABOVE results system structure joints numerics io)
microslip_folder(analyses BATCH 14 ABOVE trials report results input toml updating identify inference modal measurement periodic transient system
                 structure joints numerics io)
microslip_folder(study BATCH 7 ABOVE analyses trials report results input toml system structure joints numerics io)
microslip_folder(gallery BATCH 7 ABOVE study trials report results toml numerics io)

target_link_libraries(microslip_numerics PUBLIC Eigen3::Eigen PRIVATE ${METIS_LIBRARY})
target_link_libraries(microslip_structure PUBLIC Eigen3::Eigen fmt::fmt)
if(MICROSLIP_CHOLMOD)
  find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
  find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
  target_compile_definitions(microslip_structure PRIVATE MICROSLIP_CHOLMOD)
  target_include_directories(microslip_structure SYSTEM PRIVATE ${CHOLMOD_INCLUDE_DIR})
  target_link_libraries(microslip_structure PRIVATE ${CHOLMOD_LIBRARY})
endif()
# io includes nothing of numerics; Eigen's kernels are compiled there.
target_link_libraries(microslip_io PUBLIC Eigen3::Eigen fmt::fmt PRIVATE microslip::numerics HDF5::HDF5 ZLIB::ZLIB)
target_link_libraries(microslip_joints PUBLIC fmt::fmt)
target_link_libraries(microslip_inference PUBLIC Eigen3::Eigen PRIVATE fmt::fmt)
target_link_libraries(microslip_measurement PUBLIC Eigen3::Eigen fmt::fmt PRIVATE microslip_ceres)
target_link_libraries(microslip_identify PUBLIC fmt::fmt PRIVATE Eigen3::Eigen microslip_ceres)
target_link_libraries(microslip_updating PUBLIC fmt::fmt)
target_link_libraries(microslip_toml PUBLIC fmt::fmt nlohmann_json::nlohmann_json)
target_include_directories(microslip_toml SYSTEM PRIVATE ${TOMLPP_INCLUDE_DIR})
target_link_libraries(microslip_results PUBLIC fmt::fmt nlohmann_json::nlohmann_json)
target_link_libraries(microslip_trials PUBLIC fmt::fmt PRIVATE ${SQLITE_LIBRARY})
target_include_directories(microslip_trials SYSTEM PRIVATE ${SQLITE_INCLUDE_DIR})
target_link_libraries(microslip_report PUBLIC fmt::fmt PRIVATE PkgConfig::rsvg)
target_link_libraries(microslip_analyses PUBLIC fmt::fmt Threads::Threads)

# All of the library; in this tree also with the flags of ours.
add_library(microslip_all INTERFACE)
add_library(microslip::microslip ALIAS microslip_all)
target_link_libraries(microslip_all INTERFACE microslip_gallery $<BUILD_INTERFACE:microslip_flags>)
target_compile_features(microslip_all INTERFACE cxx_std_20)

# Files that become part of the program: style and script of a report, and the bundles of Plotly, packed, as far as
# scripts/setup.sh has fetched them.
set(web_assets ${PROJECT_SOURCE_DIR}/src/microslip/report/web_assets.cpp)
set(web_files MICROSLIP_PAGE_CSS=${PROJECT_SOURCE_DIR}/src/microslip/report/web/page.css
              MICROSLIP_PAGE_JS=${PROJECT_SOURCE_DIR}/src/microslip/report/web/page.js)
file(GLOB plotly_bundles CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/build/web/plotly-*.min.js.gz)
foreach(bundle IN LISTS plotly_bundles)
  string(REGEX REPLACE "^.*/plotly-(.*)[.]min[.]js[.]gz$" "\\1" bundle_name ${bundle})
  string(TOUPPER ${bundle_name} bundle_name)
  list(APPEND web_files MICROSLIP_PLOTLY_${bundle_name}=${bundle})
endforeach()
foreach(web_file IN LISTS web_files)
  string(REGEX REPLACE "=.*" "" web_name ${web_file})
  string(REGEX REPLACE "^[^=]*=" "" web_path ${web_file})
  set_property(SOURCE ${web_assets} APPEND PROPERTY COMPILE_DEFINITIONS "${web_name}=\"${web_path}\"")
  set_property(SOURCE ${web_assets} APPEND PROPERTY OBJECT_DEPENDS ${web_path})
endforeach()
