import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The store's index and other look-up results, kept for the lifetime of the process.
///
/// The first snapshots scan the bytes backwards, which costs less than an index; later snapshots
/// get an index. It grows with the store: only appended lines are read again.
final class IndexCache: Sendable {
  /// The size in bytes of a store below which an index is built at once: 2 MiB.
  private static let small = 2 << 20
  /// The number of snapshots that do without an index.
  private static let indexThreshold = 6
  /// The maximum number of decoded episodes kept; a run reads its episodes repeatedly.
  private static let maxDecodedEpisodes = 256

  private struct State: Sendable {
    var file: StoreFile?
    var image: StoreImage?
    var index: StoreIndex?
    var identityIndex: IdentityIndex?
    var snapshots = 0
    var walkCaches: [String: WalkCache] = [:]
    var roots: ScannedRoots?
    var searches: [[String]: (end: Int, ids: [String])] = [:]
    var decoded: [String: (offset: Int, episode: Episode)] = [:]
    /// The number of times that this process has seen another program overwrite the store in place.
    var generation = 0

    mutating func catchUp(with image: StoreImage) {
      if let end = index?.end, end < image.bound { index?.extend(over: image) }
    }

    mutating func store(_ episode: Episode, _ id: String, at offset: Int) {
      if decoded.count >= IndexCache.maxDecodedEpisodes { decoded = [:] }
      decoded[id] = (offset, episode)
    }
  }

  private let state = Monitor(State())
  /// Finds the present folders of the roots.
  let locator: RootLocator

  /// Creates an empty cache.
  ///
  /// - Parameter roots: the configured folders of roots.
  init(_ home: LibraryHome, roots: [FilePath] = []) {
    locator = RootLocator(home, folders: roots)
  }

  /// Returns an image of the file as it is now, and drops everything cached for another file.
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

  /// Drops the file and everything cached for it, so that the file is opened again.
  func invalidate() { state.withLock { $0 = State(generation: $0.generation + 1) } }

  /// Returns the file that was read last if the path still refers to it and it has not become
  /// shorter. The generation distinguishes it from the same file before another program overwrote
  /// it.
  func current(at path: FilePath) -> (file: StoreFile?, generation: Int) {
    state.withLock { state in
      guard let file = state.file else { return (nil, state.generation) }
      if file.isCurrent(at: path, holding: state.image?.bound ?? 0) {
        return (file, state.generation)
      }
      // A file that has become shorter must not count as the file that was read.
      if file.isCurrent(at: path) { state = State(generation: state.generation + 1) }
      return (nil, state.generation)
    }
  }

  /// Extends the index, if there is one, by the lines of an image that it lacks.
  func catchUp(with image: StoreImage) {
    ifCurrent(image) { state in
      state.catchUp(with: image)
    }
  }

  /// Returns the highest sequence number of all lines of an image; nil if no index covers it.
  func highestSeq(of image: StoreImage) -> Int64? {
    ifCurrent(image) { state in
      state.catchUp(with: image)
      return state.index.flatMap { $0.end == image.bound ? $0.highestSeq : nil }
    }
  }

  /// The result of looking up one record in the index.
  enum Lookup {
    /// There is no such record, or it was removed.
    case nothing
    /// The entry of its last line.
    case line(IndexEntry)
  }

  /// Looks up a record; nil if the index does not know its state within the image.
  ///
  /// Never returns the index itself: a second reference would force a full copy on the next write.
  func lookUp(for key: RecordKey, in image: StoreImage, _ parser: JSONParser) -> Lookup? {
    ifCurrent(image) { state -> Lookup? in
      guard let latest = state.image, state.index != nil else { return nil }
      state.catchUp(with: image)
      guard let index = state.index, index.broken.isEmpty else { return nil }
      guard let position = index.entryIndex(of: key, in: latest, parser) else { return .nothing }
      let entry = index[position]
      // The last line was appended after the image; the caller must scan the image for an earlier
      // one.
      guard entry.offset < image.bound else { return nil }
      return entry.isLive ? .line(entry) : .nothing
    }
  }

  /// Returns an index of an image; nil if scanning without an index is cheaper. Each snapshot calls
  /// it once.
  ///
  /// - Parameter always: whether to build an index in any case.
  func index(of image: StoreImage, always: Bool) -> StoreIndex? {
    state.withLock { state in
      guard image.file.isSame(as: state.file) else { return Self.build(of: image) }
      if let index = state.index {
        guard index.end <= image.bound else { return always ? Self.build(of: image) : nil }
        state.index?.extend(over: image)
        return state.index
      }
      if !always, image.bound > Self.small, state.snapshots < Self.indexThreshold {
        state.snapshots += 1
        return nil
      }
      state.index = Self.build(of: image)
      state.walkCaches = [:]
      state.roots = nil
      state.searches = [:]
      return state.index
    }
  }

