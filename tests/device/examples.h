// The kernels of docs/guide/device.md.
#pragma once

namespace slu::test {

struct ExampleKernels {
  using List = void (*)(const float* ages, unsigned count, unsigned* list, unsigned capacity, unsigned* listCount);
  List append, appendByTile;  // the second in blocks of 256 threads
  unsigned tileRecords;       // what such a block takes
  void (*histogram)(const unsigned char* texels, unsigned count, unsigned* bins);
  void (*addMasses)(const unsigned* cellOf, const float* masses, unsigned count, float* cellMass);
  void (*findNearest)(const unsigned* cellOf, const float* distances, unsigned count, int* nearest);
};
extern const ExampleKernels exampleKernels;

}  // namespace slu::test
