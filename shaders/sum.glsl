shared uint sharedSums[2 * SLU_WORKGROUP];

// Sum over the lower lanes (Hillis and Steele 1986); total is that of all. In uniform control flow; a barrier lies between
// two calls.
uint exclusiveSum(uint value, out uint total) {
  uint inclusive = value;
  uint side = 0u;  // of shared memory
  sharedSums[laneIndex] = inclusive;
  barrier();
  [[dont_unroll]] for (uint distance = 1u; distance < SLU_WORKGROUP; distance *= 2u) {
    if (laneIndex >= distance) inclusive += sharedSums[side + laneIndex - distance];
    side = SLU_WORKGROUP - side;
    sharedSums[side + laneIndex] = inclusive;
    barrier();
  }
  total = sharedSums[side + SLU_WORKGROUP - 1u];
  return inclusive - value;
}
