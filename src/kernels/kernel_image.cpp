#include "kernels/kernel_image.h"

// A file between symbol and symbolEnd, and a zero behind it. Aligned as drivers read it, in 8-byte words.
#define SLU_EMBED(symbol, file)       \
  __asm__(                            \
      ".pushsection .rodata\n"        \
      ".balign 16\n"                  \
      ".globl " #symbol ", " #symbol  \
      "End\n"                         \
      ".hidden " #symbol ", " #symbol \
      "End\n"                         \
      "" #symbol ": .incbin \"" file  \
      "\"\n"                          \
      "" #symbol                      \
      "End: .byte 0\n"                \
      ".popsection\n")

SLU_EMBED(sluKernelImage, SLU_KERNEL_IMAGE);
SLU_EMBED(sluKernelPtx, SLU_KERNEL_PTX);

extern "C" {
extern const char sluKernelImage[];
extern const char sluKernelImageEnd[];
extern const char sluKernelPtx[];
extern const char sluKernelPtxEnd[];
}

namespace slu {

std::span<const char> kernelImage() { return {sluKernelImage, sluKernelImageEnd}; }

std::span<const char> kernelPtx() { return {sluKernelPtx, sluKernelPtxEnd + 1}; }

}  // namespace slu
