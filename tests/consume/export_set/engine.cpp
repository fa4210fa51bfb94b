#include "engine.h"

#include <sluice/sluice.h>

unsigned engine::cullingVersion() { return sluGetVersion(); }
