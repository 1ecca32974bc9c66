package import VmxModel

/// The episodes that a folder holds before an update, as far as they decide what is planned.
package struct FolderContent {
  /// The episodes, by their current ids, with the paths of their files.
  let paths: AnySequence<(id: String, paths: [String])>
  /// Whether the folder has a copy of the part of an episode.
  let hasCopy: (Part, EpisodeID) -> Bool
  /// Whether the update keeps the files of an episode that is not selected.
  let keeps: (EpisodeID) -> Bool

  /// Creates the content of a folder.
  init(
    paths: some Sequence<(id: String, paths: [String])>,
    hasCopy: @escaping (Part, EpisodeID) -> Bool, keeps: @escaping (EpisodeID) -> Bool
  ) {
    self.paths = AnySequence(paths)
    self.hasCopy = hasCopy
    self.keeps = keeps
  }

  /// The content of a new folder.
  package static var none: FolderContent {
    FolderContent(paths: [], hasCopy: { _, _ in false }, keeps: { _ in true })
  }
}

extension ExportedFolder {
  /// Returns the content of the folder.
  ///
  /// - Parameter mayDelete: whether the update deletes the files of an episode that is not
  ///   selected.
  package func content(deleting mayDelete: @escaping (EpisodeID) -> Bool) -> FolderContent {
    FolderContent(
      paths: records.lazy.map { [records] in
        (id: records.currentID(of: $0.id), paths: BundleRecord.paths(in: $0.record))
      },
      hasCopy: { [records] part, id in
        records.records(of: id).contains { BundleRecord.hasFile(of: part, in: $0) }
      },
      keeps: { !mayDelete($0) })
  }
}
