# Writes OUTPUT, a C++ header with the text of the shaders in FILES, paths from ROOT, packed for slu::shaderTexts. Comments
# are left out, and lines are kept, since logs number them.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/pack.cmake)
set(all "")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "^(shaders|include)/" "" name ${file})
  string(APPEND all "\n//file ${name}\n${text}")
endforeach()
file(WRITE ${OUTPUT}.txt "${all}")
file(SIZE ${OUTPUT}.txt bytes)
sluice_pack(packed ${OUTPUT}.txt)
file(WRITE ${OUTPUT} "#pragma once

inline constexpr unsigned char shader_texts_packed[] = {
${packed}};
inline constexpr unsigned long long shader_texts_bytes = ${bytes};
")
