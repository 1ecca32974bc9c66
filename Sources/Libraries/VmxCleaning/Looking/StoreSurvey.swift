import VmxJobs
import VmxModel
import VmxStore

/// What the store says of files, in as little memory as a comparison with the disks needs.
struct StoreSurvey: Sendable {
  private static let companionEnd = Array(".nfo".utf8)

  /// What records say of one root.
  struct RootRecords: Sendable {
    /// Hashes of the paths that they name.
    var paths = KnownHashes()
    /// Hashes of the paths that vmx itself writes beside those: NFO files.
    var companions = KnownHashes()
    /// Hashes of the ids of episodes whose video is here, each with a sidecar.
    var sidecars = KnownHashes()
    /// Sizes of files that are being given their names, which may not be the ones recorded.
    var arriving: Set<Int64> = []
  }

  /// What records say of the roots, by their UUIDs.
  private(set) var roots: [String: RootRecords] = [:]
  /// Hashes of the ids of episodes that have files.
  private(set) var episodes = KnownHashes()
  /// Names of originals that records name, by their first eight bytes.
  private(set) var originals = KnownHashes()
  /// Episodes by their claims, of those that were asked for: nil for one that has parts to come.
  private(set) var idle: [Int64: EpisodeID?] = [:]
  /// Episodes whose removal was begun.
  private(set) var leaving: [MediaSummary] = []
  /// The open rows of removals, by episode.
  let openRows: [EpisodeID: JournalEntry]
  /// Episodes with parts whose files were not there when somebody looked.
  private(set) var incomplete: [MediaSummary] = []
  /// Episodes that may no longer be watched.
  private(set) var expired: [MediaSummary] = []

  /// What a store says at one moment.
  ///
  /// - Parameter claims: the claims of the partial files that were found.
  init(_ snapshot: StoreSnapshot, claims: Set<Int64>, now: Timestamp) {
    openRows = snapshot.openRows()
    snapshot.mediaGlances { summary in
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

  private mutating func take(_ summary: MediaSummary, _ claims: Set<Int64>, _ now: Timestamp) {
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

  private mutating func take(_ part: MediaPart) {
    if let original = part.original { originals.add(original.head) }
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

extension MediaSummary {
  /// The root in which its video is ready, where its sidecar belongs.
  var rootOfSidecar: String? {
    let video = parts.first { $0.role == .video && $0.state == .ready }
    return video?.path == nil ? nil : video?.root
  }

  /// Whether unfinished bytes of it are gone on with when its turn comes.
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

extension MediaPart {
  /// Whether its removal was begun, whatever holds it up.
  var isLeaving: Bool { (resumeState ?? state).isLeaving }
}

extension Digest {
  /// The first eight bytes as a number.
  var head: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
