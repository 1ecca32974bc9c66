package import VmxModel

// Work on an episode adds to its record: states, paths, digests and the trail. For undo the whole
// record also becomes a field of a `step` record. If a description filled the longest line, these
// would not fit, and the episode could be neither fetched nor removed.

extension StoreTransaction {
  /// The bytes that work adds to a record and to the journal entry that contains it.
  private static let recordGrowth = 64 << 10
  /// The bytes that work adds to each part of a record.
  private static let partGrowth = 2 << 10
  /// Bytes that a removal adds to a record and to the row for undo that holds it.
  private static let removalGrowth = 8 << 10
  /// Bytes that a removal adds to each part of a record.
  private static let partRemovalGrowth = 32
  /// Bytes of text up to which a record is short, however its characters are escaped.
  private static let short = 1 << 20

  /// Rejects an episode whose record would grow beyond the longest line.
  ///
  /// - Throws: `StoreError.tooLong`.
  package static func checkLength(of episode: Episode) throws(StoreError) {
    let growth = recordGrowth + episode.parts.count * partGrowth
    guard episode.textLength + growth > short else { return }
    let bytes = length(of: episode) + growth
    guard bytes <= LineWriter.longest else {
      throw .tooLong(episode.id.description, bytes: bytes)
    }
  }

  /// Whether a record, and the row for undo that holds it, stay within the longest line when the
  /// episode is removed.
  package static func hasRoomForRemoval(of episode: Episode) -> Bool {
    let growth = removalGrowth + episode.parts.count * partRemovalGrowth
    return length(of: episode) + growth <= LineWriter.longest
  }

  private static func length(of episode: Episode) -> Int {
    var bytes: [UInt8] = []
    episode.appendRecord(to: &bytes)
    return bytes.count
  }
}

extension Episode {
  /// The total length in bytes of the texts that no other limit applies to.
  fileprivate var textLength: Int {
    let urls = parts.lazy.flatMap(\.variants).flatMap(\.sources).map { $0.url.utf8.count }
    return urls.reduce(title.utf8.count + showTitle.utf8.count) { $0 + $1 }
      + (summary?.utf8.count ?? 0)
  }
}
