# Writes OUTPUT, a header with a number that stands for the text of HEADERS, paths from ROOT, comments and blanks aside. A
# predicate of the host's and the library that runs it must have compiled the same.
cmake_minimum_required(VERSION 3.22)
set(all "")
foreach(header IN LISTS HEADERS)
  file(READ ${ROOT}/${header} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(STRIP "${text}" text)
  string(APPEND all "${header}\n${text}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Written by the build: stands for the kernels that a predicate is compiled into.
#pragma once

namespace slu::cuda {

constexpr unsigned long long kKernelsHash = 0x@hash@u;

}  // namespace slu::cuda
" @ONLY)
