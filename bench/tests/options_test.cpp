#include "program/options.h"

#include <gtest/gtest.h>

#include "base/failure.h"
#include "workload/suites.h"

namespace bench {
namespace {

std::optional<Options> parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "sluice-bench");
  return parseOptions(static_cast<int>(arguments.size()), arguments.data());
}

std::vector<std::string> names(const Options& options) {
  std::vector<std::string> all;
  for (const Workload& workload : options.workloads) all.push_back(describe(workload));
  return all;
}

void expectRefused(const std::vector<const char*>& arguments, const std::string& named) {
  try {
    parse(arguments);
    ADD_FAILURE() << "nothing was refused; expected a sentence with " << named;
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.cause(), Cause::BadInput);
    EXPECT_NE(std::string(failure.what()).find(named), std::string::npos) << failure.what();
  }
}

TEST(Options, DefaultsAreTheTargets) {
  const auto options = parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->workloads.size(), suite("targets")->size());
  EXPECT_EQ(options->trial.mode, Mode::Graph);
  EXPECT_TRUE(options->arenas.empty() && options->trial.isSuite);
  EXPECT_FALSE(parse({"--count", "1"})->trial.isSuite);
  EXPECT_EQ(options->trial.repetitionCount, 15u);
  EXPECT_FALSE(options->trial.cold || options->trial.statistics || options->reduction || options->trial.quick ||
               options->occlusion || options->masks || options->customs || options->meshes || options->list);
}

TEST(Options, ListsMultiply) {
  const auto options = parse(
      {"--bytes", "4,16", "--count", "2^10,7", "--survival", "12.5", "--order", "stable", "--pattern", "clustered"});
  ASSERT_TRUE(options);
  EXPECT_EQ(names(*options), (std::vector<std::string>{
                                 "4 B x 2^10, 12.5 %, stable, clustered", "4 B x 7, 12.5 %, stable, clustered",
                                 "16 B x 2^10, 12.5 %, stable, clustered", "16 B x 7, 12.5 %, stable, clustered"}));
}

TEST(Options, PredicatesAreNamed) {
  const auto options = parse({"--bytes", "64", "--predicate", "word,sphere-beside,box-beside", "--order", "stable"});
  ASSERT_TRUE(options);
  EXPECT_EQ(names(*options),
            (std::vector<std::string>{"64 B x 2^20, 50 %, stable", "64 B x 2^20, 50 %, stable, sphere-beside",
                                      "64 B x 2^20, 50 %, stable, box-beside"}));
  expectRefused({"--predicate", "box"}, "--predicate: 'box' is not known");
  expectRefused({"--predicate", "sphere", "--bytes", "16"}, "impossible workload: records that are spheres");
  expectRefused({"--predicate", "sphere", "--bytes", "24"}, "impossible workload: records of 24 bytes");
  expectRefused({"--predicate", "sphere-beside", "--bytes", "20"}, "impossible workload: records of 20 bytes");
  expectRefused({"--predicate", "box-beside", "--bytes", "24"}, "impossible workload: records of 24 bytes with bounds");
  EXPECT_TRUE(parse({"--predicate", "sphere", "--bytes", "32", "--buckets", "2"}));
}

TEST(Options, ViewsAreCounted) {
  const auto options = parse({"--bytes", "64", "--survival", "5", "--predicate", "sphere,box-beside", "--order",
                              "stable", "--count", "2^10", "--views", "1,16"});
  ASSERT_TRUE(options);
  EXPECT_EQ(names(*options),
            (std::vector<std::string>{"64 B x 2^10, 5 %, stable, sphere", "64 B x 2^10, 5 %, stable, sphere, 16 views",
                                      "64 B x 2^10, 5 %, stable, box-beside",
                                      "64 B x 2^10, 5 %, stable, box-beside, 16 views"}));
  EXPECT_EQ(options->workloads[0].viewCount, 1u);
  EXPECT_EQ(options->workloads[1].viewCount, 16u);
  EXPECT_FALSE(options->trial.isSuite);
  expectRefused({"--views", "2"}, "impossible workload: 2 views of records that a word keeps");
  expectRefused({"--views", "many"}, "--views: 'many' is no count");
  expectRefused({"--suite", "views", "--views", "2"}, "--suite");
  const auto refusedWith = [](const char* views, const char* count, const char* why) {
    expectRefused({"--bytes", "64", "--predicate", "sphere-beside", "--views", views, "--count", count}, why);
  };
  refusedWith("0", "1000", "0 views");
  refusedWith("17", "1000", "17 views: 1 to 16");
  refusedWith("16", "134217729", "16 views of 134217729 records: 2^31");
  EXPECT_TRUE(parse({"--bytes", "64", "--predicate", "sphere-beside", "--views", "16", "--count", "2^27"}));
}

