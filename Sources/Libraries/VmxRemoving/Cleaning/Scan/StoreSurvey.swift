import VmxLibrary
import VmxModel
import VmxStore

/// A summary of the store's records about files, small enough to compare a large library with its
/// disks.
struct StoreSurvey: Sendable {
  /// The records about one root.
  struct RootRecords: Sendable {
    /// The hashes of the recorded paths.
    var paths = KnownHashes()
    /// The hashes of the paths of the NFO files that vmx writes beside those files.
    var nfoHashes = KnownHashes()
    /// The hashes of the ids of the episodes whose video is in this root; each has a sidecar.
    var sidecars = KnownHashes()
    /// The hashes of the slugs of the shows with a video in this root.
    var shows: Set<UInt64> = []
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
  private(set) var beingRemoved: [EpisodeSummary] = []
  /// The open journal entries of removals, by episode.
  let openEntries: [EpisodeID: JournalEntry]
  /// The episodes with parts recorded as missing.
  private(set) var incomplete: [EpisodeSummary] = []
  /// The episodes whose files are to be removed because they may no longer be watched.
  private(set) var expired: [EpisodeSummary] = []

  private let grace: Int64

  /// Reads the records of a snapshot.
  ///
  /// - Parameters:
  ///   - claims: the claims of the partial downloads that were found.
  ///   - grace: the setting `licence.grace` in milliseconds.
  init(_ snapshot: StoreSnapshot, claims: Set<Int64>, now: Timestamp, grace: Int64 = 0) {
    self.grace = grace
    openEntries = snapshot.openEntries()
    snapshot.summaries { summary in
      add(summary, claims: claims, now: now)
      return true
    }
    episodes.sort()
    originals.sort()
    for uuid in roots.keys {
      roots[uuid]?.paths.sort()
      roots[uuid]?.nfoHashes.sort()
      roots[uuid]?.sidecars.sort()
    }
  }

  private mutating func add(_ summary: EpisodeSummary, claims: Set<Int64>, now: Timestamp) {
    if !claims.isEmpty, claims.contains(summary.id.claimOffset) {
      let before = idle[summary.id.claimOffset]
      let isIdle = !summary.hasUnfinishedParts && (before == nil || before != .some(nil))
      idle.updateValue(isIdle ? summary.id : nil, forKey: summary.id.claimOffset)
    }
    for part in summary.parts { add(part) }
    if let root = summary.rootOfSidecar {
      roots[root, default: RootRecords()].sidecars.add(StableHash.of(summary.id.description))
      roots[root]?.shows.insert(StableHash.of(summary.id.show))
    }
    if summary.parts.contains(where: { $0.path != nil }) {
      episodes.add(StableHash.of(summary.id.description))
    }
    if summary.parts.contains(where: \.isMissing) { incomplete.append(summary) }
    if summary.isBeingRemoved {
      beingRemoved.append(summary)
    } else if let end = summary.endOfFiles(grace: grace), end <= now {
      expired.append(summary)
    }
  }

  private mutating func add(_ part: Part) {
    if let original = part.original?.sha256 { originals.add(original.head) }
    guard let root = part.root, let path = part.path, part.state != .removed else { return }
    roots[root, default: RootRecords()].paths.add(StableHash.of(path))
    if part.role == .video {
      let name = Array(path.utf8)
      let stem = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)
      var hash = StableHash()
      hash.combine(stem + Array(".nfo".utf8))
      roots[root]?.nfoHashes.add(hash.value)
      if let show = LibraryLayout.showDescription(above: path) {
        roots[root]?.nfoHashes.add(StableHash.of(show))
      }
    }
    if part.state == .checked || part.resumeState == .checked, let size = part.size {
      roots[root]?.arriving.insert(size.bytes)
    }
  }
}

extension EpisodeSummary {
  /// The root that contains the ready video, and therefore the sidecar.
  var rootOfSidecar: String? {
    let video = readyVideo
    return video?.path == nil ? nil : video?.root
  }

  /// Whether its partial downloads will be resumed.
  fileprivate var hasUnfinishedParts: Bool {
    guard want == .fetch || want == .hold else { return false }
    return parts.contains { part in
      switch part.resumeState ?? part.state {
      case .ready, .removed, .removing, .expired, .revoked: false
      default: true
      }
    }
  }
}

extension Digest {
  /// The first eight bytes as a number.
  var head: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

/// A set of 64-bit hashes, for a million names at eight bytes each, that records which of them a
/// walk has found.
///
/// Two names with equal hashes count as the same name. A collision can hide a file without a
/// record, or a missing file until the next `vmx verify`. It never leads to a removal.
struct KnownHashes: Sendable {
  private var hashes: ContiguousArray<UInt64> = []
  private var found: ContiguousArray<UInt64> = []
  private var isSorted = true

  /// Creates an empty set.
  init() {}

  /// Adds a hash. The caller adds all hashes before `sort()`.
  mutating func add(_ hash: UInt64) {
    hashes.append(hash)
    isSorted = false
  }

  /// Sorts the hashes; required before the first lookup.
  mutating func sort() {
    if !isSorted { hashes.sort() }
    isSorted = true
    found = ContiguousArray(repeating: 0, count: (hashes.count + 63) / 64)
  }

  /// Whether the set contains the hash.
  func contains(_ hash: UInt64) -> Bool { firstIndex(of: hash) != nil }

  /// Marks a hash as found.
  ///
  /// - Returns: whether the set contains it.
  mutating func markFound(_ hash: UInt64) -> Bool {
    guard let bit = firstIndex(of: hash) else { return false }
    found[bit / 64] |= 1 << UInt64(bit % 64)
    return true
  }

  /// Whether the set contains the hash and it was found.
  func isFound(_ hash: UInt64) -> Bool {
    firstIndex(of: hash).map { found[$0 / 64] & 1 << UInt64($0 % 64) != 0 } ?? false
  }

  /// Whether every hash was found. Of two equal hashes only one can be found, so the result is
  /// then false.
  var areAllFound: Bool {
    found.reduce(0) { $0 + $1.nonzeroBitCount } == hashes.count
  }

  /// Returns the lowest index of the hash.
  private func firstIndex(of hash: UInt64) -> Int? {
    var (low, high) = (0, hashes.count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < hashes.count && hashes[low] == hash ? low : nil
  }
}

extension KnownHashes {
  /// Whether these hashes of NFO files say that a file is beside a recorded one: the NFO file of a
  /// video or show, or the picture in the folder of a show.
  ///
  /// - Parameters:
  ///   - hash: the hash of its path.
  ///   - folder: the hash of the path of its folder, with a slash at its end.
  func haveBeside(_ hash: StableHash, _ name: [UInt8], in folder: StableHash) -> Bool {
    if contains(hash.value) { return true }
    guard LibraryLayout.isShowPicture(name) else { return false }
    var show = folder
    show.combine(Array(LibraryLayout.showDescription.utf8))
    return contains(show.value)
  }
}
