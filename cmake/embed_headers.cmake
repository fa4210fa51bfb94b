# Writes OUTPUT, C++ that holds the headers of the CUDA kernels as kernel_headers.h declares them, each by every name
# that another includes it by: KERNELS of ROOT/src/cuda/kernels by their file names, SHARED of ROOT/shaders also by the
# path from there, PUBLIC ones as sluice/NAME.
cmake_minimum_required(VERSION 3.22)
set(texts "")
set(rows "")
set(number 0)
foreach(header IN LISTS KERNELS SHARED PUBLIC)
  set(names ${header})
  set(folder src/cuda/kernels)
  if(header IN_LIST SHARED)
    set(folder shaders)
    list(APPEND names ../../../shaders/${header})
  elseif(header IN_LIST PUBLIC)
    set(folder include/sluice)
    set(names sluice/${header})
  endif()
  file(READ ${ROOT}/${folder}/${header} text)
  string(APPEND texts "const char kText${number}[] = R\"slu(${text})slu\";\n")
  foreach(name IN LISTS names)
    string(APPEND rows "    {\"${name}\", kText${number}},\n")
  endforeach()
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"cuda/kernel_headers.h\"

namespace slu {
namespace {
${texts}constexpr KernelHeader kHeaders[] = {
${rows}};
}  // namespace

std::span<const KernelHeader> kernelHeaders() { return kHeaders; }

}  // namespace slu
")
