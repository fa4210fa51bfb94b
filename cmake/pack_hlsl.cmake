# Writes OUTPUT, a C++ header that defines NAME: the SPIR-V in the file MODULE as HLSL of shader model MODEL, 50 or 60, in
# the form that Microsoft's compilers take, packed for slu::unpackText.
#
# CALLS: which functions of a predicate the kernel calls, sluPredicate and sluPredicateKey, or nothing. With them the text
# ends with the file PREDICATE, shaders/steps/predicate.hlsl, and the host's source goes behind it.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/pack.cmake)

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(GET ARGN 0 program)
    message(FATAL_ERROR "${program} fails: ${said}")
  endif()
endfunction()

# CMake takes these for the elements of a list, and a part of a list.
function(escape variable)
  string(REPLACE ";" "<semicolon>" escaped "${${variable}}")
  string(REPLACE "[" "<open>" escaped "${escaped}")
  string(REPLACE "]" "<close>" escaped "${escaped}")
  set(${variable} "${escaped}" PARENT_SCOPE)
endfunction()

# FXC takes 0.9 s for the compact kernel of a plan with meshes and LODs in this form, and twice as long without spirv-opt.
# Other passes take longer, up to 20 times as long for functions that are given a single return: docs/notebook.md.
set(module ${MODULE})
if(MODEL EQUAL 50)
  set(module ${OUTPUT}.spv)
  run(${SPIRV_OPT} --inline-entry-points-exhaustive --eliminate-dead-functions --private-to-local
    --eliminate-local-single-block --eliminate-local-single-store --eliminate-dead-code-aggressive ${MODULE} -o ${module})
endif()
run(${SPIRV_CROSS} --hlsl --shader-model ${MODEL} --output ${OUTPUT}.hlsl ${module})
file(READ ${OUTPUT}.hlsl text)
escape(text)

# The size of an array may be a constant, but none that a condition chooses.
string(REGEX REPLACE "static const uint (_[0-9]+) = (_[0-9]+) \\? ([^:<\n]+) : ([^<\n]+)<semicolon>"
  "static const uint \\1 = uint(\\2) * (\\3) + uint(!\\2) * (\\4)<semicolon>" text "${text}")
# Variables and parameters must have values even where none is read, and the shaders leave them without.
string(REGEX REPLACE "([(,] *)out " "\\1inout " text "${text}")
string(REGEX REPLACE "(\n +)((uint|int|bool|float)[234]?|_[0-9]+) (_[0-9]+)((<open>[0-9a-z_]+<close>)*)<semicolon>"
  "\\1\\2 \\4\\5 = (\\2\\5)0<semicolon>" text "${text}")  # members of structs have names of another form

# replace_calls(FUNCTION REGISTER): the loads from the texture that stands for calls of a predicate's function
# (shaders/steps/predicate.glsl, shaders/shared/registers.h) become calls of the library's function that calls it, which is
# declared in front of the kernel.
function(replace_calls function register)
  string(REPLACE slu sluAsk asking ${function})
  set(loads)
  if(text MATCHES "Texture2D<uint4> (_[0-9]+) : register\\(t${register}${space}\\)<semicolon>\n")
    set(texture ${CMAKE_MATCH_1})
    string(REPLACE "${CMAKE_MATCH_0}" "" text "${text}")
    string(REGEX MATCHALL "[^0-9a-z_]${texture}\\.Load\\(int3\\(" loads "${text}")
    string(REGEX REPLACE "([^0-9a-z_])${texture}\\.Load\\(int3\\(" "\\1${asking}(int3(" text "${text}")
    if(text MATCHES "[^0-9a-z_]${texture}[^0-9a-z_]")
      message(FATAL_ERROR "${MODULE}: a call of ${function} has another form than spirv-cross is known to give it")
    endif()
  endif()
  list(LENGTH loads count)
  if(function IN_LIST CALLS AND count EQUAL 0 OR NOT function IN_LIST CALLS AND count GREATER 0)
    message(FATAL_ERROR "${MODULE}: has ${count} calls of ${function}, and CALLS is \"${CALLS}\"")
  endif()
  if(count GREATER 0)
    set(text "uint ${asking}(int3 call)<semicolon>\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# define_name(NAME PATTERN): appends a macro for the name that spirv-cross gave to what is declared once, as the pattern
# says. Parentheses in it are around the name.
function(define_name name pattern)
  string(REGEX MATCHALL "${pattern}" found "${text}")
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${MODULE}: has ${count} declarations of what is ${name}, as spirv-cross makes HLSL of it, not one")
  endif()
  string(REGEX REPLACE "${pattern}" "\\1" found "${found}")
  set(text "${text}#define ${name} ${found}\n" PARENT_SCOPE)
endfunction()

# Appends what the source of a predicate uses, without comments.
function(append_predicate)
  define_name(sluRecordWords "ByteAddressBuffer (_[0-9]+) : register\\(t0${space}\\)")
  define_name(sluStateWords "uint4 (_[0-9a-z_]+)<open>4<close> : packoffset\\(c28\\)")  # SLU_STATE_OFFSET / 16
  string(APPEND text "#define SLU_PREDICATE\n")
  if(sluPredicateKey IN_LIST CALLS)
    string(APPEND text "#define SLU_PREDICATE_KEY\n")
  endif()
  file(READ ${PREDICATE} functions)
  string(REGEX REPLACE " *//[^\n]*" "" functions "${functions}")
  escape(functions)
  set(text "${text}#line 1 \"sluice_hlsl\"\n${functions}" PARENT_SCOPE)
endfunction()

set(space "(, space0)?")
replace_calls(sluPredicate 30)
replace_calls(sluPredicateKey 31)
if(CALLS)
  append_predicate()
endif()

string(REGEX REPLACE "\n +" "\n" text "${text}")
string(REGEX REPLACE "\n\n+" "\n" text "${text}")
string(REPLACE "<close>" "]" text "${text}")
string(REPLACE "<open>" "[" text "${text}")
string(REPLACE "<semicolon>" ";" text "${text}")
file(WRITE ${OUTPUT}.txt "${text}")
file(SIZE ${OUTPUT}.txt bytes)
sluice_pack(packed ${OUTPUT}.txt)
file(WRITE ${OUTPUT} "#pragma once

#include \"routes/d3d12/hlsl/packed_hlsl.h\"

inline constexpr unsigned char ${NAME}_packed[] = {
${packed}};
inline constexpr slu::PackedHlsl ${NAME}{${NAME}_packed, sizeof(${NAME}_packed), ${bytes}};
")
