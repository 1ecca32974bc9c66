package import VmxModel

/// An entry of a bundle. Its path was checked: it leads below the bundle, by no way of `..`.
package struct BundleEntry: Sendable, Equatable {
  /// The kinds of entries that bundles may hold.
  package enum Kind: Sendable {
    case file, folder
  }

  /// The path within the bundle, without a slash at its end.
  package let path: PathBytes
  /// Whether it is a file or a folder.
  package let kind: Kind
  /// The declared size in bytes; nil where the archive tells it only behind the bytes.
  package let size: Int64?
  /// Whether its bytes are encrypted.
  package let isEncrypted: Bool
}

/// A reader of a bundle's entries, one after the other, in constant memory.
///
///     while let entry = try reader.next() {
///       while case let count = try reader.read(into: buffer), count > 0 { … }
///     }
///
/// After an error it gives nothing more.
package protocol BundleReader: AnyObject {
  /// Returns the next entry, skipping what was not read of the last; nil at the end.
  ///
  /// - Throws: `ArchiveError`: `not-a-bundle`, `needs-file`, `bundle-damaged`, `entry-refused`,
  ///   `bundle-too-large`, `input-missing`.
  func next() throws(ArchiveError) -> BundleEntry?

  /// Reads the next bytes of the entry; fills the buffer unless the entry ends before.
  ///
  /// - Returns: the number of bytes; 0 at the end of the entry, whose checksum was then verified.
  /// - Throws: as `next`, and `passphrase-needed`, `passphrase-wrong`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int
}

/// The limits for what a bundle may hold.
package struct BundleLimits: Sendable {
  /// How many entries.
  package var entries = 1_000_000
  /// How many bytes in all, unpacked.
  package var bytes = Int64.max
  /// How many bytes the files may have together that are read as a whole.
  package var metadata = 64 << 20
  /// How many times the packed bytes the unpacked ones may be, beyond the first 64 MiB.
  package var ratio: Int64 = 50

  /// The number of unpacked bytes before the ratio counts.
  static let free: Int64 = 64 << 20

  /// Creates the usual limits.
  package init() {}
}

extension BundleReader {
  /// Reads the rest of the entry as a whole.
  ///
  /// - Parameter used: the bytes of the limit that other files have taken.
  /// - Throws: `bundle-too-large` beyond the limit, else as `read(into:)`.
  package func readAll(
    of entry: BundleEntry, limit: Int = BundleLimits().metadata, used: Int = 0
  ) throws(ArchiveError) -> [UInt8] {
    let excess = ArchiveError.tooLarge(.metadata(entry.path, limit: limit))
    if let size = entry.size, size > Int64(limit - used) { throw excess }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(entry.size ?? 0))
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let outcome = piece.withUnsafeMutableBytes { piece in
        Result { () throws(ArchiveError) in try read(into: piece) }
      }
      let count = try outcome.get()
      if count == 0 { return bytes }
      if bytes.count + count > limit - used { throw excess }
      bytes += piece[..<count]
    }
  }
}
