#include "api_program.h"

#include <algorithm>
#include <cstring>

#include "expect.h"
#include "frame_judge.h"

namespace slu::fuzz {

Tally tally;

namespace {

constexpr int kMostSteps = 24;
constexpr std::size_t kMostObjects = 6;
constexpr std::uint32_t kStepKinds = 24;
constexpr std::uint32_t kFirstPyramidStep = 0xf0;  // so that most old inputs mean the same

// A handle that a call which fails must leave as it is.
template <typename Handle>
Handle untouchedHandle() {
  return reinterpret_cast<Handle>(std::uintptr_t{0x5555555555555554});
}

// What a failure of a call on the context leaves behind: the sentence, and the same, whole, in the log.
void expectFailure(const LoggedContext& context, SluResult result) {
  const std::string sentence =
      context.handle.get() == nullptr ? context.log->latest : sluGetErrorMessage(context.handle);
  expectSentence(result, sentence);
  expect(context.log->latest.substr(0, SLU_MESSAGE_CAPACITY - 1) == sentence,
         "the log has another sentence: ", context.log->latest, " instead of ", sentence);
}

// A struct that a call fills, in a block of its own; and that the call fills no more than it may.
template <typename T>
class FilledStruct {
 public:
  FilledStruct(HostStructs& structs, Choices& choices, T info) {
    mayMutate(choices, info, {});
    if (choices.chance(4)) info.structSize = sizeof(T) + choices.below(kLargestTail);
    info.pNext = const_cast<void*>(structs.chain(choices));
    given_ = structs.place(choices, info);
    const std::uint32_t size = given_->structSize;
    size_ = size > sizeof(T) + kLargestTail ? 16 : std::max(size, 16u);
    if (size_ > sizeof(T)) std::memset(given_ + 1, 0xa5, size_ - sizeof(T));
    bytes_.assign(reinterpret_cast<std::uint8_t*>(given_), reinterpret_cast<std::uint8_t*>(given_) + size_);
  }
  T* given() { return given_; }

  void expectFilled(bool succeeded) const {
    const std::size_t first = succeeded ? std::min<std::size_t>(size_, sizeof(T)) : 0;
    const auto* now = reinterpret_cast<const std::uint8_t*>(given_);
    expect(std::equal(now + first, now + size_, bytes_.begin() + static_cast<std::ptrdiff_t>(first)) &&
               std::equal(now, now + std::min<std::size_t>(size_, 16), bytes_.begin()),
           "a struct was written where it must not be");
  }

