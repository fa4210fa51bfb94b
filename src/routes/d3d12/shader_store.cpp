#include "routes/d3d12/shader_store.h"

#include <sluice/detail/hlsl_hash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "routes/d3d12/hlsl/own_hlsl.h"

namespace slu {
namespace {

// What is stored: this, and then each kernel with an entry in front of its bytes, and what builds pyramids likewise.
struct StoredHeader {
  std::uint64_t magic;
  std::uint64_t hlslHash;
  std::uint64_t kernelCount;
  std::uint64_t pyramidCount;
};
struct StoredEntry {
  std::uint32_t kernel;
  KernelConstants constants;
  HlslPredicate predicate;
  std::uint8_t padding[3];
  std::uint32_t sourceSize;  // of the predicate
  std::uint64_t codeSize;
};
static_assert(sizeof(StoredEntry) == sizeof(std::uint32_t) + sizeof(KernelConstants) + 16, "no byte is undefined");
struct StoredPyramid {
  PyramidKey key;
  std::uint32_t padding;
  std::uint64_t codeSize;
};
static_assert(sizeof(StoredPyramid) == sizeof(PyramidKey) + 12, "no byte is undefined");
constexpr std::uint64_t kMagic = 0x3264337865756c73;  // "slue" and "x3d2", and in this order where it was stored

[[noreturn]] void failStored() {
  fail(SLU_ERROR_INVALID_ARGUMENT,
       "d3d12Device.shaders: they are not complete, or another version of the library made them; create the context "
       "without them, and save what sluGetD3D12Shaders gets then");
}

// Takes a struct from the front of bytes.
template <typename T>
T take(std::span<const std::byte>& bytes) {
  if (bytes.size() < sizeof(T)) failStored();
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return value;
}

// Takes so many bytes from there.
std::span<const std::byte> take(std::span<const std::byte>& bytes, std::uint64_t size) {
  if (size > bytes.size()) failStored();
  const auto taken = bytes.first(static_cast<std::size_t>(size));
  bytes = bytes.subspan(taken.size());
  return taken;
}

HlslPredicate askedBy(const KernelKey& key) {
  if (!key.predicate) return HlslPredicate::none;
  return key.predicate->computesKey ? HlslPredicate::liveAndKey : HlslPredicate::live;
}

// Writes to where the last call has ended.
void put(std::byte*& to, const void* from, std::size_t size) {
  std::memcpy(to, from, size);
  to += size;
}

// Lines that define the specialization constants, in the order of their ids.
template <typename Constants>
std::string definitionsOf(const Constants& constants) {
  const auto values = std::bit_cast<std::array<std::uint32_t, sizeof(Constants) / sizeof(std::uint32_t)>>(constants);
  std::string text;
  for (std::size_t id = 0; id < values.size(); ++id) {
    text += "#define SPIRV_CROSS_CONSTANT_ID_" + std::to_string(id) + " " + std::to_string(values[id]) + "u\n";
  }
  return text;
}

// Compiles the kernel's text with the values of its constants in front, and the predicate's source behind it.
std::vector<std::byte> compile(const HlslCompiler& compiler, const KernelKey& key) {
  std::string text = definitionsOf(key.constants);
  text += hlslOf(key.kernel, key.constants.subgroupSize != 0, askedBy(key));
  if (key.predicate) text += std::string("\n#line 1 \"") + kSourceName + "\"\n" + key.predicate->source + "\n";
  return compiler.compile(text, kernelName(key.kernel), key.predicate.has_value());
}

std::vector<std::byte> compile(const HlslCompiler& compiler, const PyramidKey& key) {
  return compiler.compile(definitionsOf(key.constants) + hlslOfPyramid(key.depths), "pyramid", false);
}

// What sentences begin with.
const char* fieldOf(const KernelKey&) { return "plan"; }
const char* fieldOf(const PyramidKey&) { return "pyramid"; }

// Runs work(i) for all i below count, on as many threads as there are processors. The first exception is thrown again.
template <typename Work>
void runOnThreads(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&]() noexcept {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> threads;
  const std::size_t threadCount = std::min<std::size_t>(count, std::max(std::thread::hardware_concurrency(), 1u));
  try {
    for (std::size_t i = 1; i < threadCount; ++i) threads.emplace_back(run);
  } catch (const std::system_error&) {  // fewer will do
  }
  run();
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

ShaderStore::ShaderStore(std::span<const std::byte> stored, const MakeCompiler& makeCompiler) {
  if (!stored.empty()) readStored(stored);
  try {
    compiler_ = makeCompiler();
  } catch (const Error& error) {
    if (kernels_.empty() && pyramids_.empty()) throw;
    whyNoCompiler_ = error.what();
  }
}

void ShaderStore::readStored(std::span<const std::byte> bytes) {
  const auto header = take<StoredHeader>(bytes);
  if (header.magic != kMagic || header.hlslHash != kHlslHash) failStored();
  for (std::uint64_t i = 0; i < header.kernelCount; ++i) {
    const auto entry = take<StoredEntry>(bytes);
    const auto source = take(bytes, entry.sourceSize);
    const auto code = take(bytes, entry.codeSize);
    if (entry.kernel >= kKernelCount || entry.predicate > HlslPredicate::liveAndKey) failStored();
    KernelKey key{static_cast<Kernel>(entry.kernel), entry.constants, std::nullopt};
    if (entry.predicate != HlslPredicate::none) {
      const std::string text(reinterpret_cast<const char*>(source.data()), source.size());
      key.predicate = KernelPredicate{text, entry.predicate == HlslPredicate::liveAndKey};
    }
    kernels_[std::move(key)] = {code.begin(), code.end()};
  }
  for (std::uint64_t i = 0; i < header.pyramidCount; ++i) {
    const auto entry = take<StoredPyramid>(bytes);
    const auto code = take(bytes, entry.codeSize);
    pyramids_[entry.key] = {code.begin(), code.end()};
  }
  if (!bytes.empty()) failStored();
}

template <typename Key>
void ShaderStore::prepare(std::span<const Key> keys, Shaders<Key>& shaders) {
  std::vector<Key> missing;
  for (const Key& key : keys) {
    if (!shaders.contains(key) && std::ranges::find(missing, key) == missing.end()) missing.push_back(key);
  }
  if (missing.empty()) return;
  if (!compiler_) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, fieldOf(missing[0]), ": its shaders are not among d3d12Device.shaders, and ",
         whyNoCompiler_);
  }
  std::vector<std::vector<std::byte>> compiled(missing.size());
  runOnThreads(missing.size(), [&](std::size_t i) { compiled[i] = compile(*compiler_, missing[i]); });
  for (std::size_t i = 0; i < missing.size(); ++i) shaders.emplace(missing[i], std::move(compiled[i]));
}

template void ShaderStore::prepare(std::span<const KernelKey>, Shaders<KernelKey>&);
template void ShaderStore::prepare(std::span<const PyramidKey>, Shaders<PyramidKey>&);

std::vector<std::byte> ShaderStore::save() const {
  const StoredHeader header{kMagic, kHlslHash, kernels_.size(), pyramids_.size()};
  std::size_t size = sizeof(header) + kernels_.size() * sizeof(StoredEntry) + pyramids_.size() * sizeof(StoredPyramid);
  for (const auto& [key, code] : kernels_) size += (key.predicate ? key.predicate->source.size() : 0) + code.size();
  for (const auto& [key, code] : pyramids_) size += code.size();
  std::vector<std::byte> bytes(size);
  std::byte* to = bytes.data();
  put(to, &header, sizeof(header));
  for (const auto& [key, code] : kernels_) {
    const std::string_view source = key.predicate ? std::string_view(key.predicate->source) : "";
    const StoredEntry entry{static_cast<std::uint32_t>(key.kernel),    key.constants, askedBy(key), {},
                            static_cast<std::uint32_t>(source.size()), code.size()};
    put(to, &entry, sizeof(entry));
    put(to, source.data(), source.size());
    put(to, code.data(), code.size());
  }
  for (const auto& [key, code] : pyramids_) {
    const StoredPyramid entry{key, 0, code.size()};
    put(to, &entry, sizeof(entry));
    put(to, code.data(), code.size());
  }
  return bytes;
}

}  // namespace slu
