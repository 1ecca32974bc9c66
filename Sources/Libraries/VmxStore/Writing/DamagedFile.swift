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
    let last = end > 0 ? try kept.read(1, at: end - 1) : []
    // A last line without a line end, left by a full disk, must not merge with the next one.
    if !last.isEmpty, last != [UInt8(ascii: "\n")] { lines.insert(UInt8(ascii: "\n"), at: 0) }
    try kept.write(lines, at: end)
    try dataSync(kept.descriptor, of: home.damaged)
  }
}
