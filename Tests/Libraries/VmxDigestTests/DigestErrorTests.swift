import Glibc
import Testing
import VmxModel

@testable import VmxDigest

@Suite struct DigestErrorTests {
  @Test func `bytes that are gone are a lost part`() {
    let error = DigestError.tooShort(expected: 10, found: 4)
    #expect(error.code == .partLost)
    #expect(error.summary == "the file ends at byte 4, expected at least 10")
  }

  @Test func `a refused read says where and why`() {
    let error = DigestError.unreadable(offset: 512, errno: EIO)
    #expect(error.code == .mediaUnwritable)
    #expect(error.summary == "cannot read at byte 512 for a digest: input/output error")
  }
}