  /// Returns an index of the identity keys in an image.
  func identityIndex(of image: StoreImage, _ index: StoreIndex) -> IdentityIndex {
    state.withLock { state in
      guard image.file.isSame(as: state.file), (state.identityIndex?.end ?? 0) <= image.bound else {
        return IdentityIndex(of: image, index)
      }
      var evidence = state.identityIndex ?? IdentityIndex(of: image, index)
      state.identityIndex = nil
      evidence.extend(over: image, index)
      state.identityIndex = evidence
      return evidence
    }
  }

  /// Returns the lines within the image that an earlier walk found for an id. For a root, an
  /// earlier walk for any id suffices.
  func walk(for id: String, of kind: RecordKind?, in image: StoreImage) -> WalkCache? {
    ifCurrent(image) { state in
      if let memo = state.walkCaches[id], memo.from <= image.bound { return memo }
      guard kind == .root, let roots = state.roots, roots.bound == image.bound else { return nil }
      return WalkCache(from: roots.bound, hits: roots.hits[id] ?? [], to: roots.from)
    }
  }

  /// Keeps the lines of roots that a walk has passed, if it reached further than the last one.
  func store(_ roots: ScannedRoots, in image: StoreImage) {
    ifCurrent(image) { state in
      if let known = state.roots, known.bound == roots.bound, known.from <= roots.from { return }
      state.roots = roots
    }
  }

  /// Keeps the result of a walk while there is no index.
  func store(_ memo: WalkCache, for id: String, in image: StoreImage) {
    ifCurrent(image) { state in
      if state.index == nil { state.walkCaches[id] = memo }
    }
  }

  /// Returns the ids of episodes with any line, not necessarily the last, that contains one of the
  /// keys. Bytes that were already searched for the same keys are not searched again.
  func candidates(_ keys: [String], in image: StoreImage) -> [String] {
    let known = ifCurrent(image) { $0.searches[keys] }
    let start = known.map { $0.end <= image.bound ? $0.end : 0 } ?? 0
    var ids = start > 0 ? known?.ids ?? [] : []
    for id in MentionSearch(nil, keys).run(in: image, from: start).holders where !ids.contains(id) {
      ids.append(id)
    }
    store(ids, of: keys, in: image)
    return ids
  }

  /// Searches an image once for an id and for identity keys, so that later look-ups of both read
  /// only appended lines.
  func search(for id: String, _ keys: [String], in image: StoreImage) {
    let mentions = MentionSearch(id, keys).run(in: image)
    store(WalkCache(from: image.bound, hits: mentions.hits, to: 0), for: id, in: image)
    store(mentions.holders, of: keys, in: image)
    if !mentions.roots.isIncomplete { store(mentions.roots, in: image) }
  }

  private func store(_ ids: [String], of keys: [String], in image: StoreImage) {
    ifCurrent(image) { $0.searches[keys] = (image.bound, ids) }
  }

  /// Returns the episode of the line at an offset, if it was decoded before.
  func decoded(_ id: String, at offset: Int, of image: StoreImage) -> Episode? {
    ifCurrent(image) { state in
      state.decoded[id].flatMap { $0.offset == offset ? $0.episode : nil }
    }
  }

  /// Keeps an episode as decoded from the line at an offset.
  func store(_ episode: Episode, _ id: String, at offset: Int, of image: StoreImage) {
    ifCurrent(image) { state in
      state.store(episode, id, at: offset)
    }
  }

  /// Keeps episodes that were appended after an image. Their offsets are relative to the end of the
  /// image.
  func store(_ episodes: [(offset: Int, episode: Episode)], after image: StoreImage) {
    ifCurrent(image) { state in
      for (offset, episode) in episodes {
        state.store(episode, episode.id.description, at: image.bound + offset)
      }
    }
  }

  /// Whether records and identity keys are indexed; lines appended since may be missing.
  var isIndexed: Bool { state.withLock { $0.index != nil && $0.identityIndex != nil } }

  /// Whether an index of the image exists already.
  func hasIndex(of image: StoreImage) -> Bool {
    ifCurrent(image) { $0.index != nil } ?? false
  }

  /// Runs the body if the image is of the file that was read last; nil for any other.
  @discardableResult
  private func ifCurrent<R: Sendable>(
    _ image: StoreImage, _ body: (inout State) -> R?
  ) -> R? {
    state.withLock { image.file.isSame(as: $0.file) ? body(&$0) : nil }
  }

  private static func build(of image: StoreImage) -> StoreIndex {
    var index = StoreIndex(expecting: image.bound / 1024)
    index.extend(over: image)
    return index
  }
}
