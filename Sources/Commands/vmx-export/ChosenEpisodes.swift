import SystemPackage
import VmxBundling
import VmxCommand
import VmxModel
import VmxPresentation
import VmxStore

/// The selected episodes in the order of the input, after the last row was read. The bytes of a
/// bundle do not depend on this order.
///
/// Only the ids are in memory. The episodes are read on demand from one snapshot, and received rows
/// from a temporary file.
struct ChosenEpisodes {
  private let snapshot: StoreSnapshot
  private let source: InputSelection<EpisodeID>.Source
  /// The given id of each entry; empty if the entry is not an episode.
  private var ids = PackedTexts()
  /// The positions of rows in the input; empty without rows.
  private var positions: [InputPosition?] = []
  /// The entries that are not episodes, by index.
  private var nonEpisodes: [Int: InputSelection<EpisodeID>.Entry] = [:]
  /// The received rows, and the row index of each entry; -1 for none. Empty if rows are not passed
  /// on.
  private let rows: SpooledObjects
  private var rowNumbers: [Int32] = []

  /// Reads the whole selection.
  ///
  /// - Parameter scratch: the folder for received rows, whose fields are passed on; nil to discard
  ///   them.
  /// - Throws: `disk-full`, errors of the store and of standard input.
  init(
    _ selection: InputSelection<EpisodeID>, _ store: LibraryStore, scratch: FilePath?
  ) throws {
    let rows = SpooledObjects(in: scratch ?? store.home.folder)
    var rowNumbers: [Int32] = []
    var ids = PackedTexts()
    var positions: [InputPosition?] = []
    var others: [Int: InputSelection<EpisodeID>.Entry] = [:]
    try selection.forEach { entry in
      if case .item(let id, let row) = entry {
        if selection.source == .rows { positions.append(row.position) }
        if scratch != nil, selection.source == .rows {
          rowNumbers.append(try row.object.map { Int32(clamping: try rows.append($0)) } ?? -1)
        }
        ids.append(id.description)
      } else {
        if selection.source == .rows { positions.append(nil) }
        if scratch != nil, selection.source == .rows { rowNumbers.append(-1) }
        others[ids.count] = entry
        ids.append("")
      }
      return true
    }
    source = selection.source
    (self.ids, self.positions, self.nonEpisodes) = (ids, positions, others)
    (self.rows, self.rowNumbers) = (rows, rowNumbers)
    snapshot = try store.snapshot()
  }

  /// Returns the plan of a bundle of the episodes.
  ///
  /// - Parameters:
  ///   - pictures: the catalogue's images, packed if the library has none.
  ///   - folder: the content of the target folder.
  ///   - shouldStop: called for each episode.
  /// - Throws: `resources-short`, `WorkEnded.interrupted` once `shouldStop` returns true, the
  ///   errors of the store.
  func plan(
    _ content: BundleContent, _ pictures: BundlePictures?, in folder: FolderContent,
    until shouldStop: @escaping @Sendable () -> Bool
  ) throws -> BundlePlan {
    var chosen = PackedTexts()
    for id in (0..<ids.count).lazy.compactMap({ EpisodeID(valid: ids[$0]) }) {
      // Filters never select an alias.
      if let id = source == .filters ? id : try snapshot.resolve(id) {
        chosen.append(id.description)
      }
    }
    return try BundlePlan(
      chosen, content, in: folder,
      reading: { [snapshot] id in
        if shouldStop() { throw WorkEnded.interrupted }
        return try snapshot.episode(id)
      },
      shows: { [snapshot] in try BundledShow.shows(of: $0, in: snapshot) }, pictures: pictures)
  }

  /// Reports the episodes in the order of the input.
  ///
  /// - Parameters:
  ///   - rows: nil if standard output contains the bundle.
  ///   - isUpdate: whether the target is a folder. Its update may find nothing to do, as a cron job
  ///     does; a missing archive would be taken for a written one.
  /// - Throws: `no-file` if filters select no episode with a file for an archive; the errors of the
  ///   store and of the output.
  func report(
    _ ends: [BundleExporter.End], to reporter: RowReporter<OutcomeRow>,
    rows: EpisodeRows?, isUpdate: Bool, in context: CommandContext
  ) throws {
    for number in 0..<ids.count {
      guard let id = EpisodeID(valid: ids[number]) else {
        if let entry = nonEpisodes[number] { try reporter.reportUnusable(entry) }
        continue
      }
      guard let episode = try snapshot.episode(id) else {
        try reportUnknown(id, at: positions.isEmpty ? nil : positions[number], reporter)
        continue
      }
      guard let result = result(of: episode, ends) else { continue }
      if source == .operands, let note = try note(on: episode.id, ends) {
        context.messages.note(note)
      }
      guard let rows else {
        try reporter.report(result, nil, of: "\(episode.id)")
        continue
      }
      let row = rowNumbers.isEmpty ? -1 : Int(rowNumbers[number])
      let received = row < 0 ? JSONObject() : try self.rows.object(row)
      try reporter.report(
        EpisodeResult(episode, result), rows, received: received, flushing: false)
    }
    guard source == .filters, reporter.tally.isEmpty else { return }
    if let failure = context.parental.hidingFailure { throw failure }
    let words = "no selected episode has a file; nothing is written"
    guard !isUpdate else { return context.messages.note(words) }
    throw Failure(
      .noFile, words, hint: "run 'vmx list' with the same filters to see what they select")
  }

  private func reportUnknown(
    _ id: EpisodeID, at position: InputPosition?, _ reporter: RowReporter<OutcomeRow>
  ) throws {
    let failure = Failure.noSuchEpisode("\(id)")
    guard let position else { return try reporter.reportFailure(failure, of: "\(id)") }
    // Earlier rows precede the message if both streams go to one terminal.
    try reporter.flush()
    reporter.reportInvalidLine(failure, at: position)
  }

  /// Returns the note about the parts that a packed episode lacks; nil if there are none.
  private func note(on id: EpisodeID, _ ends: [BundleExporter.End]) throws -> String? {
    guard let plan = ends.lazy.map(\.plan).first(where: { $0.contains(id) }) else { return nil }
    let parts = try plan.partsWithoutFile(of: id)
    if parts.isEmpty { return nil }
    return "'\(id)' is packed without \(parts.joined(separator: ", ")): no file in the library"
  }

  /// Returns the result for an episode; nil if a filter selected it and it has nothing to pack.
  private func result(of episode: Episode, _ ends: [BundleExporter.End]) -> OperationResult? {
    if let failure = ends.lazy.compactMap({ $0.failures[episode.id] }).first {
      // Only an operand requires a file that the library never had or has yet to fetch.
      if failure.code == .noFile, source != .operands {
        return .unchanged(.noFile, hint: failure.hint)
      }
      return OperationResult(failure)
    }
    guard BundleContent.hasFile(episode) else {
      switch source {
      case .filters: return nil
      case .operands:
        return .failed(Failure(.noFile, "'\(episode.id)' has no file to pack"))
      case .rows: return .unchanged(.noFile)
      }
    }
    guard ends.contains(where: { $0.plan.contains(episode.id) }) else { return .unchanged() }
    return .done
  }
}
