#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/csv.h"
#include "report/json.h"
#include "report/table.h"

namespace bench {
namespace {

using Json = nlohmann::json;

// 10^6 words, half of them kept, and every status.
RunResult exampleRun() {
  WorkloadResult result;
  result.workload.recordCount = 1000000;
  result.keptCount = 500000;
  result.setCount = 1;
  CompetitorResult copy{"copy", ArenaId::Cuda, Role::Copy, Status::Measured, "", 500, {4, 4, 4}};
  CompetitorResult cub{"cub", ArenaId::Cuda, Role::Baseline, Status::Wrong, "element 3 appears a second time", 0, {}};
  CompetitorResult sluice{"sluice", ArenaId::Cuda, Role::Candidate, Status::Measured, "", 700, {3, 1, 4}};
  CompetitorResult other{"other", ArenaId::Cuda, Role::Candidate, Status::Refused, "one output", 0, {}};
  result.competitors = {copy, cub, sluice, other};
  WorkloadResult refused;
  refused.workload.recordBytes = 128;
  refused.refusals = {{ArenaId::Cuda, "too large"}};
  CompetitorResult none = other;
  none.reason = "too large";
  refused.competitors = {none};
  RunResult run;
  run.devices.gpu.emplace();
  run.devices.gpu->name = "GPU \"X\"";
  run.devices.gpu->cudaRuntime = 13000;
  run.workloads = {result, refused};
  run.hostCosts = {{"sluice", ArenaId::Cuda, Workload(), 100, {1.0, 1.25, 9.0}}};
  return run;
}

TEST(Report, JsonHoldsEverything) {
  RunResult run = exampleRun();
  run.settings.seed = 42;
  const Json json = Json::parse(jsonReport(run, "2000-01-02T03:04:05Z"));
  EXPECT_EQ(json["date"], "2000-01-02T03:04:05Z");
  EXPECT_EQ(json["seed"], 42);
  EXPECT_EQ(json["gpu"]["name"], "GPU \"X\"");
  EXPECT_TRUE(json["gpu"]["driver"].is_null());
  ASSERT_EQ(json["hostCosts"].size(), 1u);
  EXPECT_EQ(json["hostCosts"][0]["microseconds"]["median"], 1.25);
  EXPECT_EQ(json["hostCosts"][0]["workload"], "4 B x 2^20, 50 %, unordered");
  ASSERT_EQ(json["workloads"].size(), 2u);

  const Json& workload = json["workloads"][0];
  EXPECT_EQ(workload["compulsoryBytes"], 6000000);
  EXPECT_EQ(workload["placement"], "reserved");
  EXPECT_EQ(workload["groups"], 0);
  ASSERT_EQ(workload["competitors"].size(), 4u);
  const Json& sluice = workload["competitors"][2];
  EXPECT_EQ(sluice["microseconds"]["median"], 3);
  EXPECT_EQ(sluice["microseconds"]["samples"], (std::vector<double>{3, 1, 4}));
  EXPECT_EQ(sluice["ofCopy"], 1.0);
  EXPECT_TRUE(sluice["vsBaseline"].is_null());
  EXPECT_EQ(json["workloads"][1]["refusal"], "cuda: too large");
}

TEST(Report, JsonHoldsPhasesWhereThereAreAny) {
  RunResult run = exampleRun();
  run.workloads[0].competitors[2].phases = {{"count", 1.5}, {"move", 2}};
  const Json json = Json::parse(jsonReport(run, ""));
  const Json& competitors = json["workloads"][0]["competitors"];
  EXPECT_EQ(competitors[2]["phases"], Json::parse(R"([{"name": "count", "microseconds": 1.5},
                                                      {"name": "move", "microseconds": 2.0}])"));
  EXPECT_FALSE(competitors[0].contains("phases"));
}

TEST(Report, ReductionsHaveNumbersOrAReason) {
  RunResult run = exampleRun();
  EXPECT_FALSE(Json::parse(jsonReport(run, "today")).contains("reductions"));
  run.reductions = {{"atomics", "random", "float", "", {7, 9, 8}}, {"atomics", "ordered", "double", "cell 3 is 4", {}}};
  const Json json = Json::parse(jsonReport(run, "today"))["reductions"];
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["microseconds"]["median"], 8.0);
  EXPECT_EQ(json[0]["keys"], "random");
  EXPECT_EQ(json[1]["reason"], "cell 3 is 4");
  EXPECT_FALSE(json[1].contains("microseconds"));
  const std::string lines = reductionLines(run.reductions);
  EXPECT_NE(lines.find("8.00"), std::string::npos) << lines;
  EXPECT_NE(lines.find("WRONG: cell 3 is 4"), std::string::npos) << lines;
}

TEST(Report, OcclusionHasNumbersOrAReason) {
  RunResult run = exampleRun();
  EXPECT_FALSE(Json::parse(jsonReport(run, "today")).contains("occlusions"));
  OcclusionResult result;
  result.method = "sluice";
  result.work = "second";
  result.records = "by place";
  result.last = "steady";
  result.width = 1920;
  result.inFrustum = 400;
  result.visible = 120;
  result.showing = 110;
  result.kept = 12;
  result.bytes = 1000;
  result.samples = {7, 9, 8};
  result.copySamples = {4, 4, 5};
  run.occlusions = {result, result};
  run.occlusions[1].work = "frame";
  run.occlusions[1].last = "";
  run.occlusions[1].wrong = "record 3 is dropped, and shows";
  const Json json = Json::parse(jsonReport(run, "today"))["occlusions"];
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["microseconds"]["median"], 8.0);
  EXPECT_EQ(json[0]["copyMicroseconds"]["median"], 4.0);
  EXPECT_EQ(json[0]["compulsoryBytes"], 1000);
  EXPECT_EQ(json[0]["keptByFrames"], 12);
  EXPECT_EQ(json[0]["last"], "steady");
  EXPECT_TRUE(json[1]["last"].is_null());
  EXPECT_EQ(json[1]["status"], "wrong");
  EXPECT_EQ(json[1]["reason"], "record 3 is dropped, and shows");
  EXPECT_FALSE(json[1].contains("microseconds"));
  const std::string lines = occlusionLines(run.occlusions);
  EXPECT_NE(lines.find("400 in the frustum, 120 of them visible, 110 of these show"), std::string::npos) << lines;
  EXPECT_NE(lines.find("8.00 us"), std::string::npos) << lines;
  EXPECT_NE(lines.find("WRONG: record 3"), std::string::npos) << lines;
  EXPECT_NE(occlusionLines({}).find("skipped"), std::string::npos);
}

