// Looks at PNG files of the demo:
//   compare_pictures FILE WIDTH HEIGHT    has this size and shows something
//   compare_pictures FILE FILE            are alike: see picture_similarity.h
// Exit code 0: so it is; 1: it is not; 2: bad arguments or files.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "picture_file.h"

namespace {

// A picture of one colour has a standard deviation of 0.
constexpr double kMinDeviation = 4.0;

Picture readOrExit(const char* file) {
  Picture picture = readPicture(file);
  if (picture.rgb.empty()) std::exit(2);
  return picture;
}

bool showsSomething(const Picture& picture, int width, int height) {
  double sum = 0.0, squares = 0.0;
  for (const double value : picture.rgb) {
    sum += value;
    squares += value * value;
  }
  const double count = static_cast<double>(picture.rgb.size()), mean = sum / count;
  const double deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
  std::printf("%dx%d, deviation %.2f\n", picture.width, picture.height, deviation);
  return picture.width == width && picture.height == height && deviation >= kMinDeviation;
}

bool compare(const Picture& a, const Picture& b) {
  const Similarity found = similarity(a, b);
  std::printf("structural similarity %.5f, unlike in %.3f %%, mean difference %.3f\n", found.mean,
              100.0 * found.unlikeShare, found.meanDifference);
  return areAlike(found);
}

}  // namespace

int main(int argumentCount, char** arguments) {
  if (argumentCount == 4)
    return showsSomething(readOrExit(arguments[1]), std::atoi(arguments[2]), std::atoi(arguments[3])) ? 0 : 1;
  if (argumentCount == 3) return compare(readOrExit(arguments[1]), readOrExit(arguments[2])) ? 0 : 1;
  std::fprintf(stderr, "usage: compare_pictures FILE FILE, or FILE WIDTH HEIGHT\n");
  return 2;
}
