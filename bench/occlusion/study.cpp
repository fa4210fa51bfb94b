#include "occlusion/study.h"

#include <sluice/sluice_cuda.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "arena/sluice_plan.h"
#include "cuda/draw_arguments.h"
#include "cuda/timed_frames.h"
#include "occlusion/levels.h"
#include "occlusion/sluice_street.h"
#include "occlusion/traffic.h"

namespace bench {
namespace {

struct Work {
  const char* name;
  std::vector<StreetFrame> frames;
  bool buildsPyramid;  // behind the first frame
};

const Work kWhole = {"frame", {StreetFrame::Whole}, false};
const Work kSingle = {"single", {StreetFrame::Single}, false};
const Work kPyramid = {"pyramid", {}, true};
const Work kFirst = {"first", {StreetFrame::First}, false};
const Work kSecond = {"second", {StreetFrame::Second}, false};
const Work kBoth = {"both phases", {StreetFrame::First, StreetFrame::Second}, true};

template <typename Item>
DeviceMemory uploaded(const std::vector<Item>& items) {
  DeviceMemory memory(items.size() * sizeof(Item));
  upload(memory.get(), items);
  return memory;
}

// A street on the device, and what is known of it.
struct DeviceStreet {
  explicit DeviceStreet(const StreetSettings& settings)
      : street(makeStreet(settings)),
        sights(sightsOf(street)),
        capacity(street.bucketCapacity()),
        reference(street),
        buckets(uploaded(street.buckets)),
        boxes(uploaded(street.boxes)),
        matrices(uploaded(street.matrices)),
        depths(uploaded(street.depths)) {}

  const Street street;
  const std::vector<uint8_t> sights;
  const uint32_t capacity;
  CpuStreet reference;
  const DeviceMemory buckets;
  const DeviceMemory boxes;
  const DeviceMemory matrices;
  const DeviceMemory depths;
};

// The outputs of a kind of frame.
struct KeptOutput {
  KeptOutput(uint32_t bucketCount, uint32_t capacity)
      : draws(bucketCount), indices(uint64_t{bucketCount} * capacity * sizeof(uint32_t)) {}

  void poison(cudaStream_t stream) {
    draws.poison(stream);
    check(cudaMemsetAsync(indices.get(), kPoisonByte, indices.bytes(), stream), "cudaMemsetAsync");
  }

  DrawArguments draws;
  DeviceMemory indices;
};

// What makes frames and pyramids, from one state of the last frame's visibility.
class Method {
 public:
  explicit Method(DeviceStreet& on) : on_(on) {
    for (uint32_t i = 0; i < kStreetFrameCount; ++i)
      outputs_.emplace_back(std::make_unique<KeptOutput>(on.street.settings.bucketCount, on.capacity));
  }
  virtual ~Method() = default;

  virtual const char* name() const = 0;
  virtual void enqueue(cudaStream_t stream, StreetFrame frame) = 0;
  virtual void enqueuePyramid(cudaStream_t stream) = 0;
  virtual void poisonPyramid(cudaStream_t stream) = 0;
  virtual std::string pyramidDifference() = 0;

  virtual void poison(cudaStream_t stream, StreetFrame frame) { of(frame).poison(stream); }
  // kept: what the latest frame of the kind kept.
  std::string difference(StreetFrame frame, std::vector<uint8_t>& kept) {
    const auto indices = download<uint32_t>(of(frame).indices.get(), of(frame).indices.bytes() / sizeof(uint32_t));
    if (auto wrong = readKept(on_.street, on_.capacity, of(frame).draws.read(), indices, kept)) return *wrong;
    if (auto wrong = sightDifference(on_.sights, frame, last_, kept)) return *wrong;
    return ownDifference(frame, kept);
  }
  // The records that the last frame saw, as bits.
  const std::vector<uint32_t>& last() const { return last_; }

 protected:
  // What the method promises besides.
  virtual std::string ownDifference(StreetFrame frame, const std::vector<uint8_t>& kept) = 0;

  KeptOutput& of(StreetFrame frame) { return *outputs_[static_cast<size_t>(frame)]; }

