// Where kArrivesByTile, at the end of each tile; the last of the view publishes. Without 64-bit atomics another
// invocation than the one that reserved does it, which then need not wait for its own stores.
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