TEST(Report, HandoffsHaveNumbersOrAReason) {
  RunResult run = exampleRun();
  EXPECT_FALSE(Json::parse(jsonReport(run, "today")).contains("handoffs"));
  run.handoffs = {{HandoffWork::Frame,
                   "inline",
                   "one submission",
                   0,
                   Status::Measured,
                   "",
                   {9, 7, 8},
                   {},
                   {3, 3, 3},
                   {1, 1, 1},
                   {}},
                  {HandoffWork::Frame, "cuda", "CUDA", 1, Status::Refused, "no CUDA"}};
  const Json json = Json::parse(jsonReport(run, "today"))["handoffs"];
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["frameMicroseconds"]["median"], 8.0);
  EXPECT_EQ(json[0]["gapMicroseconds"]["median"], 3.0);
  EXPECT_FALSE(json[0].contains("deltaMicroseconds")) << "there is no frame without compaction";
  EXPECT_FALSE(json[0].contains("verbs"));
  EXPECT_EQ(json[1]["latency"], 1);
  EXPECT_EQ(json[1]["reason"], "no CUDA");
  EXPECT_FALSE(json[1].contains("frameMicroseconds"));
  const std::string lines = handoffLines(run.handoffs);
  EXPECT_NE(lines.find("8.00 us a frame,"), std::string::npos) << lines;
  EXPECT_NE(lines.find("not run: no CUDA"), std::string::npos) << lines;
  EXPECT_NE(handoffLines({}).find("skipped"), std::string::npos);
}

TEST(Report, HandoffsAreComparedWithNone) {
  RunResult run = exampleRun();
  run.handoffs = {
      {HandoffWork::Frame,
       "cuda",
       "CUDA",
       0,
       Status::Measured,
       "",
       {9, 7, 8},
       {3, 1, 4},
       {3},
       {1},
       {{"sluCmdRelease", {2, 6, 4}}}},
      {HandoffWork::NoCompaction, "none", "one submission", 0, Status::Measured, "", {5}, {}, {0.5}, {1}, {}},
      {HandoffWork::HandoffAlone, "cuda", "CUDA", 0, Status::Measured, "", {2}, {}, {1.5}, {1}, {}}};
  const Json json = Json::parse(jsonReport(run, "today"))["handoffs"];
  EXPECT_EQ(json[0]["deltaMicroseconds"]["median"], 3.0);
  EXPECT_EQ(json[0]["deltaMicroseconds"]["percentile10"], 1.4);
  EXPECT_EQ(json[0]["work"], "frame");
  EXPECT_EQ(json[0]["verbs"][0]["name"], "sluCmdRelease");
  EXPECT_EQ(json[0]["verbs"][0]["microseconds"]["median"], 4.0);
  EXPECT_FALSE(json[1].contains("deltaMicroseconds"));
  EXPECT_EQ(json[1]["work"], "no compaction");
  EXPECT_FALSE(json[2].contains("deltaMicroseconds"));
  EXPECT_FALSE(json[2].contains("frameMicroseconds")) << "there is no frame";
  EXPECT_EQ(json[2]["path"], "CUDA");
  EXPECT_EQ(json[2]["work"], "hand-off alone");
  const std::string lines = handoffLines(run.handoffs);
  EXPECT_NE(lines.find("8.00 us a frame (+3.00 by compaction)"), std::string::npos) << lines;
  EXPECT_NE(lines.find("none    no compaction "), std::string::npos) << lines;
  EXPECT_NE(lines.find("cuda    CUDA, alone "), std::string::npos) << lines;
  EXPECT_EQ(lines.find("2.00 us a frame"), std::string::npos) << lines;
  EXPECT_NE(lines.find("1.50 us there and back"), std::string::npos) << lines;
  EXPECT_NE(lines.find("sluCmdRelease        4.00 us (2.40 to 5.60)"), std::string::npos) << lines;
}

