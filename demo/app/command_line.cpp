#include "app/command_line.h"

#include <CLI/CLI.hpp>
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
      a city at dusk of 256 meshes in 1024 buckets, drawn with one indirect call
  sluice-demo --headless --model engine.glb --instances 5000 --size 1920x1080
      a belt made of any model that assimp reads
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

void parseSize(const std::string& text, Options& options) {
  unsigned width = 0, height = 0;
  char rest = 0;
  const bool plain = text.find_first_not_of("0123456789x") == std::string::npos && text.size() <= 11;
  if (!plain || std::sscanf(text.c_str(), "%ux%u%c", &width, &height, &rest) != 2)
    failInput("--size: '", text, "' is not of the form WIDTHxHEIGHT, such as 1280x720");
  if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide)
    failInput("--size: ", text, " is out of range: each side is 1 to ", kMaxSide, " pixels");
  options.width = width;
  options.height = height;
}

void parsePick(const std::string& text, Options& options) {
  unsigned x = 0, y = 0;
  char rest = 0;
  const bool plain = text.find_first_not_of("0123456789,") == std::string::npos && text.size() <= 11;
  if (!plain || std::sscanf(text.c_str(), "%u,%u%c", &x, &y, &rest) != 2)
    failInput("--pick: '", text, "' is not of the form X,Y, such as 640,360");
  if (x >= options.width || y >= options.height)
    failInput("--pick: ", text, " lies outside of a picture of ", options.width, 'x', options.height);
  options.pick = {x, y};
}

// Another scene would be flown through in places that mean nothing there.
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
      failInput("--cull: '", name, "' is none of distance, frustum, size; none alone turns all off");
    tests |= test->bit;
  }
  if (!tests) failInput("--cull: the list is empty (none turns all tests off)");
  return tests;
}

void checkCombinations(const CLI::App& app, const Options& options) {
  if (options.listDevices) return;
  if (options.headless == options.window) failInput("choose one of --window and --headless (see --help)");
  if (options.window && (options.verify || app.count("--stats")))
    failInput("--verify and --stats belong to --headless");
  if (options.window && app.count("--benchmark")) failInput("--benchmark belongs to --headless");
  if (options.headless && *DEMO_SHADER_COMPILER && app.count("--shaders")) failInput("--shaders belongs to --window");
  for (const char* other :
       {"--route", "--order", "--verify", "--stats", "--out", "--frozen-at", "--ghosts", "--inset", "--pick"})
    if (app.count("--benchmark") && app.count(other)) failInput("--benchmark excludes ", other);
  if (options.headless && !options.vsync) failInput("--no-vsync belongs to --window");
  if (options.headless && !options.overlay) failInput("--no-overlay belongs to --window");
  if (options.window && options.pick) failInput("--pick belongs to --headless; in the window, click");
  if (options.scene != SceneKind::Asteroids && (app.count("--model") || app.count("--models")))
    failInput("--model and --models belong to --scene asteroids; --scene ", sceneName(options.scene),
              " takes no meshes from files");
  if (app.count("--frozen-at") && app.count("--path"))
    failInput("--frozen-at and --path exclude each other: a recorded path says what is culled");
  if (app.count("--model") && app.count("--models")) failInput("--model and --models exclude each other");
}

}  // namespace

