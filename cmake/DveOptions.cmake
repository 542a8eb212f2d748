# Build-wide options and the flags every target of the project shares.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

option(DVE_BUILD_TESTS "Build the tests" ON)
option(DVE_BUILD_BENCH "Offer the target dve_bench (needs Google Benchmark and oneDNN; scripts/bench.sh)" OFF)
option(DVE_PYTHON "Build the Python package dve (needs pybind11 and numpy; scripts/setup.sh --python)" OFF)
option(DVE_COSIM "Build the RTL of the lanes and its tests (needs verilator, yosys and iverilog; scripts/setup.sh --cosim)" OFF)
option(DVE_REPORT_TESTS "Test the pages of dve-sim report in a browser (needs chromium, node and npm; scripts/setup.sh --report)" OFF)
option(DVE_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" ON)
option(DVE_SLURM_TESTS "Test sweeps on a Slurm of their own (as root; needs slurm-wlm and munge; scripts/setup.sh --slurm)" OFF)
set(DVE_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined")
option(DVE_COVERAGE "Instrument for gcov" OFF)
option(DVE_FUZZ "Build the libFuzzer programs, and nothing else, with clang (target fuzz)" OFF)

# Compiling the sources of a block together reads headers once a block instead of once a file. A build without it also
# shows a file that leans on the includes of its neighbour.
if(CMAKE_BUILD_TYPE STREQUAL "Release" OR DVE_SANITIZE)
  set(together ON)
else()
  set(together OFF)
endif()
option(DVE_COMPILE_TOGETHER "Compile the sources of a block together" ${together})

# SystemC 2.3.4 of Debian 12 exports its version symbol for C++17 only (see DveDependencies).
if(NOT DEFINED CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(dve_flags INTERFACE)
# -ffp-contract=off: a fused multiply-add would change the bits of the documented order of operations.
target_compile_options(dve_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wconversion
  -Werror=return-type -ffp-contract=off)
if(DVE_WARNINGS_AS_ERRORS)
  target_compile_options(dve_flags INTERFACE -Werror)
endif()
if(DVE_SANITIZE)
  # -Wno-maybe-uninitialized: instrumented code makes g++ 12 see uninitialised reads in <regex> and std::optional.
  target_compile_options(dve_flags INTERFACE -fsanitize=${DVE_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(dve_flags INTERFACE -fsanitize=${DVE_SANITIZE})
endif()
# SystemC threads run on stacks that the address sanitizer does not know: an exception thrown there makes it report
# overflows of innocent stack variables (github.com/google/sanitizers issue 189). Code that runs on such stacks is checked
# without stack redzones; heap checks stay.
set(DVE_COROUTINE_OPTIONS "")
if(DVE_SANITIZE MATCHES address)
  set(DVE_COROUTINE_OPTIONS --param asan-stack=0)
endif()
if(DVE_COVERAGE)
  target_compile_options(dve_flags INTERFACE --coverage)
  target_link_options(dve_flags INTERFACE --coverage)
endif()
if(DVE_FUZZ)
  target_compile_options(dve_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer -gline-tables-only)
  target_link_options(dve_flags INTERFACE -fsanitize=address,undefined)
endif()
