bool sluPredicate(SluRecord record, uint index) { return index % 3u == 1u; }
uint sluPredicateKey(SluRecord record, uint index) { return sluUint(record, 0u) & 1u; }
