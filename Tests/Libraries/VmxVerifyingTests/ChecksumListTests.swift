@testable import VmxVerifying
import Testing
import VmxModel

struct ChecksumListTests {
  private func line(_ path: String) throws -> String {
    let digest = try #require(Digest(.sha256, hex: String(repeating: "0a", count: 32)))
    return ChecksumList.line(digest, path)
  }

  private var hex: String { String(repeating: "0a", count: 32) }

  @Test func `a plain name is unchanged`() throws {
    #expect(try line("/media/a show/1.mp4") == "\(hex)  /media/a show/1.mp4\n")
  }

  @Test(arguments: [
    ("/m/a\nb", "/m/a\\nb"), ("/m/a\\b", "/m/a\\\\b"), ("/m/a\r\nb", "/m/a\\r\\nb"),
  ])
  func `a name that would split the line is escaped and marked`(
    _ name: String, _ escaped: String
  ) throws {
    #expect(try line(name) == "\\\(hex)  \(escaped)\n")
  }
}
