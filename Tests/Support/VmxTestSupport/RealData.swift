import Glibc
package import SystemPackage

/// Real files that were not made for these tests. They are in the folder `VMX_TEST_DATA`, otherwise
/// in `shared/data` beside the package.
///
/// They are not part of the project. Tests that use them are skipped with a message if they are
/// absent.
package enum RealData {
  /// The folder; nil if it is absent.
  package static let folder: FilePath? = {
    var folder = FilePath(#filePath)
    // The sources may be in a git worktree, one folder deeper than the package itself.
    var candidates = [getenv("VMX_TEST_DATA").map { FilePath(String(cString: $0)) }]
    while folder.removeLastComponent() {
      candidates.append(folder.appending("shared").appending("data"))
    }
    return candidates.compactMap { $0 }.first { access($0.string + "/README.md", R_OK) == 0 }
  }()

  /// Whether the folder with real files exists.
  package static var isHere: Bool { folder != nil }

  /// The reason why a test that needs it was skipped.
  package static let absence = "the folder shared/data beside the package is absent"

  /// Returns the bytes of a file below the folder; empty if there is no folder.
  package static func bytes(_ name: String) throws -> [UInt8] {
    guard let folder else { return [] }
    let file = try FileDescriptor.open(folder.appending(name), .readOnly)
    return try file.closeAfter {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = try piece.withUnsafeMutableBytes({ try file.read(into: $0) }),
        count > 0
      {
        bytes += piece.prefix(count)
      }
      return bytes
    }
  }

  /// Returns the text of a file below the folder; invalid UTF-8 becomes U+FFFD.
  package static func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  /// Returns the rows of a table of tab-separated values, without its heading.
  package static func rows(_ name: String) throws -> [[String]] {
    try text(name).split(whereSeparator: \.isNewline).dropFirst().map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Returns the names in a subfolder, sorted, without those that begin with a dot.
  package static func names(in name: String) -> [String] {
    guard let folder, let stream = opendir(folder.appending(name).string) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
