/// One file or record of another program, and what `vmx migrate` does with it.
package struct MigrationStep: Sendable, Equatable {
  /// The program that it is of.
  package let kind: LegacyKind
  /// The file, or the record's place in a file, as text.
  package let path: String
  /// The episode: the present one, or the proposal of a plan; nil if it belongs to none.
  package var episode: EpisodeID?
  /// The name of the part; nil for a record or for a file that becomes none.
  package var part: String?
  /// The path below the root; of a plan the proposed one.
  package var target: String?
  /// The size in bytes.
  package var size: ByteCount?
  /// The records and names that tell what the file is.
  package var evidence: [String] = []
  /// The reasons why that is not sure.
  package var doubts: [LegacyDoubt] = []

  /// Messages about something beside the result, such as a sidecar that could not be written.
  package var notes: [String] = []

  /// Creates a step.
  package init(_ kind: LegacyKind, path: String) {
    self.kind = kind
    self.path = path
  }

  /// The id of its row: the episode, else the path.
  package var id: String { episode?.description ?? path }
}
