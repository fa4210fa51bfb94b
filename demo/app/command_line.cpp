#include "app/command_line.h"

#include <sluice/sluice_pyramid.h>
#include <sluice/sluice_vulkan.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

#include "app/settings.h"
#include "base/failure.h"
#include "hosting/command_line.h"
#include "viewer/viewer_keys.h"

namespace demo {
namespace {

constexpr int64_t kMaxFrames = 100000;
constexpr size_t kNameColumn = 32;  // width of the names of keys
constexpr int64_t kMaxLods = SLU_MAX_LODS;

constexpr const char* kDescription =
    "Draws a scene whose instances or particles Sluice culls and compacts on the GPU every frame.";

constexpr const char* kExamples = R"(Examples:
  sluice-demo --window
      fly through the asteroid belt
  sluice-demo --headless --verify
      16 pictures of the asteroid belt in out/, every frame checked against the CPU reference
  sluice-demo --headless --scene points --order stable --frames 60 --out galaxy
      60 pictures of a particle galaxy, particles kept in their input order
  sluice-demo --headless --scene planes --instances 100000 --frames 1 --order stable
      a stack of blended planes, the same picture every time; unordered it is another one each time
  sluice-demo --headless --scene city --size 1920x1080
      a city of 256 meshes in 1024 buckets, and the shadows of a low sun: five views culled in one pass
  sluice-demo --headless --scene city --placement packed --groups on --verify
      room for what a view keeps, whatever its meshes are; draws by state of the pipeline, with a count for each
  sluice-demo --headless --draw mesh --verify
      the plan writes task workgroups, whose mesh shaders draw the kept asteroids
  sluice-demo --headless --scene city --occlusion two --verify --compare-occlusion
      what is behind buildings is not drawn, and no pixel tells
  sluice-demo --headless --scene city --resident 300 --verify
      districts that come and go with the camera: the host rewrites its table of meshes, and creates no other plan
  sluice-demo --headless --clusters --cull frustum,cone --verify --compare-clusters
      clusters that face away are not drawn, and no pixel tells
  sluice-demo --headless --model engine.glb --instances 5000 --size 1920x1080
      a belt made of any model that assimp reads
  sluice-demo --headless --transforms matrix --verify
      the same belt of records that hold 3x4 matrices
  sluice-demo --headless --instances 1000000 --no-out --stats stats.json
      no pictures: counts and GPU times per frame as JSON
  sluice-demo --headless --route cuda --verify
      the same buffers handed to CUDA and back each frame, ordered by two timeline semaphores
  sluice-demo --headless --capacity-scale 0.1 --verify
      too little room for what is visible: see the overflow reported and handled
  sluice-demo --headless --frozen-at 0.4 --ghosts --inset --verify
      culled for one camera and drawn by others: what each test dropped, and the whole from above
  sluice-demo --window --out flight
      press R, fly, press R again: flight/path-0123.json, numbered by its first frame, holds the camera's path
  sluice-demo --headless --path flight/path-0123.json --order stable --out replay
      the same flight as pictures; --frames 60 takes 60 moments, evenly in time
  sluice-demo --headless --benchmark frames.json --frames 200
      what each stage of a frame costs on every route, in both orders, along the same path
  sluice-demo --headless --cull distance,size --lods 1 --verify
      nothing dropped for lying outside the picture, and all in full detail: what culling saves
  sluice-demo --headless --device llvmpipe --validation --verify
      on the CPU's Vulkan driver, under the validation layer with synchronization validation

Exit codes: 0 good; 1 verification failed or a validation message appeared; 2 bad option or input file;
3 anything else, such as no Vulkan device.)";

std::string footer() {
  std::string text = "Keys of the window:\n";
  for (const ViewerKey& key : kViewerKeys) {
    std::string name = key.name;
    name.resize(kNameColumn, ' ');
    text += "  " + name + key.meaning + "\n";
  }
  return text + "\n" + kExamples;
}

// Returns two numbers with a separator between them, or nothing.
std::optional<glm::uvec2> parsePair(const std::string& text, char separator) {
  unsigned first = 0, second = 0;
  char between = 0, rest = 0;
  const bool plain = text.find_first_not_of(std::string("0123456789") + separator) == std::string::npos;
  if (!plain || text.size() > 11) return std::nullopt;
  if (std::sscanf(text.c_str(), "%u%c%u%c", &first, &between, &second, &rest) != 3) return std::nullopt;
  return glm::uvec2(first, second);
}

void parseSize(const std::string& text, Options& options) {
  const std::optional<glm::uvec2> size = parsePair(text, 'x');
  if (!size) failInput("--size: '", text, "' is not of the form WIDTHxHEIGHT, such as 1280x720");
  if (size->x < 1 || size->y < 1 || size->x > kMaxSide || size->y > kMaxSide)
    failInput("--size: ", text, " is out of range: each side is 1 to ", kMaxSide, " pixels");
  options.width = size->x;
  options.height = size->y;
}

void parsePick(const std::string& text, Options& options) {
  options.pick = parsePair(text, ',');
  if (!options.pick) failInput("--pick: '", text, "' is not of the form X,Y, such as 640,360");
  if (options.pick->x >= options.width || options.pick->y >= options.height)
    failInput("--pick: ", text, " lies outside of a picture of ", options.width, 'x', options.height);
}

// A path belongs to a scene: its places mean nothing in another one.
void adoptPath(bool isResampled, Options& options) {
  CameraPath& path = *options.recordedPath;
  if (path.scene != sceneName(options.scene))
    failInput("--path: ", options.path.string(), ": scene is '", path.scene, "', not ", sceneName(options.scene));
  if (isResampled)
    path = path.resampled(options.frameCount);
  else if (!options.window)
    options.frameCount = static_cast<uint32_t>(path.frames.size());
}

SluFlags parseTests(const std::string& list) {
  SluFlags tests = 0;
  if (list == "none") return tests;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const auto* test = std::find_if(std::begin(kTestNames), std::end(kTestNames),
                                    [&](const TestName& candidate) { return name == candidate.name; });
    if (test == std::end(kTestNames))
      failInput("--cull: '", name, "' is none of distance, frustum, size, cone; none alone turns all off");
    tests |= test->bit;
  }
  if (!tests) failInput("--cull: the list is empty (none turns all tests off)");
  return tests;
}

