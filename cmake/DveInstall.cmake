# What `cmake --install` puts where: the program, the golden library with its C header, CMake package (find_package(dve),
# target dve::golden) and pkg-config file (dve_golden), the SystemVerilog package, the configurations, the layer that runs when
# none is named, manual page and shell completion. python/CMakeLists.txt adds the Python package.
include(CMakePackageConfigHelpers)
set(DVE_DATA_DIR ${CMAKE_INSTALL_DATADIR}/dve-tlm)

install(TARGETS dve-sim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS dve_golden_shared EXPORT dve LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES platform/golden_library/dve_golden.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY configs DESTINATION ${DVE_DATA_DIR})
install(FILES platform/golden_library/sv/dve_golden_pkg.sv DESTINATION ${DVE_DATA_DIR}/sv)
install(DIRECTORY tb/data/digits_cnn/7 DESTINATION ${DVE_DATA_DIR}/data/digits_cnn)
install(FILES tb/data/digits_cnn/README.md DESTINATION ${DVE_DATA_DIR}/data/digits_cnn)
install(FILES ${CMAKE_BINARY_DIR}/share/man/man1/dve-sim.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/share/bash-completion/completions/dve-sim
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dve)
install(EXPORT dve NAMESPACE dve:: FILE dveTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/dveConfig.cmake.in ${CMAKE_BINARY_DIR}/dveConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS DVE_DATA_DIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/dveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/dveConfig.cmake ${CMAKE_BINARY_DIR}/dveConfigVersion.cmake DESTINATION ${package_dir})

# The libraries' folder may be two deep (lib/x86_64-linux-gnu); the .pc file stands in pkgconfig below it.
file(RELATIVE_PATH DVE_PREFIX_FROM_LIBDIR /prefix/${CMAKE_INSTALL_LIBDIR} /prefix)
configure_file(cmake/dve_golden.pc.in ${CMAKE_BINARY_DIR}/dve_golden.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/dve_golden.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
