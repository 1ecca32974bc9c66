import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxArchive

@Suite struct ArchiveWriterTests {
  @Test(arguments: ArchiveFormat.allCases)
  func `an archive is read back as it was written`(_ format: ArchiveFormat) throws {
    let scratch = try ScratchFolder()
    try scratch.write("b", try Sample.archive(format, in: scratch))
    #expect(try Sample.entries(of: scratch.path("b")) == Sample.files)
  }

  @Test func `the suffix of a file name determines the format`() {
    #expect(ArchiveFormat(suffixOf: "a.tar") == .tar)
    #expect(ArchiveFormat(suffixOf: "a.TAR.ZST") == .tarZstd)
    #expect(ArchiveFormat(suffixOf: "a.tzst") == .tarZstd)
    #expect(ArchiveFormat(suffixOf: "a.b.zip") == .zip)
    #expect(ArchiveFormat(suffixOf: "a.7z") == .sevenZip)
    for name in ["a", "tar", "a.tar.gz", "a.rar", "a.zst"] {
      #expect(ArchiveFormat(suffixOf: name) == nil)
    }
  }

  @Test(arguments: ArchiveFormat.allCases)
  func `the written bytes do not depend on the size of the pieces`(
    _ format: ArchiveFormat
  ) throws {
    let scratch = try ScratchFolder()
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0 / 1000) }
    let made = try [1000, 100_000, 300_000].map { piece in
      try Sample.made(format, in: scratch) { writer in
        try writer.begin("b/data/x", size: Int64(content.count))
        for start in stride(from: 0, to: content.count, by: piece) {
          try content[start..<min(start + piece, content.count)].withUnsafeBytes {
            try writer.write($0)
          }
        }
        try writer.end()
      }
    }
    #expect(made[0] == made[1])
    #expect(made[1] == made[2])
  }

  @Test func `a tar has no user, no time, and pax headers only where required`() throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(.tar, in: scratch, files: ["b/x": "y"])
    #expect(bytes.count == 512 + 512 + 1024)
    let header = String(decoding: bytes[..<512], as: UTF8.self).replacing("\0", with: "|")
    #expect(header.hasPrefix("b/x|"))
    #expect(header.contains("|000644 |000000 |000000 |00000000001 00000000000 "))
    #expect(header.contains("ustar|00||||||||"))
    let named = try Sample.archive(.tar, in: scratch, files: ["b/\u{e9}": "y"])
    #expect(String(decoding: named, as: UTF8.self).contains("13 path=b/\u{e9}\n"))
  }

  @Test func `an entry whose size differs from the announced size is refused`() throws {
    let scratch = try ScratchFolder()
    let error = ArchiveError.sizeChanged(entry: PathBytes("b/x"), expected: 3)
    #expect(error.code == .inputChanged)
    for count in [2, 4] {
      #expect(throws: error) {
        try Sample.made(.tar, in: scratch) { writer in
          try writer.begin("b/x", size: 3)
          try [UInt8](repeating: 0, count: count).withUnsafeBytes { try writer.write($0) }
          try writer.end()
        }
      }
    }
  }

  @Test func `a writer refuses the names that readers refuse`() throws {
    let scratch = try ScratchFolder()
    for names in [["../x"], ["/x"], ["b/x", "b/X"]] {
      #expect(throws: ArchiveError.self) {
        try Sample.made(.tar, in: scratch) { writer in
          for name in names { try writer.add(name, []) }
        }
      }
    }
  }

  @Test(arguments: ArchiveFormat.allCases)
  func `a full disk is reported as disk-full`(_ format: ArchiveFormat) throws {
    let full = try FileDescriptor.open("/dev/full", .writeOnly)
    defer { try? full.close() }
    let error = #expect(throws: ArchiveError.self) {
      let writer = try ArchiveWriter(format, to: full)
      try writer.add("b/x", [UInt8](repeating: 7, count: 1 << 20))
      try writer.finish()
    }
    #expect(error?.code == .diskFull)
    #expect(error == .unwritable(.noSpace))
  }

  @Test func `a stalled reader is waited for until a stop is requested`() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    defer { try? reading.close() }
    defer { try? writing.close() }
    // The pipe is filled completely.
    _ = fcntl(writing.rawValue, F_SETFL, O_NONBLOCK)
    #expect(throws: Errno.wouldBlock) {
      while true { _ = try writing.writeAll([UInt8](repeating: 0, count: 4096)) }
    }
    _ = fcntl(writing.rawValue, F_SETFL, 0)
    var questions = 0
    let error = #expect(throws: ArchiveError.self) {
      let writer = try ArchiveWriter(.tar, to: writing) { _ in
        questions += 1
        return questions < 3
      }
      try writer.add("b/x", [UInt8](repeating: 7, count: 1 << 20))
    }
    #expect(error?.code == .interrupted)
    #expect(questions == 3)
  }

  @Test func `a reader that has exited is reported with its errno`() throws {
    signal(SIGPIPE, SIG_IGN)
    let (reading, writing) = try FileDescriptor.pipe()
    try reading.close()
    defer { try? writing.close() }
    let error = #expect(throws: ArchiveError.self) {
      let writer = try ArchiveWriter(.tar, to: writing)
      try writer.add("b/x", [UInt8](repeating: 7, count: 1 << 20))
    }
    #expect(error?.code == .outputFailed)
    #expect(error == .unwritable(.brokenPipe))
  }
}

