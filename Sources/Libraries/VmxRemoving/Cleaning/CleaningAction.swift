package import VmxModel

/// The action of a cleaning step, with everything that its execution needs.
package enum CleaningAction: Sendable, Equatable {
  /// Reports that a root is absent or belongs to another library; nothing in it is touched.
  case reachRoot(String)
  /// Reports a folder or file that could not be read; no other step applies to its contents.
  case unreadable(root: String, PathBytes?)
  /// Reports a file of the cache, or the cache, that could not be read.
  case unreadableCache(String)
  /// Completes a removal that was interrupted.
  case finishRemoval(EpisodeRevision)
  /// Removes expired media permanently; the reason is nil for an episode without a licence.
  case expire(EpisodeRevision, EpisodeRemoval.Reason?)
  /// Removes an episode because a rule matches it.
  case remove(EpisodeRevision, EpisodeRemoval.Reason, isPermanent: Bool)
  /// Requests an episode that a rule of its show wants in the library.
  case request(EpisodeRevision)
  /// Records that the file of a part is missing.
  case recordMissing(RecordedPart)
  /// Records the new path of a part's moved file.
  case recordMoved(RecordedPart, to: PlannedFile)
  /// Records that the files of an episode are lost with their root, as the user has said; nil for a
  /// root without files of episodes.
  case recordLost(EpisodeRevision?, root: String)
  /// Renames the files of an episode to the names that its record determines, identified by the
  /// first one. A file that has a temporary name by then has no mark.
  case rename(RecordedPart, target: PathBytes, FileMark?)
  /// Moves the files of an episode to another root, as the user has said; the path is the first.
  case moveFiles(EpisodeRevision, root: String, PathBytes, target: String)
  /// Removes files that were copied to another root before a crash, according to a journal entry.
  case finishMove(EpisodeID, part: String, PlannedFile, entry: String)
  /// Joins two records of one episode into one, whose id is kept.
  case join(EpisodeRevision, into: EpisodeID)
  /// Adds a file without a record to the store, from the sidecar beside it.
  case adopt(EpisodeID, part: String, PlannedFile, Digest)
  /// Writes the sidecar of an episode, and its NFO file, where they are missing.
  case writeSidecar(EpisodeID, root: String)
  /// Writes the sidecar of a show at this path, where it is missing or outdated.
  case writeShow(root: String, PathBytes)
  /// Reports a file that neither a record nor a sidecar describes.
  case unknownFile(PlannedFile)
  /// Moves an unknown file to the trash.
  case discardFile(PlannedFile)
  /// Records the end of such a move, of a journal entry.
  case finishDiscard(entry: String)
  /// Removes a partial download that no transfer resumes, under the claim of its episode if known.
  case dropPartial(PlannedFile, of: EpisodeID?)
  /// Removes a temporary file that a crash left behind.
  case dropDraft(PlannedFile)
  /// Removes an original file that no record references.
  case dropOriginal(PlannedFile)
  /// Removes the sidecar of an episode that no longer exists; without an episode, that of a show.
  case dropSidecar(PlannedFile, of: EpisodeID?)
  /// Removes an empty folder.
  case removeFolder(root: String, PathBytes)
  /// Removes a trash entry permanently.
  case purgeTrash(root: String, entry: String)
  /// Removes a journal entry that can no longer be undone.
  case forgetStep(entry: String)
  /// Removes cached data that can be fetched again.
  case dropCache(PathBytes, FileMark)
  /// Rewrites the store without superseded lines.
  case compact
}

/// An episode as it was when a step was planned.
package struct EpisodeRevision: Sendable, Equatable {
  /// The id of the episode.
  package let id: EpisodeID
  /// `rev` of its record; nil where an earlier step of the plan changes it.
  package let rev: Int64?

  /// Creates a revision.
  package init(_ id: EpisodeID, rev: Int64?) {
    self.id = id
    self.rev = rev
  }
}

/// A file as it was when a step was planned.
package struct PlannedFile: Sendable, Equatable {
  /// The UUID of its root.
  package let root: String
  /// Its path below the root.
  package let path: PathBytes
  /// Its identity.
  package let mark: FileMark

  /// Creates a file from its three values.
  package init(root: String, path: PathBytes, mark: FileMark) {
    self.root = root
    self.path = path
    self.mark = mark
  }
}

/// The file of a part according to the record.
package struct RecordedPart: Sendable, Equatable {
  /// The episode.
  package let episode: EpisodeRevision
  /// The name of the part.
  package let part: String
  /// The UUID of the root that holds the file.
  package let root: String
  /// The path of the file below the root.
  package let path: PathBytes
  /// The recorded SHA-256 of the file.
  package var sha256: Digest?

  /// Creates the file of a part.
  package init(
    _ part: String, of episode: EpisodeRevision, root: String, path: PathBytes,
    sha256: Digest? = nil
  ) {
    self.episode = episode
    self.part = part
    self.root = root
    self.path = path
    self.sha256 = sha256
  }
}
