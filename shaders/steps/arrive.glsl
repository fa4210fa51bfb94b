// Is called at the end of each tile if kArrivesByTile. The last tile of the view publishes. Without 64-bit atomics the
// invocation that arrives has to wait for its own stores, so it is not the one that reserves.
void arriveTile(uint view, uint inputs, uint kept) {
#ifdef SLU_ATOMIC_INT64
  if (laneIndex != 0u || uint(progress >> kKeptBits) + 1u != tileCountOf(inputs)) return;
  exchangeLongAt(progressOf(view), 0ul);
  publishSingle(view, inputs, uint(progress) + kept);
#else
  if (laneIndex != SLU_WORKGROUP / 2u) return;
  memoryBarrierBuffer();
  if (countArrival(view) + 1u != tileCountOf(inputs)) return;
  memoryBarrierBuffer();
  clearArrivals(view);
  publishSingle(view, inputs, takeCounter(ScratchPlace(plan.demanded), view));
#endif
}
