package import VmxModel

/// Facts about an episode from outside its own record.
package struct EpisodeFacts: Sendable, Equatable {
  /// The rule that decides whether the episode is due at the time shown.
  package var due: DueRule
  /// The bytes received of unfinished parts, by the name of the part.
  package var held: [String: Int64]
  /// The absolute paths of the roots, by their UUID.
  package var folders: [String: String]
  /// The first preceding episode that is neither ready nor given up; nil if there is none.
  package var predecessor: EpisodeID?

  /// The time for which the episode is shown.
  package var now: Timestamp { due.now }

  /// Creates facts for the time of a rule.
  package init(
    _ due: DueRule, held: [String: Int64] = [:], folders: [String: String] = [:]
  ) {
    self.due = due
    self.held = held
    self.folders = folders
  }

  /// Returns the number of bytes received of a part.
  package func held(of part: Part) -> ByteCount {
    if let bytes = held[part.name] { return ByteCount(clamping: bytes) }
    switch part.resumeState ?? part.state {
    case .complete, .checked, .ready, .damaged: return part.size ?? ByteCount(clamping: 0)
    default: return ByteCount(clamping: 0)
    }
  }

  /// Returns the path of a part's file: absolute if its root is known, else relative to the root.
  package func file(of part: Part) -> String? {
    guard let path = part.path else { return nil }
    guard let root = part.root, let folder = folders[root] else { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