TEST(Report, WrongAndRefusedHaveReasonsButNoNumbers) {
  const Json json = Json::parse(jsonReport(exampleRun(), ""));
  const Json& cub = json["workloads"][0]["competitors"][1];
  EXPECT_EQ(cub["status"], "wrong");
  EXPECT_EQ(cub["reason"], "element 3 appears a second time");
  EXPECT_FALSE(cub.contains("microseconds"));
  const Json& other = json["workloads"][0]["competitors"][3];
  EXPECT_EQ(other["status"], "refused");
  EXPECT_FALSE(other.contains("microseconds"));
}

TEST(Report, TableHasALinePerCompetitor) {
  const RunResult run = exampleRun();
  std::set<std::string> said;
  const std::string lines = tableLines(run.workloads[0], 40, said);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 4);
  EXPECT_NE(lines.find("4 B x 1000000, 50 %, unordered"), std::string::npos);
  EXPECT_NE(lines.find("2000.0  100.0 %"), std::string::npos) << lines;
  EXPECT_NE(lines.find("WRONG: element 3 appears a second time"), std::string::npos) << lines;
  EXPECT_NE(lines.find("not run: one output"), std::string::npos) << lines;
  EXPECT_NE(tableLines(run.workloads[1], 40, said).find("cuda            not run: too large\n"), std::string::npos);
  EXPECT_EQ(tableLines(run.workloads[1], 40, said), "") << "said before";
}

TEST(Report, TableIsAsWideAsItsNames) {
  std::vector<Workload> workloads(2);
  workloads[1].survivalPercent = 12.5;
  const std::string widest = describe(workloads[1]);
  EXPECT_EQ(nameWidth(workloads), static_cast<int>(widest.size()));
  const std::string header = tableHeader(RunResult(), nameWidth(workloads));
  EXPECT_EQ(header.find("arena ") - header.find("workload"), widest.size() + 1);
}

TEST(Report, TableSaysHowItWasMeasured) {
  RunResult run = exampleRun();
  run.settings.seed = 42;
  run.settings.mode = Mode::Stream;
  run.settings.cold = true;
  const std::string header = tableHeader(run, 40);
  EXPECT_NE(header.find("GPU \"X\""), std::string::npos) << header;
  EXPECT_NE(header.find("runtime 13.0"), std::string::npos) << header;
  EXPECT_NE(header.find("single launches, 15 samples, seed 42, cold"), std::string::npos) << header;
  EXPECT_NE(hostCostLines(run.hostCosts).find("1.25 us"), std::string::npos);
}

// The example, run by the host as well.
RunResult exampleOfTwoArenas() {
  RunResult run = exampleRun();
  run.devices.host = HostDescription{"CPU, \"Y\"", 2, 1u << 30};
  run.skipped = {{ArenaId::Vulkan, "no Vulkan device"}};
  CompetitorResult copy{"memcpy", ArenaId::Host, Role::Copy, Status::Measured, "", 1, {10}};
  CompetitorResult refusing{"cpu-parallel", ArenaId::Host, Role::Candidate, Status::Refused, "one, and \"one\"", 0, {}};
  CompetitorResult loop{"cpu-loop", ArenaId::Host, Role::Candidate, Status::Measured, "", 1, {15}};
  run.workloads[0].competitors.insert(run.workloads[0].competitors.end(), {copy, refusing, loop});
  return run;
}

