import VmxBundling
import VmxCommand
import VmxDigest
import VmxModel
import VmxStore

/// The episodes that were given to the tool, in their order, after the last row was read: the bytes
/// of a bundle do not depend on the order of its arguments.
struct ChosenEpisodes {
  /// One operand or row.
  enum Entry {
    /// An episode of which there is something to pack.
    case episode(Episode, InputRow)
    /// An episode without a file.
    case empty(Episode, InputRow)
    /// Something that names no episode.
    case unusable(InputSelection<EpisodeID>.Entry)
  }

  private(set) var entries: [Entry] = []

  /// Reads the whole selection.
  ///
  /// - Throws: errors of the store and of standard input.
  init(
    _ selection: InputSelection<EpisodeID>, _ store: LibraryStore, _ content: BundleContent
  ) throws {
    let given = try selection.all()
    let snapshot = try store.snapshot()
    for entry in given {
      guard case .item(let id, let row) = entry else {
        entries.append(.unusable(entry))
        continue
      }
      guard let episode = try snapshot.episode(id) else {
        entries.append(.unusable(.bad(.noSuchEpisode("\(id)"), row)))
        continue
      }
      if content.hasFiles(of: episode) {
        entries.append(.episode(episode, row))
      } else if selection.source != .filters {
        entries.append(.empty(episode, row))
      }
    }
  }

  /// Returns the plan of a bundle of the episodes.
  ///
  /// - Throws: `resources-short`.
  func plan(_ content: BundleContent) throws(Failure) -> BundlePlan {
    var episodes: [EpisodeID: Episode] = [:]
    for case .episode(let episode, _) in entries { episodes[episode.id] = episode }
    return try BundlePlan(Array(episodes.values), content) { DigestHasher.sha256(of: $0) }
  }
}
