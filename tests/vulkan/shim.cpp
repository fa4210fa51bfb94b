#include "shim.h"

#include <cstring>
#include <stdexcept>
#include <tuple>

namespace slu::test {
namespace {

constexpr unsigned char kGarbage = 0xdb;

Shim* active = nullptr;

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

template <typename Handle>
bool isGarbage(const Handle& handle) {
  Handle garbage;
  std::memset(static_cast<void*>(&garbage), kGarbage, sizeof(garbage));
  return std::memcmp(&handle, &garbage, sizeof(handle)) == 0;
}

// Results of a failed call are undefined, except that pipelines and descriptor sets that were not created are null.
template <typename... Arguments>
void leaveUndefined(const std::tuple<Arguments...>& arguments) {
  auto* output = std::get<sizeof...(Arguments) - 1>(arguments);
  if constexpr (!std::is_const_v<std::remove_pointer_t<decltype(output)>>) {
    std::memset(static_cast<void*>(output), kGarbage, sizeof(*output));
  }
}
void leaveUndefined(const std::tuple<VkDevice, VkPipelineCache, std::uint32_t, const VkComputePipelineCreateInfo*,
                                     const VkAllocationCallbacks*, VkPipeline*>& arguments) {
  for (std::uint32_t i = 0; i < std::get<2>(arguments); ++i) std::get<5>(arguments)[i] = VK_NULL_HANDLE;
}
void leaveUndefined(const std::tuple<VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize>&) {}
void leaveUndefined(const std::tuple<VkDevice, VkDescriptorPool, std::uint32_t, const VkDescriptorSet*>&) {}
void leaveUndefined(const std::tuple<VkDevice, const VkDescriptorSetAllocateInfo*, VkDescriptorSet*>& arguments) {
  for (std::uint32_t i = 0; i < std::get<1>(arguments)->descriptorSetCount; ++i) {
    std::get<2>(arguments)[i] = VK_NULL_HANDLE;
  }
}

template <typename... Arguments>
std::int64_t createdCount(const std::tuple<Arguments...>&) {
  return 1;
}
std::int64_t createdCount(const std::tuple<VkDevice, VkPipelineCache, std::uint32_t, const VkComputePipelineCreateInfo*,
                                           const VkAllocationCallbacks*, VkPipeline*>& arguments) {
  return std::get<2>(arguments);
}

// Sets go with their pool.
std::int64_t createdCount(const std::tuple<VkDevice, const VkDescriptorSetAllocateInfo*, VkDescriptorSet*>&) {
  return 0;
}

// False when the call must not reach the driver.
template <typename... Arguments>
bool noteDestruction(const char*, const std::tuple<Arguments...>&) {
  return true;
}
template <typename Handle>
bool noteDestruction(const char* name, const std::tuple<VkDevice, Handle, const VkAllocationCallbacks*>& arguments) {
  const Handle handle = std::get<1>(arguments);
  if (isGarbage(handle)) {
    active->complain(std::string(name) + " gets a handle that a failed call left undefined");
    return false;
  }
  if (handle != VK_NULL_HANDLE) active->addAlive(-1);
  return true;
}

template <typename... Arguments>
void checkBorrowed(const char* name, const std::tuple<Arguments...>& arguments) {
  if constexpr ((std::is_same_v<Arguments, const VkAllocationCallbacks*> || ...)) {
    active->checkCallbacks(name, std::get<const VkAllocationCallbacks*>(arguments));
  }
  if constexpr ((std::is_same_v<Arguments, VkPipelineCache> || ...)) {
    active->checkPipelineCache(std::get<VkPipelineCache>(arguments));
  }
}

// Tells the shim which function the driver is in.
class Running {
 public:
  explicit Running(const char* function) { active->setRunning(function); }
  ~Running() { active->setRunning(""); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

struct FlagName {
  VkFlags flag;
  const char* text;
};
constexpr FlagName kStages[] = {{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, "compute"},
                                {VK_PIPELINE_STAGE_TRANSFER_BIT, "transfer"}};
constexpr FlagName kAccesses[] = {{VK_ACCESS_UNIFORM_READ_BIT, "uniform read"},
                                  {VK_ACCESS_SHADER_READ_BIT, "shader read"},
                                  {VK_ACCESS_SHADER_WRITE_BIT, "shader write"},
                                  {VK_ACCESS_TRANSFER_READ_BIT, "transfer read"},
                                  {VK_ACCESS_TRANSFER_WRITE_BIT, "transfer write"}};

template <std::size_t count>
std::string describe(VkFlags flags, const FlagName (&names)[count]) {
  std::string text;
  for (const FlagName& name : names) {
    if ((flags & name.flag) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(name.text);
    flags &= ~name.flag;
  }
  return flags == 0 ? text : text + ", others";
}

template <typename... Arguments>
std::string describeCommand(const char* name, const std::tuple<Arguments...>&) {
  return name;
}
std::string describeCommand(
    const char* name,
    const std::tuple<VkCommandBuffer, VkPipelineStageFlags, VkPipelineStageFlags, VkDependencyFlags, std::uint32_t,
                     const VkMemoryBarrier*, std::uint32_t, const VkBufferMemoryBarrier*, std::uint32_t,
                     const VkImageMemoryBarrier*>& arguments) {
  if (std::get<4>(arguments) != 1 || std::get<6>(arguments) + std::get<8>(arguments) != 0) return name;
  const VkMemoryBarrier& barrier = *std::get<5>(arguments);
  const auto side = [](VkPipelineStageFlags stages, VkAccessFlags accesses) {
    return describe(stages, kStages) + " (" + describe(accesses, kAccesses) + ")";
  };
  return side(std::get<1>(arguments), barrier.srcAccessMask) + " to " +
         side(std::get<2>(arguments), barrier.dstAccessMask);
}

// Pointers to the names are what tells the wrappers of functions of one type apart.
template <const char* name, typename Function>
struct Wrapper;

template <const char* name, typename Result, typename... Arguments>
struct Wrapper<name, Result(VKAPI_PTR*)(Arguments...)> {
  static inline Result(VKAPI_PTR* real)(Arguments...) = nullptr;

  static VKAPI_ATTR Result VKAPI_CALL call(Arguments... values) {
    const std::tuple<Arguments...> arguments(values...);
    const VkResult injected = active->beforeCall(name);
    checkBorrowed(name, arguments);
    const Running running(name);
    if (startsWith(name, "vkCmd")) active->addCommand(describeCommand(name, arguments));
    if constexpr (std::is_same_v<Result, VkResult>) {
      if (injected != VK_SUCCESS) {
        leaveUndefined(arguments);
        return injected;
      }
      const VkResult result = real(values...);
      const bool creates = startsWith(name, "vkCreate") || startsWith(name, "vkAllocate");
      if (result == VK_SUCCESS && creates) active->addAlive(createdCount(arguments));
      return result;
    } else {
      if (!noteDestruction(name, arguments)) return;
      real(values...);
    }
  }
};

#define SLU_SHIM_NAME(function) constexpr char name_##function[] = #function;
SLU_SHIM_FUNCTIONS(SLU_SHIM_NAME)
#undef SLU_SHIM_NAME

// The wrapped function, or the real one when it is none that the shim watches.
PFN_vkVoidFunction wrap(const char* name, PFN_vkVoidFunction real) {
  if (real == nullptr) return nullptr;
#define SLU_SHIM_WRAP(function)                                 \
  if (std::strcmp(name, #function) == 0) {                      \
    using Wrapped = Wrapper<name_##function, PFN_##function>;   \
    Wrapped::real = reinterpret_cast<PFN_##function>(real);     \
    return reinterpret_cast<PFN_vkVoidFunction>(Wrapped::call); \
  }
  SLU_SHIM_FUNCTIONS(SLU_SHIM_WRAP)
#undef SLU_SHIM_WRAP
  for (const char* prefix : {"vkCmd", "vkCreate", "vkAllocate", "vkQueue", "vkDeviceWait", "vkWait"}) {
    if (startsWith(name, prefix)) active->complain(std::string(name) + " is looked up, and the shim does not watch it");
  }
  return real;
}

PFN_vkGetDeviceProcAddr realGetDeviceProcAddr = nullptr;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice device, const char* name) {
  return wrap(name, realGetDeviceProcAddr(device, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = loadVulkan()(instance, name);
  if (std::strcmp(name, "vkGetInstanceProcAddr") == 0) return reinterpret_cast<PFN_vkVoidFunction>(getInstanceProcAddr);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0 && real != nullptr) {
    realGetDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
    return reinterpret_cast<PFN_vkVoidFunction>(getDeviceProcAddr);
  }
  return wrap(name, real);
}

}  // namespace

Shim::Shim() {
  if (active != nullptr) throw std::logic_error("there is a shim already");
  active = this;
}

Shim::~Shim() { active = nullptr; }

PFN_vkGetInstanceProcAddr Shim::entry() const { return getInstanceProcAddr; }

void Shim::failCall(const std::string& function, std::uint32_t nth, VkResult result) {
  failing_ = function;
  callsUntilFailure_ = nth;
  failure_ = result;
  hasFailed_ = false;
}

std::uint32_t Shim::calls(const std::string& function) const {
  const auto found = calls_.find(function);
  return found == calls_.end() ? 0 : found->second;
}

std::uint32_t Shim::callsThatStartWith(const std::string& prefix) const {
  std::uint32_t sum = 0;
  for (const auto& [function, count] : calls_) sum += startsWith(function, prefix.c_str()) ? count : 0;
  return sum;
}

void Shim::checkCallbacks(const char* function, const VkAllocationCallbacks* callbacks) {
  if ((callbacks == nullptr ? nullptr : callbacks->pUserData) == userData_) return;
  complain(std::string(function) + " gets other allocation callbacks");
}

void Shim::checkPipelineCache(VkPipelineCache cache) {
  if (cache != pipelineCache_) complain("a pipeline is created with another pipeline cache");
}

VkResult Shim::beforeCall(const char* function) {
  ++calls_[function];
  if (failure_ == VK_SUCCESS || failing_ != function) return VK_SUCCESS;
  if (callsUntilFailure_ > 0) {
    --callsUntilFailure_;
    return VK_SUCCESS;
  }
  hasFailed_ = true;
  return failure_;
}

}  // namespace slu::test
