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
    var object = JSONObject()
    object.append("version", .integer(Self.format))
    object.append("episode", episode.description)
    object.append("part", part)
    object.append("source", Hex.text(of: source))
    object.append("url", url)
    object.append("final", finalURL)
    object.append("etag", version.validators.etag)
    object.append("last_modified", version.validators.lastModified)
    object.append("date", version.validators.date)
    object.append("total", version.total.map { .integer($0) })
    object.append("published", version.published?.hex)
    object.append("type", version.contentType)
    object.append("boot", boot)
    object.append("probed", isProbed ? true : nil)
    object.append("foreign", isForeign ? true : nil)
    object.append("tail", tail.map { .array([.integer($0.end), .string($0.sha256.hex)]) })
    Self.append(completedRanges, segments, rolling, to: &object)
    return Self.bytes(object)
  }

  /// An appended line: the ranges held now, and the segments and runs of bytes completed or
  /// continued since the last line.
  package static func change(
    held: ByteRangeSet, segments: [Int: Digest], rolling: [Int64: Rolling] = [:]
  ) -> [UInt8] {
    var object = JSONObject()
    append(held, segments, rolling, to: &object)
    return bytes(object)
  }

  private static func append(
    _ held: ByteRangeSet, _ segments: [Int: Digest], _ rolling: [Int64: Rolling],
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
    guard object["version"]?.integer == format,
      let episode = object["episode"]?.string.flatMap(EpisodeID.init(valid:)),
      let part = object["part"]?.string, let source = object["source"]?.string,
      let source = UInt64(source, radix: 16), let url = object["url"]?.string,
      let boot = object["boot"]?.string, let held = ranges(object),
      let segments = segments(object), let rolling = rolling(object)
    else { return nil }
    var data = ResumeData(
      episode: episode, part: part, source: source, url: url,
      finalURL: object["final"]?.string ?? url, version: version(object), completedRanges: held,
      segments: segments, tail: tail(object), rolling: rolling, boot: boot,
      isProbed: object["probed"]?.bool ?? false)
    data.isForeign = object["foreign"]?.bool ?? false
    return data
  }

  private static func version(_ object: JSONObject) -> SourceVersion {
    SourceVersion(
      validators: Validators(
        etag: object["etag"]?.string, lastModified: object["last_modified"]?.string,
        date: object["date"]?.string),
      total: object["total"]?.integer.flatMap { $0 >= 0 ? $0 : nil },
      published: object["published"]?.string.flatMap { digest($0) },
      contentType: object["type"]?.string)
  }

  /// Parses a digest; its length determines the function.
  private static func digest(_ hex: String) -> Digest? {
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

  private static func tail(_ object: JSONObject) -> Tail? {
    guard let pair = object["tail"]?.array, pair.count == 2, let end = pair[0].integer, end > 0,
      let digest = pair[1].string.flatMap({ Digest(.sha256, hex: $0) })
    else { return nil }
    return Tail(end: end, sha256: digest)
  }
}