// The machine is named in the same form, whatever ran.
TEST(Report, JsonTellsTheMachine) {
  const auto machineOf = [](const Devices& devices) {
    RunResult run;
    run.devices = devices;
    return Json::parse(jsonReport(run, ""))["machine"];
  };
  Devices devices;
  devices.host = HostDescription{"CPU", 2, 1u << 30};
  EXPECT_EQ(machineOf(devices), Json({{"name", "CPU"}, {"driver", nullptr}, {"cuda", nullptr}}));
  VulkanDescription& vulkan = devices.vulkan[ArenaId::Vulkan];
  vulkan.name = "Vulkan's CPU";
  vulkan.driver = "Maker 1.2";
  vulkan.driverVersion = "1.2";
  EXPECT_EQ(machineOf(devices), Json({{"name", "Vulkan's CPU"}, {"driver", "1.2"}, {"cuda", nullptr}}));
  devices.gpu.emplace();
  devices.gpu->name = "GPU";
  devices.gpu->cudaRuntime = 12050;
  EXPECT_EQ(machineOf(devices), Json({{"name", "GPU"}, {"cuda", "12.5"}})) << "the driver is not known";
  devices.gpu->driver = "580.1";
  EXPECT_EQ(machineOf(devices), Json({{"name", "GPU"}, {"driver", "580.1"}, {"cuda", "12.5"}}));
}

TEST(Report, ArenasAreKeptApart) {
  const Json json = Json::parse(jsonReport(exampleOfTwoArenas(), ""));
  EXPECT_EQ(json["devices"]["host"]["name"], "CPU, \"Y\"");
  EXPECT_EQ(json["devices"]["cuda"]["name"], "GPU \"X\"");
  EXPECT_EQ(json["skipped"]["vulkan"], "no Vulkan device");
  const Json& competitors = json["workloads"][0]["competitors"];
  EXPECT_EQ(competitors[2]["arena"], "cuda");
  EXPECT_EQ(competitors[2]["ofCopy"], 1.0);
  EXPECT_EQ(competitors[6]["arena"], "host");
  EXPECT_EQ(competitors[6]["ofCopy"], 0.5);  // 6 MB in 15 us, the copy 8 MB in 10
  const std::string header = tableHeader(exampleOfTwoArenas(), 40);
  EXPECT_NE(header.find("\nvulkan: skipped, no Vulkan device\n"), std::string::npos) << header;
  EXPECT_NE(header.find("CPU, \"Y\", 2 threads"), std::string::npos) << header;
}

TEST(Report, CsvHasALinePerCompetitor) {
  RunResult run = exampleOfTwoArenas();
  run.settings.seed = 7;
  run.settings.mode = Mode::Stream;
  const std::string csv = csvReport(run);
  std::vector<std::string> lines;
  std::istringstream stream(csv);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 1u + 7 + 1);
  EXPECT_EQ(lines[0].substr(0, 24), "recordBytes,recordCount,");
  EXPECT_EQ(lines[3],
            "4,1000000,50,random,1,unordered,records,word,1,reserved,0,500000,7,cuda,warm,stream,sluice,measured,,3,1."
            "4,3.8,2000,1,,");
  EXPECT_EQ(lines[6],
            "4,1000000,50,random,1,unordered,records,word,1,reserved,0,500000,7,host,,,cpu-parallel,refused,\"one, and "
            "\"\"one\"\"\",,,,,,,");
  EXPECT_EQ(lines[7],
            "4,1000000,50,random,1,unordered,records,word,1,reserved,0,500000,7,host,,,cpu-loop,measured,,15,15,15,400,"
            "0.5,,");
}

// The example by one view and by two, which take 1.5 times as long.
TEST(Report, ViewsAreComparedWithOne) {
  RunResult run = exampleRun();
  EXPECT_EQ(viewLines(run), "");
  run.workloads[0].workload.predicate = Predicate::SphereBeside;
  run.workloads[1] = run.workloads[0];
  run.workloads[1].workload.viewCount = 2;
  run.workloads[1].competitors[2].samples = {4.5};
  EXPECT_EQ(
      viewLines(run),
      "\nviews, cuda            sluice                1.50x the time of one view  4 B x 1000000, 50 %, unordered, "
      "sphere-beside, 2 views\n");
  const Json json = Json::parse(jsonReport(run, ""));
  EXPECT_EQ(json["workloads"][0]["views"], 1);
  EXPECT_FALSE(json["workloads"][0]["competitors"][2].contains("ofOneView"));
  EXPECT_EQ(json["workloads"][1]["views"], 2);
  EXPECT_EQ(json["workloads"][1]["competitors"][2]["ofOneView"], 1.5);
  const std::string csv = csvReport(run);
  EXPECT_NE(csv.find(",sphere-beside,2,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",1.5\n"), std::string::npos) << csv;
}

}  // namespace
}  // namespace bench
