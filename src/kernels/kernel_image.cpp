#include "kernels/kernel_image.h"

// Embeds a file between symbol and symbolEnd, and a zero after it. The file is aligned because drivers read it in words
// of 8 bytes.
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
