import SystemPackage
import VmxModel
import VmxSystem

/// The file `store.damaged`: bytes that were taken out of the store because no reader counts them.
enum DamagedFile {
  /// Appends whole lines and makes them durable.
  ///
  /// - Parameter lines: each with its line end.
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
    // What a full disk left without its end must not swallow the next line.
    if end > 0, last != [UInt8(ascii: "\n")] { lines.insert(UInt8(ascii: "\n"), at: 0) }
    try kept.write(lines, at: end)
    try dataSync(kept.descriptor, of: home.damaged)
  }
}