  DeviceStreet& on_;
  std::vector<uint32_t> last_;

 private:
  std::vector<std::unique_ptr<KeptOutput>> outputs_;
};

class SluiceMethod : public Method {
 public:
  SluiceMethod(int device, DeviceStreet& on, bool isTurned)
      : Method(on),
        context_(makeContext(device)),
        sluice_(context_, SLU_ROUTE_CUDA, on.street),
        pyramid_(sluice_.pyramidBytes()),
        lastVisible_(on.street.visibilityWords() * sizeof(uint32_t)),
        visible_(lastVisible_.bytes()) {
    last_ = on.reference.run(StreetFrame::Single, {}).visible;
    if (isTurned) last_ = turnedBits(on.street.settings, std::move(last_));
    upload(lastVisible_.get(), last_);
    check(cudaMemset(pyramid_.get(), 0, pyramid_.bytes()), "cudaMemset");
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");  // other streams do not wait for it
    StreetBindings bindings{};
    bindings.buckets = bind(on.buckets);
    bindings.boxes = bind(on.boxes);
    bindings.matrices = bind(on.matrices);
    bindings.depths = bind(on.depths);
    bindings.pyramid = bind(pyramid_);
    bindings.lastVisible = bind(lastVisible_);
    bindings.visible = bind(visible_);
    for (uint32_t i = 0; i < kStreetFrameCount; ++i) {
      KeptOutput& outputs = of(static_cast<StreetFrame>(i));
      bindings.indices[i] = bind(outputs.indices);
      bindings.draws[i] = bind(outputs.draws.device(), outputs.draws.bytes());
    }
    sluice_.bind(bindings);
  }

  const char* name() const override { return "sluice"; }
  void enqueue(cudaStream_t stream, StreetFrame frame) override {
    require(context_, sluEnqueueCompact(sluice_.plan(frame), stream, &sluice_.frame(frame)), "sluEnqueueCompact");
  }
  void enqueuePyramid(cudaStream_t stream) override {
    require(context_, sluEnqueueBuildPyramid(sluice_.pyramid(), stream, &sluice_.build()), "sluEnqueueBuildPyramid");
  }
  void poison(cudaStream_t stream, StreetFrame frame) override {
    Method::poison(stream, frame);
    check(cudaMemsetAsync(visible_.get(), kPoisonByte, visible_.bytes(), stream), "cudaMemsetAsync");
  }
  void poisonPyramid(cudaStream_t stream) override {
    check(cudaMemsetAsync(pyramid_.get(), kPoisonByte, pyramid_.bytes(), stream), "cudaMemsetAsync");
  }
  std::string pyramidDifference() override {
    const std::vector<uint32_t>& expected = on_.reference.pyramid();
    const auto found = download<uint32_t>(pyramid_.get(), expected.size());
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin());
    if (at.first == found.end()) return {};
    return sentence("word ", at.first - found.begin(), " of the pyramid is ", *at.first, ", the reference has ",
                    *at.second);
  }

 protected:
  std::string ownDifference(StreetFrame frame, const std::vector<uint8_t>& kept) override {
    const StreetRun& expected = expectedOf(frame);
    for (uint32_t record = 0; record < kept.size(); ++record)
      if (kept[record] != expected.kept[record])
        return sentence("record ", record, " is ", kept[record] != 0 ? "kept" : "dropped",
                        ", and the reference does not do so");
    if (frame != StreetFrame::Second && frame != StreetFrame::Single) return {};
    const auto visible = download<uint32_t>(visible_.get(), expected.visible.size());
    const auto at = std::mismatch(visible.begin(), visible.end(), expected.visible.begin());
    if (at.first == visible.end()) return {};
    return sentence("word ", at.first - visible.begin(), " of the visible is ", *at.first, ", the reference has ",
                    *at.second);
  }

