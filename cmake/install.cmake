# Install rules of the target sluice: library, headers, and the packages that CMake and pkg-config find.

# A static library of a host's that uses sluice can be exported only if sluice is exported, too: by these rules, or by
# the host's own, which then need SLUICE_INSTALL=OFF where other export sets use sluice as well.
set(install_default COMPONENT)
if(PROJECT_IS_TOP_LEVEL)
  set(install_default ON)
endif()
set(SLUICE_INSTALL ${install_default} CACHE STRING "Make install rules: ON, OFF, or COMPONENT, which means that \
`cmake --install` leaves them out without `--component sluice`")
set_property(CACHE SLUICE_INSTALL PROPERTY STRINGS ON OFF COMPONENT)
if(NOT SLUICE_INSTALL)
  return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
set(by_request)
if(SLUICE_INSTALL STREQUAL COMPONENT)
  set(by_request EXCLUDE_FROM_ALL)
endif()

install(TARGETS sluice EXPORT sluice-targets
  RUNTIME COMPONENT sluice ${by_request} LIBRARY COMPONENT sluice ${by_request} ARCHIVE COMPONENT sluice ${by_request})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sluice DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT sluice ${by_request})
if(SLUICE_CUDA)  # where predicate.cuh expects them
  set(detail ${CMAKE_INSTALL_INCLUDEDIR}/sluice/detail)
  install(FILES ${kernels_hash} DESTINATION ${detail} COMPONENT sluice ${by_request})
  foreach(header IN LISTS kernel_headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${detail}/${folder} COMPONENT sluice ${by_request})
  endforeach()
endif()

# For sluice_add_predicate: the shaders, and the scripts that compile a predicate into them.
if(SLUICE_VULKAN)
  foreach(text IN LISTS shader_texts)
    cmake_path(GET text PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${text} DESTINATION ${package}/glsl/${folder} COMPONENT sluice ${by_request})
  endforeach()
  foreach(script IN ITEMS add_predicate compile_predicate hash_texts pack shaders)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/${script}.cmake DESTINATION ${package} COMPONENT sluice ${by_request})
  endforeach()
endif()

install(EXPORT sluice-targets NAMESPACE sluice:: DESTINATION ${package} COMPONENT sluice ${by_request})
configure_package_config_file(sluice-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/sluice-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/sluice-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sluice-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/sluice-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/vulkan_headers.cmake DESTINATION ${package} COMPONENT sluice ${by_request})

# sluice.pc finds itself, so that the folder may be moved. With --static it names what a static library leaves to the
# program: the runtime of C++.
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE pc_libdir)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE pc_includedir)
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
set(pc_folder ${pc_libdir}/pkgconfig)
foreach(path IN ITEMS pc_prefix pc_libdir pc_includedir)
  cmake_path(RELATIVE_PATH ${path} BASE_DIRECTORY ${pc_folder})
endforeach()
set(pc_definitions "")
get_property(definitions TARGET sluice PROPERTY INTERFACE_COMPILE_DEFINITIONS)
foreach(definition IN LISTS definitions)
  string(APPEND pc_definitions " -D${definition}")
endforeach()
set(pc_private "")
if(NOT BUILD_SHARED_LIBS)
  set(libraries ${cxx_runtime} ${CMAKE_DL_LIBS} pthread)
  if(SLUICE_VULKAN)
    list(APPEND libraries z)
  endif()
  list(TRANSFORM libraries PREPEND " -l")
  string(APPEND pc_private ${libraries})
endif()
configure_file(sluice.pc.in ${CMAKE_CURRENT_BINARY_DIR}/sluice.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sluice.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT sluice ${by_request})
