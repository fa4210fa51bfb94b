# Writes OUTPUT, a C++ header with the CUDA kernels: the fat binary IMAGE, which is compressed, as it is, and the text PTX
# packed for slu::unpackText.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/pack.cmake)
# Words of 8 bytes, the last one filled up with zeros: compilers read them several times as fast as bytes.
file(SIZE ${IMAGE} image_bytes)
file(READ ${IMAGE} image HEX)
math(EXPR rest "(8 - ${image_bytes} % 8) % 8 * 2")
string(REPEAT 0 ${rest} zeros)
string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "0x\\8\\7\\6\\5\\4\\3\\2\\1,\n" image "${image}${zeros}")
file(SIZE ${PTX} ptx_bytes)
sluice_pack(ptx ${PTX})
file(WRITE ${OUTPUT} "#pragma once

inline constexpr unsigned long long image_words[] = {
${image}};
inline constexpr unsigned long long image_bytes = ${image_bytes};
inline constexpr unsigned char ptx_packed[] = {
${ptx}};
inline constexpr unsigned long long ptx_bytes = ${ptx_bytes};
")
