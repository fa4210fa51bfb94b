// Weighted and Keyed of tests/custom/predicates.h in GLSL.
bool sluPredicate(SluRecord record, uint index) {
  uint last = sluUint(record, sluStateUint(5u) - 1u);
  uint mixed = sluUint(record, 0u) ^ last * 0x9e3779b9u ^ (index + sluStateUint(4u)) * 0x85ebca6bu;
  float x = float(mixed >> sluStateUint(15u) & 0xffffu) * sluStateFloat(0u);
  float y = float(index & 0xfffu) * sluStateFloat(1u);
  return x * sluStateFloat(2u) - y * x > sluStateFloat(3u) - x * x;
}

#ifdef SLU_PREDICATE_KEY
uint sluPredicateKey(SluRecord record, uint index) { return sluUint(record, sluStateUint(6u)) >> sluStateUint(7u); }
#endif
