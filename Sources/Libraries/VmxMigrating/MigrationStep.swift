package import VmxModel

/// One file or record of another program, and the result of its migration.
package struct MigrationStep: Sendable, Equatable {
  /// The program that it belongs to.
  package let kind: LegacyKind
  /// The file, or the record's position in a file, as text.
  package let path: String
  /// The episode: the existing one, or the proposal of a plan; nil if there is none.
  package var episode: EpisodeID?
  /// The name of the part; nil for a record, or for a file that becomes no part.
  package var part: String?
  /// The path below the root; in a plan, the proposed path.
  package var target: String?
  /// The size in bytes.
  package var size: ByteCount?
  /// The records and names that identify the file.
  package var evidence: [String] = []
  /// The reasons why the identification is uncertain.
  package var doubts: [MigrationDoubt] = []
  /// The fields of a known episode that the migration changes, by their names in the store.
  package var changed: [String] = []

  /// Messages about side effects, such as a sidecar that could not be written.
  package var notes: [String] = []

  /// Creates a step.
  package init(_ kind: LegacyKind, path: String) {
    self.kind = kind
    self.path = path
  }

  /// The id of its row: the episode, else the path.
  package var id: String { episode?.description ?? path }
}
