import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxArchive

@Suite struct ArchiveReaderTests {
  @Test(arguments: ArchiveFormat.allCases)
  func `an archive cut anywhere is damaged or not a bundle`(_ format: ArchiveFormat) throws {
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

  @Test func `a zip truncated in its directory is damaged`() throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(.zip, in: scratch)
    for missing in 1...400 {
      let cut = Array(bytes.dropLast(missing))
      try scratch.write("cut", cut)
      #expect(throws: ArchiveError.self) { try Sample.entries(of: scratch.path("cut")) }
      let (reading, writing) = try FileDescriptor.pipe()
      try writing.closeAfter { _ = try writing.writeAll(cut) }
      defer { try? reading.close() }
      #expect(throws: ArchiveError.self) { try Sample.entries(of: ArchiveReader(reading)) }
    }
  }

  @Test func `a zip with a damaged header of an entry is damaged`() throws {
    let scratch = try ScratchFolder()
    var bytes = try Sample.archive(.zip, in: scratch)
    let headers = bytes.indices.filter { bytes[$0...].starts(with: [0x50, 0x4B, 3, 4]) }
    bytes[headers[1] + 3] = 0
    try scratch.write("cut", bytes)
    #expect(throws: ArchiveError.self) { try Sample.entries(of: scratch.path("cut")) }
  }

  @Test func `a stalled pipe in an archive is waited for until a stop is requested`() throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(.tar, in: scratch)
    let (reading, writing) = try FileDescriptor.pipe()
    defer { try? writing.close() }
    try writing.writeAll(bytes.prefix(1500))
    try reading.closeAfter {
      var questions = 0
      let reader = try ArchiveReader(reading) { _ in
        questions += 1
        return questions < 4
      }
      let error = #expect(throws: ArchiveError.self) { try Sample.entries(of: reader) }
      #expect(error?.code == .interrupted)
      #expect(questions == 4)
    }
  }

  @Test func `a 7z bundle requires a file`() throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(.sevenZip, in: scratch)
    let (reading, writing) = try FileDescriptor.pipe()
    try writing.closeAfter { _ = try writing.writeAll(bytes) }
    try reading.closeAfter {
      let reader = try ArchiveReader(reading)
      #expect(throws: ArchiveError.needsFile(.sevenZip)) { try reader.next() }
    }
  }

  @Test func `bytes of another kind are not a bundle`() throws {
    let scratch = try ScratchFolder()
    for text in ["", "hello", String(repeating: "x", count: 5000), "Rar!\u{1A}\u{7}\u{1}\u{0}"] {
      try scratch.write("x", text)
      #expect(throws: ArchiveError.notABundle) { try Sample.entries(of: scratch.path("x")) }
    }
  }

  // Zeros were read as a valid tar without entries.
  @Test(arguments: [ArchiveFormat.tar, .sevenZip])
  func `an archive whose beginning is zeroed is not a bundle`(_ format: ArchiveFormat) throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(format, in: scratch)
    try scratch.write("x", [UInt8](repeating: 0, count: 1024) + bytes.dropFirst(1024))
    #expect(throws: ArchiveError.notABundle) { try Sample.entries(of: scratch.path("x")) }
  }

  @Test func `an encrypted zip opens only with its passphrase`() throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(.zip, in: scratch, passphrase: "secret")
    try scratch.write("x", bytes)
    let first = PathBytes("b/bagit.txt")
    #expect(throws: ArchiveError.passphraseNeeded(entry: first)) {
      try Sample.entries(of: scratch.path("x"))
    }
    #expect(throws: ArchiveError.wrongPassphrase(entry: first)) {
      try Sample.entries(of: scratch.path("x"), passphrase: "Secret")
    }
    #expect(try Sample.entries(of: scratch.path("x"), passphrase: "secret") == Sample.files)
  }

  @Test(arguments: [ArchiveFormat.zip, .sevenZip])
  func `a changed byte of an entry is detected at its end`(_ format: ArchiveFormat) throws {
    let scratch = try ScratchFolder()
    var bytes = try Sample.archive(format, in: scratch, files: ["b/x": "some bytes of a file"])
    let place = try #require(
      (0..<bytes.count).first { bytes[$0...].starts(with: Array("bytes".utf8)) })
    bytes[place] ^= 0x40
    try scratch.write("x", bytes)
    let error = #expect(throws: ArchiveError.self) { try Sample.entries(of: scratch.path("x")) }
    #expect(error == .damaged(entry: PathBytes("b/x")))
  }

  @Test(arguments: [(0xA1FF, EntryFault.link), (0x11A4, .special)])
  func `a link in a zip is refused before anything is read`(
    _ mode: Int, _ fault: EntryFault
  ) throws {
    let scratch = try ScratchFolder()
    var bytes = try Sample.archive(.zip, in: scratch, files: ["b/a": "x", "b/x": "/etc/passwd"])
    let header = try #require(
      (0..<bytes.count).last { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    (bytes[header + 40], bytes[header + 41]) = (UInt8(mode & 0xFF), UInt8(mode >> 8))
    try scratch.write("x", bytes)
    #expect(throws: ArchiveError.refused(entry: PathBytes("b/x"), fault)) {
      try Sample.entries(of: scratch.path("x"))
    }
    // The central directory at the end of the pipe has not been read yet, so the link is read as a
    // regular file that contains its target.
    let (reading, writing) = try FileDescriptor.pipe()
    try writing.closeAfter { _ = try writing.writeAll(bytes) }
    let found = try reading.closeAfter { try Sample.entries(of: ArchiveReader(reading)) }
    #expect(found == ["b/a": "x", "b/x": "/etc/passwd"])
  }

  @Test func `an archive may begin within a file`() throws {
    let scratch = try ScratchFolder()
    for format in ArchiveFormat.allCases {
      let bytes = try Sample.archive(format, in: scratch)
      try scratch.write("x", [UInt8](repeating: 1, count: 1000) + bytes)
      let descriptor = try FileDescriptor.open(scratch.path("x"), .readOnly)
      let found = try descriptor.closeAfter {
        try descriptor.seek(offset: 1000, from: .start)
        return try Sample.entries(of: ArchiveReader(descriptor))
      }
      #expect(found == Sample.files)
    }
  }

  @Test func `entries can be skipped`() throws {
    let scratch = try ScratchFolder()
    for format in ArchiveFormat.allCases {
      try scratch.write("x", try Sample.archive(format, in: scratch))
      let descriptor = try FileDescriptor.open(scratch.path("x"), .readOnly)
      let count = try descriptor.closeAfter {
        let reader = try ArchiveReader(descriptor)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(reader.format == format)
        return count
      }
      #expect(count == Sample.files.count)
    }
  }
}
