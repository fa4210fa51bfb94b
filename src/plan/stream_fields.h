// How sentences call the bindings of further streams.
#pragma once

#include <sluice/sluice.h>

namespace slu {

#define SLU_STREAM_FIELDS(end)                                                                             \
  {                                                                                                        \
    "frame.streams[0]." end, "frame.streams[1]." end, "frame.streams[2]." end, "frame.streams[3]." end,    \
        "frame.streams[4]." end, "frame.streams[5]." end, "frame.streams[6]." end, "frame.streams[7]." end \
  }
constexpr const char* kStreamInputs[SLU_MAX_STREAMS] = SLU_STREAM_FIELDS("input");
constexpr const char* kStreamOutputs[SLU_MAX_STREAMS] = SLU_STREAM_FIELDS("output");
#undef SLU_STREAM_FIELDS

}  // namespace slu
