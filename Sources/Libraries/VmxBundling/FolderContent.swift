package import VmxModel

/// The episodes that a folder holds before an update, as far as they decide what is planned.
package struct FolderContent {
  /// Calls a closure with the current id of each episode, and the paths of its files.
  let forEachEpisode: ((_ id: String, _ paths: [String]) throws -> Void) throws -> Void
  /// Whether the folder has a copy of the part of an episode.
  let hasCopy: (Part, EpisodeID) throws -> Bool
  /// Whether the update keeps the files of an episode that is not selected.
  let keeps: (EpisodeID) -> Bool

  /// Creates the content of a folder.
  init(
    forEachEpisode: @escaping ((String, [String]) throws -> Void) throws -> Void,
    hasCopy: @escaping (Part, EpisodeID) throws -> Bool, keeps: @escaping (EpisodeID) -> Bool
  ) {
    self.forEachEpisode = forEachEpisode
    self.hasCopy = hasCopy
    self.keeps = keeps
  }

  /// The content of a new folder.
  package static var none: FolderContent {
    FolderContent(forEachEpisode: { _ in }, hasCopy: { _, _ in false }, keeps: { _ in true })
  }
}

extension ExportedFolder {
  /// Returns the content of the folder.
  ///
  /// - Parameter mayDelete: whether the update deletes the files of an episode that is not
  ///   selected.
  package func content(deleting mayDelete: @escaping (EpisodeID) -> Bool) -> FolderContent {
    FolderContent(
      forEachEpisode: { [records] body in
        try records.forEach { id, record in
          try body(records.currentID(of: id), BundleRecord.paths(in: record))
        }
      },
      hasCopy: { [records] part, id in
        try records.records(of: id).contains { BundleRecord.hasFile(of: part, in: $0) }
      },
      keeps: { !mayDelete($0) })
  }
}
