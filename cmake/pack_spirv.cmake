# Writes OUTPUT, a C++ header that defines NAME: the SPIR-V module in the file MODULE, packed for slu::unpack. That takes
# about a third of the bytes.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/pack.cmake)
file(SIZE ${MODULE} bytes)
sluice_pack(packed ${MODULE})
file(WRITE ${OUTPUT} "#pragma once

#include \"routes/vulkan/spirv/packed_spirv.h\"

inline constexpr unsigned char ${NAME}_packed[] = {
${packed}};
inline constexpr slu::PackedSpirv ${NAME}{${NAME}_packed, sizeof(${NAME}_packed), ${bytes} / 4};
")