// Pictures that are compared show the scene alone, so options that add something to it are refused.
void checkComparison(const CLI::App& app, const Options& options, const std::string& option) {
  if (options.window) failInput(option, " belongs to --headless");
  for (const char* other : {"--ghosts", "--inset", "--pyramid-level", "--pick", "--frozen-at"})
    if (app.count(other)) failInput(option, " excludes ", other);
}

void checkClusters(const CLI::App& app, const Options& options) {
  if (options.compareClusters && !options.hasClusters) failInput("--compare-clusters needs --clusters");
  if (!options.hasClusters) return;
  if (options.headless && options.scene != SceneKind::Asteroids)
    failInput("--clusters belongs to --scene asteroids; --scene ", sceneName(options.scene), " has none");
  if (options.headless && options.plan.isPacked)
    failInput("--placement packed: clusters share one room anyway, so there is nothing to pack");
  if (options.headless && options.plan.isOneMesh) failInput("--one-mesh: clusters are parts of different meshes");
  if (app.count("--benchmark")) failInput("--benchmark excludes --clusters");
  if (!options.compareClusters) return;
  checkComparison(app, options, "--compare-clusters");
  if (!(options.plan.tests & SLU_CULL_CONE_BIT)) failInput("--compare-clusters needs the test cone in --cull");
}

void checkOcclusion(const CLI::App& app, const Options& options) {
  const bool isOff = options.plan.occlusion == OcclusionMode::Off;
  if (options.headless && !isOff && options.scene != SceneKind::Asteroids && options.scene != SceneKind::City)
    failInput("--occlusion: what scene ", sceneName(options.scene), " draws is blended, so nothing hides it");
  if (options.headless && isOff && app.count("--pyramid-level"))
    failInput("--pyramid-level needs --occlusion one or two");
  if (options.headless && options.plan.occlusion == OcclusionMode::Two && options.pick)
    failInput("--pick names what a single phase kept; leave out --occlusion two");
  if (!options.compareOcclusion) return;
  if (isOff) failInput("--compare-occlusion needs --occlusion one or two");
  checkComparison(app, options, "--compare-occlusion");
}

