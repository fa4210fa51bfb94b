// A status, by which tiles tell each other what they keep: one word, 0 or a number + 1, of the set that the frame uses. Who
// includes this says where it lies (statusAt), and learns the set (sharedSet) before the first use.

void tell(uint status, uint number) {
  atomicStore(Words1(statusAt(sharedSet, status)).v, number + 1u, gl_ScopeDevice, gl_StorageSemanticsNone,
              gl_SemanticsRelaxed);
}
uint ask(uint status) {
  return atomicLoad(Words1(statusAt(sharedSet, status)).v, gl_ScopeDevice, gl_StorageSemanticsNone,
                    gl_SemanticsRelaxed);
}
