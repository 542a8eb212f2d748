# What the project takes from the system. scripts/setup.sh installs all of it on Debian 12.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC IMPORTED_TARGET GLOBAL systemc)
if(NOT SYSTEMC_FOUND)
  message(FATAL_ERROR "SystemC was not found by pkg-config. Install libsystemc-dev (scripts/setup.sh does), "
                      "or put the folder of your systemc.pc into PKG_CONFIG_PATH.")
endif()
if(SYSTEMC_VERSION VERSION_LESS 2.3.4)
  message(FATAL_ERROR "SystemC ${SYSTEMC_VERSION} was found, but the models need 2.3.4 or newer "
                      "(TLM-2.0 convenience sockets and 1 fs resolution as tested there).")
endif()

# The library exports one version symbol, named after the C++ standard it was built with. A mismatch would only
# show as an undefined symbol at the end of the build, so link one small program now.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::SYSTEMC)
set(CMAKE_REQUIRED_FLAGS "-std=c++${CMAKE_CXX_STANDARD}")
check_cxx_source_compiles("#include <systemc>\nint sc_main(int, char**) { return 0; }" DVE_SYSTEMC_LINKS)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT DVE_SYSTEMC_LINKS)
  message(FATAL_ERROR "A SystemC program compiled as C++${CMAKE_CXX_STANDARD} does not link with SystemC ${SYSTEMC_VERSION}. "
                      "The library and the project must use the same C++ standard; Debian's libsystemc-dev is built for C++17.")
endif()

pkg_check_modules(HIGHWAY REQUIRED IMPORTED_TARGET GLOBAL libhwy>=1.0.3)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options iostreams)
if(DVE_PYTHON)
  # Debian's modules belong to Debian's Python, whichever stands first in PATH.
  set(Python3_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python that the package dve is built for")
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
  find_package(pybind11 2.10 REQUIRED)
endif()
if(DVE_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(DVE_BUILD_BENCH)
  find_package(benchmark 1.7 REQUIRED)
  find_package(dnnl 2.6 REQUIRED)
endif()