 private:
  static slu::Context makeContext(int device) {
    auto cuda = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
    cuda.device = device;
    return makeSluiceContext(&cuda, SLU_ROUTE_CUDA);
  }
  // The reference runs each kind of frame once.
  const StreetRun& expectedOf(StreetFrame frame) {
    const auto found = expected_.find(frame);
    return found != expected_.end() ? found->second : expected_[frame] = on_.reference.run(frame, last_);
  }
  SluBinding bind(const DeviceMemory& memory) { return bind(memory.get(), memory.bytes()); }
  SluBinding bind(void* pointer, uint64_t bytes) {
    auto cuda = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
    cuda.devicePointer = pointer;
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &cuda;
    info.size = bytes;
    slu::Buffer buffer;
    require(context_, sluCreateBuffer(context_, &info, buffer.put()), "sluCreateBuffer");
    registered_.push_back(std::move(buffer));
    return {registered_.back(), 0};
  }

  slu::Context context_;
  SluiceStreet sluice_;
  DeviceMemory pyramid_;
  DeviceMemory lastVisible_;
  DeviceMemory visible_;
  std::vector<slu::Buffer> registered_;
  std::map<StreetFrame, StreetRun> expected_;
};

class LevelsMethod : public Method {
 public:
  LevelsMethod(cudaStream_t stream, DeviceStreet& on, bool isTurned)
      : Method(on),
        texels_(uint64_t{layOutLevels(on.street.settings, levels_)} * sizeof(float)),
        lastWords_(uint64_t{on.street.settings.recordCount} * sizeof(uint32_t)),
        nextWords_(lastWords_.bytes()) {
    levels_.texels = texels_.as<float>();
    std::copy_n(&on.street.rows[0][0], 16, &camera_.rows[0][0]);
    camera_.frustum = on.street.frustum;
    settle(stream, isTurned);
  }

  const char* name() const override { return "levels"; }
  void enqueue(cudaStream_t stream, StreetFrame frame) override {
    enqueueReset(stream, output(frame));
    enqueueCull(stream, passOf(frame), records(), camera_, levels_, lastWords_.as<const uint32_t>(),
                nextWords_.as<uint32_t>(), output(frame));
  }
  void enqueuePyramid(cudaStream_t stream) override { enqueueFolds(stream, on_.depths.as<const float>(), levels_); }
  void poison(cudaStream_t stream, StreetFrame frame) override {
    Method::poison(stream, frame);
    check(cudaMemsetAsync(nextWords_.get(), kPoisonByte, nextWords_.bytes(), stream), "cudaMemsetAsync");
  }
  void poisonPyramid(cudaStream_t stream) override {
    check(cudaMemsetAsync(texels_.get(), kPoisonByte, texels_.bytes(), stream), "cudaMemsetAsync");
  }
  // Sluice's levels have the same sizes, and follow its header.
  std::string pyramidDifference() override {
    const uint32_t* expected = on_.reference.pyramid().data() + SLU_PYRAMID_HEADER_WORDS;
    const auto found = download<uint32_t>(texels_.get(), texels_.bytes() / sizeof(uint32_t));
    for (size_t i = 0; i < found.size(); ++i)
      if (found[i] != expected[i]) return sentence("texel ", i, " is ", found[i], ", the reference has ", expected[i]);
    return {};
  }

 protected:
  // Says that the words are 1 for the records that both phases draw together and the pyramid does not hide.
  std::string ownDifference(StreetFrame frame, const std::vector<uint8_t>& kept) override {
    if (frame != StreetFrame::Second) return {};
    const auto next = download<uint32_t>(nextWords_.get(), kept.size());
    for (uint32_t record = 0; record < kept.size(); ++record) {
      const bool isRight = hasBit(last_, record) ? next[record] <= 1 : next[record] == kept[record];
      if (!isRight) return sentence("the word of record ", record, " is ", next[record]);
    }
    return {};
  }

 private:
  static CullPass passOf(StreetFrame frame) {
    return frame == StreetFrame::First    ? CullPass::Early
           : frame == StreetFrame::Second ? CullPass::Late
                                          : CullPass::Whole;
  }
  StreetRecords records() const {
    return {on_.buckets.as<const uint32_t>(), on_.boxes.as<const StreetBox>(), on_.matrices.as<const StreetMatrix>(),
            on_.street.settings.recordCount};
  }
  StreetOutput output(StreetFrame frame) {
    return {of(frame).draws.device(), of(frame).indices.as<uint32_t>(), on_.street.settings.bucketCount, on_.capacity};
  }

