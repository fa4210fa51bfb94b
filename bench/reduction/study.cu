#include "cuda/timed_frames.h"
#include "reduction/add_to_cells.cuh"
#include "reduction/particles.h"
#include "reduction/study.h"

namespace bench {
namespace {

enum class Method { Atomics, SharedAtomics, Voting };
constexpr Method kMethods[] = {Method::Atomics, Method::SharedAtomics, Method::Voting};

const char* name(Method method) {
  switch (method) {
    case Method::Atomics:
      return "atomics";
    case Method::SharedAtomics:
      return "shared atomics";
    case Method::Voting:
      return "voting and shuffling";
  }
  return "unknown";
}

const char* typeName(float) { return "float"; }
const char* typeName(double) { return "double"; }

template <typename Value>
struct DeviceParticles {
  explicit DeviceParticles(const Particles& particles)
      : count(static_cast<uint32_t>(particles.keys.size())),
        cellCount(particles.cellCount),
        keys(particles.keys.size() * sizeof(uint32_t)),
        values(particles.values.size() * sizeof(Value)),
        cells(uint64_t{particles.cellCount} * sizeof(Value)) {
    upload(keys.get(), particles.keys);
    upload(values.get(), std::vector<Value>(particles.values.begin(), particles.values.end()));
  }

  const uint32_t count;
  const uint32_t cellCount;
  const DeviceMemory keys;
  const DeviceMemory values;
  const DeviceMemory cells;
};

template <typename Value>
class Addition : public PreparedCompetitor {
 public:
  Addition(Method method, const DeviceParticles<Value>& particles) : method_(method), particles_(particles) {}

  void enqueue(cudaStream_t stream, size_t) override {
    const uint32_t blocks = (particles_.count + kAddTile - 1) / kAddTile;
    const auto* keys = particles_.keys.template as<uint32_t>();
    const auto* values = particles_.values.template as<Value>();
    auto* cells = particles_.cells.template as<Value>();
    check(cudaMemsetAsync(cells, 0, particles_.cells.bytes(), stream), "cudaMemsetAsync");
    switch (method_) {
      case Method::Atomics:
        addPlain<<<blocks, kAddThreads, 0, stream>>>(keys, values, particles_.count, cells);
        break;
      case Method::SharedAtomics:
        addShared<<<blocks, kAddThreads, 0, stream>>>(keys, values, particles_.count, particles_.cellCount, cells);
        break;
      case Method::Voting:
        addByVoting<<<blocks, kAddThreads, 0, stream>>>(keys, values, particles_.count, cells);
        break;
    }
    check(cudaGetLastError(), name(method_));
  }
  void poison(cudaStream_t stream) override {
    check(cudaMemsetAsync(particles_.cells.get(), 0xcd, particles_.cells.bytes(), stream), "cudaMemsetAsync");
  }
  std::vector<DrawCommand> draws() const override { return {}; }

 private:
  const Method method_;
  const DeviceParticles<Value>& particles_;
};

template <typename Value>
std::string difference(const DeviceParticles<Value>& particles, const std::vector<int32_t>& expected) {
  const std::vector<Value> found = download<Value>(particles.cells.get(), particles.cellCount);
  for (uint32_t cell = 0; cell < particles.cellCount; ++cell)
    if (found[cell] != static_cast<Value>(expected[cell]))
      return sentence("cell ", cell, " is ", found[cell], ", expected ", expected[cell]);
  return {};
}

template <typename Value>
void study(const ReductionSettings& settings, KeyOrder order, const Particles& particles, cudaStream_t stream,
           std::vector<ReductionResult>& results) {
  const DeviceParticles<Value> onDevice(particles);
  for (const Method method : kMethods) {
    ReductionResult result{name(method), name(order), typeName(Value{}), {}, {}};
    Addition<Value> addition(method, onDevice);
    addition.poison(stream);
    TimedFrames frames(addition, stream, Mode::Graph, 1);
    for (uint32_t i = 0; i < settings.repetitionCount; ++i) result.samples.push_back(frames.sample());
    result.wrong = difference(onDevice, particles.sumOfCells);  // of the last frame
    if (!result.wrong.empty()) result.samples.clear();
    results.push_back(std::move(result));
  }
}

}  // namespace

std::vector<ReductionResult> studyReduction(const ReductionSettings& settings) {
  const Stream stream;
  std::vector<ReductionResult> results;
  for (const KeyOrder order : kKeyOrders) {
    const uint32_t cells = settings.cellsPerEdge * settings.cellsPerEdge * settings.cellsPerEdge;
    const Particles particles =
        makeParticles(order, settings.cellsPerEdge, cells * settings.particlesPerCell, settings.seed);
    study<float>(settings, order, particles, stream, results);
    study<double>(settings, order, particles, stream, results);
  }
  return results;
}

}  // namespace bench