std::optional<Options> parseOptions(int argumentCount, char** arguments) {
  Options options;
  options.models = DEMO_MODEL_FOLDER;

  int64_t instances = 0, frames = options.frameCount;
  std::string size = "1280x720", order = "unordered", route = "auto", scene = "asteroids", benchmark,
              cull = "distance,frustum,size", model, models, out, path, pick, shaders, stats;
  const std::map<std::string, SluRoute> routes = {{"auto", SLU_ROUTE_AUTO},
                                                  {"cpu", SLU_ROUTE_CPU},
                                                  {"vulkan", SLU_ROUTE_VULKAN},
                                                  {"cuda", SLU_ROUTE_CUDA},
                                                  {"inline", SLU_ROUTE_INLINE}};
  CLI::App app{kDescription, "sluice-demo"};
  app.footer(footer());
  app.get_formatter()->column_width(34);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_flag("--window", options.window, "Fly through the scene in a window");
  app.add_flag("--headless", options.headless, "Render into pictures, without a window");
  std::map<std::string, SceneKind> scenes;
  for (const SceneKind kind : kScenes) scenes[sceneName(kind)] = kind;
  app.add_option("--scene", scene,
                 "asteroids (meshes, levels of detail), points (particles that die), planes (blended, so that order "
                 "shows) or city (a thousand buckets)")
      ->check(CLI::IsMember(scenes));
  app.add_option("--model", model, "Make the belt of this model file instead of the scene's own")->type_name("FILE");
  app.add_option("--models", models, "Folder of the scene's own models (" DEMO_MODEL_FOLDER ")")->type_name("DIR");
  app.add_option("--instances", instances, "Instances or particles, 1 to 16777216 (default: what suits the device)")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{kMaxInstances}));
  app.add_option("--frames", frames, "Frames along the camera path, 1 to 100000 (16); of a window: none but these")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, kMaxFrames));
  app.add_option("--size", size, "Size of pictures or window (1280x720)")->type_name("WxH");
  app.add_option("--route", route,
                 "Where the compaction runs: auto, cpu, vulkan, cuda (between two submissions) or inline (in the "
                 "command buffer), which need NVIDIA (auto)")
      ->check(CLI::IsMember({"auto", "cpu", "vulkan", "cuda", "inline"}));
  app.add_option("--order", order, "unordered or stable (unordered)")->check(CLI::IsMember({"unordered", "stable"}));
  app.add_option("--device", options.device, "Vulkan device: its index or a part of its name")->type_name("NAME");
  app.add_option("--capacity-scale", options.capacityScale,
                 "Room for the kept, 0 to 1 of what always suffices (1): below, buckets overflow")
      ->type_name("F")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--cull", cull, "Tests that drop instances: of distance,frustum,size, or none (all three)")
      ->type_name("LIST");
  app.add_option("--lods", options.plan.lodCount, "Levels of detail at most, 1 to 8 (as many as the scene has)")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, kMaxLods));
  app.add_flag("--one-mesh", options.plan.isOneMesh, "Draw every instance as the first mesh, which merges the buckets");
  app.add_flag("--no-draw-count{false}", options.drawCount,
               "Draw with vkCmdDrawIndexedIndirect over all buckets instead of the GPU's draw count");
  app.add_flag("--verify", options.verify, "Compare every frame with the CPU reference; exit 1 on a difference");
  app.add_flag("--validation", options.validation,
               "Run under the validation layer with synchronization validation; exit 1 on any message");
  app.add_flag("--vsync,--no-vsync{false}", options.vsync,
               "Window: wait for the display, or show frames as fast as they come");
  app.add_flag("--overlay,--no-overlay{false}", options.overlay,
               "Window: open it with counts and switches over the picture, or without");
  app.add_flag("--no-settings{false}", options.keepsSettings,
               "Window: start from the defaults, and keep nothing for the next time");
  app.add_flag("--ghosts", options.ghosts,
               "Show what was dropped, coloured by the test that dropped it; with --verify the ghosts are counted");
  app.add_flag("--inset", options.inset, "Show the scene from above in a corner of the picture");
  app.add_option("--frozen-at", options.frozenPlace,
                 "Cull for the camera at this place of the path, 0 to 1, whatever camera draws")
      ->type_name("F")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--pick", pick, "Headless: name the instance at this pixel, in the last frame's summary and --stats")
      ->type_name("X,Y");
  if (*DEMO_SHADER_COMPILER)
    app.add_option("--shaders", shaders, "Window: folder of shaders, compiled and used when they change")
        ->type_name("DIR");
  app.add_option("--out", out, "Folder for frame-0000.png and so on (out); of a window: its last frame")
      ->type_name("DIR");
  bool pictures = true;
  auto* noOut = app.add_flag("--no-out{false}", pictures, "Write no pictures");
  app.get_option("--out")->excludes(noOut);
  app.add_option("--path", path, "Replay a camera path that key R recorded, with its scene, instances and size")
      ->type_name("FILE");
  app.add_option("--stats", stats, "Write counts and times per frame as JSON")->type_name("FILE");
  app.add_option("--benchmark", benchmark,
                 "Measure the frames on every route in both orders, each verified, and write the JSON that "
                 "bench/plots.py draws; no pictures")
      ->type_name("FILE");
  app.add_flag("--list-devices", options.listDevices, "List the Vulkan devices and exit");
  app.add_flag("--quiet", options.quiet, "Print nothing but errors");
  app.set_version_flag("--version", DEMO_VERSION);

  try {
    app.parse(argumentCount, arguments);
  } catch (const CLI::Success& answered) {
    app.exit(answered);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    failInput(error.what(), " (see --help)");
  }

  if (app.count("--path")) {
    options.path = path;
    options.recordedPath = readPath(options.path);
    const CameraPath& recorded = *options.recordedPath;
    if (!app.count("--scene")) scene = recorded.scene;
    if (!app.count("--instances")) instances = recorded.instanceCount;
    if (!app.count("--size")) size = sentence(recorded.width, 'x', recorded.height);
  }
  if (const auto known = scenes.find(scene); known != scenes.end()) options.scene = known->second;
  options.order = order == "stable" ? SLU_ORDER_STABLE : SLU_ORDER_UNORDERED;
  options.route = routes.at(route);
  options.plan.tests = parseTests(cull);
  options.instanceCount = static_cast<uint32_t>(instances);
  options.frameCount = options.window && !app.count("--frames") ? 0 : static_cast<uint32_t>(frames);
  if (options.recordedPath) adoptPath(app.count("--frames"), options);
  options.model = model;
  if (options.frozenPlace && std::isnan(*options.frozenPlace))
    failInput("--frozen-at: nan is no number between 0 and 1");
  if (std::isnan(options.capacityScale)) failInput("--capacity-scale: nan is no number between 0 and 1");
  if (!shaders.empty()) options.shaders = shaders;
  std::error_code error;
  if (!std::filesystem::is_directory(options.shaders, error)) {
    if (!shaders.empty()) failInput("--shaders: folder ", shaders, " does not exist");
    options.shaders.clear();
  }
  if (!models.empty()) options.models = models;
  if (app.count("--model") && model.empty()) failInput("--model: the file name is empty");
  if (app.count("--out") && out.empty()) failInput("--out: the folder name is empty (use --no-out for no pictures)");
  if (app.count("--benchmark") && benchmark.empty()) failInput("--benchmark: the file name is empty");
  if (app.count("--stats") && stats.empty()) failInput("--stats: the file name is empty");
  if (!pictures)
    options.out.clear();
  else if (!out.empty())
    options.out = out;
  options.finalPicture = options.window && app.count("--out");
  options.stats = stats;
  options.benchmark = benchmark;
  parseSize(size, options);
  if (app.count("--pick")) parsePick(pick, options);
  checkCombinations(app, options);
  if (options.window && options.keepsSettings) {
    const auto isGiven = [&](const char* option) {
      return app.count(option) > 0 || (options.recordedPath && std::strcmp(option, "--size") == 0);
    };
    const std::string problem = readSettings(settingsFile(), isGiven, options);
    if (!problem.empty()) std::fprintf(stderr, "sluice-demo: %s\n", problem.c_str());
  }
  return options;
}

}  // namespace demo
