import Testing

@testable import VmxTransfer

@Suite struct RollingDigestTests {
  private func value(_ pieces: [ArraySlice<UInt8>]) -> UInt64 {
    var digest = RollingDigest()
    for piece in pieces { piece.withUnsafeBytes { digest.update($0) } }
    return digest.value
  }

  @Test(arguments: [0, 1, 31, 32, 33, 500, 4096])
  func `the digest does not depend on the division of the bytes`(_ cut: Int) {
    let bytes = Noise.bytes(4096)
    #expect(value([bytes[..<cut], bytes[cut...]]) == value([bytes[...]]))
    #expect(value(bytes.indices.map { bytes[$0...$0] }) == value([bytes[...]]))
  }

  @Test func `each byte and the number of zeros affect the digest`() {
    let bytes = Noise.bytes(100)
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 1
      #expect(value([other[...]]) != value([bytes[...]]))
    }
    let zeros = [UInt8](repeating: 0, count: 70)
    #expect(Set((0...70).map { value([zeros[..<$0]]) }).count == 71)
  }
}
