# The shaders of the vulkan route as HLSL, for Direct3D 12: glslangValidator makes SPIR-V of them, and spirv-cross HLSL of
# that. SLUICE_D3D12 is ON or OFF afterwards. Where there are the tools, the target sluice_hlsl makes the texts on any
# system.
find_program(SPIRV_CROSS spirv-cross)
find_program(SPIRV_OPT spirv-opt)

set(SLUICE_D3D12 AUTO CACHE STRING
  "Embed the kernels as HLSL (needs SLUICE_VULKAN): ON, OFF, or AUTO, which means for Windows, if there are the tools")
set_property(CACHE SLUICE_D3D12 PROPERTY STRINGS AUTO ON OFF)

set(obstacle "")
if(NOT SLUICE_VULKAN)
  set(obstacle "the kernels are those of SLUICE_VULKAN=ON")
elseif(NOT SPIRV_CROSS)
  set(obstacle "spirv-cross is missing; install it, or name it in SPIRV_CROSS")
elseif(NOT SPIRV_OPT)
  set(obstacle "spirv-opt is missing; install SPIRV-Tools, or name it in SPIRV_OPT")
endif()
set(sluice_makes_hlsl ON)
if(obstacle)
  set(sluice_makes_hlsl OFF)
endif()
if(SLUICE_D3D12 STREQUAL AUTO)
  set(SLUICE_D3D12 OFF)
  if(WIN32 AND obstacle)
    message(STATUS "HLSL: not built, ${obstacle}")
  elseif(WIN32)
    set(SLUICE_D3D12 ON)
  endif()
elseif(SLUICE_D3D12 AND obstacle)
  message(FATAL_ERROR "SLUICE_D3D12 is ON, but ${obstacle}. -DSLUICE_D3D12=OFF builds without.")
endif()

# Kernels of frames in several dispatches. src/routes/d3d12/hlsl/own_hlsl.cpp has the same list.
set(sluice_hlsl_kernels compact sorted count count_views scan publish emit)

# sluice_hlsl_forms(RESULT KERNEL): waves is for shader model 6, emulated for 5. Microsoft's compiler for shader model 5
# does not finish count_views.
function(sluice_hlsl_forms result kernel)
  set(forms waves)
  if(NOT kernel STREQUAL count_views)
    list(APPEND forms emulated)
  endif()
  set(${result} ${forms} PARENT_SCOPE)
endfunction()

# sluice_add_hlsl(HEADERS FOLDER): adds the commands that make a header of each text, in FOLDER.
function(sluice_add_hlsl headers folder)
  file(MAKE_DIRECTORY ${folder})
  set(script ${PROJECT_SOURCE_DIR}/cmake/pack_hlsl.cmake)
  set(made)
  foreach(kernel IN LISTS sluice_hlsl_kernels)
    set(source ${PROJECT_SOURCE_DIR}/shaders/${kernel}.comp)
    sluice_hlsl_forms(forms ${kernel})
    foreach(form IN LISTS forms)
      set(name hlsl_${kernel}_${form})
      set(module ${folder}/${name}.spv)
      set(options --quiet -g0 --target-env vulkan1.1 -DSLU_HLSL -I${PROJECT_SOURCE_DIR}/shaders
        -I${PROJECT_SOURCE_DIR}/include)
      set(model 60)
      if(form STREQUAL emulated)
        list(APPEND options -DSLU_EMULATED_SUBGROUPS)
        set(model 50)
      endif()
      add_custom_command(OUTPUT ${module}
        COMMAND ${GLSLANG_VALIDATOR} ${options} --depfile ${module}.d -o ${module} ${source}
        DEPENDS ${source} DEPFILE ${module}.d VERBATIM)
      add_custom_command(OUTPUT ${folder}/${name}.h
        COMMAND ${CMAKE_COMMAND} -DMODULE=${module} -DMODEL=${model} -DOUTPUT=${folder}/${name}.h -DNAME=${name}
          -DSPIRV_CROSS=${SPIRV_CROSS} -DSPIRV_OPT=${SPIRV_OPT} -P ${script}
        DEPENDS ${script} ${PROJECT_SOURCE_DIR}/cmake/pack.cmake ${module} VERBATIM)
      list(APPEND made ${folder}/${name}.h)
    endforeach()
  endforeach()
  set(${headers} ${made} PARENT_SCOPE)
endfunction()
