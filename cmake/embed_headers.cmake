# Writes OUTPUT, C++ that holds the headers of the CUDA kernels as kernel_headers.h declares them: HEADERS, paths from
# ROOT of which no two have the same file name. NVRTC finds a header by the very text of an #include, and takes
# two spellings for two files, so each is listed by the one path that the others include it by.
cmake_minimum_required(VERSION 3.22)
set(included "")
foreach(header IN LISTS HEADERS)
  file(STRINGS ${ROOT}/${header} lines REGEX "^#include [\"<]")
  list(TRANSFORM lines REPLACE "^#include [\"<]([^\">]+)[\">].*" "\\1")
  list(APPEND included ${lines})
endforeach()
list(REMOVE_DUPLICATES included)

set(texts "")
set(rows "")
set(number 0)
foreach(header IN LISTS HEADERS)
  get_filename_component(file ${header} NAME)
  set(names ${included})
  list(FILTER names INCLUDE REGEX "(^|/)${file}$")
  file(READ ${ROOT}/${header} text)
  # Microsoft's compiler takes 16,380 bytes in a literal, and 65,535 in those that follow each other.
  string(LENGTH "${text}" length)
  set(literals "")
  foreach(at RANGE 0 ${length} 15000)
    string(SUBSTRING "${text}" ${at} 15000 part)
    string(APPEND literals "\nR\"slu(${part})slu\"")
  endforeach()
  string(APPEND texts "const char kText${number}[] =${literals};\n")
  list(LENGTH names spellings)
  if(spellings EQUAL 0)
    set(names ${file})
  elseif(spellings GREATER 1)
    message(FATAL_ERROR "${file} is included by several paths, ${names}; spell one")
  endif()
  string(APPEND rows "    {\"${names}\", kText${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"kernels/kernel_headers.h\"

namespace slu {
namespace {
${texts}constexpr KernelHeader kHeaders[] = {
${rows}};
}  // namespace

std::span<const KernelHeader> kernelHeaders() { return kHeaders; }

}  // namespace slu
")
