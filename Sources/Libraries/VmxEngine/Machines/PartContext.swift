package import VmxModel

/// The input and output of the actions on one part of an episode.
///
/// - Parameter Actions: the operations on files that the machines need: `PartActions` to fetch a
///   part, `any PartRemoving` to remove it.
package struct PartContext<Actions: Sendable>: MachineContext {
  /// The part of the episode as it was last recorded, with the changes of the action.
  package var work: EpisodePart
  /// The result of a transfer in this process; nil after a crash.
  package var found: FoundBytes?
  /// The bytes that the partial file held before the transfer; nil before this process has
  /// inspected it.
  package internal(set) var bytesBefore: Int64?
  /// Whether this process has fetched bytes, not only taken those of a local file.
  var hasTransferred = false
  /// The result of the check of the bytes in this process; nil before the check.
  var checked: CheckedBytes?
  /// The operations on the files of the part.
  package let actions: Actions
  /// The options of the run.
  package let options: WorkOptions

  /// Creates a context for one part; the index must be one of the episode's.
  package init(
    _ episode: Episode, part index: Int, _ actions: Actions, options: WorkOptions = WorkOptions()
  ) {
    work = EpisodePart(episode, at: index)
    self.actions = actions
    self.options = options
  }

  /// The episode.
  package var episode: Episode {
    get { work.episode }
    set { work.episode = newValue }
  }

  /// The part that is worked on.
  package var part: Part {
    get { work.part }
    set { work.part = newValue }
  }

  package var state: PartState { part.state }

  package mutating func enter(_ state: PartState) { part.enter(state) }

  package mutating func stop(by failure: Failure, at state: PartState) {
    part.stop(by: failure, at: state)
  }
}

/// The context of a part that is fetched or imported.
package typealias FetchContext = PartContext<PartActions>
/// The context of a part that is removed.
package typealias RemovalContext = PartContext<any PartRemoving>

extension FetchContext {
  /// Records that all bytes were received by other means than a transfer; the part becomes
  /// `complete`.
  ///
  /// Bytes that a damaged file should have repair it: they will replace the file. A part already
  /// recorded as complete with these bytes is not changed.
  ///
  /// - Throws: errors of the journal; `repair-refused` if the path does not refer to a regular
  ///   file.
  package mutating func receive(
    _ found: FoundBytes, root: String, journal: any StepJournal<FetchContext>, now: Timestamp
  ) throws {
    self.found = found
    let before = part.state
    let isSameFile =
      part.root == root && part.original == nil && part.sha256 == found.sha256
    if isSameFile, before == .complete { return }
    if !isSameFile {
      part.repairs = nil
    } else if (part.resumeState ?? before) == .damaged {
      part.repairs = try actions.finisher.damage(of: work)
    }
    part.enter(.complete)
    part.recordBytes(found, root: root)
    try journal.record([Step(at: now, from: before, to: .complete)], of: &self)
  }

  /// Whether the bytes came from a source of the record: in this process, or before a crash.
  var isFetched: Bool { hasTransferred || found == nil && !part.offered.isEmpty }

  /// Rejects fetched bytes with a broken structure where another copy may be obtained: later, if
  /// they are only a part of the file, or never, if they would replace a published file. Does
  /// nothing if the file is to be published as it is.
  ///
  /// - Throws: `media-truncated`, `media-broken`, and errors of the disk.
  mutating func refuse(_ fault: ContainerFault) throws {
    let isReplacement = part.repairs.map { $0.sha256 == nil } ?? false
    let isLater = isFetched && fault.isIncomplete
    guard isReplacement || isLater else { return }
    let retryAt = try actions.finisher.reject(work)
    // The rejected bytes are not those of a damaged file that stays.
    let held = isReplacement ? part.repairs?.damagedSize : nil
    (part.size, part.sha256, part.proof) = (held.map { ByteCount(clamping: $0) }, nil, nil)
    guard isLater else {
      markSourcesBroken()
      throw Failure(.mediaBroken, "the file from the source \(fault.text)")
    }
    throw Failure(.mediaTruncated, "the file of the source \(fault.text)", retryAt: retryAt)
  }

  /// Records that the sources of the chosen variant have a file of broken structure, so that later
  /// runs do not fetch it again by themselves.
  mutating func markSourcesBroken() {
    let urls = (part.variant?.sources ?? []).map { ($0.url, ErrorCode.mediaBroken) }
    part.replace(failures: Dictionary(urls) { first, _ in first })
  }

  /// Rejects a part without a known URL, such as one whose file the user provided.
  ///
  /// - Throws: `no-source`; for a repair, `repair-refused`.
  func checkSources() throws(Failure) {
    guard part.offered.isEmpty else { return }
    throw Failure(
      part.repairs == nil ? .noSource : .repairRefused,
      "'\(part.name)' of '\(episode.id)' has no known source")
  }
}
