#include "routes/shaders/kernel.h"

#include <array>
#include <cstddef>

namespace slu {
namespace {

constexpr std::array<const char*, kKernelCount> kKernelNames = {
    "compact",        "ordered",       "persistent",  "sorted",      "count",       "count_views",
    "scan",           "publish",       "emit",        "gather",      "sparse_rank", "sparse_sums",
    "sparse_publish", "sparse_places", "sparse_emit", "find_visible"};

}  // namespace

const char* kernelName(Kernel kernel) { return kKernelNames[static_cast<std::size_t>(kernel)]; }

}  // namespace slu