TEST(Options, PlacementsAreNamed) {
  const auto options = parse(
      {"--bytes", "64", "--buckets", "64", "--order", "stable", "--placement", "reserved,packed", "--groups", "0,8"});
  ASSERT_TRUE(options);
  EXPECT_EQ(names(*options), (std::vector<std::string>{"64 B x 2^20, 50 %, stable, 64 buckets",
                                                       "64 B x 2^20, 50 %, stable, 64 buckets, 8 groups",
                                                       "64 B x 2^20, 50 %, stable, 64 buckets, packed",
                                                       "64 B x 2^20, 50 %, stable, 64 buckets, packed, 8 groups"}));
  EXPECT_FALSE(options->trial.isSuite);
  EXPECT_TRUE(parse({"--bytes", "64", "--buckets", "64", "--placement", "merged", "--outputs", "indices"}));
  EXPECT_TRUE(parse({"--bytes", "64", "--buckets", "2^20", "--placement", "merged", "--outputs", "indices"}));
  expectRefused({"--bytes", "64", "--buckets", "4097", "--placement", "packed"}, "4097 buckets: 1 to 4096");
  expectRefused({"--placement", "dense"}, "--placement: 'dense' is not known");
  expectRefused({"--placement", "packed"}, "impossible workload: packed: several buckets are needed");
  const auto refusedWith = [](std::vector<const char*> more, const char* why) {
    more.insert(more.begin(), {"--bytes", "64", "--buckets", "64", "--predicate", "sphere-beside"});
    expectRefused(more, why);
  };
  refusedWith({"--placement", "merged"}, "impossible workload: merged: indices are needed");
  refusedWith({"--placement", "packed", "--views", "2"}, "impossible workload: packed: one view is possible");
  refusedWith({"--groups", "8", "--views", "2"}, "impossible workload: groups: one view is possible");
  refusedWith({"--groups", "65"}, "impossible workload: 65 groups: as many as buckets, and 256 are possible");
  refusedWith({"--placement", "merged", "--outputs", "indices", "--groups", "8"},
              "impossible workload: merged: no groups are possible");
}

TEST(Options, ListsMayBeSpacedOrRepeated) {
  const auto spaced = parse({"--buckets", "2", "3", "--bytes=8", "--outputs", "indices"});
  const auto repeated = parse({"--buckets", "2", "--buckets", "3", "--bytes=8", "--outputs", "indices"});
  ASSERT_TRUE(spaced && repeated);
  EXPECT_EQ(spaced->workloads.size(), 4u);  // both orders
  EXPECT_EQ(names(*spaced), names(*repeated));
}

TEST(Options, FilterLeavesWhatContainsIt) {
  const auto options = parse({"--suite", "targets", "--filter", "64 buckets"});
  ASSERT_TRUE(options);
  EXPECT_EQ(names(*options), (std::vector<std::string>{"16 B x 2^24, 50 %, unordered, 64 buckets",
                                                       "16 B x 2^24, 50 %, stable, 64 buckets"}));
}

TEST(Options, TheRest) {
  const auto options =
      parse({"--mode",   "stream",   "--cold",     "--statistics",  "--reduction",     "--quick", "--seed",
             "42",       "--device", "1",          "--competitors", "cub,sluice",      "--json",  "file.json",
             "--csv",    "file.csv", "--arenas",   "vulkan,host",   "--vulkan-device", "llvm",    "--mask",
             "--custom", "--meshes", "--occlusion"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->trial.mode, Mode::Stream);
  EXPECT_TRUE(options->trial.cold && options->trial.statistics && options->reduction && options->trial.quick &&
              options->occlusion && options->masks && options->customs && options->meshes);
  EXPECT_EQ(options->trial.seed, 42u);
  EXPECT_EQ(options->device, 1);
  EXPECT_EQ(options->competitors, (std::vector<std::string>{"cub", "sluice"}));
  EXPECT_EQ(options->json, "file.json");
  EXPECT_EQ(options->csv, "file.csv");
  EXPECT_EQ(options->arenas, (std::vector<ArenaId>{ArenaId::Vulkan, ArenaId::Host}));
  EXPECT_EQ(options->vulkanDevice, "llvm");
  EXPECT_LT(options->trial.repetitionCount, 15u) << "--quick";
  EXPECT_LT(options->trial.warmUpSeconds, parse({})->trial.warmUpSeconds) << "--quick";
  EXPECT_EQ(parse({"--quick", "--repetitions", "99"})->trial.repetitionCount, 99u);
}

TEST(Options, SeedsAreFresh) {
  const uint32_t seed = parse({})->trial.seed;
  EXPECT_TRUE(parse({})->trial.seed != seed || parse({})->trial.seed != seed);
}

TEST(Options, BadOnesAreNamed) {
  expectRefused({"--nonsense"}, "--nonsense");
  expectRefused({"--suite", "nonsense"}, "--suite: 'nonsense'");
  expectRefused({"--suite", "quick", "--bytes", "4"}, "--suite");
  expectRefused({"--bytes", "6"}, "6 bytes");
  expectRefused({"--bytes", "0"}, "0 bytes");
  expectRefused({"--bytes", "260"}, "260 bytes");
  expectRefused({"--bytes", "many"}, "--bytes: 'many'");
  expectRefused({"--count", "0"}, "0 records");
  expectRefused({"--count", "2^32"}, "--count: '2^32'");
  expectRefused({"--count", "2147483649"}, "2147483649 records");
  expectRefused({"--survival", "101"}, "--survival: '101'");
  expectRefused({"--survival", "nan"}, "--survival: 'nan'");
  expectRefused({"--survival", "-1"}, "--survival");
  expectRefused({"--buckets", "4097", "--bytes", "8"}, "4097 buckets");
  expectRefused({"--buckets", "2"}, "2 buckets");
  expectRefused({"--order", "any"}, "--order: 'any'");
  expectRefused({"--pattern", "any"}, "--pattern: 'any'");
  expectRefused({"--outputs", "any"}, "--outputs: 'any'");
  expectRefused({"--mode", "any"}, "--mode");
  expectRefused({"--filter", "nonsense"}, "--filter");
  expectRefused({"--repetitions", "0"}, "--repetitions");
  expectRefused({"--device", "-1"}, "--device");
  expectRefused({"--json", ""}, "--json");
  expectRefused({"--csv", ""}, "--csv");
  expectRefused({"--arenas", "cpu"}, "--arenas: 'cpu'");
}

}  // namespace
}  // namespace bench