 private:
  T* given_;
  std::size_t size_ = 0;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

ApiProgram::ApiProgram(World& world, Choices choices) : world_(world), choices_(choices) {
  plans_.reserve(kMostObjects);
  pyramids_.reserve(kMostObjects);
  contexts_.reserve(kMostObjects);
}

void ApiProgram::run() {
  ++tally.inputs;
  for (int i = 0; i < kMostSteps && !choices_.isEmpty(); ++i) step();
}

void ApiProgram::step() {
  const std::uint32_t byte = choices_.byte();
  if (byte >= kFirstPyramidStep) return stepPyramids(byte - kFirstPyramidStep);
  const std::uint32_t kind = byte % kStepKinds;
  if (kind < 12) return runFrame();
  if (kind < 16) return createPlan();
  if (kind < 18) return createBuffer();
  if (kind < 19) return createContext();
  if (kind < 20) return askForRoute();
  if (kind < 21) return askForProperties();
  if (kind < 22) return callWithoutHandles();
  destroySomething();
}

void ApiProgram::stepPyramids(std::uint32_t kind) {
  if (kind < 10) return buildPyramid();
  if (kind < 13) return createPyramid();
  if (kind < 15) return askForPyramidProperties();
  if (!pyramids_.empty()) pyramids_.erase(pyramids_.begin());
}

const LoggedContext& ApiProgram::anyContext() {
  if (!contexts_.empty() && choices_.chance(2)) return *contexts_.back();
  const std::vector<LoggedContext>& all = world_.contexts();
  return all[choices_.below(static_cast<std::uint32_t>(all.size()))];
}

// Most often that of the world.
SluRoute ApiProgram::anyRoute() {
  return choices_.chance(2) ? choices_.pick({SLU_ROUTE_AUTO, SLU_ROUTE_CPU, SLU_ROUTE_CUDA}) : world_.route();
}

// A buffer of another context, or null.
SluBuffer ApiProgram::foreignTo(const LoggedContext* context) const {
  return !buffers_.empty() && buffers_.back().context != context ? buffers_.back().handle.get() : nullptr;
}

void ApiProgram::createContext() {
  if (contexts_.size() == kMostObjects) return;
  auto context = std::make_unique<LoggedContext>();
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.hostFlags = choices_.below(4);
  mayMutate(choices_, info, {offsetof(SluContextCreateInfo, log), offsetof(SluContextCreateInfo, logUserData)});
  info.log = choices_.chance(1) ? nullptr : ErrorLog::note;
  info.logUserData = context->log.get();
  info.pNext = structs_.chain(choices_);
  SluContext handle = untouchedHandle<SluContext>();
  SluMessage message{};
  const bool isAsked = !choices_.chance(1);
  const SluResult result = sluCreateContext(structs_.place(choices_, info), isAsked ? &handle : nullptr, &message);
  if (result != SLU_SUCCESS) {
    expect(handle == untouchedHandle<SluContext>(), "a context that failed left a handle");
    return expectSentence(result, message.text);
  }
  expect(isAsked, "a handle went nowhere");
  context->handle.reset(handle);
  if (info.log != nullptr) contexts_.push_back(std::move(context));
}

// Some promise more memory than there is, which no call may look at.
void ApiProgram::createBuffer() {
  const LoggedContext& context = anyContext();
  RegisteredBuffer made{std::make_unique<std::uint8_t[]>(64), {}, &context};
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = 64;
  mayMutate(choices_, info, {offsetof(SluBufferCreateInfo, hostPointer)});
  info.hostPointer = choices_.chance(2) ? nullptr : made.memory.get() + (choices_.chance(1) ? choices_.below(8) : 0);
  info.pNext = structs_.chain(choices_);
  if (info.pNext != nullptr) info.size %= 1u << 20;  // it may ask for an allocation
  SluBuffer handle = untouchedHandle<SluBuffer>();
  const SluResult result = sluCreateBuffer(context.handle, structs_.place(choices_, info), &handle);
  if (result != SLU_SUCCESS) {
    expect(handle == untouchedHandle<SluBuffer>(), "a buffer that failed left a handle");
    return expectFailure(context, result);
  }
  made.handle.reset(handle);
  if (buffers_.size() < kMostObjects) buffers_.push_back(std::move(made));
}

void ApiProgram::createPlan() {
  const LoggedContext& context = anyContext();
  const PlanInput input = makePlanInput(choices_, anyRoute(), structs_);
  SluPlan handle = untouchedHandle<SluPlan>();
  ++tally.plansTried;
  const SluResult result = sluCreatePlan(context.handle, input.given, &handle);
  if (result != SLU_SUCCESS) {
    expect(handle == untouchedHandle<SluPlan>(), "a plan that failed left a handle");
    return expectFailure(context, result);
  }
  ++tally.plansMade;
  MadePlan made{Plan(handle), PlanFacts(input), SLU_ROUTE_CPU, &context};
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  expect(sluGetPlanProperties(handle, &properties) == SLU_SUCCESS, "a plan without properties");
  expect(properties.outputsPerView == made.facts.outputsPerView && properties.bucketCount == made.facts.ownBucketCount,
         "a plan has other buckets than it was given");
  const std::uint64_t bitBytes = (std::uint64_t{made.facts.info.maxRecordCount} + 31) / 32 * 4;
  expect(properties.visibilityBytes == (made.facts.testsOcclusion() ? made.facts.info.maxViewCount * bitBytes : 0),
         "a plan has other bits of visibility");
  made.route = properties.route;
  if (plans_.size() == kMostObjects) plans_.erase(plans_.begin());
  plans_.push_back(std::move(made));
}

void ApiProgram::runFrame() {
  if (frameCount_ == world_.mostFrames()) return;
  if (plans_.empty()) createPlan();
  if (plans_.empty()) return;
  ++frameCount_;
  const MadePlan& plan = plans_[plans_.size() - 1 - choices_.below(static_cast<std::uint32_t>(plans_.size()))];
  FrameInput frame(choices_, world_, *plan.context, plan.facts, foreignTo(plan.context));
  const bool isOfWorld = plan.route == world_.route() && !choices_.chance(1);
  for (std::uint32_t times = 1 + choices_.below(2); times > 0; --times) {
    Guard guard(frame.buffers(), frame.parts(plan.facts));
    ++tally.framesTried;
    const SluResult result =
        isOfWorld ? world_.run(plan.handle, frame.given()) : sluCompact(plan.handle, frame.given());
    guard.lift();
    expect(result != SLU_SUCCESS || frame.isSound(plan.facts),
           "a frame was accepted whose ranges overlap, or reach beyond their buffers");
    guard.expectUntouched(result == SLU_SUCCESS);
    if (result != SLU_SUCCESS) return expectFailure(*plan.context, result);
    ++tally.framesRun;
    const bool inOrder = plan.route == SLU_ROUTE_CPU || plan.facts.info.order == SLU_ORDER_STABLE;
    expectConsistent(frame, plan.facts, guard, inOrder);
    if (plan.route != SLU_ROUTE_CPU) compareWithCpu(plan, frame, guard);
  }
}

// The same frame of the same plan on the CPU route.
void ApiProgram::compareWithCpu(const MadePlan& plan, FrameInput& frame, const Guard& guard) {
  SluPlanCreateInfo info = plan.facts.info;
  info.structSize = sizeof(info);
  info.pNext = nullptr;
  info.route = SLU_ROUTE_CPU;
  info.bucketStride = 0;
  info.buckets = info.bucketCount == 0 ? nullptr : plan.facts.buckets.data();
  info.streams = plan.facts.streams.empty() ? nullptr : plan.facts.streams.data();
  info.groups.ofBuckets = plan.facts.groups.empty() ? nullptr : plan.facts.groups.data();
  Plan reference;
  expect(sluCreatePlan(plan.context->handle, &info, reference.put()) == SLU_SUCCESS,
         "the cpu route refuses the plan: ", sluGetErrorMessage(plan.context->handle));
  const std::vector<std::vector<std::uint8_t>> told = copyOf(frame.buffers());
  guard.restore();
  expect(sluCompact(reference, frame.given()) == SLU_SUCCESS,
         "the cpu route refuses the frame: ", sluGetErrorMessage(plan.context->handle));
  expectAgreement(frame, plan.facts, told);
}

void ApiProgram::createPyramid() {
  const LoggedContext& context = anyContext();
  const PyramidInput input = makePyramidInput(choices_, anyRoute(), structs_);
  SluPyramid handle = untouchedHandle<SluPyramid>();
  ++tally.pyramidsTried;
  const SluResult result = sluCreatePyramid(context.handle, input.given, &handle);
  if (result != SLU_SUCCESS) {
    expect(handle == untouchedHandle<SluPyramid>(), "a pyramid that failed left a handle");
    return expectFailure(context, result);
  }
  ++tally.pyramidsMade;
  MadePyramid made{Pyramid(handle), input.info, SLU_ROUTE_CPU, &context};
  auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  expect(sluGetPyramidProperties(handle, &properties) == SLU_SUCCESS, "a pyramid without properties");
  expectProperties(properties, made.info);
  made.route = properties.route;
  if (pyramids_.size() == kMostObjects) pyramids_.erase(pyramids_.begin());
  pyramids_.push_back(std::move(made));
}

void ApiProgram::buildPyramid() {
  if (buildCount_ == world_.mostBuilds()) return;
  if (pyramids_.empty()) createPyramid();
  if (pyramids_.empty()) return;
  ++buildCount_;
  const MadePyramid& pyramid = pyramids_[choices_.below(static_cast<std::uint32_t>(pyramids_.size()))];
  const BuildInput build(choices_, world_, *pyramid.context, pyramid.info, foreignTo(pyramid.context));
  const bool isOfWorld = pyramid.route == world_.route() && !choices_.chance(1);
  for (std::uint32_t times = 1 + choices_.below(2); times > 0; --times) {
    Guard guard(build.buffers(), build.parts());
    ++tally.buildsTried;
    const SluResult result =
        isOfWorld ? world_.build(pyramid.handle, build.given()) : sluBuildPyramid(pyramid.handle, build.given());
    guard.lift();
    expect(result != SLU_SUCCESS || build.isSound(),
           "a build was accepted whose parts overlap, or reach beyond their buffers");
    guard.expectUntouched(result == SLU_SUCCESS);
    if (result != SLU_SUCCESS) return expectFailure(*pyramid.context, result);
    ++tally.buildsRun;
    build.expectBuilt(guard);
  }
}

void ApiProgram::askForRoute() {
  const LoggedContext& context = anyContext();
  const auto route = static_cast<SluRoute>(choices_.number() & SLU_ROUTE_MAX_ENUM);
  FilledStruct<SluRouteInfo> info(structs_, choices_, SLU_INIT(ROUTE_INFO, SluRouteInfo));
  const SluResult result = sluGetRouteInfo(context.handle, route, info.given());
  info.expectFilled(result == SLU_SUCCESS);
  if (result != SLU_SUCCESS) expectFailure(context, result);
}

void ApiProgram::askForProperties() {
  if (plans_.empty()) return;
  FilledStruct<SluPlanProperties> properties(structs_, choices_, SLU_INIT(PLAN_PROPERTIES, SluPlanProperties));
  const SluResult result = sluGetPlanProperties(plans_.back().handle, properties.given());
  properties.expectFilled(result == SLU_SUCCESS);
  if (result != SLU_SUCCESS) expectFailure(*plans_.back().context, result);
}

void ApiProgram::askForPyramidProperties() {
  if (pyramids_.empty()) return;
  FilledStruct<SluPyramidProperties> properties(structs_, choices_, SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties));
  const SluResult result = sluGetPyramidProperties(pyramids_.back().handle, properties.given());
  properties.expectFilled(result == SLU_SUCCESS);
  if (result != SLU_SUCCESS) expectFailure(*pyramids_.back().context, result);
}

void ApiProgram::callWithoutHandles() {
  const LoggedContext& context = anyContext();
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = 64;
  info.hostPointer = &info;
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  SluBuffer buffer = nullptr;
  expect(sluCreateBuffer(nullptr, &info, &buffer) == SLU_ERROR_INVALID_ARGUMENT && buffer == nullptr, "no context");
  expect(sluGetPlanProperties(nullptr, &properties) == SLU_ERROR_INVALID_ARGUMENT, "no plan");
  expect(sluCompact(nullptr, nullptr) == SLU_ERROR_INVALID_ARGUMENT, "no plan");
  auto layout = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  expect(sluGetPyramidProperties(nullptr, &layout) == SLU_ERROR_INVALID_ARGUMENT, "no pyramid");
  expect(sluBuildPyramid(nullptr, nullptr) == SLU_ERROR_INVALID_ARGUMENT, "no pyramid");
  const SluResult results[] = {
      sluCreateBuffer(context.handle, nullptr, &buffer), sluCreateBuffer(context.handle, &info, nullptr),
      sluCreatePlan(context.handle, nullptr, nullptr), sluCreatePyramid(context.handle, nullptr, nullptr),
      sluGetRouteInfo(context.handle, SLU_ROUTE_AUTO, nullptr)};
  for (const SluResult result : results) expect(result == SLU_ERROR_INVALID_ARGUMENT, "a null pointer was accepted");
  expectFailure(context, SLU_ERROR_INVALID_ARGUMENT);
  sluDestroyBuffer(nullptr);
  sluDestroyPlan(nullptr);
  sluDestroyPyramid(nullptr);
  sluDestroyContext(nullptr);
}

void ApiProgram::destroySomething() {
  const std::uint32_t kind = choices_.below(3);
  if (kind == 0 && !plans_.empty()) plans_.erase(plans_.begin());
  if (kind == 1 && !buffers_.empty()) buffers_.erase(buffers_.begin());
  if (kind == 2 && !contexts_.empty()) destroyContext();
}

// Its plans and pyramids stay as they are, and fail as before.
void ApiProgram::destroyContext() {
  LoggedContext& gone = *contexts_.back();
  gone.handle.reset();
  for (const MadePlan& plan : plans_) {
    if (plan.context == &gone) expectFailure(gone, sluCompact(plan.handle, nullptr));
  }
  for (const MadePyramid& pyramid : pyramids_) {
    if (pyramid.context == &gone) expectFailure(gone, sluBuildPyramid(pyramid.handle, nullptr));
  }
  std::erase_if(plans_, [&](const MadePlan& plan) { return plan.context == &gone; });
  std::erase_if(pyramids_, [&](const MadePyramid& pyramid) { return pyramid.context == &gone; });
  contexts_.pop_back();
}

}  // namespace slu::fuzz
