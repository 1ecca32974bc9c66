package import VmxModel

/// An entry of a bundle. Its path was checked: it is below the bundle and has no `..` component.
package struct BundleEntry: Sendable, Equatable {
  /// The kinds of entries that bundles may hold.
  package enum Kind: Sendable {
    case file, folder
  }

  /// The path within the bundle, without a trailing slash.
  package let path: PathBytes
  /// Whether it is a file or a folder.
  package let kind: Kind
  /// The declared size in bytes; nil if the archive declares it only after the bytes.
  package let size: Int64?
  /// Whether its bytes are encrypted.
  package let isEncrypted: Bool
  /// The path of the entry that has its bytes, as a hard link in a tar has; nil for its own bytes.
  package var linkTarget: PathBytes?
}

/// A reader of a bundle's entries, one at a time, in constant memory.
///
///     while let entry = try reader.next() {
///       while case let count = try reader.read(into: buffer), count > 0 { … }
///     }
///
/// After an error it returns no further entries or bytes.
package protocol BundleReader: AnyObject {
  /// Returns the next entry, after skipping the unread bytes of the previous one; nil at the end.
  /// An archive without entries is not a bundle.
  ///
  /// - Throws: `ArchiveError`: `not-a-bundle`, `needs-file`, `bundle-damaged`, `entry-refused`,
  ///   `bundle-too-large`, `input-missing`.
  func next() throws(ArchiveError) -> BundleEntry?

  /// Reads the next bytes of the entry. It fills the buffer unless the entry ends first.
  ///
  /// - Returns: the number of bytes; 0 at the end of the entry, whose checksum was then verified.
  /// - Throws: as `next`, and `passphrase-needed`, `passphrase-wrong`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int
}

/// The limits for the content of a bundle.
package struct BundleLimits: Sendable {
  /// The maximum number of entries.
  package var entries = 1_000_000
  /// The maximum number of unpacked bytes in total.
  package var bytes = Int64.max
  /// The maximum total size in bytes of the tag files other than the records.
  package var metadata: Int64 = 64 << 20
  /// The maximum size in bytes of the records, which are not kept in memory. A million episodes
  /// take about 600 MiB.
  package var records: Int64 = 1 << 30
  /// The maximum size in bytes of the list of entries of a 7z, of which libarchive keeps several
  /// copies in memory. The list of 50,000 episodes takes about half of it.
  package var list: Int64 = 32 << 20
  /// The maximum ratio of unpacked to packed bytes, beyond the first 64 MiB.
  package var ratio: Int64 = 50

  /// The number of unpacked bytes up to which the ratio is not checked.
  package static let free: Int64 = 64 << 20

  /// The number of unpacked bytes that each entry of an archive counts for, besides its content.
  /// Otherwise a small archive might unpack to a million empty files. The digests in the tag files
  /// of a bundle of vmx take about 100 packed bytes for each file, so it stays within the ratio.
  static let ofEntry: Int64 = 2048

  /// Creates the default limits.
  package init() {}
}

extension BundleReader {
  /// Reads the rest of an entry of metadata into memory.
  ///
  /// - Throws: `bundle-too-large` beyond the default limit, else as `read(into:)`.
  package func readAll(of entry: BundleEntry) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try readPieces(of: entry) { bytes += $0 }
    return bytes
  }

  /// Reads the rest of the entry in pieces.
  ///
  /// - Parameter used: the number of bytes of the limit that other files have used.
  /// - Throws: `bundle-too-large` beyond the limit, else as `read(into:)`; the errors of the
  ///   closure.
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
