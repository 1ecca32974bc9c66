import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxArchive

@Suite struct ArchiveWriterTests {
  @Test(arguments: ArchiveFormat.allCases)
  func `what is written is read back`(_ format: ArchiveFormat) throws {
    let scratch = try ScratchFolder()
    let bytes = try Sample.archive(format, in: scratch)
    try scratch.write("b", bytes)
    #expect(try Sample.entries(of: scratch.path("b")) == Sample.files)
  }
}

/// Archives of a few files, and what readers give of them.
enum Sample {
  static let files: [String: String] = [
    "b/bagit.txt": "hello", "b/data/Nu\u{301}n.txt": "nfd", "b/data/caf\u{e9}/x": "y",
    "b/data/empty": "",
  ]

  static func archive(
    _ format: ArchiveFormat, in scratch: ScratchFolder, files: [String: String] = files,
    passphrase: String? = nil
  ) throws -> [UInt8] {
    let path = scratch.path("made.\(format.rawValue)")
    let descriptor = try FileDescriptor.open(
      path, .readWrite, options: [.create, .truncate], permissions: .ownerReadWrite)
    try descriptor.closeAfter {
      let writer = try ArchiveWriter(
        format, to: descriptor, passphrase: passphrase.map { Array($0.utf8) })
      for (name, text) in files.sorted(by: { $0.key < $1.key }) {
        try writer.add(name, Array(text.utf8))
      }
      try writer.finish()
    }
    return try scratch.bytes("made.\(format.rawValue)")
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
      found[entry.path.shown] = String(decoding: try reader.readAll(of: entry), as: UTF8.self)
    }
    return found
  }
}
