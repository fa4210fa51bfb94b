// A status is a word by which a tile publishes what it keeps: 0, or a number + 1. The statuses are those of the set
// that the frame uses. The file that includes this one says where they lie (statusAt), and finds out the set
// (sharedSet) before the first use.

void tell(uint status, uint number) {
  tellAt(statusAt(sharedSet, status), number + 1u);
}
uint ask(uint status) {
  return askAt(statusAt(sharedSet, status));
}
