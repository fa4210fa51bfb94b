#version 460
// Control flow of many forms that hangs on specialization constants, for specialization_test.cpp. No kernel has them all.
layout(local_size_x = 32) in;

layout(constant_id = 0) const uint kFirst = 1u;
layout(constant_id = 1) const uint kSecond = 1u;
layout(constant_id = 2) const bool kFlag = false;
layout(constant_id = 3) const float kFactor = 0.5;
layout(constant_id = 40) const uint kDefault = 7u;  // which the test gives no value

layout(set = 0, binding = 0, std430) buffer Memory { uint words[]; };

shared uint sums[kFirst + 2u];

uint thrice(uint x) { return 3u * x; }
uint unused(uint x) { return x > kDefault ? thrice(x) : kSecond; }

uint loops(uint count) {
  uint sum = 0u;
  for (uint i = 0u; i < count; ++i) {
    if (kFirst == 2u) break;  // and the loop never continues
    if (kFirst == 3u) continue;
    for (uint j = 0u; j < kSecond; ++j) {
      if (kFlag && j == i) break;
      sum += j + 1u;
    }
    sum += i;
  }
  return sum;
}

uint whiles(uint x) {
  while (kFirst > 9u) {  // never
    x += 5u;
    if (x > 100u) return x;
  }
  do {
    x ^= kSecond;
    if (kFlag) break;
    x += 1u;
  } while (kFirst == 77u);
  do {
    x += 3u;
    if (kFirst == 4u) return x;
  } while (x < 40u);
  return x;
}

uint switches(uint x) {
  switch (kSecond) {
    case 0u:
      return x;
    case 1u:
      x += 4u;
    case 2u:
      x *= 3u;
      break;
    default:
      x -= 1u;
  }
  switch (x & 3u) {
    case 0u:
      if (kFlag) {
        x += 9u;
        break;
      }
      x += 2u;
    case 1u:
      x ^= 5u;
      break;
    default:
      break;
  }
  return x;
}

uint conditions(uint x) {
  uint bits = 0u;
  if (kFlag && x > 3u) bits |= 1u;
  if (kFlag || (x & 1u) == 0u) bits |= 2u;
  if (kFirst > 1u && kSecond > 1u && words[x] > 2u) bits |= 4u;
  bool either = kFirst == 0u || words[x & 7u] < 3u;
  if (!either) bits |= 8u;
  bool isOther = either != kFlag;
  bits |= (isOther ? kSecond : x) << 8;
  return bits | (kFirst == 1u ? x : kSecond) << 4;
}

uint returns(uint x) {
  if (kFirst == 4u) {
    if (x > 2u) return thrice(x);
    return 2u;
  }
  if (kFlag) {
    return 1u;
  } else {
    for (;;) {
      if (x > 20u) return x;
      x += kDefault;
    }
  }
}

const uint kSum = kFirst * 5u + kSecond / 2u - (kSecond & 1u) + (kFlag ? kFirst : 3u) + (kFirst << 2u) + kSecond % 3u;
const bool kIsOther = (kFirst >= kSecond) != kFlag;

void main() {
  uint x = words[gl_LocalInvocationIndex];
  if (gl_LocalInvocationIndex < kFirst + 2u) sums[gl_LocalInvocationIndex] = x;
  barrier();
  uint y = sums[x % (kFirst + 2u)] + kSum + uint(kIsOther) + uint(kFactor * 4.0) + ~kSecond;
  if (kFirst == 0u) {
    y += returns(x);
  } else if (kFirst == 1u) {
    y += switches(x);
  } else {
    y ^= whiles(x);
  }
  y = y * 31u + loops(x);
  y = y * 31u + switches(x);
  y = y * 31u + conditions(x);
  y = y * 31u + returns(x);
  y = y * 31u + whiles(x);
  words[32u + gl_LocalInvocationIndex] = y;
}
