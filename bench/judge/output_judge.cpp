#include "judge/output_judge.h"

#include "base/failure.h"

namespace bench {

JudgedOutput judgedOutput(const Workload& workload, const InputRecipe& recipe, uint32_t bucketCapacity) {
  JudgedOutput judged{};
  judged.recipe = recipe;
  judged.recordCount = workload.recordCount;
  judged.recordWords = workload.recordBytes / 4;
  judged.elementWords = workload.elementBytes() / 4;
  judged.bucketCapacity = bucketCapacity;
  judged.bucketCount = workload.bucketCount;
  judged.viewCount = workload.viewCount;
  judged.placement = workload.placement;
  judged.indices = workload.outputs == Outputs::Indices;
  judged.stable = workload.order == Order::Stable;
  return judged;
}

const char* describe(Fault fault) {
  switch (fault) {
    case Fault::None:
      break;
    case Fault::Unknown:
      return "names no record of the input";
    case Fault::Dead:
      return "is a record that is not live in the view";
    case Fault::Payload:
      return "differs from the record of the input";
    case Fault::Command:
      return "has another draw command";
    case Fault::Bucket:
      return "belongs to another bucket";
    case Fault::Repeated:
      return "appears a second time";
    case Fault::Order:
      return "comes after a later record";
    case Fault::Written:
      return "was written, although nothing belongs there";
  }
  return "is right";
}

std::string describeElement(const JudgedOutput& judged, uint64_t position, Fault fault, uint32_t firstWord) {
  const uint64_t bucket = position / judged.bucketCapacity;
  const std::string range =
      judged.placement == Placement::Reserved ? bucketText(judged.viewCount, judged.bucketCount, bucket) + ", " : "";
  return sentence(range, "element ", position % judged.bucketCapacity, " (first word ", firstWord, ", record ",
                  judged.recordOf(&firstWord), ") ", describe(fault));
}

}  // namespace bench