void checkCombinations(const CLI::App& app, const Options& options) {
  if (options.listDevices) return;
  if (options.headless == options.window) failInput("choose one of --window and --headless (see --help)");
  if (options.window && (options.verify || app.count("--stats")))
    failInput("--verify and --stats belong to --headless");
  if (options.window && app.count("--benchmark")) failInput("--benchmark belongs to --headless");
  if (options.headless && *DEMO_SHADER_COMPILER && app.count("--shaders")) failInput("--shaders belongs to --window");
  for (const char* other : {"--route", "--order", "--verify", "--stats", "--out", "--frozen-at", "--ghosts", "--inset",
                            "--pick", "--occlusion"})
    if (app.count("--benchmark") && app.count(other)) failInput("--benchmark excludes ", other);
  if (options.headless && !options.vsync) failInput("--no-vsync belongs to --window");
  if (options.headless && !options.overlay) failInput("--no-overlay belongs to --window");
  if (options.window && options.pick) failInput("--pick belongs to --headless; in the window, click");
  if (options.scene != SceneKind::Asteroids && (app.count("--model") || app.count("--models")))
    failInput("--model and --models belong to --scene asteroids; --scene ", sceneName(options.scene),
              " takes no meshes from files");
  if (options.scene != SceneKind::City && app.count("--resident"))
    failInput("--resident belongs to --scene city; --scene ", sceneName(options.scene), " has no districts");
  if (options.headless && options.plan.hasGroups && options.scene != SceneKind::City)
    failInput("--groups on: scene ", sceneName(options.scene), " draws all with one state of the pipeline");
  if (options.headless && options.plan.drawsMeshTasks && options.scene != SceneKind::Asteroids)
    failInput("--draw mesh belongs to --scene asteroids; --scene ", sceneName(options.scene), " has no meshlets");
  checkOcclusion(app, options);
  checkClusters(app, options);
  const bool hasBuckets = options.scene == SceneKind::Asteroids || options.scene == SceneKind::City;
  if (options.headless && options.plan.isPacked && !hasBuckets)
    failInput("--placement packed: scene ", sceneName(options.scene), " has one bucket, so there is nothing to pack");
  if (app.count("--frozen-at") && app.count("--path"))
    failInput("--frozen-at and --path exclude each other: a recorded path says what is culled");
  if (app.count("--model") && app.count("--models")) failInput("--model and --models exclude each other");
}

// Turns the words of a command line into options.
class CommandLine {
 public:
  CommandLine();

  // Returns false when --help or --version was asked for and answered.
  bool parse(int argumentCount, char** arguments);
  Options takeOptions();

 private:
  void addScene();
  void addCompaction();
  void addView();
  void addFiles();

  bool isGiven(const char* option) const { return app_.count(option) > 0; }
  void readRecordedPath();
  void takeScene();
  void takeFiles();
  void takeSettings();

  CLI::App app_{kDescription, "sluice-demo"};
  Options options_;
  std::map<std::string, SluRoute> routes_;
  std::map<std::string, SceneKind> scenes_;
  // These hold the words as they were written.
  int64_t instances_ = 0, frames_ = options_.frameCount;
  std::string size_ = "1280x720", order_ = "unordered", route_ = "auto", scene_ = "asteroids", benchmark_,
              cull_ = "distance,frustum,size,cone", transforms_ = "parts", placement_ = "reserved", groups_ = "off",
              draw_ = "indirect", occlusion_ = "off", hide_, model_, models_, out_, path_, pick_, shaders_, stats_;
  bool pictures_ = true, isBound_ = false, isSeveral_ = false;
};

CommandLine::CommandLine() {
  options_.models = DEMO_MODEL_FOLDER;
  for (const SluRoute route : {SLU_ROUTE_AUTO, SLU_ROUTE_CPU, SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA, SLU_ROUTE_INLINE})
    routes_[sluGetRouteName(route)] = route;
  for (const SceneKind kind : kScenes) scenes_[sceneName(kind)] = kind;
  app_.footer(footer());
  app_.get_formatter()->column_width(34);
  app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  addScene();
  addCompaction();
  addView();
  addFiles();
}

