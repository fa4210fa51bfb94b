// The word test of workloads as a predicate: SLU_LIVE_NON_EMPTY of the first word.
bool sluPredicate(SluRecord record, uint index) { return sluUint(record, 0u) != 0u; }
