package import VmxModel
package import VmxStore

extension StoreSnapshot {
  /// Returns all journal entries, in the order in which they began.
  package func stepRows() -> [JournalEntry] { stepRows(holding: nil) }

  /// The open rows, of removals that have not ended or whose end was not recorded, by episode.
  package func openRows() -> [EpisodeID: JournalEntry] {
    var rows: [EpisodeID: JournalEntry] = [:]
    for row in stepRows(holding: JournalEntry.State.begun.rawValue) where row.state == .begun {
      row.episode.map { rows[$0] = row }
    }
    return rows
  }

  /// The open rows of files that belong to no episode.
  package func openDiscards() -> [JournalEntry] {
    stepRows(holding: JournalEntry.State.begun.rawValue).filter {
      $0.state == .begun && $0.isOfLooseFile
    }
  }

  /// The row by which an episode is on its way out; nil if there is none.
  package func openRow(of id: EpisodeID) -> JournalEntry? {
    stepRows(of: id).last { $0.state == .begun }
  }

  /// Returns the journal entries of one episode, in the order in which they began.
  package func stepRows(of id: EpisodeID) -> [JournalEntry] {
    stepRows(holding: id.description).filter { $0.episode == id }
  }

  private func stepRows(holding text: String?) -> [JournalEntry] {
    var rows: [JournalEntry] = []
    records(of: .step, holding: text) { record in
      if let row = JournalEntry(record) { rows.append(row) }
      return true
    }
    return rows
  }
}
