# A toolchain for Windows programs: mingw-w64 of Debian or Ubuntu, with the C++ library linked in. Preset `windows` uses
# it, and tests/run-windows runs what it builds under Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)  # of the two threading models the one that has std::thread
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
set(ZLIB_USE_STATIC_LIBS ON)

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# These headers are for all systems, and lie among headers that are for this one.
set(headers ${CMAKE_CURRENT_LIST_DIR}/../build/windows-headers)
foreach(name IN ITEMS vulkan vk_video volk.h glm CLI nlohmann stb)
  if(EXISTS /usr/include/${name})
    file(MAKE_DIRECTORY ${headers})
    file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
  endif()
endforeach()
foreach(package IN ITEMS Vulkan VOLK glm CLI11 nlohmann_json)
  set(${package}_INCLUDE_DIR ${headers})
endforeach()
set(STB_INCLUDE_DIR ${headers}/stb)