  // Makes the words of the last frame what a frame before it would have left.
  void settle(cudaStream_t stream, bool turns) {
    check(cudaMemsetAsync(lastWords_.get(), 0, lastWords_.bytes(), stream), "cudaMemsetAsync");
    enqueuePyramid(stream);
    enqueue(stream, StreetFrame::Second);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    auto words = download<uint32_t>(nextWords_.get(), on_.street.settings.recordCount);
    last_.assign(on_.street.visibilityWords(), 0);
    for (uint32_t record = 0; record < words.size(); ++record) {
      if (turns && isTurned(on_.street.settings, record)) words[record] ^= 1;
      last_[record / 32] |= words[record] << record % 32;
    }
    upload(lastWords_.get(), words);
  }

  Levels levels_;
  const DeviceMemory texels_;
  const DeviceMemory lastWords_;
  const DeviceMemory nextWords_;
  StreetCamera camera_;
};

class MethodFrames : public PreparedCompetitor {
 public:
  MethodFrames(Method& method, const Work& work) : method_(method), work_(work) {}

  void enqueue(cudaStream_t stream, size_t) override {
    for (size_t i = 0; i < work_.frames.size(); ++i) {
      method_.enqueue(stream, work_.frames[i]);
      if (i == 0 && work_.buildsPyramid) method_.enqueuePyramid(stream);
    }
    if (work_.frames.empty()) method_.enqueuePyramid(stream);
  }
  void poison(cudaStream_t stream) override {
    for (const StreetFrame frame : work_.frames) method_.poison(stream, frame);
    if (work_.buildsPyramid) method_.poisonPyramid(stream);
  }
  std::vector<DrawCommand> draws() const override { return {}; }

 private:
  Method& method_;
  const Work& work_;
};

// Moves half of the bytes from one place to another, so that as many are read and written together.
class CopyFrames : public PreparedCompetitor {
 public:
  explicit CopyFrames(uint64_t bytes) : from_(bytes / 2 + kSlack), to_(bytes / 2 + kSlack), bytes_(bytes / 2) {}

  void enqueue(cudaStream_t stream, size_t) override { enqueueCopy(stream, from_.get(), to_.get(), bytes_); }
  void poison(cudaStream_t) override {}
  std::vector<DrawCommand> draws() const override { return {}; }

 private:
  static constexpr uint64_t kSlack = 16;
  const DeviceMemory from_;
  const DeviceMemory to_;
  const uint64_t bytes_;
};

// A row of the results: a method's work, and the copy of as many bytes.
class Row {
 public:
  Row(cudaStream_t stream, const TrialSettings& trial, DeviceStreet& on, Method& method, const Work& work,
      const char* last)
      : stream_(stream),
        on_(on),
        method_(method),
        work_(work),
        frames_(method, work),
        timed_(frames_, stream, trial.mode, 1) {
    const StreetSettings& settings = on.street.settings;
    result_.method = method.name();
    result_.work = work.name;
    result_.records = name(settings.order);
    result_.last = last;
    result_.recordCount = settings.recordCount;
    result_.width = settings.width;
    result_.height = settings.height;
    verify();
    if (!isRight()) return;
    copy_ = std::make_unique<CopyFrames>(result_.bytes);
    timedCopy_ = std::make_unique<TimedFrames>(*copy_, stream, trial.mode, 1u);
  }

  bool isRight() const { return result_.wrong.empty(); }
  void warmUp() {
    timed_.sample();
    timedCopy_->sample();
  }
  void sample() {
    result_.samples.push_back(timed_.sample());
    result_.copySamples.push_back(timedCopy_->sample());
  }

