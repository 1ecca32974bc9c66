import SystemPackage
import VmxTestSupport

@testable import VmxArchive

/// A tar archive whose headers are built byte by byte, for cases that no correct archiver writes.
struct HandmadeTar {
  private(set) var bytes: [UInt8] = []

  /// Appends an entry.
  ///
  /// - Parameters:
  ///   - type: `0` a file, `1` a hard link, `2` a link, `3` a device, `5` a folder, `6` a pipe.
  ///   - size: the declared size; by default that of the content.
  mutating func add(
    _ name: String, type: Character = "0", link: String = "", mode: Int = 0o644,
    content: [UInt8] = [], size: Int? = nil
  ) {
    if name.utf8.count > 100 { add("././@LongLink", type: "L", content: Array(name.utf8) + [0]) }
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.prefix(100).enumerated() { header[offset + index] = byte }
    }
    put(name, at: 0)
    put(Self.octal(mode, 7), at: 100)
    put(Self.octal(1234, 7), at: 108)
    put(Self.octal(1234, 7), at: 116)
    put(Self.octal(size ?? content.count, 11), at: 124)
    put(Self.octal(0, 11), at: 136)
    put("        ", at: 148)
    put(String(type), at: 156)
    put(link, at: 157)
    put("ustar  ", at: 257)
    put(Self.octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0", at: 148)
    bytes += header + content
    bytes += [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  /// Reads the archive and returns the contents of its files.
  func entries(limits: BundleLimits = .init()) throws -> [String: String] {
    let scratch = try ScratchFolder()
    try scratch.write("x.tar", bytes + [UInt8](repeating: 0, count: 1024))
    let descriptor = try FileDescriptor.open(scratch.path("x.tar"), .readOnly)
    return try descriptor.closeAfter {
      try Sample.entries(of: try ArchiveReader(descriptor, limits: limits))
    }
  }

  private static func octal(_ number: Int, _ digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
