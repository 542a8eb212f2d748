# What `cpack -G DEB` makes of the installation (scripts/package.sh). Libraries that it depends on are told by
# dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dve-tlm)
set(CPACK_PACKAGE_CONTACT "dve-tlm maintainers <maintainers@dve-tlm.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "dve-sim runs batch-norm layers on a model of the vector engine, exact to the
bit and to the cycle. libdve_golden is the same arithmetic as a C library.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, man-db")
if(DVE_PYTHON)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, python3-pandas")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/prerm)
endif()
include(CPack)
