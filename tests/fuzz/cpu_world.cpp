#include "expect.h"
#include "world.h"

namespace slu::fuzz {
namespace {

class HeapBlock final : public Block {
 public:
  explicit HeapBlock(std::uint64_t bytes) : HeapBlock(std::make_unique<std::uint8_t[]>(bytes), bytes) {}

 private:
  HeapBlock(std::unique_ptr<std::uint8_t[]> memory, std::uint64_t bytes)
      : Block(memory.get(), bytes), memory_(std::move(memory)) {}
  std::unique_ptr<std::uint8_t[]> memory_;
};

class CpuWorld final : public World {
 public:
  CpuWorld() {
    LoggedContext& context = contexts_.emplace_back();
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.log = ErrorLog::note;
    info.logUserData = context.log.get();
    expect(sluCreateContext(&info, context.handle.put(), nullptr) == SLU_SUCCESS, "no context of the CPU route");
  }
  SluRoute route() const override { return SLU_ROUTE_CPU; }
  std::uint32_t mostTests() const override { return 8192; }
  std::uint32_t mostFrames() const override { return 24; }
  std::uint32_t mostBuilds() const override { return 24; }
  const std::vector<LoggedContext>& contexts() const override { return contexts_; }
  std::unique_ptr<Block> makeBlock(std::uint64_t bytes) override { return std::make_unique<HeapBlock>(bytes); }
  SluResult run(SluPlan plan, const SluFrameInfo* frame) override { return sluCompact(plan, frame); }
  SluResult build(SluPyramid pyramid, const SluPyramidBuildInfo* build) override {
    return sluBuildPyramid(pyramid, build);
  }

 private:
  std::vector<LoggedContext> contexts_;
};

}  // namespace

World& theWorld() {
  static CpuWorld world;
  return world;
}

}  // namespace slu::fuzz
