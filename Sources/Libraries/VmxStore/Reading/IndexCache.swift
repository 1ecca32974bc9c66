import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// What a process has found out about the store, kept for as long as it lives.
///
/// The first snapshots look things up by going through the bytes from behind, which costs less
/// than an index; who asks more often gets one. It grows with the store: only what was appended is
/// read again.
final class IndexCache: Sendable {
  /// Below so many bytes an index is made at once.
  private static let small = 2 << 20
  /// So many snapshots go without an index.
  private static let patience = 6
  /// Episodes kept as they were decoded last: those in work are asked for again and again.
  private static let longestMemory = 256

  private struct State: Sendable {
    var file: StoreFile?
    var image: StoreImage?
    var index: StoreIndex?
    var evidence: IdentityIndex?
    var snapshots = 0
    var walks: [String: WalkCache] = [:]
    var roots: PassedRoots?
    var searches: [[String]: (end: Int, ids: [String])] = [:]
    var decoded: [String: (offset: Int, episode: Episode)] = [:]
    /// How often another program was seen to write over the store in place.
    var generation = 0

    mutating func catchUp(with image: StoreImage) {
      if let end = index?.end, end < image.bound { index?.extend(over: image) }
    }

    mutating func remember(_ episode: Episode, _ id: String, at offset: Int) {
      if decoded.count >= IndexCache.longestMemory { decoded = [:] }
      decoded[id] = (offset, episode)
    }
  }

  private let state = Monitor(State())
  /// The home of the store.
  let home: LibraryHome

  /// A cache that knows nothing yet.
  init(_ home: LibraryHome) {
    self.home = home
  }

  /// The file as it is now; what was known of another file is forgotten.
  func image(of file: StoreFile) throws(StoreError) -> StoreImage {
    try state.withLock { state throws(StoreError) in
      if !file.isSame(as: state.file) { state = State(generation: state.generation) }
      let image: StoreImage
      do throws(StoreError) {
        image = try StoreImage(of: file, after: state.image)
      } catch {
        if case .overwritten = error { state = State(generation: state.generation + 1) }
        throw error
      }
      state.file = file
      state.image = image
      return image
    }
  }

  /// Forgets the file and all that is known of it, so that it is opened again.
  func forget() { state.withLock { $0 = State(generation: $0.generation + 1) } }

  /// The file that was looked at last.
  var file: StoreFile? { state.withLock { $0.file } }

  /// The file that was looked at last, if it still has its name and its bytes, and what tells it
  /// from the same file before another program wrote over it.
  func current(at path: FilePath) -> (file: StoreFile?, generation: Int) {
    state.withLock { state in
      guard let file = state.file else { return (nil, state.generation) }
      if file.isCurrent(at: path, holding: state.image?.bound ?? 0) {
        return (file, state.generation)
      }
      // The same file with fewer bytes must not be taken for the one that was read.
      if file.isCurrent(at: path) { state = State(generation: state.generation + 1) }
      return (nil, state.generation)
    }
  }

