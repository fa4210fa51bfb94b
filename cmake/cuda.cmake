# Decides whether the CUDA route is built, with which compiler, and for which GPUs. SLUICE_CUDA is ON or OFF afterwards.

set(cuda_oldest 12.5)  # has cudaGetDriverEntryPointByVersion, for the tests

# The compiler that the build uses, or nothing: the one named, of a named toolkit, on PATH, or in CUDA's usual place.
function(sluice_find_cuda_compiler compiler)
  set(found ${CMAKE_CUDA_COMPILER})
  if(NOT found)
    set(found $ENV{CUDACXX})
  endif()
  if(NOT IS_ABSOLUTE "${found}")
    find_program(program NAMES ${found} nvcc HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT ENV CUDA_PATH
      PATHS /usr/local/cuda PATH_SUFFIXES bin NO_CACHE)
    set(found ${program})
  endif()
  if(NOT EXISTS "${found}")
    set(found "")
  endif()
  set(${compiler} ${found} PARENT_SCOPE)
endfunction()

# Native code for each family of GPUs that the compiler knows, and PTX of the newest, which GPUs of the future compile
# when they load it. Code for the first member of a family runs on the later ones. Jetson boards have to be named.
function(sluice_choose_cuda_architectures compiler architectures)
  execute_process(COMMAND ${compiler} --list-gpu-arch OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
  set(chosen)
  foreach(architecture IN ITEMS 75 80 86 89 90 100 120)
    if(known MATCHES "compute_${architecture}[\r\n]")
      list(APPEND chosen ${architecture}-real)
    endif()
  endforeach()
  list(TRANSFORM chosen REPLACE -real "" AT -1)
  set(${architectures} ${chosen} PARENT_SCOPE)
endfunction()

# A sentence that says why there can be no CUDA route, or nothing.
function(sluice_find_cuda_obstacle compiler obstacle)
  set(sentence "")
  if(NOT SLUICE_VULKAN)
    set(sentence "the route needs SLUICE_VULKAN=ON")
  elseif(NOT compiler)
    set(sentence "no CUDA compiler found; install the CUDA toolkit, or name its nvcc in CUDACXX")
  else()
    execute_process(COMMAND ${compiler} --version OUTPUT_VARIABLE text ERROR_QUIET)
    if(NOT text MATCHES "release ([0-9.]+)")
      set(sentence "${compiler} --version tells no release; name another nvcc in CUDACXX")
    elseif(CMAKE_MATCH_1 VERSION_LESS cuda_oldest)
      set(sentence "${compiler} is of CUDA ${CMAKE_MATCH_1}, older than ${cuda_oldest}; name another nvcc in CUDACXX")
    endif()
  endif()
  set(${obstacle} ${sentence} PARENT_SCOPE)
endfunction()

# For a build for another system, such as preset windows-cuda: nvcc makes no host code for that system here, and the
# library needs none. The kernels are device code, which is the same everywhere, and the driver's header is for all systems.
# Sets what enable_language and find_package would.
macro(sluice_use_cuda_across_systems compiler)
  execute_process(COMMAND ${compiler} --version OUTPUT_VARIABLE cuda_text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "release [0-9.]+, V([0-9.]+)" cuda_text "${cuda_text}")
  set(CMAKE_CUDA_COMPILER_VERSION ${CMAKE_MATCH_1})
  file(REAL_PATH ${compiler} cuda_program)
  get_filename_component(cuda_root ${cuda_program}/../.. ABSOLUTE)
  find_path(cuda_headers cuda.h PATHS ${cuda_root}/include ${cuda_root}/targets/x86_64-linux/include
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE REQUIRED)
  add_library(CUDA::toolkit INTERFACE IMPORTED GLOBAL)
  target_include_directories(CUDA::toolkit INTERFACE ${cuda_headers})
endmacro()

set(cuda_default OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(cuda_default AUTO)
endif()
set(SLUICE_CUDA ${cuda_default} CACHE STRING
  "Build the CUDA route (needs SLUICE_VULKAN): ON, OFF, or AUTO, which means where there is a CUDA compiler")
set_property(CACHE SLUICE_CUDA PROPERTY STRINGS AUTO ON OFF)

if(NOT SLUICE_CUDA)
  message(STATUS "CUDA route: off, SLUICE_CUDA=${SLUICE_CUDA}")
  return()
endif()
sluice_find_cuda_compiler(cuda_compiler)
sluice_find_cuda_obstacle("${cuda_compiler}" cuda_obstacle)
if(cuda_obstacle AND NOT SLUICE_CUDA STREQUAL AUTO)
  message(FATAL_ERROR "SLUICE_CUDA=${SLUICE_CUDA}: ${cuda_obstacle}. -DSLUICE_CUDA=OFF builds without CUDA.")
endif()
if(cuda_obstacle)
  message(STATUS "CUDA route: off, ${cuda_obstacle}")
  set(SLUICE_CUDA OFF)
  return()
endif()
set(SLUICE_CUDA ON)

if(NOT CMAKE_CUDA_COMPILER AND "$ENV{CUDACXX}" STREQUAL "")
  set(CMAKE_CUDA_COMPILER ${cuda_compiler})
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND "$ENV{CUDAARCHS}" STREQUAL "")
  sluice_choose_cuda_architectures(${cuda_compiler} CMAKE_CUDA_ARCHITECTURES)
endif()
if(CMAKE_CROSSCOMPILING)
  set(CMAKE_CUDA_COMPILER ${cuda_compiler})
  sluice_use_cuda_across_systems(${cuda_compiler})
else()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
message(STATUS "CUDA route: on, ${CMAKE_CUDA_COMPILER} ${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")

# Where the oldest architecture is one that drivers compile, so that every GPU runs its code, compiles a target of tests or
# of the benchmark for that one alone: nobody measures such a preset, and it halves the time.
function(sluice_compile_for_one_architecture target)
  list(GET CMAKE_CUDA_ARCHITECTURES 0 oldest)
  if(oldest MATCHES "-virtual$")
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES ${oldest})
  endif()
endfunction()
