// The d3d12 route. A resource is either read or written by a frame, so each memory of a scene is two: frames write one, and
// read a copy of it, which is made before each frame.
#include <cstring>
#include <iostream>

#include "d3d12_host.h"
#include "machine.h"

namespace slu::test {
namespace {

class D3D12Machine : public Machine {
 public:
  D3D12Machine() {
    const D3D12Watch::Scope scope(host_.watch(), nullptr);
    const SluD3D12DeviceInfo device = host_.info();
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &device;
    SluMessage message{};
    if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    test::require(context_, sluGetRouteInfo(context_, SLU_ROUTE_D3D12, &route), "sluGetRouteInfo");
    if (route.available == 0) throw Unavailable(route.reason);
    plans_ = std::make_unique<PlanCache>(context_, SLU_ROUTE_D3D12);
  }
  SluRoute route() const override { return SLU_ROUTE_D3D12; }
  SluContext context() const override { return context_; }
  std::unique_ptr<Session> record(const Scene& scene) override;
  SluPlan plan(const PlanSpec& spec) override {
    const D3D12Watch::Scope scope(host_.watch(), nullptr);
    return plans_->get(spec);
  }
  void dropPlans() override { plans_->clear(); }
  std::string takeMessages() override {
    std::string text;
    for (const std::string& message : host_.watch().takeMessages()) text += message + "\n";
    return text;
  }

  D3D12Host& host() { return host_; }

 private:
  D3D12Host host_;
  Context context_;
  std::unique_ptr<PlanCache> plans_;
};

struct FrameMemory {
  FrameMemory(D3D12Machine& machine, std::uint64_t bytes)
      : size(bytes),
        upload(machine.host().makeBuffer(bytes, D3D12_HEAP_TYPE_UPLOAD)),
        readback(machine.host().makeBuffer(bytes, D3D12_HEAP_TYPE_READBACK)),
        read(machine.host().makeBuffer(bytes, D3D12_HEAP_TYPE_DEFAULT)),
        written(machine.host().makeBuffer(bytes, D3D12_HEAP_TYPE_DEFAULT)) {
    const auto add = [&](const Com<ID3D12Resource>& resource, Buffer& buffer) {
      auto chained = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
      chained.resource = resource.get();
      auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
      info.pNext = &chained;
      info.size = bytes;
      test::require(machine.context(), sluCreateBuffer(machine.context(), &info, buffer.put()), "sluCreateBuffer");
    };
    add(read, registeredRead);
    add(written, registeredWritten);
  }
  std::uint64_t size;
  Com<ID3D12Resource> upload, readback, read, written;
  Buffer registeredRead, registeredWritten;
};

// What frames that are executed again bring, for the most views.
constexpr std::uint64_t kFrameStride = 32768;

class D3D12Session : public Session {
 public:
  D3D12Session(D3D12Machine& machine, const Scene& scene) : machine_(machine), host_(machine.host()) {
    for (const Bytes& memory : scene.memories) {
      memories_.push_back(std::make_unique<FrameMemory>(machine, memory.size()));
    }
    makeTransient(scene.frames.size());
    recordUpload();
    frames_ = host_.beginList();
    for (std::size_t i = 0; i < scene.frames.size(); ++i) recordFrame(scene, i);
    check(frames_.get()->Close(), "Close");
    recordDownload();
  }

  void execute(std::vector<Bytes>& memories, std::uint32_t times) override {
    for (std::size_t i = 0; i < memories.size(); ++i) {
      void* mapped = nullptr;
      check(memories_[i]->upload->Map(0, nullptr, &mapped), "Map");
      std::memcpy(mapped, memories[i].data(), memories[i].size());
      memories_[i]->upload->Unmap(0, nullptr);
    }
    host_.execute(upload_);
    for (std::uint32_t i = 0; i < times; ++i) host_.execute(frames_);
    host_.execute(download_);
    for (std::size_t i = 0; i < memories.size(); ++i) {
      void* mapped = nullptr;
      check(memories_[i]->readback->Map(0, nullptr, &mapped), "Map");
      std::memcpy(memories[i].data(), mapped, memories[i].size());
      memories_[i]->readback->Unmap(0, nullptr);
    }
  }

 private:
  void makeTransient(std::size_t frameCount) {
    const std::uint64_t bytes = kFrameStride * (frameCount + 1);
    transient_ = host_.makeBuffer(bytes, D3D12_HEAP_TYPE_UPLOAD);
    auto chained = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
    chained.resource = transient_.get();
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &chained;
    info.size = bytes;
    check(transient_->Map(0, nullptr, &info.hostPointer), "Map");
    std::memset(info.hostPointer, 0xa5, bytes);
    test::require(machine_.context(), sluCreateBuffer(machine_.context(), &info, registeredTransient_.put()),
                  "sluCreateBuffer");
  }

