package import VmxModel

/// What the actions of a machine work on: one part of an episode, and the door to its bytes.
package struct PartContext: Sendable {
  /// The episode as it was last recorded, with what the action changes.
  package var episode: Episode
  /// Which of its parts is in work.
  package let index: Int
  /// What this process itself found of the bytes while they passed; nil after a crash.
  package var found: FoundBytes?
  /// Bytes held of the part when this process looked at them, before any flowed; nil if it has not.
  package internal(set) var heldBefore: Int64?
  /// What can be done with the bytes.
  package let bytes: any PartBytes
  /// What the run is asked for.
  package let order: WorkOrder

  /// A context for one part; the index must be one of the episode's.
  package init(
    _ episode: Episode, part index: Int, bytes: any PartBytes, order: WorkOrder = WorkOrder()
  ) {
    self.episode = episode
    self.index = index
    self.bytes = bytes
    self.order = order
  }

  /// An event: all bytes came by another way than a transfer, and the part is `complete`.
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

  /// The part in work.
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
