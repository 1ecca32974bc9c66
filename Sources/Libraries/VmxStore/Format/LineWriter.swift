package import VmxModel

/// Writes lines of the store in the form that readers scan fastest.
enum LineWriter {
  /// The optional fields of a line between `at` and the fields of the record.
  struct Marks {
    var transaction: String?
    var commits = false
    var deletes = false
  }

  /// The length limit in bytes of lines that are written or read, without the line end: 16 MiB.
  static let maxLineLength = 16 << 20

  /// Appends one line with its line end.
  ///
  /// - Parameter fields: the fields of the record; none of them may have a key that the store
  ///   reserves.
  static func append(
    _ key: RecordKey, seq: Int64, at: String, marks: Marks = Marks(), fields: JSONObject,
    to bytes: inout [UInt8]
  ) {
    appendStart(key, seq: seq, at: at, marks: marks, to: &bytes)
    append(fields, to: &bytes)
    appendEnd(to: &bytes)
  }

  /// Appends the part of a line before the fields of the record.
  static func appendStart(
    _ key: RecordKey, seq: Int64, at: String, marks: Marks, to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: #"{"kind":"#.utf8)
    JSONWriter.append(text: key.kind.rawValue, to: &bytes)
    bytes.append(contentsOf: #","id":"#.utf8)
    JSONWriter.append(text: key.id, to: &bytes)
    bytes.append(contentsOf: #","seq":"#.utf8)
    JSONWriter.append(.integer(seq), to: &bytes)
    bytes.append(contentsOf: #","at":"#.utf8)
    JSONWriter.append(text: at, to: &bytes)
    if let transaction = marks.transaction {
      bytes.append(contentsOf: #","txn":"\#(transaction)""#.utf8)
    }
    if marks.commits { bytes.append(contentsOf: #","commit":true"#.utf8) }
    if marks.deletes { bytes.append(contentsOf: #","deleted":true"#.utf8) }
  }

  /// Appends the fields of the record after the start of a line.
  static func append(_ fields: JSONObject, to bytes: inout [UInt8]) {
    for field in fields.fields {
      bytes.append(UInt8(ascii: ","))
      JSONWriter.append(text: field.key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      JSONWriter.append(field.value, to: &bytes)
    }
  }

  /// Appends the closing brace and the line end.
  static func appendEnd(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "}"))
    bytes.append(0x0A)
  }
}

// Work on an episode adds to its record: states, paths, digests and the trail. For undo the whole
// record also becomes a field of a `step` record. If a description filled the longest line, these
// would not fit, and the episode could be neither fetched nor removed.

extension StoreTransaction {
  /// The bytes that work adds to a record and to the journal entry that contains it.
  private static let recordGrowth = 64 << 10
  /// The bytes that work adds to each part of a record.
  private static let partGrowth = 2 << 10
  /// The bytes that a removal adds to a record and to the journal entry that contains it.
  private static let removalGrowth = 8 << 10
  /// The bytes that a removal adds to each part of a record.
  private static let partRemovalGrowth = 32
  /// The length of text in bytes up to which a record always fits, even with all characters
  /// escaped.
  private static let safeTextLength = 1 << 20

  /// Rejects an episode whose record would grow beyond the longest line.
  ///
  /// - Throws: `StoreError.tooLong`.
  package static func checkLength(of episode: Episode) throws(StoreError) {
    let growth = recordGrowth + episode.parts.count * partGrowth
    guard episode.textLength + growth > safeTextLength else { return }
    let bytes = length(of: episode) + growth
    guard bytes <= LineWriter.maxLineLength else {
      throw .tooLong(episode.id.description, bytes: bytes)
    }
  }

  /// Whether a record, and the journal entry that contains it, still fit into the longest line when
  /// the episode is removed.
  package static func hasSpaceForRemoval(of episode: Episode) -> Bool {
    let growth = removalGrowth + episode.parts.count * partRemovalGrowth
    return length(of: episode) + growth <= LineWriter.maxLineLength
  }

  private static func length(of episode: Episode) -> Int {
    var bytes: [UInt8] = []
    episode.appendRecord(to: &bytes)
    return bytes.count
  }
}

extension Episode {
  /// The total length in bytes of the texts that no other limit applies to.
  fileprivate var textLength: Int {
    let urls = parts.lazy.flatMap(\.variants).flatMap(\.sources).map { $0.url.utf8.count }
    return urls.reduce(title.utf8.count + showTitle.utf8.count) { $0 + $1 }
      + (text.summary?.utf8.count ?? 0)
  }
}
