# Writes OUTPUT, a C++ header that defines NAME: the SPIR-V module in the file MODULE as gzip has it, for slu::unpack. SPIR-V
# is about a third as long then.
cmake_minimum_required(VERSION 3.22)
file(SIZE ${MODULE} bytes)
file(ARCHIVE_CREATE OUTPUT ${MODULE}.gz PATHS ${MODULE} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
file(READ ${MODULE}.gz packed HEX)
# The time is a part of the header (RFC 1952, section 2.3), and the same module is to give the same library.
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
