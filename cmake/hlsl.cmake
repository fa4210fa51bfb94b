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
set(sluice_hlsl_kernels compact sorted count count_views scan publish emit gather sparse_rank sparse_sums sparse_publish
  sparse_places sparse_emit find_visible)

# sluice_hlsl_forms(RESULT KERNEL): waves is for shader model 6, emulated for 5. Microsoft's compiler for shader model 5
# does not finish count_views.
function(sluice_hlsl_forms result kernel)
  set(forms waves)
  if(NOT kernel STREQUAL count_views)
    list(APPEND forms emulated)
  endif()
  set(${result} ${forms} PARENT_SCOPE)
endfunction()

# sluice_hlsl_predicates(RESULT KERNEL): "asked" if the kernel calls sluPredicate, "keyed" if it does so where keys are
# computed, too. Keyed, it calls sluPredicateKey. src/routes/d3d12/hlsl/own_hlsl.cpp has the same list.
function(sluice_hlsl_predicates result kernel)
  set(predicates)
  foreach(each IN ITEMS asked keyed)
    string(COMPARE EQUAL ${each} keyed custom_key)
    sluice_predicate_kernels(kernels ${custom_key})
    if(kernel IN_LIST kernels)
      list(APPEND predicates ${each})
    endif()
  endforeach()
  set(${result} ${predicates} PARENT_SCOPE)
endfunction()

# sluice_add_hlsl_module(HEADERS FOLDER NAME SOURCE MODEL CALLS OPTION...): adds the commands that make the header of one
# text, and its path to the list. CALLS: as in cmake/pack_hlsl.cmake. OPTION...: of glslangValidator.
function(sluice_add_hlsl_module headers folder name source model calls)
  set(functions ${PROJECT_SOURCE_DIR}/shaders/steps/predicate.hlsl)
  set(script ${PROJECT_SOURCE_DIR}/cmake/pack_hlsl.cmake)
  set(module ${folder}/${name}.spv)
  add_custom_command(OUTPUT ${module}
    COMMAND ${GLSLANG_VALIDATOR} ${ARGN} --depfile ${module}.d -o ${module} ${source}
    DEPENDS ${source} DEPFILE ${module}.d VERBATIM)
  add_custom_command(OUTPUT ${folder}/${name}.h
    COMMAND ${CMAKE_COMMAND} -DMODULE=${module} -DMODEL=${model} -DOUTPUT=${folder}/${name}.h -DNAME=${name} "-DCALLS=${calls}"
      -DPREDICATE=${functions} -DSPIRV_CROSS=${SPIRV_CROSS} -DSPIRV_OPT=${SPIRV_OPT} -P ${script}
    DEPENDS ${script} ${PROJECT_SOURCE_DIR}/cmake/pack.cmake ${functions} ${module} VERBATIM)
  set(${headers} ${${headers}} ${folder}/${name}.h PARENT_SCOPE)
endfunction()

# sluice_add_hlsl_text(HEADERS FOLDER KERNEL FORM PREDICATE): the same of a kernel. PREDICATE: asked, keyed, or "".
function(sluice_add_hlsl_text headers folder kernel form predicate)
  set(name hlsl_${kernel}_${form})
  set(options --quiet -g0 --target-env vulkan1.1 -DSLU_HLSL -I${PROJECT_SOURCE_DIR}/shaders -I${PROJECT_SOURCE_DIR}/include)
  set(model 60)
  if(form STREQUAL emulated)
    list(APPEND options -DSLU_EMULATED_SUBGROUPS)
    set(model 50)
  endif()
  set(calls)
  if(predicate)
    string(APPEND name _${predicate})
    list(APPEND options -DSLU_PREDICATE)
    if(NOT kernel MATCHES "^(emit|find_visible)$")
      list(APPEND calls sluPredicate)
    endif()
  endif()
  if(predicate STREQUAL keyed)
    list(APPEND options -DSLU_PREDICATE_KEY)
    list(APPEND calls sluPredicateKey)
  endif()
  sluice_add_hlsl_module(${headers} ${folder} ${name} ${PROJECT_SOURCE_DIR}/shaders/${kernel}.comp ${model} "${calls}"
    ${options})
  set(${headers} ${${headers}} PARENT_SCOPE)
endfunction()

# sluice_add_hlsl(HEADERS FOLDER): adds the commands that make a header of each text, in FOLDER. Those of pyramid.comp are
# for both shader models, since it uses no wave operations.
function(sluice_add_hlsl headers folder)
  file(MAKE_DIRECTORY ${folder})
  set(made)
  foreach(kernel IN LISTS sluice_hlsl_kernels)
    sluice_hlsl_forms(forms ${kernel})
    sluice_hlsl_predicates(predicates ${kernel})
    foreach(form IN LISTS forms)
      sluice_add_hlsl_text(made ${folder} ${kernel} ${form} "")
      foreach(predicate IN LISTS predicates)
        sluice_add_hlsl_text(made ${folder} ${kernel} ${form} ${predicate})
      endforeach()
    endforeach()
  endforeach()
  foreach(form IN LISTS sluice_pyramid_forms)
    sluice_pyramid_options(options ${form} ${PROJECT_SOURCE_DIR})
    sluice_add_hlsl_module(made ${folder} hlsl_pyramid_${form} ${PROJECT_SOURCE_DIR}/shaders/pyramid.comp 50 ""
      ${options} -DSLU_HLSL)
  endforeach()
  set(${headers} ${made} PARENT_SCOPE)
endfunction()
