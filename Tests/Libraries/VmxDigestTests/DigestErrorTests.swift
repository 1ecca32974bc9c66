import Glibc
import Testing
import VmxModel

@testable import VmxDigest

@Suite struct DigestErrorTests {
  @Test func `missing bytes are reported as a lost part`() {
    let error = DigestError.tooShort(expected: 10, found: 4)
    #expect(error.code == .partLost)
    #expect(error.summary == "the file ends at byte 4, expected at least 10")
  }

  @Test func `a refused read reports the path and the reason`() {
    let error = DigestError.unreadable(offset: 512, errno: EIO)
    #expect(error.code == .mediaUnwritable)
    #expect(error.summary == "cannot read at byte 512 for a digest: input/output error")
  }
}
