// A status, by which tiles tell each other what they keep: one word, 0 or a number + 1, of the set that the frame uses. Who
// includes this says where it lies (statusAt), and learns the set (sharedSet) before the first use.

void tell(uint status, uint number) {
  tellAt(statusAt(sharedSet, status), number + 1u);
}
uint ask(uint status) {
  return askAt(statusAt(sharedSet, status));
}