void CommandLine::addScene() {
  app_.add_flag("--window", options_.window, "Fly through the scene in a window");
  app_.add_flag("--headless", options_.headless, "Render into pictures, without a window");
  app_.add_option("--scene", scene_,
                  "asteroids (meshes, levels of detail), points (particles that die), planes (blended, so that order "
                  "shows) or city (a thousand buckets)")
      ->check(CLI::IsMember(scenes_));
  app_.add_option("--model", model_, "Make the belt of this model file instead of the scene's own")->type_name("FILE");
  app_.add_option("--models", models_, "Folder of the scene's own models (" DEMO_MODEL_FOLDER ")")->type_name("DIR");
  app_.add_option("--instances", instances_, "Instances or particles, 1 to 16777216 (default: what suits the device)")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{kMaxInstances}));
  app_.add_option("--transforms", transforms_,
                  "Instances of meshes hold parts (position, scale, rotation) or a 3x4 matrix (parts)")
      ->check(CLI::IsMember({"parts", "matrix"}));
  app_.add_flag(
      "--clusters", options_.hasClusters,
      "Scene asteroids: records are clusters of the instances' meshes, and those that face away are not drawn. "
      "By default there are fewer instances then, since each has ten clusters or more");
  app_.add_option("--resident", options_.residentDistance,
                  "Scene city: districts nearer than this are resident, 1 to 1000000 (2600, up to which it is drawn)")
      ->type_name("METRES")
      ->check(CLI::Range(1.0, 1e6));
  app_.add_option("--frames", frames_, "Frames along the camera path, 1 to 100000 (16); of a window: none but these")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, kMaxFrames));
  app_.add_option("--size", size_, "Size of pictures or window (1280x720)")->type_name("WxH");
}

void CommandLine::addCompaction() {
  app_.add_option("--route", route_,
                  "Where the compaction runs: auto, cpu, vulkan, cuda (between two submissions) or inline (in the "
                  "command buffer), which need NVIDIA (auto)")
      ->check(CLI::IsMember({"auto", "cpu", "vulkan", "cuda", "inline"}));
  app_.add_flag("--bound", isBound_, "Vulkan: bind buffers, although the device has addresses for them");
  app_.add_flag("--several-dispatches", isSeveral_, "Vulkan: a frame is several dispatches, as on MoltenVK");
  app_.add_option("--order", order_, "unordered or stable (unordered)")->check(CLI::IsMember({"unordered", "stable"}));
  app_.add_option("--device", options_.device, "Vulkan device: its index or a part of its name")->type_name("NAME");
  app_.add_option("--capacity-scale", options_.capacityScale,
                  "Room for the kept, 0 to 1 of what always suffices (1): below, buckets overflow")
      ->type_name("F")
      ->check(CLI::Range(0.0, 1.0));
  app_.add_option("--cull", cull_,
                  "Tests that drop records: of distance,frustum,size,cone, or none (all). Clusters have a cone and no "
                  "size, and other records have no cone")
      ->type_name("LIST");
  app_.add_option(
          "--hide", hide_,
          "Hide some of the records: mask (by bits of an instance's seed), or flags in a stream: bits, bytes or "
          "words")
      ->check(CLI::IsMember({"mask", "bits", "bytes", "words"}));
  app_.add_option("--lods", options_.plan.lodCount, "Levels of detail at most, 1 to 8 (as many as the scene has)")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, kMaxLods));
  app_.add_flag("--one-mesh", options_.plan.isOneMesh,
                "Draw every instance as the first mesh, which merges the buckets");
  app_.add_option("--placement", placement_,
                  "Room for the kept of each bucket (reserved), or of all buckets together (packed)")
      ->check(CLI::IsMember({"reserved", "packed"}));
  app_.add_option("--groups", groups_, "Draws come by state of the pipeline: on or off (off); scene city has several")
      ->check(CLI::IsMember({"on", "off"}));
  app_.add_option("--draw", draw_,
                  "Scene asteroids: indirect draws of vertices (indirect), or task and mesh shaders that draw the kept "
                  "ones' meshlets (mesh)")
      ->check(CLI::IsMember({"indirect", "mesh"}));
  app_.add_option(
          "--occlusion", occlusion_,
          "Scenes asteroids and city: instances behind others are not drawn. two: what the last frame saw is "
          "drawn first, the rest is tested against its depths, and no pixel changes. one: all is tested against "
          "the last frame's depths, so what comes into sight from behind something is missing for a frame (off)")
      ->check(CLI::IsMember({"off", "one", "two"}));
  app_.add_flag(
      "--compare-occlusion", options_.compareOcclusion,
      "Headless: render each frame also with what is hidden, in the same order, stable if --order says nothing; "
      "exit 1 if a pixel differs");
  app_.add_flag(
      "--compare-clusters", options_.compareClusters,
      "Headless: render each frame also with the clusters that face away, and if --cull leaves distance out and "
      "occlusion has not two phases as whole meshes, in the same order; exit 1 if a pixel differs");
  app_.add_flag("--no-draw-count{false}", options_.drawCount,
                "Draw with vkCmdDrawIndexedIndirect over all buckets instead of the GPU's draw count");
  app_.add_flag("--verify", options_.verify, "Compare every frame with the CPU reference; exit 1 on a difference");
  app_.add_flag("--validation", options_.validation,
                "Run under the validation layer with synchronization validation; exit 1 on any message");
}