  void recordUpload() {
    upload_ = host_.beginList();
    for (const auto& memory : memories_) {
      upload_.get()->CopyBufferRegion(memory->written.get(), 0, memory->upload.get(), 0, memory->size);
    }
    check(upload_.get()->Close(), "Close");
  }

  void recordDownload() {
    download_ = host_.beginList();
    for (const auto& memory : memories_) {
      download_.get()->CopyBufferRegion(memory->readback.get(), 0, memory->written.get(), 0, memory->size);
    }
    check(download_.get()->Close(), "Close");
  }

  void recordFrame(const Scene& scene, std::size_t number) {
    const FrameSpec& frame = scene.frames[number];
    ID3D12GraphicsCommandList* const list = frames_.get();
    constexpr auto kRead = D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;
    constexpr auto kWritten = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
    for (const auto& memory : memories_) {
      const bool isFirst = number == 0;
      const auto transition = [&](const Com<ID3D12Resource>& resource, D3D12_RESOURCE_STATES from,
                                  D3D12_RESOURCE_STATES to) {
        recordTransition(list, host_.watch(), resource.get(), from, to);
      };
      transition(memory->written, isFirst ? D3D12_RESOURCE_STATE_COMMON : kWritten, D3D12_RESOURCE_STATE_COPY_SOURCE);
      transition(memory->read, isFirst ? D3D12_RESOURCE_STATE_COMMON : kRead, D3D12_RESOURCE_STATE_COPY_DEST);
      list->CopyBufferRegion(memory->read.get(), 0, memory->written.get(), 0, memory->size);
      transition(memory->written, D3D12_RESOURCE_STATE_COPY_SOURCE, kWritten);
      transition(memory->read, D3D12_RESOURCE_STATE_COPY_DEST, kRead);
    }
    const PlanSpec& spec = scene.planOf(frame);
    const SluPlan plan = machine_.plan(spec);
    const FrameArguments arguments(frame,
                                   [this](std::uint32_t memory) { return memories_.at(memory)->registeredRead.get(); });
    SluFrameInfo info = *arguments.get();
    const auto writeTo = [&](SluBinding& binding, const Place& place) {
      if (place) binding.buffer = memories_.at(place.memory)->registeredWritten;
    };
    writeTo(info.indices, frame.indices);
    writeTo(info.keptRecords, frame.keptRecords);
    writeTo(info.draws, frame.draws);
    writeTo(info.drawCounts, frame.drawCounts);
    writeTo(info.statistics, frame.statistics);
    writeTo(info.bucketCounts, frame.bucketCounts);
    writeTo(info.lodStates, frame.lodStates);
    writeTo(info.rejects, frame.rejects);
    writeTo(info.rejectCounts, frame.rejectCounts);
    SluOcclusionInfo occlusion = arguments.occlusion();
    if (frame.occlusion.findsVisible()) writeTo(occlusion.visible, frame.visible);
    if (frame.occlusion.phase != 0) info.pNext = &occlusion;
    std::vector<SluStreamBinding> streams(info.streams, info.streams + info.streamCount);
    for (std::size_t i = 0; i < streams.size(); ++i) writeTo(streams[i].output, frame.streams[i].output);
    if (!streams.empty()) info.streams = streams.data();
    const bool isInPlace = (spec.info.flags & SLU_PLAN_IN_PLACE_BIT) != 0;
    if (isInPlace && frame.records.memory == frame.keptRecords.memory) writeTo(info.records, frame.records);
    info.transient = {registeredTransient_, kFrameStride * number};
    const D3D12Watch::Scope scope(host_.watch(), list);
    test::require(machine_.context(), sluCmdCompactD3D12(plan, list, &info), "sluCmdCompactD3D12");
  }

  D3D12Machine& machine_;
  D3D12Host& host_;
  std::vector<std::unique_ptr<FrameMemory>> memories_;
  Com<ID3D12Resource> transient_;
  Buffer registeredTransient_;
  D3D12Host::List upload_, frames_, download_;
};

std::unique_ptr<Session> D3D12Machine::record(const Scene& scene) {
  return std::make_unique<D3D12Session>(*this, scene);
}

}  // namespace

std::unique_ptr<Machine> makeD3D12Machine() { return std::make_unique<D3D12Machine>(); }

}  // namespace slu::test