  /// Reads what an image has beyond the index, where there is one.
  func catchUp(with image: StoreImage) {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return }
      state.catchUp(with: image)
    }
  }

  /// The highest number of all lines of an image; nil where no index tells it.
  func highestSeq(of image: StoreImage) -> Int64? {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return nil }
      state.catchUp(with: image)
      return state.index.flatMap { $0.end == image.bound ? $0.highestSeq : nil }
    }
  }

  /// What the index tells of one record, also one that has lines beyond the image by now.
  enum Look {
    /// There is no such record, or it was removed.
    case nothing
    /// Where its last line is.
    case line(IndexEntry)
  }

  /// Looks a record up; nil where the index does not tell what the image has.
  ///
  /// Nobody gets the index itself for that: a copy of it makes the next change of it one of all.
  func look(for key: RecordKey, in image: StoreImage, _ parser: JSONParser) -> Look? {
    state.withLock { state in
      guard image.file.isSame(as: state.file), let latest = state.image, state.index != nil else {
        return nil
      }
      state.catchUp(with: image)
      guard let index = state.index, index.broken.isEmpty else { return nil }
      guard let place = index.place(of: key, in: latest, parser) else { return .nothing }
      let entry = index[place]
      // Its last line came after the image: what it was before is to be looked for there.
      guard entry.offset < image.bound else { return nil }
      return entry.isLive ? .line(entry) : .nothing
    }
  }

  /// An index of an image; nil if going without one is cheaper; each snapshot asks once.
  ///
  /// - Parameter always: whether to make one in any case.
  func index(of image: StoreImage, always: Bool) -> StoreIndex? {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return Self.made(of: image) }
      if let index = state.index {
        guard index.end <= image.bound else { return always ? Self.made(of: image) : nil }
        state.index?.extend(over: image)
        return state.index
      }
      if !always, image.bound > Self.small, state.snapshots < Self.patience {
        state.snapshots += 1
        return nil
      }
      state.index = Self.made(of: image)
      state.walks = [:]
      state.roots = nil
      state.searches = [:]
      return state.index
    }
  }

  /// An index of the evidence in an image.
  func evidence(of image: StoreImage, _ index: StoreIndex) -> IdentityIndex {
    state.withLock { state in
      guard image.file.isSame(as: state.file), (state.evidence?.end ?? 0) <= image.bound else {
        return IdentityIndex(of: image, index)
      }
      var evidence = state.evidence ?? IdentityIndex(of: image, index)
      state.evidence = nil
      evidence.extend(over: image, index)
      state.evidence = evidence
      return evidence
    }
  }

  /// What an earlier walk for an id, or for a root any walk, found within the image.
  func walk(for id: String, of kind: RecordKind?, in image: StoreImage) -> WalkCache? {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return nil }
      if let memo = state.walks[id], memo.from <= image.bound { return memo }
      guard kind == .root, let roots = state.roots, roots.bound == image.bound else { return nil }
      return WalkCache(from: roots.bound, hits: roots.hits[id] ?? [], to: roots.from)
    }
  }

  /// Keeps which roots a walk has passed, if it went further than the one before.
  func remember(_ roots: PassedRoots, in image: StoreImage) {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return }
      if let known = state.roots, known.bound == roots.bound, known.from <= roots.from { return }
      state.roots = roots
    }
  }

  /// Keeps what a walk found, as long as there is no index.
  func remember(_ memo: WalkCache, for id: String, in image: StoreImage) {
    state.withLock { state in
      guard image.file.isSame(as: state.file), state.index == nil else { return }
      state.walks[id] = memo
    }
  }

  /// Ids of episodes of which a line, not necessarily the last, holds one of the keys; what was
  /// gone through for the same keys before is not gone through again.
  func candidates(_ keys: [String], in image: StoreImage) -> [String] {
    let known = state.withLock { state in
      image.file.isSame(as: state.file) ? state.searches[keys] : nil
    }
    let start = known.map { $0.end <= image.bound ? $0.end : 0 } ?? 0
    var ids = start > 0 ? known?.ids ?? [] : []
    for id in MentionSearch(nil, keys).run(in: image, from: start).holders where !ids.contains(id) {
      ids.append(id)
    }
    remember(ids, of: keys, in: image)
    return ids
  }

  /// Goes once through an image for an id and for evidence, so that whoever looks for either next
  /// reads only what is new.
  func search(for id: String, _ keys: [String], in image: StoreImage) {
    let mentions = MentionSearch(id, keys).run(in: image)
    remember(WalkCache(from: image.bound, hits: mentions.hits, to: 0), for: id, in: image)
    remember(mentions.holders, of: keys, in: image)
    if !mentions.roots.isUnsure { remember(mentions.roots, in: image) }
  }

  private func remember(_ ids: [String], of keys: [String], in image: StoreImage) {
    state.withLock { state in
      if image.file.isSame(as: state.file) { state.searches[keys] = (image.bound, ids) }
    }
  }

  /// The episode of the line at an offset, if it was decoded before.
  func decoded(_ id: String, at offset: Int, of image: StoreImage) -> Episode? {
    state.withLock { state in
      guard image.file.isSame(as: state.file), let known = state.decoded[id],
        known.offset == offset
      else { return nil }
      return known.episode
    }
  }

  /// Keeps an episode as its line at an offset has it.
  func remember(_ episode: Episode, _ id: String, at offset: Int, of image: StoreImage) {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return }
      state.remember(episode, id, at: offset)
    }
  }

  /// Keeps a few episodes as they were appended behind an image, by the offsets of their lines
  /// behind its end.
  func remember(_ episodes: [(offset: Int, episode: Episode)], after image: StoreImage) {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return }
      for (offset, episode) in episodes {
        state.remember(episode, episode.id.description, at: image.bound + offset)
      }
    }
  }

  /// Whether records and evidence are indexed, perhaps without what was appended since.
  var isIndexed: Bool { state.withLock { $0.index != nil && $0.evidence != nil } }

  /// Whether an index of the image is at hand.
  func hasIndex(of image: StoreImage) -> Bool {
    state.withLock { image.file.isSame(as: $0.file) && $0.index != nil }
  }

  private static func made(of image: StoreImage) -> StoreIndex {
    var index = StoreIndex(expecting: image.bound / 1024)
    index.extend(over: image)
    return index
  }
}
