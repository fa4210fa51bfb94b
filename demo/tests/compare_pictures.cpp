// Looks at PNG files of the demo:
//   compare_pictures FILE WIDTH HEIGHT    has this size and shows something
//   compare_pictures FILE FILE            are alike: see the limits below
// Exit code 0: so it is; 1: it is not; 2: bad arguments or files.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb_image.h>

namespace {

// In 8-bit steps of a channel. A camera that went through angles is off by rounding, which moves some edges by a shade.
constexpr int kVisibleStep = 16;
constexpr double kMaxMean = 0.5;
constexpr double kMaxVisibleShare = 0.005;  // of all channels
// A picture of one colour has a standard deviation of 0.
constexpr double kMinDeviation = 4.0;

struct Picture {
  explicit Picture(const char* file) : pixels(stbi_load(file, &width, &height, nullptr, 3), stbi_image_free) {
    if (pixels) return;
    std::fprintf(stderr, "%s cannot be read: %s\n", file, stbi_failure_reason());
    std::exit(2);
  }
  size_t size() const { return size_t{3} * static_cast<size_t>(width) * static_cast<size_t>(height); }

  int width = 0, height = 0;
  std::unique_ptr<stbi_uc, void (*)(void*)> pixels;
};

bool showsSomething(const Picture& picture, int width, int height) {
  double sum = 0.0, squares = 0.0;
  for (size_t index = 0; index < picture.size(); ++index) {
    const double value = picture.pixels.get()[index];
    sum += value;
    squares += value * value;
  }
  const double count = static_cast<double>(picture.size()), mean = sum / count;
  const double deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
  std::printf("%dx%d, deviation %.2f\n", picture.width, picture.height, deviation);
  return picture.width == width && picture.height == height && deviation >= kMinDeviation;
}

bool areAlike(const Picture& a, const Picture& b) {
  if (a.width != b.width || a.height != b.height) return false;
  double sum = 0.0, visible = 0.0;
  for (size_t index = 0; index < a.size(); ++index) {
    const int difference = std::abs(a.pixels.get()[index] - b.pixels.get()[index]);
    sum += difference;
    visible += difference > kVisibleStep;
  }
  const double count = static_cast<double>(a.size());
  std::printf("mean difference %.3f, visible in %.3f %%\n", sum / count, 100.0 * visible / count);
  return sum / count <= kMaxMean && visible / count <= kMaxVisibleShare;
}

}  // namespace

int main(int argumentCount, char** arguments) {
  if (argumentCount == 4)
    return showsSomething(Picture(arguments[1]), std::atoi(arguments[2]), std::atoi(arguments[3])) ? 0 : 1;
  if (argumentCount == 3) return areAlike(Picture(arguments[1]), Picture(arguments[2])) ? 0 : 1;
  std::fprintf(stderr, "usage: compare_pictures FILE FILE, or FILE WIDTH HEIGHT\n");
  return 2;
}
