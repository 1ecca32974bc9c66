/// One thing that `vmx clean` does or would do, small enough to be shown, filtered and refused by
/// itself.
package struct CleaningStep: Sendable, Equatable {
  /// What it does; the raw value stands in plans and is never given another meaning.
  package enum Kind: String, Sendable, CaseIterable {
    /// Tells that a root is away or foreign; nothing of it is touched.
    case reachRoot = "reach-root"
    /// Tells that a folder or file could not be read; nothing is concluded of what it holds.
    case unreadable
    /// Ends a removal that was begun.
    case finishRemoval = "finish-removal"
    /// Removes what may no longer be watched, for good.
    case expire
    /// Removes an episode by a rule.
    case remove
    /// Records that the file of a part is gone.
    case recordMissing = "record-missing"
    /// Records where the file of a part is now.
    case recordMoved = "record-moved"
    /// Takes a file without a record in, as the sidecar beside it says.
    case adopt
    /// Writes the sidecar of an episode, and its NFO file, where they are missing.
    case writeSidecar = "write-sidecar"
    /// Tells of a file that nobody knows.
    case unknownFile = "unknown-file"
    /// Moves such a file to the trash.
    case discardFile = "discard-file"
    /// Records the end of such a move.
    case finishDiscard = "finish-discard"
    /// Removes unfinished bytes that nothing goes on with.
    case dropPartial = "drop-partial"
    /// Removes a draft that a crash left.
    case dropDraft = "drop-draft"
    /// Removes bytes as they came that no record names.
    case dropOriginal = "drop-original"
    /// Removes the sidecar of an episode that is gone.
    case dropSidecar = "drop-sidecar"
    /// Removes an empty folder.
    case removeFolder = "remove-folder"
    /// Removes what lies in the trash for good.
    case purgeTrash = "purge-trash"
    /// Forgets a step that can no longer be taken back.
    case forgetStep = "forget-step"
    /// Removes what can be had again.
    case dropCache = "drop-cache"
    /// Rewrites the store without what counts no longer.
    case compact
  }

  /// What it does.
  package var kind: Kind
  /// The episode it is about.
  package var episode: EpisodeID?
  /// The name of the part it is about.
  package var part: String?
  /// UUID of the root it is about.
  package var root: String?
  /// The file or folder it is about: below the root, or below the cache.
  package var path: PathBytes?
  /// Where the file is now, if that is another path below the root.
  package var found: PathBytes?
  /// What names it where it is no path and no episode.
  package var name: String?
  /// Why, in words for people.
  package var why: String
  /// Bytes that it takes from the disk, or is about.
  package var bytes: ByteCount?
  /// `rev` of the episode's record when this was planned.
  package var rev: Int64?
  /// The file as it was when this was planned.
  package var file: FileMark?
  /// SHA-256 that the file was found to have.
  package var sha256: Digest?
  /// Whether an episode's files go for good and not into the trash.
  package var isPermanent = false
  /// The error that ended the look at a file, folder or root; never part of a plan's row.
  package var failure: Failure?

  /// A step of a kind, for a reason.
  package init(_ kind: Kind, why: String) {
    self.kind = kind
    self.why = why
  }

  /// What names the row: the episode, else the file, else what it does.
  package var id: String {
    episode?.description ?? path?.words ?? name ?? root ?? kind.rawValue
  }

  /// How it is taken back: a command, or `none` where there is nothing to take back or no way to.
  package var inverse: String {
    switch kind {
    case .discardFile: return "vmx undo"
    case .remove where !isPermanent: return "vmx undo"
    case .remove, .expire: return episode.map { "vmx queue add \($0)" } ?? "none"
    case .recordMissing, .recordMoved: return episode.map { "vmx verify \($0)" } ?? "none"
    case .adopt: return episode.map { "vmx rm \($0)" } ?? "none"
    default: return "none"
    }
  }

  /// The code under which messages and rows tell of it.
  package var code: ErrorCode? { kind == .unknownFile ? .fileUnknown : failure?.code }
}
