import SystemPackage
import VmxModel
import VmxSystem

/// The file `store.damaged`: bytes removed from the store because every reader ignores them.
enum DamagedFile {
  /// Appends complete lines and makes them durable.
  ///
  /// - Parameter lines: the lines, each with its line end.
  static func append(_ lines: [UInt8], in home: LibraryHome) throws(FileError) {
    guard !lines.isEmpty else { return }
    var lines = lines
    let kept = try OpenFile(home.damaged, .readWrite, options: .create)
    let end = try kept.facts().size
    var last: [UInt8] = [UInt8(ascii: "\n")]
    let outcome = last.withUnsafeMutableBytes { last in
      Result { () throws(FileError) in try kept.read(into: last, at: max(0, end - 1)) }
    }
    _ = try outcome.get()
    // A last line without a line end, left by a full disk, must not merge with the next one.
    if end > 0, last != [UInt8(ascii: "\n")] { lines.insert(UInt8(ascii: "\n"), at: 0) }
    try kept.write(lines, at: end)
    try dataSync(kept.descriptor, of: home.damaged)
  }
}
