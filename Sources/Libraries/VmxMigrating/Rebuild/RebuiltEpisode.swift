import SystemPackage
import VmxLibrary
import VmxMedia
import VmxModel
import VmxStore
import VmxSystem

/// An episode rebuilt from its sidecar and the bytes of its files.
struct RebuiltEpisode: Sendable {
  /// The episode to record. Nil if the sidecar cannot be read, or if none of its files exists and
  /// an old store has a record of the episode.
  let episode: Episode?
  /// The row of the sidecar; nil if the record of an old store is used instead.
  let row: (MigrationStep, OperationResult)?

  /// Reads a sidecar and verifies the files that it names.
  ///
  /// - Parameter base: the old store, for the want of the episode.
  init(
    _ id: EpisodeID, in root: MediaRoot, base: StoreSnapshot?, now: Timestamp,
    digest: (FilePath) throws -> Digest
  ) {
    let path = root.folder.appending(LibraryLayout.sidecar(of: id))
    var step = MigrationStep(.vmx, path: path.string)
    step.episode = id
    step.evidence = [path.lastComponent?.string ?? ""]
    do {
      guard let record = try RecoverableRecord(of: id, in: root) else {
        throw Failure(.recordUnreadable, "the sidecar cannot be read: '\(path)'")
      }
      let known = try base?.episode(id)
      var episode = record.episode
      var held = 0
      for expected in record.expected {
        var state = try Self.state(of: expected, in: root, digest)
        if state != .missing { held += 1 }
        let isBroken = try state == .ready && Self.isBroken(expected, of: episode, in: root)
        if isBroken { state = .damaged }
        episode.recordFile(expected, state, isBroken: isBroken, root: root.uuid, now: now)
      }
      guard held > 0 || known == nil else {
        (self.episode, row) = (nil, nil)
        return
      }
      if let known { episode.want = known.want }
      episode.parts.removeAll { $0.state == .new && $0.variants.isEmpty }
      let video = episode.video
      step.target = video?.path
      step.size = video?.size
      if held < record.expected.count { step.doubts.append(.fileGone) }
      self.episode = episode
      row = (step, .done)
    } catch {
      episode = nil
      row = (step, .failed(Failure(error)))
    }
  }

  /// Verifies the files of an episode without a sidecar, in the reachable roots.
  ///
  /// - Returns: whether a file is missing or damaged.
  static func check(
    _ episode: inout Episode, in roots: [MediaRoot], now: Timestamp,
    digest: (FilePath) throws -> Digest
  ) throws -> Bool {
    var isLost = false
    for index in episode.parts.indices {
      let part = episode.parts[index]
      guard part.state == .ready, let size = part.size, let sha256 = part.sha256,
        let root = roots.first(where: { $0.uuid == part.root })
      else { continue }
      let expected = RecoverableRecord.Expected(
        part: part.name, path: part.path, size: size, sha256: sha256)
      let state = try state(of: expected, in: root, digest)
      guard state != .ready else { continue }
      isLost = true
      episode.step(of: index, to: state, now: now)
      episode.parts[index].code = state == .missing ? .fileMissing : .fileDamaged
    }
    return isLost
  }

  /// Whether a video with the recorded digest has a broken container, as one that was already
  /// damaged when it was imported. A video with a digest given by its publisher is never broken.
  private static func isBroken(
    _ expected: RecoverableRecord.Expected, of episode: Episode, in root: MediaRoot
  ) throws -> Bool {
    let part = episode.part(named: expected.part)
    guard let part, part.role == .video, let path = expected.path,
      !part.isPublished(expected.sha256)
    else { return false }
    let file = try OpenFile(root.folder.appending(path), .readOnly)
    if case .broken = try MediaStructure.examine(file) { return true }
    return false
  }

  /// Returns `ready`, `damaged` or `missing`.
  private static func state(
    of expected: RecoverableRecord.Expected, in root: MediaRoot,
    _ digest: (FilePath) throws -> Digest
  ) throws -> PartState {
    guard let path = expected.path.map({ PathBytes($0) }), path.isNormalised else {
      return .missing
    }
    let file = root.file(at: path)
    guard let facts = try FileFacts.of(file), facts.isRegular else { return .missing }
    return try facts.size == expected.size.bytes && digest(file) == expected.sha256
      ? .ready : .damaged
  }
}

extension Episode {
  /// Records the state of a file that its sidecar names.
  fileprivate mutating func recordFile(
    _ expected: RecoverableRecord.Expected, _ state: PartState, isBroken: Bool, root: String,
    now: Timestamp
  ) {
    guard let index = parts.firstIndex(where: { $0.name == expected.part }) else { return }
    parts[index].enter(state)
    parts[index].root = root
    parts[index].path = expected.path
    parts[index].size = expected.size
    parts[index].sha256 = expected.sha256
    parts[index].proof = .length
    switch state {
    case .ready: parts[index].verifiedAt = now
    case .missing: parts[index].code = .fileMissing
    default: parts[index].code = isBroken ? .mediaBroken : .fileDamaged
    }
    appendTransition(Transition(at: now, part: expected.part, from: .new, to: state))
  }
}
