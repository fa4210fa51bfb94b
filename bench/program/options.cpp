#include "program/options.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <random>

#include "base/count_text.h"
#include "base/failure.h"
#include "hosting/command_line.h"
#include "workload/suites.h"

namespace bench {
namespace {

constexpr uint32_t kQuickRepetitions = 5;
constexpr double kQuickWarmUpSeconds = 0.05;
constexpr uint32_t kMaxRepetitions = 10000;

constexpr const char* kDescription =
    "Measures Sluice's routes against copies of the input, against CUB, and against the loops and shaders that people "
    "write themselves. Every output is verified.";

constexpr const char* kFooter =
    R"(A list is comma-separated; workloads are the product of the lists. Counts may be written 2^k.

Arenas:
  host             the process's memory, timed by the steady clock
  vulkan           a queue of a Vulkan device for compute alone, or for graphics where it has no other, timed by
                   timestamps
  vulkan-graphics  a queue for graphics and compute of a device that has one for compute alone, too
  cuda             a stream of a CUDA device, timed by events
host and the Vulkan arenas leave out inputs over a 16th of their memory, cuda what does not fit. Without a GPU, host
leaves out those of a suite's inputs that are over 16 MiB, and the Vulkan arenas those over 1 MiB.

Columns:
  us, p10, p90  microseconds per frame: median, 10th and 90th percentile
  GB/s          compulsory bytes over the median: of every record the first min(size, 32) bytes, or its bounds where
                these lie beside, the rest of the kept records, and what is written; several views read once; of a
                copy all that it reads and writes
  of copy       that rate as a part of the fastest copy's of the same arena over the same input
  vs CUB        CUB's time as a multiple of this one's, where CUB ran
  L2            of cuda. warm: small inputs, used again at once; cold: with --cold; memory: over four times the cache

Examples:
  sluice-bench
      the workloads that Sluice's speed is promised for
  sluice-bench --suite quick --quick
      a little of everything
  sluice-bench --bytes 4,16 --count 2^20,2^28 --survival 5,50 --order stable --json results.json
      chosen workloads, with every sample in a file
  sluice-bench --arenas host,vulkan --count 2^20 --csv results.csv
      what needs no CUDA, as a table for other programs
  sluice-bench --suite culling --filter 2^20
      a million spheres, and instances with spheres beside them, against a frustum
  sluice-bench --suite views --competitors copy,sluice
      one, two, four and eight views, and how many times as long as one view the others take
  sluice-bench --suite placements --competitors copy-kernel,sluice,cub-sort,bevy,niagara
      buckets in places of their own, packed, in groups and with a command per record, and how renderers do it
  sluice-bench --count 2^20 --arenas vulkan --handoffs
      what it costs a renderer to hand its compaction to another queue or to CUDA, and what a frame of latency hides
  sluice-bench --mode stream --cold --count 2^16
      single launches on inputs that are in no cache

Exit codes: 0 good; 1 an output was wrong; 2 bad option or file; 3 an arena that --arenas names has no
device here, or none has; 4 anything else.)";

// The lists of workloads as they were typed.
struct ListTexts {
  std::vector<std::string> bytes, count, survival, pattern, buckets, order, outputs, predicate, views, placement,
      groups;

