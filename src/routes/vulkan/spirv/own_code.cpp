#include <array>
#include <cstddef>

#include "compact_atomic64.h"
#include "compact_bound.h"
#include "compact_bound_atomic64.h"
#include "compact_bound_dispatches.h"
#include "compact_bound_dispatches_emulated.h"
#include "compact_bound_emulated.h"
#include "compact_dispatches.h"
#include "compact_dispatches_emulated.h"
#include "compact_emulated.h"
#include "compact_native.h"
#include "count_bound.h"
#include "count_bound_emulated.h"
#include "count_emulated.h"
#include "count_native.h"
#include "count_views_bound.h"
#include "count_views_bound_emulated.h"
#include "count_views_emulated.h"
#include "count_views_native.h"
#include "emit_bound.h"
#include "emit_bound_emulated.h"
#include "emit_emulated.h"
#include "emit_native.h"
#include "find_visible_bound.h"
#include "find_visible_native.h"
#include "gather_bound.h"
#include "gather_bound_emulated.h"
#include "gather_emulated.h"
#include "gather_native.h"
#include "ordered_bound.h"
#include "ordered_bound_emulated.h"
#include "ordered_emulated.h"
#include "ordered_native.h"
#include "persistent_bound.h"
#include "persistent_bound_emulated.h"
#include "persistent_emulated.h"
#include "persistent_native.h"
#include "publish_bound.h"
#include "publish_bound_emulated.h"
#include "publish_emulated.h"
#include "publish_native.h"
#include "routes/vulkan/spirv/packed_spirv.h"
#include "routes/vulkan/spirv/shader_code.h"
#include "scan_bound.h"
#include "scan_bound_emulated.h"
#include "scan_emulated.h"
#include "scan_native.h"
#include "sorted_bound.h"
#include "sorted_bound_dispatches.h"
#include "sorted_bound_dispatches_emulated.h"
#include "sorted_bound_emulated.h"
#include "sorted_dispatches.h"
#include "sorted_dispatches_emulated.h"
#include "sorted_emulated.h"
#include "sorted_native.h"
#include "sparse_emit_bound.h"
#include "sparse_emit_bound_emulated.h"
#include "sparse_emit_emulated.h"
#include "sparse_emit_native.h"
#include "sparse_places_bound.h"
#include "sparse_places_bound_emulated.h"
#include "sparse_places_emulated.h"
#include "sparse_places_native.h"
#include "sparse_publish_bound.h"
#include "sparse_publish_bound_emulated.h"
#include "sparse_publish_emulated.h"
#include "sparse_publish_native.h"
#include "sparse_rank_bound.h"
#include "sparse_rank_bound_emulated.h"
#include "sparse_rank_emulated.h"
#include "sparse_rank_native.h"
#include "sparse_sums_bound.h"
#include "sparse_sums_bound_emulated.h"
#include "sparse_sums_emulated.h"
#include "sparse_sums_native.h"

namespace slu {
namespace {

// By kernel and variant; empty where the kernel has no such variant.
const std::array<std::array<PackedSpirv, kShaderVariantCount>, kKernelCount> kModules = {
    {{{compact_native, compact_emulated, compact_bound, compact_bound_emulated, compact_dispatches,
       compact_dispatches_emulated, compact_bound_dispatches, compact_bound_dispatches_emulated, compact_atomic64,
       compact_bound_atomic64}},
     {{ordered_native, ordered_emulated, ordered_bound, ordered_bound_emulated}},
     {{persistent_native, persistent_emulated, persistent_bound, persistent_bound_emulated}},
     {{sorted_native, sorted_emulated, sorted_bound, sorted_bound_emulated, sorted_dispatches,
       sorted_dispatches_emulated, sorted_bound_dispatches, sorted_bound_dispatches_emulated}},
     {{count_native, count_emulated, count_bound, count_bound_emulated}},
     {{count_views_native, count_views_emulated, count_views_bound, count_views_bound_emulated}},
     {{scan_native, scan_emulated, scan_bound, scan_bound_emulated}},
     {{publish_native, publish_emulated, publish_bound, publish_bound_emulated}},
     {{emit_native, emit_emulated, emit_bound, emit_bound_emulated}},
     {{gather_native, gather_emulated, gather_bound, gather_bound_emulated}},
     {{sparse_rank_native, sparse_rank_emulated, sparse_rank_bound, sparse_rank_bound_emulated}},
     {{sparse_sums_native, sparse_sums_emulated, sparse_sums_bound, sparse_sums_bound_emulated}},
     {{sparse_publish_native, sparse_publish_emulated, sparse_publish_bound, sparse_publish_bound_emulated}},
     {{sparse_places_native, sparse_places_emulated, sparse_places_bound, sparse_places_bound_emulated}},
     {{sparse_emit_native, sparse_emit_emulated, sparse_emit_bound, sparse_emit_bound_emulated}},
     {{find_visible_native, {}, find_visible_bound}}}};

class OwnCode final : public ShaderCode {
 public:
  std::vector<std::uint32_t> of(Kernel kernel, ShaderVariant variant) const override {
    return unpack(kModules[static_cast<std::size_t>(kernel)][static_cast<std::size_t>(variant)]);
  }
};

}  // namespace

std::unique_ptr<const ShaderCode> makeOwnCode() { return std::make_unique<const OwnCode>(); }

}  // namespace slu
