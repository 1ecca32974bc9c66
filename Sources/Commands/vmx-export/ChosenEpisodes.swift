import VmxBundling
import VmxCommand
import VmxDigest
import VmxModel
import VmxPresentation
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
  init(_ selection: InputSelection<EpisodeID>, _ store: LibraryStore) throws {
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
      if BundleContent.isPackable(episode) {
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

  /// Reports the episodes in the order in which they were given.
  ///
  /// - Parameter rows: nil where standard output has no place for rows.
  func report(
    _ ends: [BundleExporter.End], isDryRun: Bool, _ reporter: RowReporter<OutcomeRow>,
    _ rows: EpisodeRows?
  ) throws {
    let packed = Set(ends.flatMap(\.plan.entries).map(\.episode.id))
    func report(_ result: OperationResult, _ episode: Episode, _ row: InputRow) throws {
      guard let rows else { return try reporter.report(result, nil, of: "\(episode.id)") }
      try reporter.report(
        EpisodeResult(episode, result), rows, received: row.received, flushing: false)
    }
    for entry in entries {
      switch entry {
      case .episode(let episode, let row):
        let result: OperationResult =
          ends.lazy.compactMap { $0.failures[episode.id] }.first.map { OperationResult($0) }
          ?? (!packed.contains(episode.id) ? .unchanged() : isDryRun ? .planned : .done)
        try report(result, episode, row)
      case .empty(let episode, let row):
        let failure = Failure(.noFile, "there is no file of '\(episode.id)' to pack")
        try report(row.place == nil ? .failed(failure) : .unchanged(.noFile), episode, row)
      case .unusable(let entry): try reporter.reportUnusable(entry)
      }
    }
  }
}
