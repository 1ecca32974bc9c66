import VmxLibrary
import VmxModel
import VmxStore

/// A summary of the store's records about files, small enough to compare a large library with its
/// disks.
struct StoreSurvey: Sendable {
  private static let companionEnd = Array(".nfo".utf8)

  /// The records about one root.
  struct RootRecords: Sendable {
    /// The hashes of the recorded paths.
    var paths = KnownHashes()
    /// The hashes of the paths of the NFO files that vmx writes beside those.
    var companions = KnownHashes()
    /// The hashes of the ids of the episodes whose video is in this root; each has a sidecar.
    var sidecars = KnownHashes()
    /// The sizes of the files that are being published; their final names may differ from the
    /// record.
    var arriving: Set<Int64> = []
  }

  /// The records about each root, by its UUID.
  private(set) var roots: [String: RootRecords] = [:]
  /// The hashes of the ids of the episodes that have files.
  private(set) var episodes = KnownHashes()
  /// The names of the originals that records refer to, as the first eight bytes of their digests.
  private(set) var originals = KnownHashes()
  /// The episodes of the requested claims; nil for an episode with parts still to be fetched.
  private(set) var idle: [Int64: EpisodeID?] = [:]
  /// The episodes whose removal has begun.
  private(set) var leaving: [EpisodeSummary] = []
  /// The open rows of removals, by episode.
  let openRows: [EpisodeID: JournalEntry]
  /// The episodes with parts recorded as missing.
  private(set) var incomplete: [EpisodeSummary] = []
  /// The episodes past their expiry time, except those marked to be kept.
  private(set) var expired: [EpisodeSummary] = []

  /// Reads the records of a snapshot.
  ///
  /// - Parameter claims: the claims of the partial downloads that were found.
  init(_ snapshot: StoreSnapshot, claims: Set<Int64>, now: Timestamp) {
    openRows = snapshot.openRows()
    snapshot.summaries { summary in
      take(summary, claims, now)
      return true
    }
    episodes.seal()
    originals.seal()
    for uuid in roots.keys {
      roots[uuid]?.paths.seal()
      roots[uuid]?.companions.seal()
      roots[uuid]?.sidecars.seal()
    }
  }

  private mutating func take(_ summary: EpisodeSummary, _ claims: Set<Int64>, _ now: Timestamp) {
    if !claims.isEmpty, claims.contains(summary.id.claimOffset) {
      let before = idle[summary.id.claimOffset]
      let isIdle = !summary.hasPartsToCome && (before == nil || before != .some(nil))
      idle.updateValue(isIdle ? summary.id : nil, forKey: summary.id.claimOffset)
    }
    for part in summary.parts { take(part) }
    if let root = summary.rootOfSidecar {
      roots[root, default: RootRecords()].sidecars.add(StableHash.of(summary.id.description))
    }
    if summary.parts.contains(where: { $0.path != nil }) {
      episodes.add(StableHash.of(summary.id.description))
    }
    if summary.parts.contains(where: { $0.state == .missing }) { incomplete.append(summary) }
    if summary.parts.contains(where: \.isLeaving) {
      leaving.append(summary)
    } else if !summary.isKept, let expires = summary.expires, expires <= now,
      summary.parts.contains(where: { $0.state != .removed && $0.path != nil })
    {
      expired.append(summary)
    }
  }

  private mutating func take(_ part: Part) {
    if let original = part.original?.sha256 { originals.add(original.head) }
    guard let root = part.root, let path = part.path, part.state != .removed else { return }
    roots[root, default: RootRecords()].paths.add(StableHash.of(path))
    if part.role == .video {
      var companion = Array(path.utf8)
      let dot = companion.lastIndex(of: UInt8(ascii: "."))
      companion.removeSubrange((dot ?? companion.endIndex)...)
      var hash = StableHash()
      hash.combine(companion + Self.companionEnd)
      roots[root]?.companions.add(hash.value)
    }
    if part.state == .checked || part.resumeState == .checked, let size = part.size {
      roots[root]?.arriving.insert(size.bytes)
    }
  }
}

extension EpisodeSummary {
  /// The root that contains the ready video, and therefore the sidecar.
  var rootOfSidecar: String? {
    let video = parts.first { $0.role == .video && $0.state == .ready }
    return video?.path == nil ? nil : video?.root
  }

  /// Whether its partial downloads will be resumed.
  fileprivate var hasPartsToCome: Bool {
    guard want == .fetch || want == .hold else { return false }
    return parts.contains { part in
      switch part.resumeState ?? part.state {
      case .ready, .removed, .removing, .expired, .revoked: false
      default: true
      }
    }
  }
}

extension Part {
  /// Whether its removal has begun, even if the removal is blocked.
  var isLeaving: Bool { (resumeState ?? state).isLeaving }
}

extension Digest {
  /// The first eight bytes as a number.
  var head: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
