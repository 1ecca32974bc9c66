import VmxJSON
package import VmxModel

extension ResumeData {
  /// Parses the text of a file; nil unless its first line is resume data of this format.
  package init?(reading bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The last piece has no line end: it is empty or an incomplete line.
    guard lines.count >= 2 else { return nil }
    let parser = JSONParser()
    guard let first = Self.object(lines[0], parser), let data = Self.decode(first) else {
      return nil
    }
    self = data
    for line in lines[1..<(lines.count - 1)] {
      guard let change = Self.object(line, parser), apply(change) else { break }
    }
    discardWrongTotal()
  }

  /// Discards a total that contradicts the held bytes; the source is then queried again.
  ///
  /// With that total, no range would be missing although the file is incomplete.
  private mutating func discardWrongTotal() {
    guard let total = version.total, total < max(1, completedRanges.ranges.last?.end ?? 0) else {
      return
    }
    version.total = nil
  }

  /// The complete first line.
  package var line: [UInt8] {
    var object = record
    Self.append(completedRanges, segments: segments, rolling: rolling, to: &object)
    return Self.bytes(object)
  }

  /// An appended line: the ranges held now, and the segments and runs of bytes completed or
  /// continued since the last line.
  package static func change(
    held: ByteRangeSet, segments: [Int: Digest], rolling: [Int64: Rolling] = [:]
  ) -> [UInt8] {
    var object = JSONObject()
    append(held, segments: segments, rolling: rolling, to: &object)
    return bytes(object)
  }

  private static func append(
    _ held: ByteRangeSet, segments: [Int: Digest], rolling: [Int64: Rolling],
    to object: inout JSONObject
  ) {
    let ranges = held.ranges.map { JSONValue.array([.integer($0.start), .integer($0.end)]) }
    object.append("held", .array(ranges))
    let runs = rolling.sorted { $0.key < $1.key }.map { start, run in
      JSONValue.array([.integer(start), .integer(run.end), .string(Hex.text(of: run.hash))])
    }
    object.append("rolling", runs.isEmpty ? nil : .array(runs))
    guard !segments.isEmpty else { return }
    let fields = segments.sorted { $0.key < $1.key }
      .map { (key: String($0.key), value: JSONValue.string($0.value.hex)) }
    object.append("segments", .object(JSONObject(distinct: fields)))
  }

  private static func bytes(_ object: JSONObject) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  private static func object(_ line: ArraySlice<UInt8>, _ parser: JSONParser) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try parser.parse(Array(line)).object
    } catch {
      // A crash leaves an incomplete line; the reader uses the lines before it.
      return nil
    }
  }

  /// Applies an appended line; returns false if it is not valid.
  private mutating func apply(_ change: JSONObject) -> Bool {
    guard let held = Self.ranges(change), let more = Self.segments(change),
      let runs = Self.rolling(change)
    else { return false }
    self.completedRanges = held
    segments.merge(more) { $1 }
    rolling.merge(runs) { $1 }
    if !more.isEmpty {
      rolling = rolling.filter { more[Int($0.key / SegmentMap.size)] == nil }
    }
    tail = nil
    return true
  }

  private static func decode(_ object: JSONObject) -> ResumeData? {
    guard var data = ResumeData(reading: object), let held = ranges(object),
      let segments = segments(object), let rolling = rolling(object)
    else { return nil }
    (data.completedRanges, data.segments, data.rolling) = (held, segments, rolling)
    return data
  }

  /// Parses a digest; its length determines the function.
  fileprivate static func digest(_ hex: String) -> Digest? {
    DigestAlgorithm.allCases.lazy.compactMap { Digest($0, hex: hex) }.first
  }

  private static func ranges(_ object: JSONObject) -> ByteRangeSet? {
    guard let pairs = object["held"]?.array else { return nil }
    var set = ByteRangeSet()
    for pair in pairs {
      guard let bounds = pair.array, bounds.count == 2, let start = bounds[0].integer,
        let end = bounds[1].integer, start >= 0, start < end
      else { return nil }
      set.insert(ByteRange(start..<end))
    }
    return set
  }

  private static func rolling(_ object: JSONObject) -> [Int64: Rolling]? {
    guard let field = object["rolling"] else { return [:] }
    guard let runs = field.array else { return nil }
    var rolling: [Int64: Rolling] = [:]
    for run in runs {
      guard let values = run.array, values.count == 3, let start = values[0].integer,
        let end = values[1].integer, start >= 0, start < end,
        let hash = values[2].string.flatMap({ UInt64($0, radix: 16) })
      else { return nil }
      rolling[start] = Rolling(end: end, hash: hash)
    }
    return rolling
  }

  private static func segments(_ object: JSONObject) -> [Int: Digest]? {
    guard let fields = object["segments"] else { return [:] }
    guard let fields = fields.object?.fields else { return nil }
    var segments: [Int: Digest] = [:]
    for field in fields {
      // An index beyond a million segments (4 TiB) is invalid.
      guard field.key.utf8.allSatisfy(\.isASCIIDigit), let index = Int(field.key), index < 1 << 20,
        let digest = field.value.string.flatMap({ Digest(.sha256, hex: $0) })
      else { return nil }
      segments[index] = digest
    }
    return segments
  }
}

/// The fields of the first line; those that an appended line has too follow them.
extension ResumeData: LenientRecord {
  /// The fields before `held`, `rolling` and `segments`.
  package enum Field: String, RecordField {
    case format = "version"
    case episode, part, source, url
    case finalURL = "final"
    case etag
    case lastModified = "last_modified"
    case date, total, published, type, boot
    case isProbed = "probed"
    case isForeign = "foreign"
    case tail
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: ResumeData {
    ResumeData(
      episode: .unknown, part: "", source: 0, url: "", finalURL: "", version: SourceVersion(),
      completedRanges: ByteRangeSet(), segments: [:], boot: "", isProbed: false)
  }
  private static let known = FieldRule<Int64>("the number of this format") { $0 == format }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .format:
      var format = Self.format
      try coder.required(&format, Self.known)
    case .episode: try coder.required(&episode)
    case .part: try coder.required(&part)
    case .source: try coder.required(&source)
    case .url: try coder.required(&url)
    case .finalURL: try coder.field(&finalURL, absent: url)
    case .etag: try coder.field(&version.validators.etag)
    case .lastModified: try coder.field(&version.validators.lastModified)
    case .date: try coder.field(&version.validators.date)
    case .total: try coder.field(&version.total, .natural)
    case .published:
      var hex = version.published?.hex
      try coder.field(&hex)
      version.published = hex.flatMap { Self.digest($0) }
    case .type: try coder.field(&version.contentType)
    case .boot: try coder.required(&boot)
    case .isProbed: try coder.field(&isProbed, omitting: false)
    case .isForeign: try coder.field(&isForeign, omitting: false)
    case .tail: try coder.field(&tail)
    }
  }
}

extension ResumeData.Tail: FieldValue {
  package static let expected = "an offset and a digest"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> Self? {
    guard let pair = value.value.array, pair.count == 2, let end = pair[0].integer, end > 0,
      let digest = pair[1].string.flatMap({ Digest(.sha256, hex: $0) })
    else { return nil }
    return Self(end: end, sha256: digest)
  }
  package var json: JSONValue { .array([.integer(end), .string(sha256.hex)]) }
}
