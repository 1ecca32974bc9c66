package import VmxModel

/// What the store knows about an episode beside its own record.
package struct EpisodeFacts: Sendable, Equatable {
  /// Decides whether the episode is due at the moment for which it is shown.
  package var due: DueRule
  /// Bytes held of parts that are on their way, by the part's name.
  package var held: [String: Int64]
  /// Where roots are, by their UUID: absolute paths.
  package var folders: [String: String]
  /// The first of the episodes before it that is neither ready nor given up; nil if none is.
  package var predecessor: EpisodeID?

  /// The moment for which the episode is shown.
  package var now: Timestamp { due.now }

  /// Facts at the moment of a rule.
  package init(
    _ due: DueRule, held: [String: Int64] = [:], folders: [String: String] = [:]
  ) {
    self.due = due
    self.held = held
    self.folders = folders
  }

  /// Bytes of a part that are here.
  package func held(of part: Part) -> ByteCount {
    if let bytes = held[part.name] { return ByteCount(clamping: bytes) }
    switch part.resumeState ?? part.state {
    case .complete, .checked, .ready, .damaged: return part.size ?? ByteCount(clamping: 0)
    default: return ByteCount(clamping: 0)
    }
  }

  /// The file of a part: absolute where its root is known, else below the root.
  package func file(of part: Part) -> String? {
    guard let path = part.path else { return nil }
    guard let root = part.root, let folder = folders[root] else { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
