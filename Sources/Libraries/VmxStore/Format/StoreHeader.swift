package import VmxModel

/// The first line of the store.
package struct StoreHeader: Sendable, Equatable {
  /// The major version that this program writes; another one is not written to.
  package static let major: Int64 = 1
  /// The minor version that this program writes; later ones only add fields.
  package static let minor: Int64 = 0

  /// UUID of the library; roots carry it too.
  package var library: String
  /// Major version of the format.
  package var major: Int64
  /// Minor version of the format.
  package var minor: Int64
  /// One more at each compaction.
  package var epoch: Int64
  /// The highest number that a line had before the last compaction.
  package var seqFloor: Int64
  /// Bytes of live lines that the last compaction wrote; nil where nobody counted.
  package var live: Int64?
  /// Fields of other versions, kept as they are.
  package var extra: JSONObject

  /// The header of a new library.
  package init(library: String) {
    self.library = library
    major = Self.major
    minor = Self.minor
    epoch = 1
    seqFloor = 0
    extra = JSONObject()
  }

  /// Reads a header line; nil if it is not one.
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
    live = line["live"]?.integer.flatMap { $0 < 0 ? nil : $0 }
    extra = line.without(Self.known)
  }

  /// The fields of its line after those of the store.
  var fields: JSONObject {
    var format = JSONObject()
    format.append("major", .integer(major))
    format.append("minor", .integer(minor))
    var object = JSONObject()
    object.append("library", library)
    object.append("format", .object(format))
    object.append("epoch", .integer(epoch))
    object.append("seq_floor", .integer(seqFloor))
    object.append("live", live.map { .integer($0) })
    for field in extra.fields { object.append(field.key, field.value) }
    return object
  }

  private static let known: Set<String> = StoredRecord.ownedByStore.union([
    "library", "format", "epoch", "seq_floor", "live",
  ])

  /// A random UUID (RFC 9562, version 4) in lower case.
  static func newUUID() -> String {
    var high = UInt64.random(in: .min ... .max)
    var low = UInt64.random(in: .min ... .max)
    high = high & ~0xF000 | 0x4000
    low = low & ~(3 << 62) | 2 << 62
    let digits = Array(Hex.text(of: high) + Hex.text(of: low))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
