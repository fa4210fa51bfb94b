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

# Compiles the device code of a CUDA source of this folder into one file, a fat binary, with the options of the library.
function(sluice_add_cuda_image source output)
  set(options)
  foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
    sluice_cuda_code_options(${architecture} some)
    list(APPEND options ${some})
  endforeach()
  set(host)
  if(CMAKE_CUDA_HOST_COMPILER)
    set(host -ccbin ${CMAKE_CUDA_HOST_COMPILER})
  endif()
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_CUDA_COMPILER} --fatbin -std=c++17 -fmad=false --threads=0 ${options} ${host} -I${PROJECT_SOURCE_DIR}
      -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include -MD -MF ${output}.d -MT ${output} -o ${output}
      ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} DEPFILE ${output}.d VERBATIM)
endfunction()
