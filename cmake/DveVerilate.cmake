# The RTL of tb/cosim as C++ (DVE_COSIM). Verilated models are built without the project's warning flags: their code is not
# ours.
find_package(verilator 5.006 QUIET HINTS /usr/share/verilator)
find_program(YOSYS_PROGRAM yosys)
find_program(IVERILOG_PROGRAM iverilog)
if(NOT verilator_FOUND OR NOT YOSYS_PROGRAM OR NOT IVERILOG_PROGRAM)
  message(FATAL_ERROR "DVE_COSIM needs verilator 5.006 or newer, yosys and iverilog (scripts/setup.sh --cosim installs them)")
endif()

set(DVE_RTL_DIR ${CMAKE_SOURCE_DIR}/tb/cosim/rtl)
set(DVE_RTL_BENCH_DIR ${CMAKE_SOURCE_DIR}/tb/cosim/bench)

# dve_verilated(<library> <prefix> <top> [PLANTED] [SYSTEMC] [verilator arguments]): a top of tb/cosim/bench with all of the RTL below it.
# Registers start with random bits, so that a result that hangs on one never written shows. PLANTED builds can be given a
# bug. SYSTEMC: a module, and the lane group below it.
function(dve_verilated library prefix top)
  cmake_parse_arguments(VERILATED "PLANTED;SYSTEMC" "" "" ${ARGN})
  set(sources)
  foreach(unit dve_pipe fp32_multiply fp32_add dve_stream_slice dve_lane dve_lane_group)
    list(APPEND sources ${DVE_RTL_DIR}/${unit}.sv)
  endforeach()
  list(APPEND sources ${DVE_RTL_BENCH_DIR}/dve_stream_checker.sv ${DVE_RTL_BENCH_DIR}/${top}.sv)
  set(ports "")
  if(VERILATED_SYSTEMC)
    list(APPEND sources ${DVE_RTL_BENCH_DIR}/lane_group_top.sv)
    # Our SystemC programs run at 1 fs; a SystemC model must have the same precision.
    list(APPEND VERILATED_UNPARSED_ARGUMENTS --timescale-override 1fs/1fs)
    set(ports SYSTEMC)
  endif()
  if(VERILATED_PLANTED)
    # A top does not use the bugs of units that it does not have.
    list(PREPEND sources ${DVE_RTL_DIR}/dve_planted_pkg.sv)
    list(APPEND VERILATED_UNPARSED_ARGUMENTS -DDVE_PLANT -Wno-UNUSEDPARAM)
  endif()
  verilate(${library} ${ports} PREFIX ${prefix} TOP_MODULE ${top} SOURCES ${sources}
    VERILATOR_ARGS -I${DVE_RTL_DIR} -Wall --x-initial unique --x-assign unique ${VERILATED_UNPARSED_ARGUMENTS}
    OPT_FAST -O2 OPT_GLOBAL -O2)
endfunction()

# Headers of a library that are not held to the project's warnings.
function(dve_foreign_code library)
  get_target_property(includes ${library} INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(${library} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${includes}" UNITY_BUILD OFF)
endfunction()
