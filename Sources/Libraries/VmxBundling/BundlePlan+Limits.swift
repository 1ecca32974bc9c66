import VmxArchive
import VmxDigest
import VmxModel

// An import refuses a bundle that exceeds `BundleLimits`, so an export refuses it before it writes
// the first byte. Otherwise the user might learn that a bundle cannot be imported only after the
// original is gone.

extension BundlePlan {
  /// An upper bound for the number of tag files.
  private static let maxTags = 16
  /// An upper bound in bytes for the tag files that do not grow with the number of files.
  private static let ofOtherTags: Int64 = 64 << 10
  private static let emptyLine = BagManifestLine(PathBytes([]), Array(repeating: 0, count: 32))
  /// The maximum number of bytes of an entry in the list of a 7z, except its name in UTF-16: size,
  /// checksum, attributes, time.
  private static let ofListed: Int64 = 64
  /// The characters of the bag folder's name, its slash, and the terminator of a name in the list
  /// of a 7z.
  private static let ofName: Int64 = 18

  /// Refuses a bundle that an import would refuse.
  ///
  /// - Parameter format: that of the archive; nil for a folder.
  /// - Throws: `bundle-too-large`.
  func check(
    for format: ArchiveFormat?, _ limits: BundleLimits = .init()
  ) throws(Failure) {
    let size = sizeOfTags
    var excess: BundleLimit?
    if files.count > limits.entries - Self.maxTags { excess = .entries(limits.entries) }
    if size.records > limits.records {
      excess = .metadata(PathBytes(BundleRecord.fileName), limit: limits.records)
    }
    if size.manifest + Self.ofOtherTags > limits.metadata {
      excess = .metadata(PathBytes(BagManifestName(.sha256).file), limit: limits.metadata)
    }
    if format == .sevenZip, size.list > limits.list { excess = .list(limits.list) }
    guard let excess else { return }
    throw Failure(
      .bundleTooLarge, ArchiveError.tooLarge(excess).summary,
      hint: "choose fewer episodes for each bundle, or '--split'")
  }

  /// The bytes of the manifest with `fetch.txt`, of the records, and of the list of entries in a
  /// 7z. The bytes of `fetch.txt` and of the list are upper bounds.
  private var sizeOfTags: (manifest: Int64, records: Int64, list: Int64) {
    var (manifest, records, list): (Int64, Int64, Int64) = (0, 0, 0)
    let ofLine = Int64(Self.emptyLine.text.utf8.count)
    for entry in entries {
      records += entry.recordSize
      manifest += entry.sourcesSize
      for path in (entry.files + entry.remotes).lazy.map(\.path.utf8) {
        manifest += ofLine + Int64(path.count + 2 * path.count { $0 == UInt8(ascii: "%") })
        list += Self.ofListed + 2 * (Self.ofName + Int64(path.count))
      }
    }
    return (manifest, records, list)
  }
}
