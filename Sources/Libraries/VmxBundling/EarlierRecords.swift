import SystemPackage
import VmxArchive
import VmxModel
import VmxSystem

/// The records of episodes that earlier exports wrote to a folder. Each is read and parsed again on
/// every access.
///
/// Reading one of them may fail. The error ends the update, which must not take the files of an
/// unread record for files of no episode.
struct EarlierRecords {
  private let records: BundleRecords?
  /// The ids of the episodes; the number of an id is the index of its record.
  private var table = TextTable()
  /// The current ids of episodes that were renamed after the export, by the ids of their records.
  private var renamed: [String: String] = [:]
  /// The ids of the records of those episodes, by their current ids.
  private var formerIDs: [String: [String]] = [:]
  /// Whether the episode with this number is included, by number.
  private var isChosen: [Bool] = []

  /// Creates the records of a folder without exports.
  init() { records = nil }

  /// Parses a records file of a folder; nil if there is no such file.
  ///
  /// - Parameter currentID: returns the id that an episode has now; nil for an unknown episode.
  /// - Throws: `bundle-invalid` for lines that this version does not write, errors of `currentID`
  ///   and of reading.
  init?(
    _ name: String, in folder: FilePath, currentID: (EpisodeID) throws -> EpisodeID?
  ) throws {
    let text = try SpooledText(of: folder.appending(name), limit: BundleLimits().records)
    guard let text else { return nil }
    try self.init(text, of: folder.appending(name), currentID: currentID)
  }

  /// Parses the text of a records file.
  ///
  /// - Parameters:
  ///   - file: the file, for messages.
  ///   - currentID: returns the id that an episode has now; nil for an unknown episode.
  /// - Throws: `bundle-invalid` for lines that this version does not write, errors of `currentID`.
  init(
    _ text: SpooledText, of file: FilePath, currentID: (EpisodeID) throws -> EpisodeID?
  ) throws {
    let records = try BundleRecords(text)
    var table = TextTable()
    try records.forEach { number, record in
      guard let id = record["id"]?.string, record["schema"]?.integer ?? 1 == 1,
        table.insert(id.utf8).isNew
      else {
        throw Failure(
          .bundleInvalid,
          "line \(number + 1) of '\(file)' is not one that this version writes",
          hint: "export to another folder")
      }
    }
    isChosen = [Bool](repeating: true, count: table.count)
    self.table = table
    self.records = records
    for id in ids {
      guard let old = EpisodeID(valid: id), let new = try currentID(old), new != old
      else { continue }
      renamed[id] = new.description
      formerIDs[new.description, default: []].append(id)
    }
  }

  /// Returns the current id of the episode with a record, which may have been renamed since.
  func currentID(of id: String) -> String { renamed[id] ?? id }

  /// Returns the records of an episode, under its current id and its former ones.
  ///
  /// - Throws: errors of reading.
  func records(of id: EpisodeID) throws -> [JSONObject] {
    try ([id.description] + formerIDs[id.description, default: []]).compactMap { try record($0) }
  }

  /// Whether no episode is included.
  var isEmpty: Bool { !isChosen.contains(true) }

  /// The ids of the episodes, sorted by their bytes.
  var ids: some RandomAccessCollection<String> {
    table.order.filter { isChosen[Int($0)] }.lazy.map { [table] in table[Int($0)] }
  }

  /// Returns the record of an episode; nil if it is not included.
  ///
  /// - Throws: errors of reading.
  func record(_ id: String) throws -> JSONObject? {
    guard let number = table.number(of: id.utf8), isChosen[number] else { return nil }
    return try records?.record(number)
  }

  /// Returns the records of the episodes for whose id the closure returns true.
  func chosen(_ isChosen: (String) -> Bool) -> EarlierRecords {
    var chosen = self
    for number in 0..<table.count where chosen.isChosen[number] {
      chosen.isChosen[number] = isChosen(table[number])
    }
    return chosen
  }

  /// Calls the closure with the id and the record of each included episode.
  ///
  /// - Throws: errors of reading, and of the closure.
  func forEach(_ body: (_ id: String, JSONObject) throws -> Void) throws {
    guard let records else { return }
    for number in 0..<table.count where isChosen[number] {
      try body(table[number], records.record(number))
    }
  }
}
