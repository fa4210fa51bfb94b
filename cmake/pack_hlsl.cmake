# Writes OUTPUT, a C++ header that defines NAME: the SPIR-V in the file MODULE as HLSL of shader model MODEL, 50 or 60, in
# the form that Microsoft's compilers take, packed for slu::unpackText.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/pack.cmake)

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(GET ARGN 0 program)
    message(FATAL_ERROR "${program} fails: ${said}")
  endif()
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
# CMake takes these for the elements of a list, and a part of a list.
string(REPLACE ";" "<semicolon>" text "${text}")
string(REPLACE "[" "<open>" text "${text}")
string(REPLACE "]" "<close>" text "${text}")

# The size of an array may be a constant, but none that a condition chooses.
string(REGEX REPLACE "static const uint (_[0-9]+) = (_[0-9]+) \\? ([^:<\n]+) : ([^<\n]+)<semicolon>"
  "static const uint \\1 = uint(\\2) * (\\3) + uint(!\\2) * (\\4)<semicolon>" text "${text}")
# Variables and parameters must have values even where none is read, and the shaders leave them without.
string(REGEX REPLACE "([(,] *)out " "\\1inout " text "${text}")
string(REGEX REPLACE "(\n +)((uint|int|bool|float)[234]?|_[0-9]+) (_[0-9]+)((<open>[0-9a-z_]+<close>)*)<semicolon>"
  "\\1\\2 \\4\\5 = (\\2\\5)0<semicolon>" text "${text}")  # members of structs have names of another form

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
