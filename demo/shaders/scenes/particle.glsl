// Says how large a particle of a size class is drawn: sharp bright stars, and large faint puffs of gas.

bool isGas(float sizeClass) { return sizeClass > 0.3; }
bool isCloud(float sizeClass) { return sizeClass > 0.8; }

// Its diameter in pixels. Needs the frame's constants.
float particlePixels(float sizeClass, float depth) {
  float radius = isCloud(sizeClass) ? 4.2 : isGas(sizeClass) ? 1.7 : 0.10 + sizeClass;
  return radius * constants.particles.y / max(depth, 0.1);
}
