# The options that make nvcc compile for an architecture as CMAKE_CUDA_ARCHITECTURES names it: 90-real is machine code,
# 90-virtual PTX, 90 both, and words such as native are nvcc's own.
function(sluice_cuda_code_options architecture options)
  string(REGEX REPLACE "-.*" "" name ${architecture})
  if(NOT name MATCHES "^[0-9]+[a-z]?$")
    set(${options} -arch=${architecture} PARENT_SCOPE)
  elseif(architecture MATCHES "-real$")
    set(${options} --generate-code=arch=compute_${name},code=sm_${name} PARENT_SCOPE)
  elseif(architecture MATCHES "-virtual$")
    set(${options} --generate-code=arch=compute_${name},code=compute_${name} PARENT_SCOPE)
  else()
    set(${options} --generate-code=arch=compute_${name},code=[compute_${name},sm_${name}] PARENT_SCOPE)
  endif()
endfunction()

# The number of the oldest architecture of the build, which is what its PTX may ask of a GPU. Where words such as native
# stand for all, it is the oldest that the kernels are made for.
function(sluice_oldest_cuda_architecture oldest)
  set(found)
  foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
    if(architecture MATCHES "^([0-9]+)" AND (NOT found OR CMAKE_MATCH_1 LESS found))
      set(found ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(NOT found)
    set(found 75)
  endif()
  set(${oldest} ${found} PARENT_SCOPE)
endfunction()

# Compiles the device code of a CUDA source of this folder into one file, with the options of the library and those
# given: what kind of file, and for which architectures.
function(sluice_compile_device_code source output)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CUDA_FLAGS}")
  set(host)
  if(CMAKE_CUDA_HOST_COMPILER)
    set(host -ccbin ${CMAKE_CUDA_HOST_COMPILER})
  endif()
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_CUDA_COMPILER} ${flags} ${ARGN} -std=c++17 -fmad=false --threads=0 ${host} -I${PROJECT_SOURCE_DIR}
      -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include -MD -MF ${output}.d -MT ${output} -o ${output}
      ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} DEPFILE ${output}.d VERBATIM)
endfunction()

# The device code of a CUDA source of this folder as a fat binary, and with SLU_PORTABLE as PTX of the oldest
# architecture. CUDA 12.8 and later compress the fat binary well; drivers from 550.54.14 (CUDA 12.4) on decompress it.
# The PTX stays as it is, so all that drivers skip goes.
function(sluice_add_cuda_image source fat_binary ptx)
  set(options)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
    list(APPEND options --compress-mode=size)
  endif()
  foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
    sluice_cuda_code_options(${architecture} some)
    list(APPEND options ${some})
  endforeach()
  sluice_compile_device_code(${source} ${fat_binary} --fatbin ${options})
  sluice_oldest_cuda_architecture(oldest)
  set(full ${ptx}.full)
  sluice_compile_device_code(${source} ${full} --ptx -arch=compute_${oldest} -DSLU_PORTABLE)
  set(strip ${PROJECT_SOURCE_DIR}/cmake/strip_ptx.cmake)
  add_custom_command(OUTPUT ${ptx} COMMAND ${CMAKE_COMMAND} -DINPUT=${full} -DOUTPUT=${ptx} -P ${strip}
    DEPENDS ${full} ${strip} VERBATIM)
endfunction()
