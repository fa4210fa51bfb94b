# sluice_add_predicate(TARGET NAME name SOURCE file.glsl [CUSTOM_KEY]): compiles a predicate in GLSL, as sluice/sluice_glsl.h
# describes it, into the library's kernels, and gives TARGET the header name.h. CUSTOM_KEY: the source defines
# sluPredicateKey, too. Needs glslangValidator.
#
# sluice_shader_root: the folder that holds the library's folders shaders and include.
include(${CMAKE_CURRENT_LIST_DIR}/shaders.cmake)
set(sluice_predicate_script ${CMAKE_CURRENT_LIST_DIR}/compile_predicate.cmake CACHE INTERNAL "")
set(sluice_predicate_root ${sluice_shader_root} CACHE INTERNAL "")

function(sluice_add_predicate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CUSTOM_KEY" "NAME;SOURCE" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sluice_add_predicate: ${arg_UNPARSED_ARGUMENTS} means nothing; give NAME, SOURCE and CUSTOM_KEY")
  endif()
  if(NOT arg_NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "sluice_add_predicate: NAME is \"${arg_NAME}\", and becomes a C function; give an identifier")
  endif()
  if(NOT arg_SOURCE)
    message(FATAL_ERROR "sluice_add_predicate: SOURCE is missing; give the file that defines sluPredicate")
  endif()
  get_filename_component(source ${arg_SOURCE} ABSOLUTE)
  find_program(GLSLANG_VALIDATOR glslangValidator REQUIRED)
  sluice_shader_texts(texts ${sluice_predicate_root})
  list(TRANSFORM texts PREPEND ${sluice_predicate_root}/ OUTPUT_VARIABLE files)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/sluice_predicates)
  set(header ${folder}/${arg_NAME}.h)
  add_custom_command(OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${header} -DNAME=${arg_NAME} -DSOURCE=${source} -DCUSTOM_KEY=${arg_CUSTOM_KEY}
      -DROOT=${sluice_predicate_root} "-DTEXTS=${texts}" -DGLSLANG_VALIDATOR=${GLSLANG_VALIDATOR} -P ${sluice_predicate_script}
    DEPENDS ${sluice_predicate_script} ${source} ${files} COMMENT "Compiling predicate ${arg_NAME}" VERBATIM)
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
