// Holds the results of a run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arena/arena_id.h"
#include "arena/role.h"
#include "arena/summary.h"
#include "arena/trial_settings.h"
#include "workload/traffic.h"
#include "workload/workload.h"

namespace bench {

enum class Status {
  Measured,
  Refused,  // it cannot run the workload
  Wrong,    // its output is wrong; nothing is measured
};
const char* name(Status status);

struct PhaseResult {
  std::string name;
  double microseconds = 0;
};

struct CompetitorResult {
  std::string competitor;
  ArenaId arena = ArenaId::Cuda;
  Role role = Role::Candidate;
  Status status = Status::Measured;
  std::string reason;  // of a status other than Measured
  uint32_t framesPerSample = 0;
  std::vector<double> samples;        // microseconds per frame, in the order in which they were taken
  std::vector<PhaseResult> phases{};  // of a frame that has several
};

// Says whether the L2 cache holds the inputs of CUDA frames.
enum class Residence {
  Warm,    // small and used again at once
  Cold,    // small, but out of the cache when their turn comes
  Memory,  // several times the cache
};
const char* name(Residence residence);

struct ArenaRefusal {
  ArenaId arena;
  std::string reason;
};

// "host: reason; cuda: reason".
std::string describe(const std::vector<ArenaRefusal>& refusals);

struct WorkloadResult {
  Workload workload;
  uint64_t keptCount = 0;
  uint32_t setCount = 0;                      // of the CUDA arena; 0 when it did not run
  Residence residence = Residence::Warm;      // of the CUDA arena, when it ran
  std::vector<ArenaRefusal> refusals;         // of whole arenas; the results of their competitors repeat the reason
  std::vector<CompetitorResult> competitors;  // of all arenas
};

// Returns whether the arena as a whole refused the workload.
bool isRefused(const WorkloadResult& result, ArenaId arena);

// Says why no arena ran the workload; empty when one did.
std::string refusalOfAll(const WorkloadResult& result);

struct GpuDescription {
  std::string name;
  std::string computeCapability;
  uint32_t multiprocessorCount = 0;
  uint64_t cacheBytes = 0;  // L2
  uint64_t memoryBytes = 0;
  uint32_t coreClockMHz = 0;  // the highest, as the driver reports them
  uint32_t memoryClockMHz = 0;
  std::string driver;       // version of the kernel module; empty when it cannot be read
  uint32_t cudaDriver = 0;  // 1000 * major + 10 * minor
  uint32_t cudaRuntime = 0;
};

// "13.0", of a version as CUDA counts.
std::string versionText(uint32_t version);

struct HostDescription {
  std::string name;  // of the processor
  uint32_t threadCount = 0;
  uint64_t memoryBytes = 0;
};

struct VulkanDescription {
  std::string name;
  std::string driver;  // name and version
  std::string driverVersion;
  std::string apiVersion;
  bool queueDraws = false;       // the queue is also for graphics
  bool isGpu = false;            // false: a driver that runs on the host's processors
  double timestampPeriod = 0.0;  // nanoseconds
};

// The devices of the arenas that were opened.
struct Devices {
  std::optional<HostDescription> host;
  std::map<ArenaId, VulkanDescription> vulkan;  // by queue
  std::optional<GpuDescription> gpu;
};

// Holds how long the host spends in the call of a frame.
struct HostCost {
  std::string competitor;
  ArenaId arena = ArenaId::Cuda;
  Workload workload;
  uint32_t callsPerSample = 0;
  std::vector<double> samples;  // microseconds per call
};

// Reduction by key by one method.
struct ReductionResult {
  std::string method;
  std::string order;            // of the keys
  std::string type;             // of the sums
  std::string wrong;            // what is wrong with the sums; without samples then
  std::vector<double> samples;  // microseconds per frame, the reset of the sums included
};

// Frames and pyramids over a street by one method; see occlusion/study.h.
struct OcclusionResult {
  std::string method;
  std::string work;     // "frame", "first", "pyramid", "second", "both phases", "single"
  std::string records;  // how they lie
  std::string last;     // what the last frame saw; empty where nothing reads it
  uint32_t recordCount = 0;
  uint32_t width = 0;  // of the picture, in pixels
  uint32_t height = 0;
  uint64_t inFrustum = 0;           // records
  uint64_t visible = 0;             // of these, what the library's reference does not hide
  uint64_t showing = 0;             // of these, what no method may hide
  uint64_t kept = 0;                // by all frames of the work
  uint64_t bytes = 0;               // that cannot be avoided, read and written
  std::string wrong;                // what is wrong with the outputs; without samples then
  std::vector<double> samples;      // microseconds of the work, the reset of counters included
  std::vector<double> copySamples;  // microseconds of a copy that moves as many bytes
};

// Holds how long the host spends in one of the library's calls.
struct VerbTimes {
  std::string verb;
  std::vector<double> samples;  // microseconds, call by call
};

enum class HandoffWork {
  Frame,         // a renderer's whole frame
  NoCompaction,  // a frame in which nothing is compacted
  HandoffAlone,  // only the hand-off: no compaction, no draws
};
const char* name(HandoffWork work);

// Frames of a renderer whose compaction runs on a path; see vulkan/handoff_study.h.
struct HandoffResult {
  HandoffWork work = HandoffWork::Frame;
  std::string route;  // "none" without one
  std::string path;
  uint32_t latency = 0;  // frames between a compaction and its draws
  Status status = Status::Measured;
  std::string reason{};                // of a status other than Measured
  std::vector<double> frameSamples{};  // microseconds from frame to frame
  // The difference in microseconds to the frame without compaction of the same repetition. For whole frames only.
  std::vector<double> addedSamples{};
  // Microseconds on the queue that draws: from the end of the work before the compaction to the start of the draws. For
  // a hand-off alone they are from before the release until after the acquire.
  std::vector<double> gapSamples{};
  std::vector<double> hostSamples{};  // microseconds that the host takes to submit a frame
  std::vector<VerbTimes> verbs{};     // where they were measured
};

struct RunResult {
  TrialSettings settings;
  Devices devices;
  std::vector<ArenaRefusal> skipped;  // arenas that cannot run here
  std::vector<WorkloadResult> workloads;
  std::vector<HostCost> hostCosts;
  std::vector<ReductionResult> reductions;  // empty unless asked for
  std::vector<HandoffResult> handoffs;      // empty unless asked for
  std::vector<OcclusionResult> occlusions;  // empty unless asked for
};

}  // namespace bench
