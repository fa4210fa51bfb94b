# Writes OUTPUT, a header with a number that stands for the text of HEADERS, paths from ROOT, comments and blanks aside. A
# predicate of the host's and the library that runs it must have compiled the same. NAMESPACE and NAME: of the number.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/hash_texts.cmake)
sluice_hash_texts(hash ${ROOT} "${HEADERS}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Written by the build: changes with the texts that it stands for.
#pragma once

namespace @NAMESPACE@ {

constexpr unsigned long long @NAME@ = @hash@u;

}  // namespace @NAMESPACE@
" @ONLY)
