// sluice-d3d12: a small Direct3D 12 host, to be copied from. It draws frames of a galaxy without a window. The GPU
// compacts and draws points, while the program records the frames to come. compaction.h has what calls Sluice.
#include <cstdio>
#include <glm/gtc/color_space.hpp>
#include <glm/gtc/packing.hpp>

#include "d3d12/renderer.h"
#include "d3d12/verification.h"
#include "hosting/command_line.h"
#include "hosting/run_program.h"
#include "render/picture.h"

namespace demo {
namespace {

struct Options {
  std::string size = "1280x720", out = "out";
  uint32_t width = 0, height = 0, frameCount = 3, pointCount = 200'000;
  bool verifies = false, validation = false;
};

// Returns false if the command line only asked for help.
bool readOptions(int argumentCount, char** arguments, Options& options) {
  CLI::App app("Renders frames of a galaxy by Direct3D 12, without a window, and writes them as PNG.", "sluice-d3d12");
  app.add_option("--size", options.size, "Width and height of the pictures (1280x720)")->type_name("WxH");
  app.add_option("--frames", options.frameCount, "How many (3)")->check(CLI::Range(1, 10'000))->type_name("N");
  app.add_option("--instances", options.pointCount, "Points (200000)")->check(CLI::Range(16, 1 << 24))->type_name("N");
  app.add_option("--out", options.out, "Folder for frame-0000.png and so on (out)")->type_name("FOLDER");
  app.add_flag("--verify", options.verifies, "Compare each frame with the CPU; exit with 1 if one differs");
  app.add_flag("--validation", options.validation, "Use Direct3D's debug layer; exit with 1 if it finds something");
  if (!parseCommandLine(app, argumentCount, arguments)) return false;
  int end = 0;
  if (std::sscanf(options.size.c_str(), "%5ux%5u%n", &options.width, &options.height, &end) != 2 ||
      options.size[end] != '\0' || !options.width || !options.height ||
      std::max(options.width, options.height) > D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION)
    failInput("--size: ", options.size, " is not of the form 1280x720, or more than Direct3D has (16384)");
  return true;
}

// Light to 8-bit sRGB, by Krzysztof Narkowicz's fit of the ACES curve (2015). Returns a word per pixel, red lowest.
std::vector<uint32_t> toSrgb(const std::byte* light, const Options& options, uint32_t rowBytes) {
  std::vector<uint32_t> rgba;
  for (uint32_t y = 0; y < options.height; ++y) {
    for (uint32_t x = 0; x < options.width; ++x) {
      uint64_t halfs = 0;
      std::memcpy(&halfs, light + size_t{rowBytes} * y + sizeof(halfs) * x, sizeof(halfs));
      const glm::vec3 v = glm::vec3(glm::unpackHalf4x16(halfs)) + glm::vec3(0.002f, 0.003f, 0.007f);
      const glm::vec3 film = (v * (2.51f * v + 0.03f)) / (v * (2.43f * v + 0.59f) + 0.14f);
      rgba.push_back(glm::packUnorm4x8(glm::vec4(glm::convertLinearToSRGB(glm::clamp(film, 0.0f, 1.0f)), 1.0f)));
    }
  }
  return rgba;
}

// Each frame in flight has one of these for itself.
struct Frame {
  List list;
  ComPtr<ID3D12Resource> readback;  // picture, draws, and indices of visible points
  uint32_t number = 0;
  SluView view = {};
};

class Program {
 public:
  explicit Program(const Options& options)
      : options_(options),
        gpu_(options.validation),
        points_(makeGalaxy(options.pointCount)),
        compaction_(gpu_, points_),
        renderer_(gpu_, options.width, options.height),
        verification_(compaction_.context(), points_) {
    preparePictureFolder(options.out);
    const uint64_t bytes = indicesOffset() + compaction_.visibleBytes();
    for (Frame& frame : frames_) {
      frame.list = gpu_.makeList();
      frame.readback = gpu_.makeBuffer(bytes, D3D12_HEAP_TYPE_READBACK, L"readback");
    }
  }

  ~Program() {
    gpu_.waitForAll();  // whatever ended it, the GPU still uses what is released now
    gpu_.printMessages();
  }

  // Waits for a frame only when another one is to take its place, and at the end.
  ExitCode run() {
    for (uint32_t number = 0; number < options_.frameCount + kFramesInFlight; ++number) {
      Frame& frame = frames_[number % kFramesInFlight];
      if (frame.list.fenceValue != 0) retire(frame);
      if (number < options_.frameCount) submit(frame, number);
    }
    if (options_.verifies && isGood_) std::puts("verify    every frame agrees with the cpu route");
    return isGood_ ? ExitCode::Good : ExitCode::Mismatch;
  }

 private:
  uint64_t drawsOffset() const { return renderer_.pictureBytes(); }
  uint64_t indicesOffset() const { return drawsOffset() + sizeof(Draws); }

  void submit(Frame& frame, uint32_t number) {
    const Camera camera = cameraAt(placeOnPath(number, options_.frameCount));
    FrameConstants constants = frameConstants(camera, options_.width, options_.height, 0.0f);
    const float share = 300'000.0f / static_cast<float>(points_.size());  // the more points, the fainter each
    constants.particles.x = std::clamp(std::pow(share, 0.75f), 0.004f, 6.0f);
    frame.number = number;
    frame.view = viewOf(camera, constants, 0.0f);
    ID3D12GraphicsCommandList* const list = frame.list.list.Get();
    compaction_.record(list, frame.view);
    renderer_.draw(list, constants, compaction_);
    renderer_.copyPicture(list, frame.readback.Get());
    list->CopyBufferRegion(frame.readback.Get(), drawsOffset(), compaction_.draws(), 0, sizeof(Draws));
    list->CopyBufferRegion(frame.readback.Get(), indicesOffset(), compaction_.visible(), 0, compaction_.visibleBytes());
    gpu_.execute(frame.list);
  }

  // Takes a frame's results, after which its list and memory are free for another.
  void retire(Frame& frame) {
    gpu_.wait(frame.list.fenceValue);
    frame.list.reset();
    if (gpu_.printMessages() != 0) isGood_ = false;
    void* mapped = nullptr;
    check(frame.readback->Map(0, nullptr, &mapped), "Map");
    const auto* const bytes = static_cast<const std::byte*>(mapped);
    Draws draws;
    std::memcpy(&draws, bytes + drawsOffset(), sizeof(draws));
    std::vector<uint32_t> visible(points_.size());
    std::memcpy(visible.data(), bytes + indicesOffset(), compaction_.visibleBytes());
    const std::vector<uint32_t> rgba = toSrgb(bytes, options_, renderer_.rowBytes());
    const D3D12_RANGE nothingWritten = {};
    frame.readback->Unmap(0, &nothingWritten);

    uint32_t drawn = 0;
    for (const D3D12_DRAW_ARGUMENTS& command : draws.commands) drawn += command.InstanceCount;
    std::printf("frame %-4u%u of %zu points, by %u draws\n", frame.number, drawn, points_.size(), draws.count);
    writePicture(picturePath(options_.out, frame.number), options_.width, options_.height,
                 std::as_bytes(std::span(rgba)).data());
    const std::string difference = options_.verifies ? verification_.compare(frame.view, draws, visible) : "";
    if (difference.empty()) return;
    std::fprintf(stderr, "sluice-d3d12: frame %u: %s\n", frame.number, difference.c_str());
    isGood_ = false;
  }

  const Options options_;
  Gpu gpu_;
  const std::vector<Point> points_;
  Compaction compaction_;
  const Renderer renderer_;
  Verification verification_;
  std::array<Frame, kFramesInFlight> frames_;
  bool isGood_ = true;
};

}  // namespace
}  // namespace demo

int main(int argumentCount, char** arguments) {
  const auto run = [&] {
    demo::Options options;
    return demo::readOptions(argumentCount, arguments, options) ? demo::Program(options).run() : demo::ExitCode::Good;
  };
  return hosting::runProgram("sluice-d3d12", run, demo::exitCodeOf);
}