  bool areEmpty() const {
    return bytes.empty() && count.empty() && survival.empty() && pattern.empty() && buckets.empty() && order.empty() &&
           outputs.empty() && predicate.empty() && views.empty() && placement.empty() && groups.empty();
  }
};

// Holds words of the command line that become options after all are read.
struct Typed {
  std::string suite = "targets", mode = name(Mode::Graph), filter;
  ListTexts lists;
  std::vector<std::string> arenas;
};

std::vector<uint32_t> parseCounts(const char* option, const std::vector<std::string>& texts) {
  std::vector<uint32_t> counts;
  for (const std::string& text : texts) {
    const auto count = parseCount(text);
    if (!count) failInput(option, ": '", text, "' is no count, such as 1000 or 2^20");
    counts.push_back(*count);
  }
  return counts;
}

std::vector<double> parsePercents(const char* option, const std::vector<std::string>& texts) {
  std::vector<double> percents;
  for (const std::string& text : texts) {
    double percent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
    if (error != std::errc() || end != text.data() + text.size() || !(percent >= 0 && percent <= 100))
      failInput(option, ": '", text, "' is no number from 0 to 100");
    percents.push_back(percent);
  }
  return percents;
}

template <typename Value>
std::vector<Value> parseNames(const char* option, const std::vector<std::string>& texts,
                              const std::vector<Value>& known) {
  std::vector<Value> values;
  for (const std::string& text : texts) {
    const auto found = std::find_if(known.begin(), known.end(), [&](Value value) { return text == name(value); });
    if (found == known.end()) failInput(option, ": '", text, "' is not known (see --help)");
    values.push_back(*found);
  }
  return values;
}

template <typename Value>
void replace(std::vector<Value>& values, std::vector<Value> given) {
  if (!given.empty()) values = std::move(given);
}

std::vector<Workload> productOf(const ListTexts& texts) {
  WorkloadLists lists;
  replace(lists.recordBytes, parseCounts("--bytes", texts.bytes));
  replace(lists.recordCounts, parseCounts("--count", texts.count));
  replace(lists.survivalPercents, parsePercents("--survival", texts.survival));
  replace(lists.patterns,
          parseNames<Pattern>("--pattern", texts.pattern, {Pattern::Random, Pattern::Clustered, Pattern::Alternating}));
  replace(lists.bucketCounts, parseCounts("--buckets", texts.buckets));
  replace(lists.orders, parseNames<Order>("--order", texts.order, {Order::Unordered, Order::Stable}));
  replace(lists.outputs, parseNames<Outputs>("--outputs", texts.outputs, {Outputs::Records, Outputs::Indices}));
  replace(lists.predicates,
          parseNames<Predicate>("--predicate", texts.predicate,
                                {Predicate::Word, Predicate::Sphere, Predicate::SphereBeside, Predicate::BoxBeside}));
  replace(lists.viewCounts, parseCounts("--views", texts.views));
  replace(lists.placements, parseNames<Placement>("--placement", texts.placement,
                                                  {Placement::Reserved, Placement::Packed, Placement::Merged}));
  replace(lists.groupCounts, parseCounts("--groups", texts.groups));
  std::vector<Workload> workloads = product(lists);
  for (const Workload& workload : workloads)
    if (const std::string why = impossibility(workload); !why.empty()) failInput("impossible workload: ", why);
  return workloads;
}

std::vector<Workload> filtered(std::vector<Workload> workloads, const std::string& filter) {
  std::erase_if(workloads,
                [&](const Workload& workload) { return describe(workload).find(filter) == std::string::npos; });
  if (workloads.empty()) failInput("--filter: no workload's name contains '", filter, "' (see --list)");
  return workloads;
}

CLI::Option* addList(CLI::App& app, const char* option, std::vector<std::string>& texts, const char* help) {
  return app.add_option(option, texts, help)->delimiter(',')->type_name("LIST")->expected(1, -1);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void addWorkloadOptions(CLI::App& app, Typed& typed) {
  auto* suite = app.add_option("--suite", typed.suite, "Workloads by name: " + joined(suiteNames()) + " (targets)");
  suite->type_name("NAME")->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  ListTexts& lists = typed.lists;
  for (CLI::Option* list :
       {addList(app, "--bytes", lists.bytes, "Bytes per record, multiples of 4 from 4 to 256 (4)"),
        addList(app, "--count", lists.count, "Records (2^20)"),
        addList(app, "--survival", lists.survival, "Percent of the records that are kept (50)"),
        addList(app, "--pattern", lists.pattern, "Where these are: random, clustered, alternating (random)"),
        addList(app, "--buckets", lists.buckets,
                "Buckets, 1 to 4096, merged up to 2^20; more than one not by every competitor (1)"),
        addList(app, "--order", lists.order, "unordered, stable (both); CUB is always stable"),
        addList(app, "--outputs", lists.outputs, "What is written: records, indices (records)"),
        addList(
            app, "--predicate", lists.predicate,
            "What keeps a record: word, which is not zero; sphere in a frustum, which a record of 16 bytes is and a "
            "wider one holds; sphere-beside, in a stream of their own; box-beside, a box there that a matrix moves "
            "(word)"),
        addList(app, "--views", lists.views,
                "Views that cull in one frame, 1 to 16; more than one not by every competitor (1)"),
        addList(
            app, "--placement", lists.placement,
            "Where several buckets lie: reserved, each with room for the fullest; packed; merged in one list, with a "
            "draw command for each record (reserved)"),
        addList(app, "--groups", lists.groups,
                "Groups of draws, which have a draw count each and leave out empty buckets, up to 256 (0, no groups)")})
    suite->excludes(list);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--filter", typed.filter, "Only workloads whose name contains this text (see --list)")
      ->type_name("TEXT");
}

void addRunOptions(CLI::App& app, Typed& typed, Options& options) {
  addList(app, "--arenas", typed.arenas, "Only these: host, vulkan, vulkan-graphics, cuda (all that there are)");
  addList(app, "--competitors", options.competitors, "Only these, by their names in the table");
  app.add_option("--mode", typed.mode, "Of cuda. graph: many frames in a CUDA graph; stream: single launches (graph)")
      ->check(CLI::IsMember({name(Mode::Graph), name(Mode::Stream)}));
  app.add_flag("--cold", options.trial.cold, "Small inputs take turns, so that none is in the L2 cache; cuda alone");
  app.add_flag("--statistics", options.trial.statistics, "Sluice also writes its statistics");
  app.add_flag("--bound", options.bound, "Measure Sluice on vulkan by bound buffers, too: sluice-vulkan-bound");
  app.add_flag("--several-dispatches", options.severalDispatches,
               "Measure Sluice on vulkan in several dispatches, too: sluice-vulkan-dispatches; with --bound also both");
  app.add_flag(
      "--mask", options.masks,
      "Measure Sluice by a mask, too, which keeps the same records where a word decides: sluice-mask and so on");
  app.add_flag(
      "--custom", options.customs,
      "Measure Sluice by a predicate in the route's language, too, where a word decides: sluice-custom and so on; "
      "cuda and inline need NVRTC");
  app.add_flag("--meshes", options.meshes,
               "Measure Sluice with draws that a mesh table describes, too: sluice-meshes and so on");
  app.add_flag("--reduction", options.reduction, "Measure reduction by key, too: atomics, and voting and shuffling");
  app.add_flag("--occlusion", options.occlusion,
               "Measure occlusion, too: pyramids and two phases over a street, by Sluice and as renderers have them");
  app.add_flag(
      "--handoffs", options.handoffs,
      "Measure a renderer's frames, too: compaction on its queue, on another one, in CUDA, a frame later, or none; "
      "hand-offs alone; and the library's calls");
  app.add_flag("--quick", options.trial.quick, "Few samples after a short warm-up: numbers are rough");
  app.add_option("--repetitions", options.trial.repetitionCount, "Samples per competitor (15)")
      ->type_name("N")
      ->check(CLI::Range(1u, kMaxRepetitions));
  app.add_option("--device", options.device, "CUDA device, as its index (0)")
      ->type_name("N")
      ->check(CLI::Range(0, 1023));
  app.add_option("--vulkan-device", options.vulkanDevice, "Vulkan device, as its index or a part of its name (a GPU)")
      ->type_name("DEVICE");
  app.add_option("--seed", options.trial.seed, "Of the inputs (a new one each run)")->type_name("N");
  app.add_option("--json", options.json, "Write everything, every sample included, into this file")->type_name("FILE");
  app.add_option("--csv", options.csv, "Write a line per workload and competitor into this file")->type_name("FILE");
  app.add_flag("--list", options.list, "List the workloads and exit; needs no GPU");
}

std::vector<Workload> workloadsOf(const Typed& typed) {
  if (!typed.lists.areEmpty()) return filtered(productOf(typed.lists), typed.filter);
  if (auto workloads = suite(typed.suite)) return filtered(*std::move(workloads), typed.filter);
  failInput("--suite: '", typed.suite, "' is not known; there are ", joined(suiteNames()));
}

}  // namespace

std::optional<Options> parseOptions(int argumentCount, const char* const* arguments) {
  Options options;
  Typed typed;
  CLI::App app{kDescription, "sluice-bench"};
  app.footer(kFooter);
  app.get_formatter()->column_width(28);
  addWorkloadOptions(app, typed);
  addRunOptions(app, typed, options);
  app.set_version_flag("--version", BENCH_VERSION);
  if (!parseCommandLine(app, argumentCount, arguments)) return std::nullopt;

  TrialSettings& trial = options.trial;
  options.workloads = workloadsOf(typed);
  options.arenas = parseNames("--arenas", typed.arenas, allArenas());
  trial.isSuite = typed.lists.areEmpty();
  trial.mode = typed.mode == name(Mode::Graph) ? Mode::Graph : Mode::Stream;
  if (trial.quick) trial.warmUpSeconds = kQuickWarmUpSeconds;
  if (trial.quick && app.count("--repetitions") == 0) trial.repetitionCount = kQuickRepetitions;
  if (app.count("--seed") == 0) trial.seed = std::random_device{}();
  if (app.count("--json") != 0 && options.json.empty()) failInput("--json: the file name is empty");
  if (app.count("--csv") != 0 && options.csv.empty()) failInput("--csv: the file name is empty");
  return options;
}

}  // namespace bench
