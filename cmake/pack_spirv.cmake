# Writes OUTPUT, a C++ header that defines NAME: the SPIR-V module in the file MODULE, in the gzip format, for
# slu::unpack. That takes about a third of the bytes.
cmake_minimum_required(VERSION 3.22)
file(SIZE ${MODULE} bytes)
file(ARCHIVE_CREATE OUTPUT ${MODULE}.gz PATHS ${MODULE} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
file(READ ${MODULE}.gz packed HEX)
# The header has the time in it (RFC 1952, section 2.3). It is cleared, so that the same module makes the same library.
if(NOT packed MATCHES "^1f8b0800")
  message(FATAL_ERROR "${MODULE}.gz has a header of another form, so its time cannot be cleared.")
endif()
string(REGEX REPLACE "^(1f8b0800)........" "\\100000000" packed ${packed})
string(REGEX REPLACE "(..)" "0x\\1," packed ${packed})
string(REGEX REPLACE "(................................................................................)" "\\1\n" packed
  ${packed})
file(WRITE ${OUTPUT} "#pragma once

#include \"routes/vulkan/packed_spirv.h\"

inline constexpr unsigned char ${NAME}_packed[] = {
${packed}};
inline constexpr slu::PackedSpirv ${NAME}{${NAME}_packed, sizeof(${NAME}_packed), ${bytes} / 4};
")
