import VmxJSON
package import VmxModel

/// The first line of the store.
package struct StoreHeader: Sendable, Equatable {
  /// The major version that this program writes; it does not write to a store of another major
  /// version.
  package static let major: Int64 = 1
  /// The minor version that this program writes; a higher minor version only adds fields.
  package static let minor: Int64 = 0

  /// The UUID of the library, which the marks of its roots also contain.
  package var library: String
  /// The major version of the format.
  package var major: Int64
  /// The minor version of the format.
  package var minor: Int64
  /// The number of the compaction, increased by one each time.
  package var epoch: Int64
  /// The highest sequence number of any line before the last compaction.
  package var seqFloor: Int64
  /// The number of bytes in live lines that the last compaction wrote; nil if it was not recorded.
  package var liveBytes: Int64?
  /// The fields of other versions, kept unchanged.
  package var extra: JSONObject

  /// Creates the header of a new library.
  package init(library: String) {
    self.library = library
    major = Self.major
    minor = Self.minor
    epoch = 1
    seqFloor = 0
    extra = JSONObject()
  }

  /// Reads a header line; nil if the line is not a header.
  init?(line: JSONObject) {
    guard line["kind"]?.string == RecordKind.header.rawValue,
      let library = line["library"]?.string, let format = line["format"]?.object,
      let major = format["major"]?.integer, let minor = format["minor"]?.integer,
      let epoch = line["epoch"]?.integer, let seqFloor = line["seq_floor"]?.integer
    else { return nil }
    self.library = library
    self.major = major
    self.minor = minor
    self.epoch = epoch
    self.seqFloor = seqFloor
    liveBytes = line["live"]?.integer.flatMap { $0 < 0 ? nil : $0 }
    extra = line.without(Self.known)
  }

  /// The header's own fields, written after the fields that every line has.
  var fields: JSONObject {
    var format = JSONObject()
    format.append("major", .integer(major))
    format.append("minor", .integer(minor))
    var object = JSONObject()
    object.append("library", library)
    object.append("format", .object(format))
    object.append("epoch", .integer(epoch))
    object.append("seq_floor", .integer(seqFloor))
    object.append("live", liveBytes.map { .integer($0) })
    for field in extra.fields { object.append(field.key, field.value) }
    return object
  }

  private static let known: Set<String> = StoredRecord.ownedByStore.union([
    "library", "format", "epoch", "seq_floor", "live",
  ])
}

/// Limits of the sequence numbers in lines and headers, which an editor may have changed.
enum LineNumbers {
  /// The largest number that a writer gives to a line: 18 digits, which is all that `LineStart`
  /// reads.
  static let maxNumber: Int64 = 999_999_999_999_999_999
  /// The largest number that leaves enough numbers for further lines; a compaction replaces larger
  /// ones.
  static let plausible: Int64 = 900_000_000_000_000_000

  /// Returns the epoch of the next compaction.
  static func epoch(after epoch: Int64) -> Int64 {
    (0..<maxNumber).contains(epoch) ? epoch + 1 : 1
  }

  /// Returns the highest plausible number of all lines of an image.
  static func highestPlausible(in image: StoreImage) -> Int64 {
    let parser = JSONParser()
    var highest: Int64 = 0
    var offset = 0
    while offset < image.bound {
      let line = image.line(at: offset)
      let seq = LineStart(line)?.seq ?? image.facts(of: line, at: offset, parser)?.seq
      if let seq, seq <= plausible { highest = max(highest, seq) }
      offset += line.count + 1
    }
    return highest
  }

  /// Returns the sequence number of the last line that has one.
  static func last(in image: StoreImage) -> Int64 { lastLine(in: image)?.seq ?? 0 }

  /// Returns the sequence number and the time of the last legible line, searching backwards.
  static func lastLine(in image: StoreImage) -> (seq: Int64, at: Timestamp?)? {
    let parser = JSONParser()
    var end = image.bound
    while end > 0 {
      let (start, lines) = image.bytes(upTo: end)
      guard !lines.isEmpty else { return nil }
      let newline = ByteSearch.lastNewline(in: .init(rebasing: lines.dropLast()))
      let offset = start + (newline.map { $0 + 1 } ?? 0)
      let line = image.line(at: offset)
      if let start = LineStart(line) { return (start.seq, Timestamp(MomentText(start.at).text)) }
      if let facts = image.facts(of: line, at: offset, parser) {
        return (facts.seq, facts.at)
      }
      end = offset
    }
    return nil
  }
}