void CommandLine::addView() {
  app_.add_flag("--vsync,--no-vsync{false}", options_.vsync,
                "Window: wait for the display, or show frames as fast as they come");
  app_.add_flag("--overlay,--no-overlay{false}", options_.overlay,
                "Window: open it with counts and switches over the picture, or without");
  app_.add_flag("--no-settings{false}", options_.keepsSettings,
                "Window: start from the defaults, and keep nothing for the next time");
  app_.add_flag("--ghosts", options_.ghosts,
                "Show what was dropped, coloured by the test that dropped it; with --verify the ghosts are counted");
  app_.add_flag("--inset", options_.inset, "Show the scene from above in a corner of the picture");
  app_.add_option("--pyramid-level", options_.pyramidLevel,
                  "Show this level of the depth pyramid in a corner of the picture, 0 to 13; needs --occlusion")
      ->type_name("N")
      ->check(CLI::Range(0u, SLU_MAX_PYRAMID_LEVELS - 1));
  app_.add_option("--frozen-at", options_.frozenPlace,
                  "Cull for the camera at this place of the path, 0 to 1, whatever camera draws")
      ->type_name("F")
      ->check(CLI::Range(0.0, 1.0));
  app_.add_option("--pick", pick_, "Headless: name the instance at this pixel, in the last frame's summary and --stats")
      ->type_name("X,Y");
  if (*DEMO_SHADER_COMPILER)
    app_.add_option("--shaders", shaders_, "Window: folder of shaders, compiled and used when they change")
        ->type_name("DIR");
}

void CommandLine::addFiles() {
  app_.add_option("--out", out_, "Folder for frame-0000.png and so on (out); of a window: its last frame")
      ->type_name("DIR");
  auto* noOut = app_.add_flag("--no-out{false}", pictures_, "Write no pictures");
  app_.get_option("--out")->excludes(noOut);
  app_.add_option("--path", path_, "Replay a camera path that key R recorded, with its scene, instances and size")
      ->type_name("FILE");
  app_.add_option("--stats", stats_, "Write counts and times per frame as JSON")->type_name("FILE");
  app_.add_option("--benchmark", benchmark_,
                  "Measure the frames on every route in both orders, each verified, and write the JSON that "
                  "bench/report/plots.py draws; no pictures")
      ->type_name("FILE");
  app_.add_flag("--list-devices", options_.listDevices, "List the Vulkan devices and exit");
  app_.add_flag("--quiet", options_.quiet, "Print nothing but errors");
  app_.set_version_flag("--version", DEMO_VERSION);
}

bool CommandLine::parse(int argumentCount, char** arguments) {
  return parseCommandLine(app_, argumentCount, arguments);
}

Options CommandLine::takeOptions() {
  if (isGiven("--path")) readRecordedPath();
  takeScene();
  takeFiles();
  parseSize(size_, options_);
  if (isGiven("--pick")) parsePick(pick_, options_);
  checkCombinations(app_, options_);
  if (options_.window && options_.keepsSettings) takeSettings();
  return std::move(options_);
}

