import VmxModel

/// The serialised formats of a bundle.
package enum ArchiveFormat: String, Sendable, CaseIterable {
  /// POSIX tar, with pax headers only if plain ustar cannot hold a name or size.
  case tar
  /// The same, compressed with Zstandard.
  case tarZstd = "tar.zst"
  /// ZIP with stored entries; Zip64 where needed.
  case zip
  /// 7z with stored entries.
  case sevenZip = "7z"

  /// Derives the format from the suffix of a file name, in either case; nil for any other suffix.
  package init?(suffixOf name: String) {
    let name = name.lowercased()
    let format = Self.allCases.first { name.hasSuffix("." + $0.rawValue) }
    guard let format = format ?? (name.hasSuffix(".tzst") ? .tarZstd : nil) else { return nil }
    self = format
  }

  /// Whether a bundle of this format can be written to and read from a pipe.
  package var streams: Bool { self != .sevenZip }
}
