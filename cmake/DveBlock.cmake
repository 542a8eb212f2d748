include(GoogleTest)

# Precompiled headers, made once and reused: SystemC for the modules, GoogleTest for plain tests, both for SystemC tests.
if(NOT EXISTS ${CMAKE_BINARY_DIR}/precompiled.cpp)
  file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cpp "")
endif()
function(dve_precompiled name)
  cmake_parse_arguments(PRECOMPILED "" "" "HEADERS;LIBRARIES" ${ARGN})
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(${name} PRIVATE ${PRECOMPILED_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${PRECOMPILED_HEADERS})
endfunction()

# Tests spend their time in the models: their own code is built for quick compilation.
add_library(dve_test_flags INTERFACE)
target_link_libraries(dve_test_flags INTERFACE dve_flags)
target_compile_options(dve_test_flags INTERFACE $<$<CONFIG:Release>:-O1>)

dve_precompiled(dve_systemc_headers HEADERS <systemc> <tlm> LIBRARIES dve_flags PkgConfig::SYSTEMC)
target_compile_options(dve_systemc_headers PRIVATE ${DVE_COROUTINE_OPTIONS})
if(DVE_BUILD_TESTS)
  dve_precompiled(dve_test_headers HEADERS <gtest/gtest.h> <random> <map> LIBRARIES dve_test_flags GTest::gtest)
  dve_precompiled(dve_systemc_test_headers HEADERS <systemc> <tlm> <gtest/gtest.h> <random> <map>
    LIBRARIES dve_test_flags GTest::gtest PkgConfig::SYSTEMC)
  target_compile_options(dve_systemc_test_headers PRIVATE ${DVE_COROUTINE_OPTIONS})
endif()

# dve_block(<name> [PLAIN] [COLD] SOURCES ... [DEPENDS ...] [LIBRARIES ...])
#
# One block of the house: the folder models/<name> or platform/<name>, target dve_<name>, included as "dve/<name>/<name>.h".
# A block sees the headers of the blocks it DEPENDS on (and theirs), and of nobody else: each block's headers stand
# behind an include directory of their own, so an include against the direction of dependencies does not compile.
# PLAIN blocks know no SystemC: <systemc> and <tlm> are errors there. COLD blocks run once a start: built for quick
# compilation.
function(dve_block name)
  cmake_parse_arguments(BLOCK "PLAIN;COLD" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  set(target dve_${name})
  set(door ${CMAKE_BINARY_DIR}/doors/${name})
  file(MAKE_DIRECTORY ${door}/dve)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${door}/dve/${name} SYMBOLIC)

  list(TRANSFORM BLOCK_DEPENDS PREPEND dve_)
  if(BLOCK_SOURCES)
    add_library(${target} STATIC ${BLOCK_SOURCES})
    target_include_directories(${target} PUBLIC ${door})
    target_link_libraries(${target} PUBLIC ${BLOCK_DEPENDS} ${BLOCK_LIBRARIES} PRIVATE dve_flags)
    if(BLOCK_COLD)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${DVE_COMPILE_TOGETHER} UNITY_BUILD_BATCH_SIZE 16)
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${door})
    target_link_libraries(${target} INTERFACE ${BLOCK_DEPENDS} ${BLOCK_LIBRARIES})
  endif()
  if(BLOCK_SOURCES AND NOT BLOCK_PLAIN)
    target_compile_options(${target} PRIVATE ${DVE_COROUTINE_OPTIONS})
  endif()
  if(BLOCK_PLAIN)
    if(BLOCK_SOURCES)
      # Plain blocks also make up libdve_golden, which shows nothing but its C interface.
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    endif()
    target_include_directories(${target} BEFORE PRIVATE ${CMAKE_SOURCE_DIR}/cmake/plain_cpp)
  elseif(BLOCK_SOURCES AND NOT BLOCK_COLD)
    target_precompile_headers(${target} REUSE_FROM dve_systemc_headers)
  endif()
endfunction()

# dve_test(<name> SOURCES ... DEPENDS ... LABEL unit|system|fuzz|doc [SYSTEMC] [TIMEOUT seconds])
#
# A GoogleTest program; ctest starts every case in a process of its own, which SystemC requires (one elaboration a process).
# SYSTEMC cases get sc_main from tb/systemc_main.cpp. Sources are compiled together in Release: helpers of a name that other
# sources of the program use too stand in a namespace named after the file.
function(dve_test name)
  cmake_parse_arguments(TEST "SYSTEMC" "LABEL;TIMEOUT" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 300)
  endif()
  list(TRANSFORM TEST_DEPENDS PREPEND dve_)
  add_executable(${name} ${TEST_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tb)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${DVE_COMPILE_TOGETHER} UNITY_BUILD_BATCH_SIZE 5)
  target_link_libraries(${name} PRIVATE ${TEST_DEPENDS} dve_test_flags ${TEST_LIBRARIES})
  target_compile_definitions(${name} PRIVATE DVE_TEST_DATA_DIR="${CMAKE_SOURCE_DIR}/tb/data"
                                             DVE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                             DVE_SIM_PROGRAM="${CMAKE_BINARY_DIR}/bin/dve-sim")
  if(TEST_SYSTEMC)
    target_compile_options(${name} PRIVATE ${DVE_COROUTINE_OPTIONS})
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tb/systemc_main.cpp)
    target_link_libraries(${name} PRIVATE GTest::gtest PkgConfig::SYSTEMC)
    target_precompile_headers(${name} REUSE_FROM dve_systemc_test_headers)
  else()
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
    target_precompile_headers(${name} REUSE_FROM dve_test_headers)
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${TEST_LABEL} TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1")
endfunction()
