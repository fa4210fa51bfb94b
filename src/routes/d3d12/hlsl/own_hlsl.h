// The library's kernels in HLSL: those of frames in several dispatches.
#pragma once

#include <cstdint>
#include <string>

#include "routes/shaders/kernel.h"

namespace slu {

// What a kernel asks of a predicate of the host's: nothing, which records are live, or also their keys.
enum class HlslPredicate : std::uint8_t { none, live, liveAndKey };

// Returns the text of a kernel, for cs_5_0 if subgroups are emulated, else for cs_6_0, with the entry point main. It is
// empty if there is none. Lines `#define SPIRV_CROSS_CONSTANT_ID_n value` must stand before it, for each specialization
// constant n (KernelConstants): without one, the constant has the value that shaders/kernel.glsl gives it. The registers
// are those of registers.h.
//
// FXC, the compiler for cs_5_0, takes 0.1 to 1.8 s of a processor for a kernel whose tiles have one row (kRows), since it
// compiles each row by itself:
//  - two rows take 2.4 times as long, and four rows six times, where records are culled or have several buckets;
//  - plain plans with one bucket, and spheres without a scene, take 0.8 and 1.2 s with four rows.
// D3DCOMPILE_SKIP_OPTIMIZATION saves a third, for twice the code; other flags save nothing. DXC takes at most 1.2 s with
// four rows. Both keep floats exact if they are told so: D3DCOMPILE_IEEE_STRICTNESS, -Gis. All kernels of a plan must have
// the same rows, and count_views needs two at least.
//
// A kernel that asks a predicate calls the functions of sluice/sluice_hlsl.h, and the text that defines them must stand
// behind it.
std::string hlslOf(Kernel kernel, bool emulatesSubgroups, HlslPredicate predicate = HlslPredicate::none);

// Where a build of a pyramid finds depths: in a buffer, or in a texture, which may have samples and be an array.
enum class HlslDepths : std::uint32_t { buffer, image, layeredImage, sampledImage, sampledLayeredImage };
inline constexpr std::uint32_t kHlslDepthsCount = 5;

// Returns the text of shaders/pyramid.comp, for cs_5_0 and cs_6_0 alike. Its constants are those of PyramidConstants.
std::string hlslOfPyramid(HlslDepths depths);

}  // namespace slu