// Options that are not given are as they were recorded.
void CommandLine::readRecordedPath() {
  options_.path = path_;
  options_.recordedPath = readPath(options_.path);
  const CameraPath& recorded = *options_.recordedPath;
  if (!isGiven("--scene")) scene_ = recorded.scene;
  if (!isGiven("--instances")) instances_ = recorded.instanceCount;
  if (!isGiven("--size")) size_ = sentence(recorded.width, 'x', recorded.height);
}

void CommandLine::takeScene() {
  if (const auto known = scenes_.find(scene_); known != scenes_.end()) options_.scene = known->second;
  // Draws in any order may show the other one of two fragments of equal depth.
  if ((options_.compareOcclusion || options_.compareClusters) && !isGiven("--order")) order_ = "stable";
  options_.order = order_ == "stable" ? SLU_ORDER_STABLE : SLU_ORDER_UNORDERED;
  options_.route = routes_.at(route_);
  if (isBound_) options_.deviceFlags |= SLU_VULKAN_BOUND_BUFFERS_BIT;
  if (isSeveral_) options_.deviceFlags |= SLU_VULKAN_SEVERAL_DISPATCHES_BIT;
  options_.plan.tests = parseTests(cull_);
  for (const HidingName& each : kHidingNames)
    if (hide_ == each.name) options_.plan.hiding = each.test;
  for (const OcclusionMode mode : kOcclusionModes)
    if (occlusion_ == occlusionName(mode)) options_.plan.occlusion = mode;
  options_.plan.isPacked = placement_ == "packed";
  options_.plan.hasGroups = groups_ == "on";
  options_.plan.drawsMeshTasks = draw_ == "mesh";
  options_.hasMatrices = transforms_ == "matrix";
  options_.instanceCount = static_cast<uint32_t>(instances_);
  options_.frameCount = options_.window && !isGiven("--frames") ? 0 : static_cast<uint32_t>(frames_);
  if (options_.recordedPath) adoptPath(isGiven("--frames"), options_);
  options_.model = model_;
  if (options_.frozenPlace && std::isnan(*options_.frozenPlace))
    failInput("--frozen-at: nan is no number between 0 and 1");
  if (std::isnan(options_.residentDistance)) failInput("--resident: nan is no number between 1 and 1000000");
  if (std::isnan(options_.capacityScale)) failInput("--capacity-scale: nan is no number between 0 and 1");
}

void CommandLine::takeFiles() {
  if (!shaders_.empty()) options_.shaders = shaders_;
  std::error_code error;
  if (!std::filesystem::is_directory(options_.shaders, error)) {
    if (!shaders_.empty()) failInput("--shaders: folder ", shaders_, " does not exist");
    options_.shaders.clear();
  }
  if (!models_.empty()) options_.models = models_;
  if (isGiven("--model") && model_.empty()) failInput("--model: the file name is empty");
  if (isGiven("--out") && out_.empty()) failInput("--out: the folder name is empty (use --no-out for no pictures)");
  if (isGiven("--benchmark") && benchmark_.empty()) failInput("--benchmark: the file name is empty");
  if (isGiven("--stats") && stats_.empty()) failInput("--stats: the file name is empty");
  if (!pictures_)
    options_.out.clear();
  else if (!out_.empty())
    options_.out = out_;
  options_.finalPicture = options_.window && isGiven("--out");
  options_.stats = stats_;
  options_.benchmark = benchmark_;
}

// Options that are not given are as the last run kept them.
void CommandLine::takeSettings() {
  const auto isDecided = [this](const char* option) {
    return isGiven(option) || (options_.recordedPath && std::strcmp(option, "--size") == 0);
  };
  const std::string problem = readSettings(settingsFile(), isDecided, options_);
  if (!problem.empty()) std::fprintf(stderr, "sluice-demo: %s\n", problem.c_str());
}

}  // namespace

std::optional<Options> parseOptions(int argumentCount, char** arguments) {
  CommandLine line;
  if (!line.parse(argumentCount, arguments)) return std::nullopt;
  return line.takeOptions();
}

}  // namespace demo
