#include <engine.h>

#include <cstdio>

int main() {
  std::printf("Sluice %u\n", engine::cullingVersion());
  return engine::cullingVersion() == 0 ? 1 : 0;
}
