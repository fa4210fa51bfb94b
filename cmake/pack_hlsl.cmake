# Writes OUTPUT, a C++ header that defines NAME: the HLSL in the file TEXT, as spirv-cross writes it, in the form that
# Microsoft's compilers take, packed for slu::unpackText.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/pack.cmake)
file(READ ${TEXT} text)
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
