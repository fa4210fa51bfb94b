#include "results.h"

namespace bench {

const char* name(Residence residence) {
  switch (residence) {
    case Residence::Warm:
      return "warm";
    case Residence::Cold:
      return "cold";
    case Residence::Memory:
      return "memory";
  }
  return "unknown";
}

}  // namespace bench
