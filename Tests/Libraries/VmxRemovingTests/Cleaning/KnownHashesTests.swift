@testable import VmxRemoving
import Testing

@Suite struct KnownHashesTests {
  @Test func `what was met is told from what was only added`() {
    var hashes = KnownHashes()
    for hash: UInt64 in [9, 3, 7] { hashes.add(hash) }
    hashes.sort()
    let isKnown = hashes.markFound(7)
    #expect(isKnown)
    #expect(hashes.isFound(7))
    #expect(!hashes.isFound(3))
  }

  @Test func `what was never added is not met`() {
    var hashes = KnownHashes()
    hashes.add(3)
    hashes.sort()
    let isKnown = hashes.markFound(4)
    #expect(!isKnown)
  }

  @Test func `all are met only when each was`() {
    var hashes = KnownHashes()
    for hash in 0..<100 as Range<UInt64> { hashes.add(hash) }
    hashes.sort()
    for hash in 0..<99 as Range<UInt64> { _ = hashes.markFound(hash) }
    #expect(!hashes.areAllFound)
    _ = hashes.markFound(99)
    #expect(hashes.areAllFound)
  }
}
