import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxArchive

@Suite struct ArchiveReaderTests {
  @Test(arguments: ArchiveFormat.allCases)
  func `an archive that is cut anywhere is damaged or no bundle`(_ format: ArchiveFormat) throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(format, in: scratch)
    for length in stride(from: 0, to: bytes.count - 700, by: 97) {
      try scratch.write("cut", Array(bytes[..<length]))
      do {
        let found = try Sample.entries(of: scratch.path("cut"))
        #expect(found.count < Sample.files.count)
      } catch let error as ArchiveError {
        #expect([.bundleDamaged, .notABundle].contains(error.code))
      }
    }
  }

  @Test(arguments: [ArchiveFormat.tar, .tarZstd, .zip])
  func `an archive is read from a pipe`(_ format: ArchiveFormat) throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(format, in: scratch)
    let (reading, writing) = try FileDescriptor.pipe()
    try writing.closeAfter { _ = try writing.writeAll(bytes) }
    let found = try reading.closeAfter { try Sample.entries(of: ArchiveReader(reading)) }
    #expect(found == Sample.files)
  }

  @Test func `a 7z bundle needs a file`() throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(.sevenZip, in: scratch)
    let (reading, writing) = try FileDescriptor.pipe()
    try writing.closeAfter { _ = try writing.writeAll(bytes) }
    try reading.closeAfter {
      let reader = try ArchiveReader(reading)
      #expect(throws: ArchiveError.needsFile(.sevenZip)) { try reader.next() }
    }
  }

  @Test func `bytes of another kind are no bundle`() throws {
    let scratch = try ScratchFolder()
    for text in ["", "hello", String(repeating: "x", count: 5000), "Rar!\u{1A}\u{7}\u{1}\u{0}"] {
      try scratch.write("x", text)
      #expect(throws: ArchiveError.notABundle) { try Sample.entries(of: scratch.path("x")) }
    }
  }

  @Test func `an encrypted zip opens with its passphrase alone`() throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(.zip, in: scratch, passphrase: "secret")
    try scratch.write("x", bytes)
    let first = PathBytes("b/bagit.txt")
    #expect(throws: ArchiveError.passphraseNeeded(entry: first)) {
      try Sample.entries(of: scratch.path("x"))
    }
    #expect(throws: ArchiveError.passphraseWrong(entry: first)) {
      try Sample.entries(of: scratch.path("x"), passphrase: "Secret")
    }
    #expect(try Sample.entries(of: scratch.path("x"), passphrase: "secret") == Sample.files)
  }
}
