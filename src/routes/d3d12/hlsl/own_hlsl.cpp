#include "routes/d3d12/hlsl/own_hlsl.h"

#include <array>

#include "base/unpack.h"
#include "hlsl_compact_emulated.h"
#include "hlsl_compact_emulated_asked.h"
#include "hlsl_compact_emulated_keyed.h"
#include "hlsl_compact_waves.h"
#include "hlsl_compact_waves_asked.h"
#include "hlsl_compact_waves_keyed.h"
#include "hlsl_count_emulated.h"
#include "hlsl_count_emulated_asked.h"
#include "hlsl_count_emulated_keyed.h"
#include "hlsl_count_views_waves.h"
#include "hlsl_count_waves.h"
#include "hlsl_count_waves_asked.h"
#include "hlsl_count_waves_keyed.h"
#include "hlsl_emit_emulated.h"
#include "hlsl_emit_emulated_keyed.h"
#include "hlsl_emit_waves.h"
#include "hlsl_emit_waves_keyed.h"
#include "hlsl_find_visible_emulated.h"
#include "hlsl_find_visible_emulated_keyed.h"
#include "hlsl_find_visible_waves.h"
#include "hlsl_find_visible_waves_keyed.h"
#include "hlsl_gather_emulated.h"
#include "hlsl_gather_waves.h"
#include "hlsl_publish_emulated.h"
#include "hlsl_publish_waves.h"
#include "hlsl_pyramid_buffer.h"
#include "hlsl_pyramid_image.h"
#include "hlsl_pyramid_image_layered.h"
#include "hlsl_pyramid_image_sampled.h"
#include "hlsl_pyramid_image_sampled_layered.h"
#include "hlsl_scan_emulated.h"
#include "hlsl_scan_waves.h"
#include "hlsl_sorted_emulated.h"
#include "hlsl_sorted_waves.h"
#include "hlsl_sparse_emit_emulated.h"
#include "hlsl_sparse_emit_waves.h"
#include "hlsl_sparse_places_emulated.h"
#include "hlsl_sparse_places_waves.h"
#include "hlsl_sparse_publish_emulated.h"
#include "hlsl_sparse_publish_waves.h"
#include "hlsl_sparse_rank_emulated.h"
#include "hlsl_sparse_rank_emulated_asked.h"
#include "hlsl_sparse_rank_emulated_keyed.h"
#include "hlsl_sparse_rank_waves.h"
#include "hlsl_sparse_rank_waves_asked.h"
#include "hlsl_sparse_rank_waves_keyed.h"
#include "hlsl_sparse_sums_emulated.h"
#include "hlsl_sparse_sums_waves.h"
#include "routes/d3d12/hlsl/packed_hlsl.h"

namespace slu {
namespace {

struct HlslForms {
  PackedHlsl waves;
  PackedHlsl emulated;
};

// By kernel; empty where no frame in several dispatches has the kernel, or no compiler takes the form.
const std::array<HlslForms, kKernelCount> kTexts = {{{hlsl_compact_waves, hlsl_compact_emulated},
                                                     {},
                                                     {},
                                                     {hlsl_sorted_waves, hlsl_sorted_emulated},
                                                     {hlsl_count_waves, hlsl_count_emulated},
                                                     {hlsl_count_views_waves, {}},
                                                     {hlsl_scan_waves, hlsl_scan_emulated},
                                                     {hlsl_publish_waves, hlsl_publish_emulated},
                                                     {hlsl_emit_waves, hlsl_emit_emulated},
                                                     {hlsl_gather_waves, hlsl_gather_emulated},
                                                     {hlsl_sparse_rank_waves, hlsl_sparse_rank_emulated},
                                                     {hlsl_sparse_sums_waves, hlsl_sparse_sums_emulated},
                                                     {hlsl_sparse_publish_waves, hlsl_sparse_publish_emulated},
                                                     {hlsl_sparse_places_waves, hlsl_sparse_places_emulated},
                                                     {hlsl_sparse_emit_waves, hlsl_sparse_emit_emulated},
                                                     {hlsl_find_visible_waves, hlsl_find_visible_emulated}}};

// The same of the kernels that ask a predicate.
const std::array<HlslForms, kKernelCount> kAskingTexts = {
    {{hlsl_compact_waves_asked, hlsl_compact_emulated_asked},
     {},
     {},
     {},
     {hlsl_count_waves_asked, hlsl_count_emulated_asked},
     {},
     {},
     {},
     {},
     {},
     {hlsl_sparse_rank_waves_asked, hlsl_sparse_rank_emulated_asked}}};
const std::array<HlslForms, kKernelCount> kKeyedTexts = {
    {{hlsl_compact_waves_keyed, hlsl_compact_emulated_keyed},
     {},
     {},
     {},
     {hlsl_count_waves_keyed, hlsl_count_emulated_keyed},
     {},
     {},
     {},
     {hlsl_emit_waves_keyed, hlsl_emit_emulated_keyed},
     {},
     {hlsl_sparse_rank_waves_keyed, hlsl_sparse_rank_emulated_keyed},
     {},
     {},
     {},
     {},
     {hlsl_find_visible_waves_keyed, hlsl_find_visible_emulated_keyed}}};

const std::array<HlslForms, kKernelCount>& textsOf(HlslPredicate predicate) {
  if (predicate == HlslPredicate::none) return kTexts;
  return predicate == HlslPredicate::live ? kAskingTexts : kKeyedTexts;
}

// By HlslDepths.
const std::array<PackedHlsl, kHlslDepthsCount> kPyramidTexts = {hlsl_pyramid_buffer, hlsl_pyramid_image,
                                                                hlsl_pyramid_image_layered, hlsl_pyramid_image_sampled,
                                                                hlsl_pyramid_image_sampled_layered};

std::string textOf(const PackedHlsl& packed) {
  if (packed.textBytes == 0) return {};
  return unpackText(packed.bytes, packed.byteCount, packed.textBytes);
}

}  // namespace

std::string hlslOf(Kernel kernel, bool emulatesSubgroups, HlslPredicate predicate) {
  const HlslForms& forms = textsOf(predicate)[static_cast<std::size_t>(kernel)];
  return textOf(emulatesSubgroups ? forms.emulated : forms.waves);
}

std::string hlslOfPyramid(HlslDepths depths) { return textOf(kPyramidTexts[static_cast<std::size_t>(depths)]); }

}  // namespace slu
