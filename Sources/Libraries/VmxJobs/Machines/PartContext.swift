package import VmxModel

/// The input and output of a state machine's actions: one part of an episode, and the operations on
/// its bytes.
package struct PartContext: Sendable {
  /// The episode as it was last recorded, with what the action changes.
  package var episode: Episode
  /// The index of the part that is worked on.
  package let index: Int
  /// The result of a transfer in this process; nil after a crash.
  package var found: FoundBytes?
  /// The bytes that the partial file held before the transfer; nil before this process has
  /// inspected it.
  package internal(set) var heldBefore: Int64?
  /// The operations on the bytes of parts.
  package let bytes: any PartBytes
  /// The work order of the run.
  package let order: WorkOrder

  /// Creates a context for one part; the index must be one of the episode's.
  package init(
    _ episode: Episode, part index: Int, bytes: any PartBytes, order: WorkOrder = WorkOrder()
  ) {
    self.episode = episode
    self.index = index
    self.bytes = bytes
    self.order = order
  }

  /// Records that all bytes came by another way than a transfer; the part becomes `complete`.
  ///
  /// Bytes that a damaged file should have repair it: they are to take its place.
  ///
  /// - Throws: what the journal throws; `repair-refused` if what stands at the path is no file.
  package mutating func receive(
    _ found: FoundBytes, root: String, journal: any PartJournal, now: Timestamp
  ) throws {
    let before = part.state
    let isSameFile =
      part.root == root && part.original == nil && part.sha256 == found.sha256
    if !isSameFile {
      part.repairs = nil
    } else if (part.resumeState ?? before) == .damaged {
      part.repairs = try bytes.damage(of: self)
    }
    part.enter(.complete)
    part.root = root
    part.size = found.size
    part.sha256 = found.sha256
    part.proof = found.proof
    part.original = nil
    self.found = found
    let step = Transition(at: now, part: part.name, from: before, to: .complete)
    episode = try journal.record([step], of: self)
  }

  /// The part that is worked on.
  package var part: Part {
    get { episode.parts[index] }
    set { episode.parts[index] = newValue }
  }
}

extension PartContext {
  /// Refuses a part that no URL is known of, such as one whose file was given by a person.
  ///
  /// - Throws: `source-missing`, of a repair `repair-refused`.
  func checkSources() throws(Failure) {
    guard part.offered.isEmpty else { return }
    throw Failure(
      part.repairs == nil ? .sourceMissing : .repairRefused,
      "no source is known for '\(part.name)' of '\(episode.id)'")
  }
}