  // Poisons what the work writes, and looks at what it leaves. What is wrong gets no number.
  void verify() {
    frames_.poison(stream_);
    timed_.launch();
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    result_.bytes = work_.buildsPyramid ? pyramidBytes(on_.street.settings) : 0;
    result_.kept = 0;
    if (work_.buildsPyramid) result_.wrong = method_.pyramidDifference();
    for (const StreetFrame frame : work_.frames) {
      std::vector<uint8_t> kept;
      if (result_.wrong.empty()) result_.wrong = method_.difference(frame, kept);
      if (!result_.wrong.empty()) break;
      result_.kept += static_cast<uint64_t>(std::count(kept.begin(), kept.end(), uint8_t{1}));
      result_.bytes += frameBytes(on_.street, frame, method_.last(), kept);
    }
    if (isRight()) return;
    result_.samples.clear();
    result_.copySamples.clear();
  }

  const OcclusionResult& result() const { return result_; }

 private:
  cudaStream_t stream_;
  DeviceStreet& on_;
  Method& method_;
  const Work& work_;
  MethodFrames frames_;
  TimedFrames timed_;
  std::unique_ptr<CopyFrames> copy_;
  std::unique_ptr<TimedFrames> timedCopy_;
  OcclusionResult result_;
};

void measure(const TrialSettings& trial, std::vector<std::unique_ptr<Row>>& rows) {
  using Clock = std::chrono::steady_clock;
  const auto forRight = [&](const auto& run) {
    for (const auto& row : rows)
      if (row->isRight()) run(*row);
  };
  const Clock::time_point start = Clock::now();
  do {
    forRight([](Row& row) { row.warmUp(); });
  } while (std::chrono::duration<double>(Clock::now() - start).count() < trial.warmUpSeconds);
  for (uint32_t i = 0; i < trial.repetitionCount; ++i) forRight([](Row& row) { row.sample(); });
  forRight([](Row& row) { row.verify(); });
}

void study(int device, const TrialSettings& trial, const StreetSettings& settings, cudaStream_t stream,
           std::vector<OcclusionResult>& results) {
  DeviceStreet on(settings);
  std::vector<std::unique_ptr<Method>> methods;
  std::vector<std::unique_ptr<Row>> rows;
  for (const bool turns : {false, true}) {
    methods.push_back(std::make_unique<SluiceMethod>(device, on, turns));
    methods.push_back(std::make_unique<LevelsMethod>(stream, on, turns));
    for (size_t i = methods.size() - 2; i < methods.size(); ++i) {
      Method& method = *methods[i];
      const auto add = [&](const Work& work, const char* last) {
        rows.push_back(std::make_unique<Row>(stream, trial, on, method, work, last));
      };
      method.enqueuePyramid(stream);
      if (!turns) {
        add(kWhole, "");
        add(kPyramid, "");
        if (i == 0) add(kSingle, "");  // levels has no such phase
      }
      for (const Work* work : {&kFirst, &kSecond, &kBoth}) add(*work, turns ? "a tenth turned" : "steady");
    }
  }
  measure(trial, rows);
  const auto count = [&](uint8_t bits) {
    return static_cast<uint64_t>(
        std::count_if(on.sights.begin(), on.sights.end(), [&](uint8_t sight) { return (sight & bits) == bits; }));
  };
  const std::vector<uint8_t> whole = on.reference.run(StreetFrame::Whole, {}).kept;
  const std::vector<uint8_t> single = on.reference.run(StreetFrame::Single, {}).kept;
  for (const auto& row : rows) {
    results.push_back(row->result());
    results.back().inFrustum = static_cast<uint64_t>(std::count(whole.begin(), whole.end(), uint8_t{1}));
    results.back().visible = static_cast<uint64_t>(std::count(single.begin(), single.end(), uint8_t{1}));
    results.back().showing = count(kInside | kShows);
  }
}

}  // namespace

std::vector<StreetSettings> occlusionStreets() {
  std::vector<StreetSettings> streets(3);
  streets[1].order = RecordOrder::ByPlace;
  streets[2].width = 3840;
  streets[2].height = 2160;
  return streets;
}

std::vector<OcclusionResult> studyOcclusion(int device, const TrialSettings& trial,
                                            const std::vector<StreetSettings>& streets) {
  const Stream stream;
  std::vector<OcclusionResult> results;
  for (StreetSettings settings : streets) {
    settings.seed = trial.seed;
    study(device, trial, settings, stream, results);
  }
  return results;
}

}  // namespace bench
