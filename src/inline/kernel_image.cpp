#include "inline/kernel_image.h"

// Aligned as drivers read it, in 8-byte words.
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    ".globl sluKernelImage\n"
    ".hidden sluKernelImage\n"
    "sluKernelImage:\n"
    ".incbin \"" SLU_KERNEL_IMAGE
    "\"\n"
    ".globl sluKernelImageEnd\n"
    ".hidden sluKernelImageEnd\n"
    "sluKernelImageEnd:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char sluKernelImage[];
extern const char sluKernelImageEnd[];
}

namespace slu {

std::span<const char> kernelImage() { return {sluKernelImage, sluKernelImageEnd}; }

}  // namespace slu
