# Writes OUTPUT, a C header with a function NAME: the predicate in SOURCE, compiled into each kernel and variant of the
# library. The rest as cmake/add_predicate.cmake passes it.
cmake_minimum_required(VERSION 3.22)
foreach(script IN ITEMS shaders pack hash_texts)
  include(${CMAKE_CURRENT_LIST_DIR}/${script}.cmake)
endforeach()
set(folder ${OUTPUT}.parts)
file(MAKE_DIRECTORY ${folder})
file(READ ${SOURCE} source)
set(computes_key 0)
set(key_option)
if(CUSTOM_KEY)
  set(computes_key 1)
  set(key_option -DSLU_PREDICATE_KEY)
endif()

sluice_predicate_kernels(kernels "${CUSTOM_KEY}")
set(arrays "")
set(rows "")
foreach(kernel IN LISTS kernels)
  set(shader ${folder}/${kernel}.comp)
  file(READ ${ROOT}/shaders/${kernel}.comp text)
  file(WRITE ${shader} "${text}\n#line 1 \"${SOURCE}\"\n${source}\n")
  sluice_shader_variants(variants ${kernel})
  foreach(variant IN LISTS variants)
    set(name ${kernel}_${variant})
    set(module ${folder}/${name}.spv)
    sluice_shader_options(options ${variant} ${ROOT})
    execute_process(COMMAND ${GLSLANG_VALIDATOR} ${options} -DSLU_PREDICATE ${key_option} -o ${module} ${shader}
      RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "${SOURCE} does not compile into ${name}:\n${log}")
    endif()
    file(SIZE ${module} bytes)
    sluice_pack(packed ${module})
    math(EXPR words "${bytes} / 4")
    string(APPEND arrays "static const unsigned char ${NAME}_${name}[] = {\n${packed}};\n")
    string(APPEND rows "    {\"${name}\", ${NAME}_${name}, sizeof(${NAME}_${name}), ${words}},\n")
  endforeach()
endforeach()
sluice_hash_texts(hash ${ROOT} "${TEXTS}")
file(WRITE ${OUTPUT} "/* Written by sluice_add_predicate from ${SOURCE}. */
#pragma once

#include <sluice/sluice_glsl.h>

${arrays}
static const SluSpirvModule ${NAME}_modules[] = {
${rows}};

/* The predicate without a state; chain it to SluPlanCreateInfo. */
static inline SluSpirvPredicateInfo ${NAME}(void) {
  SluSpirvPredicateInfo info = SLU_INIT(SPIRV_PREDICATE_INFO, SluSpirvPredicateInfo);
  info.modules = ${NAME}_modules;
  info.moduleCount = sizeof(${NAME}_modules) / sizeof(${NAME}_modules[0]);
  info.computesKey = ${computes_key};
  info.shadersHash = ${hash}u;
  return info;
}
")
