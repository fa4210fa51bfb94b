// Counts of the streams that records share, and how many bytes a frame then needs.
#include "specimen.h"

namespace slu::test {
namespace {

struct Stream {
  SluIndexedStreamBits bit;
  std::uint32_t SluFrameInfo::*count;
  SluBinding SluFrameInfo::*binding;
  std::uint32_t stride, last;  // the bytes of an element, and of the last one
  const char* countField;
  const char* field;
};

// The plan of the specimen has bounds of 20 bytes, 24 apart; transforms and layers are put into streams here.
const Stream kStreams[] = {{SLU_INDEXED_BOUNDS_BIT, &SluFrameInfo::boundsCount, &SluFrameInfo::bounds, 24, 20,
                            "frame.boundsCount", "frame.bounds"},
                           {SLU_INDEXED_TRANSFORMS_BIT, &SluFrameInfo::transformCount, &SluFrameInfo::transforms, 40,
                            36, "frame.transformCount", "frame.transforms"},
                           {SLU_INDEXED_LAYERS_BIT, &SluFrameInfo::layerCount, &SluFrameInfo::layers, 12, 8,
                            "frame.layerCount", "frame.layers"}};

class Indices : public testing::TestWithParam<Stream> {
 protected:
  void SetUp() override {
    SluPlanCreateInfo& info = specimen.planInfo;
    info.bounds.transformStride = 40;
    info.cullFlags |= SLU_CULL_LAYERS_BIT;
    info.layers = {12, 4, 0, 0};
    info.indices.streams = GetParam().bit;
    specimen.frame.transforms = specimen.place(8 * 40);
    specimen.frame.layers = specimen.place(8 * 12);
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  }

  std::uint32_t& count() { return specimen.frame.*GetParam().count; }
  SluBinding& binding() { return specimen.frame.*GetParam().binding; }

  Specimen specimen;
};

// The frame needs as many elements as it says, whatever the number of records is.
TEST_P(Indices, DecideHowManyBytesAreNeeded) {
  const std::uint64_t size = specimen.memory.size() * 4;
  const Stream& stream = GetParam();
  for (const std::uint32_t elements : {1u, 2u, 7u}) {
    count() = elements;
    const std::uint64_t bytes = (elements - 1) * stream.stride + stream.last;
    binding().offset = size - bytes;
    expectAccepted(specimen);
    binding().offset += 4;
    expectRefused(specimen, stream.field);
  }
  count() = 0xffffffffu;
  binding().offset = 0;
  expectRefused(specimen, stream.field);
}

TEST_P(Indices, NeedNoStreamWithoutElements) {
  binding() = {};
  expectAccepted(specimen);
  count() = 1;
  expectRefused(specimen, GetParam().field);
}

TEST_P(Indices, NeedRecords) {
  count() = 1;
  specimen.frame.records = {};
  expectRefused(specimen, "frame.records");
}

TEST_P(Indices, AreNotCountedForOtherStreams) {
  for (const Stream& other : kStreams) {
    if (other.bit == GetParam().bit) continue;
    specimen.frame.*other.count = 8;
    expectRefused(specimen, other.countField);
    specimen.frame.*other.count = 0;
  }
  specimen.frame.reserved1 = 1;
  expectRefused(specimen, "frame.reserved1");
}

INSTANTIATE_TEST_SUITE_P(Api, Indices, testing::ValuesIn(kStreams), [](const auto& instance) {
  return std::string(instance.param.countField).substr(std::string("frame.").size());
});

}  // namespace
}  // namespace slu::test