/// Archives of a few files, and the results of reading them.
enum Sample {
  static let files: [String: String] = [
    "b/bagit.txt": "hello", "b/data/Nu\u{301}n.txt": "nfd", "b/data/caf\u{e9}/x": "y",
    "b/data/empty": "", "b/data/100% \u{1F600}": "smile",
  ]

  /// Returns the bytes of an archive into which the closure writes.
  static func made(
    _ format: ArchiveFormat, in scratch: ScratchFolder, passphrase: String? = nil,
    _ body: (ArchiveWriter) throws -> Void
  ) throws -> [UInt8] {
    let path = scratch.path("made.\(format.rawValue)")
    let descriptor = try FileDescriptor.open(
      path, .readWrite, options: [.create, .truncate], permissions: .ownerReadWrite)
    try descriptor.closeAfter {
      let writer = try ArchiveWriter(
        format, to: descriptor, passphrase: passphrase.map { Array($0.utf8) })
      try body(writer)
      try writer.finish()
    }
    return try scratch.bytes("made.\(format.rawValue)")
  }

  static func archive(
    _ format: ArchiveFormat, in scratch: ScratchFolder, files: [String: String] = files,
    passphrase: String? = nil
  ) throws -> [UInt8] {
    try made(format, in: scratch, passphrase: passphrase) { writer in
      for (name, text) in files.sorted(by: { $0.key < $1.key }) {
        try writer.add(name, Array(text.utf8))
      }
    }
  }

  static func entries(of path: FilePath, passphrase: String? = nil) throws -> [String: String] {
    let descriptor = try FileDescriptor.open(path, .readOnly)
    return try descriptor.closeAfter {
      try entries(of: try ArchiveReader(descriptor, passphrase: passphrase.map { Array($0.utf8) }))
    }
  }

  static func entries(of reader: some BundleReader) throws -> [String: String] {
    var found: [String: String] = [:]
    while let entry = try reader.next() {
      guard entry.kind == .file else { continue }
      found[entry.path.escaped] = String(decoding: try reader.readAll(of: entry), as: UTF8.self)
    }
    return found
  }
}

extension ArchiveWriter {
  /// Writes a complete entry.
  func add(_ path: String, _ bytes: [UInt8]) throws {
    try begin(path, size: Int64(bytes.count))
    try bytes.withUnsafeBytes { try write($0) }
    try end()
  }
}
