# sluice_options: what every target of this project is compiled with. CMake puts a target's own options behind the
# host's CMAKE_<LANG>_FLAGS, add_compile_options and link_libraries, and the last one of contradicting options wins.
add_library(sluice_options INTERFACE)

# What the code needs, whatever the host is compiled with. It throws and catches inside, statics of its functions are
# initialised by any thread, and it calls C libraries whose enumerations are ints. The routes agree bit for bit only
# where each addition and multiplication rounds by itself, and where NaN is told from a number: sluice/language.h.
if(MSVC)
  set(needs /EHsc /GR /Zc:threadSafeInit /fp:precise)
  set(warnings /W4)
  set(warnings_cuda)
  set(werror /WX)
else()
  set(needs -fexceptions -frtti -fthreadsafe-statics -fno-short-enums -fno-fast-math -ffp-contract=off)
  set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  set(warnings_cuda -Xcompiler=-Wall,-Wextra,-Wshadow)
  set(werror -Werror)
endif()
list(JOIN needs "," needs_cuda)
target_compile_options(sluice_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${needs}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;--threads=0;-Xcompiler=${needs_cuda}>")

# A host has warnings of its own, perhaps as errors, and compilers that this project has not seen.
if(PROJECT_IS_TOP_LEVEL OR SLUICE_WERROR)
  target_compile_options(sluice_options INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${warnings}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${warnings_cuda}>")
endif()
if(SLUICE_WERROR)
  target_compile_options(sluice_options INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:${werror}>
    $<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings>)
endif()
