import SystemPackage
import Testing
import VmxDigest
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

@Suite struct DigestBatcherTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test func `many threads each get the digest of their own file`() throws {
    let batcher = DigestBatcher()
    let texts = (0..<32).map { Noise.bytes(20_000 + 777 * $0, seed: UInt64($0 + 1)) }
    for (index, text) in texts.enumerated() { try scratch.write("\(index)", text) }
    let path = scratch.path
    let found = WorkerThread.map(Array(texts.indices), threads: 16, named: "vmx-test") { index in
      Result { () throws(any Error) in
        let file = try OpenFile(path.appending("\(index)"), .readOnly)
        let length = try file.facts().size
        return try batcher.digest(of: FileRange(file.descriptor.rawValue, length: length))
      }
    }
    #expect(try found.map { try $0.get() } == texts.map { sha256($0) })
  }

  @Test func `an expected text is waited for only briefly`() throws {
    let batcher = DigestBatcher()
    for _ in 0..<3 { batcher.expectsOne() }
    try scratch.write("a", [1, 2, 3])
    let file = try OpenFile(scratch.path("a"), .readOnly)
    // The other two files are never submitted.
    #expect(
      try batcher.digest(of: FileRange(file.descriptor.rawValue, length: 3)) == sha256([1, 2, 3]))
  }

  @Test func `a file shorter than announced is an error`() throws {
    try scratch.write("a", [1, 2, 3])
    let file = try OpenFile(scratch.path("a"), .readOnly)
    #expect(throws: DigestError.tooShort(expected: 4, found: 3)) {
      try DigestBatcher().digest(of: FileRange(file.descriptor.rawValue, length: 4))
    }
  }

  @Test(arguments: [true, false])
  func `a small file of known length is digested completely at its end`(inGroups: Bool) throws {
    let bytes = Noise.bytes(100_000)
    var file = try PartialFile(scratch.path("a"), batchesSmallFiles: inGroups)
    file.length = 100_000
    try file.write(bytes[50_000...], at: 50_000)
    try file.write(bytes[..<50_000], at: 0)
    let digests = try #require(try file.finish(length: 100_000) { false })
    #expect(digests.whole == sha256(bytes))
    #expect(digests.segments == [sha256(bytes)])
    #expect(try file.finish(length: 100_000) { true } == nil)
  }
}
