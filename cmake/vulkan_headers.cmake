# The Vulkan headers, as the target Vulkan::Headers: the host's own, or those found here. A loader library is not looked
# for, because the host hands over vkGetInstanceProcAddr. Used by the build and, installed, by sluice-config.cmake.

set(sluice_oldest_vulkan_headers 1.2.178)  # has VK_NVX_binary_import

# The version of the headers of Vulkan::Headers and their folder, or nothing where the target does not show a folder.
function(sluice_read_vulkan_version version folder)
  get_target_property(folders Vulkan::Headers INTERFACE_INCLUDE_DIRECTORIES)
  string(REGEX REPLACE "\\$<BUILD_INTERFACE:([^>]*)>" "\\1" folders "${folders}")
  string(GENEX_STRIP "${folders}" folders)
  find_path(found vulkan/vulkan_core.h PATHS ${folders} NO_DEFAULT_PATH NO_CACHE)
  set(${version} "" PARENT_SCOPE)
  set(${folder} "${found}" PARENT_SCOPE)
  if(NOT found)
    return()
  endif()
  file(STRINGS ${found}/vulkan/vulkan_core.h lines REGEX "^#define VK_HEADER_VERSION(_COMPLETE)? ")
  # VK_MAKE_API_VERSION(0, 1, 2, VK_HEADER_VERSION), before 1.2.175 VK_MAKE_VERSION(1, 2, VK_HEADER_VERSION).
  if(lines MATCHES "VK_HEADER_VERSION ([0-9]+)")
    set(patch ${CMAKE_MATCH_1})
    set(minor 1.1)
    if(lines MATCHES "([0-9]+), ([0-9]+), VK_HEADER_VERSION\\)")
      set(minor ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    endif()
    set(${version} ${minor}.${patch} PARENT_SCOPE)
  endif()
endfunction()

# Makes Vulkan::Headers. obstacle: a sentence that says why there are no such headers, or nothing.
function(sluice_find_vulkan_headers obstacle)
  set(remedy "Install them (Debian: libvulkan-dev), name their folder in Vulkan_INCLUDE_DIR, or add a target \
Vulkan::Headers first. A loader library is not needed.")
  set(${obstacle} "" PARENT_SCOPE)
  if(NOT TARGET Vulkan::Headers AND NOT Vulkan_INCLUDE_DIR)
    find_package(VulkanHeaders CONFIG QUIET)
  endif()
  if(NOT TARGET Vulkan::Headers)
    find_path(Vulkan_INCLUDE_DIR vulkan/vulkan.h HINTS ENV VULKAN_SDK PATH_SUFFIXES include Include)
    if(NOT Vulkan_INCLUDE_DIR)
      set(${obstacle} "Sluice was asked for its Vulkan route, and found no Vulkan headers. ${remedy}" PARENT_SCOPE)
      return()
    endif()
    add_library(Vulkan::Headers INTERFACE IMPORTED)
    set_target_properties(Vulkan::Headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${Vulkan_INCLUDE_DIR})
  endif()
  sluice_read_vulkan_version(version folder)
  if(version AND version VERSION_LESS sluice_oldest_vulkan_headers)
    set(${obstacle} "The Vulkan headers in ${folder} are of version ${version}, and Sluice needs \
${sluice_oldest_vulkan_headers} or newer. ${remedy}" PARENT_SCOPE)
  endif()
endfunction()
