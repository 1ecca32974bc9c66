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
  /// How many bytes the tag files may have together that are read as a whole.
  package var metadata: Int64 = 64 << 20
  /// How many bytes the records may have, which are not held in memory: a million episodes have about
  /// 600 MiB.
  package var records: Int64 = 1 << 30
  /// How many bytes the list of entries of a 7z may have, which libarchive holds in memory more than
  /// once; that of 50,000 episodes has about half of them.
  package var list: Int64 = 32 << 20
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
    of entry: BundleEntry, limit: Int64 = BundleLimits().metadata, used: Int64 = 0
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    if let size = entry.size, size <= limit { bytes.reserveCapacity(Int(size)) }
    try readPieces(of: entry, limit: limit, used: used) { bytes += $0 }
    return bytes
  }

  /// Reads the rest of the entry as `readAll` does, in pieces.
  ///
  /// - Throws: as `readAll`, and the errors of the closure.
  package func readPieces(
    of entry: BundleEntry, limit: Int64 = BundleLimits().metadata, used: Int64 = 0,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let excess = ArchiveError.tooLarge(.metadata(entry.path, limit: limit))
    if let size = entry.size, size > limit - used { throw excess }
    var total = used
    var room = [UInt8](repeating: 0, count: 64 << 10)
    try room.withUnsafeMutableBytes { room in
      while case let count = try read(into: room), count > 0 {
        total += Int64(count)
        if total > limit { throw excess }
        try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
      }
    }
  }
}
