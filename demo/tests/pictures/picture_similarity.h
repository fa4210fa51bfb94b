// Measures how alike two pictures look.
#pragma once

#include <cstdint>
#include <vector>

struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;  // rows dense
};

struct Similarity {
  double mean = 0.0;            // structural similarity, 1 for the same picture
  double unlikeShare = 1.0;     // of the pixels around which it is below kUnlike
  double meanDifference = 0.0;  // of the channels, in 8-bit steps
};

// The limits allow what the rounding of another driver changes: a step in any channel, and a sample of four in a few
// pixels at edges. A difference that a person sees, such as a missing instance of a few pixels, is larger.
constexpr double kUnlike = 0.7;
constexpr double kMinMean = 0.985;
constexpr double kMaxUnlikeShare = 0.002;
constexpr double kMaxMeanDifference = 1.5;

// Structural similarity of the luma by Wang, Bovik, Sheikh and Simoncelli, "Image Quality Assessment: From Error
// Visibility to Structural Similarity", IEEE Transactions on Image Processing 13(4), 2004: Gaussian windows of 11x11
// pixels with a deviation of 1.5, K1 = 0.01, K2 = 0.03. Windows at the border repeat its pixels. Pictures of different
// sizes are as unlike as can be.
Similarity similarity(const Picture& a, const Picture& b);

bool areAlike(const Similarity& similarity);
