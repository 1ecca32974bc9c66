import VmxJSON
import VmxModel
import VmxSystem

// A bundle tells of an episode only what is true on every machine: identity, titles, numbers, dates
// and parts with their digests. It has no wants, states, revisions, trails, roots, local times and
// references to secrets. The fields are those of the store (`Episode.Field`, `Part.Field`), so a new
// field of an episode is added to the lists here. `vmx import` reads them as `vmx add` reads a row.

/// The record of an episode in a bundle, a line of `vmx-records.jsonl` (vmx-bundle(5)).
enum BundleRecord {
  /// The name of the file of records, in the folder of the bag.
  static let fileName = "vmx-records.jsonl"

  private static let fields: [Episode.Field] = [
    .title, .showTitle, .season, .number, .date, .duration, .language, .summary, .rating,
    .ageRating, .chapters, .chaptersURL, .keep, .watched, .expires,
  ]
  private static let partFields: [Part.Field] = [.role, .lang, .forced, .sdh, .required]
  private static let variantFields: [Variant.Field] = [
    .height, .bitrate, .type, .size, .sha256, .duration,
  ]

  /// Returns the record of an episode.
  ///
  /// - Parameters:
  ///   - paths: the path of each packed part in the bag, by the name of the part.
  ///   - nfo: the path of its NFO file.
  static func object(of episode: Episode, paths: [String: String], nfo: String?) -> JSONObject {
    var object = JSONObject(distinct: [
      ("schema", 1), ("kind", "episode"), ("id", .string(episode.id.description)),
      ("identity", .array(episode.bundledIdentity.map { .string($0.key) })),
    ])
    object.append(fields, episode.json(of: fields))
    let parts = episode.parts.filter { $0.state != .removed }
    object.append("parts", .array(parts.map { .object(part($0, path: paths[$0.name])) }))
    object.append("nfo", nfo)
    return object
  }

  private static func part(_ part: Part, path: String?) -> JSONObject {
    var object = JSONObject()
    object.append(partFields, part.json(of: partFields))
    if part.state == .ready {
      object.append("size", part.size.map { .integer($0.bytes) })
      object.append("sha256", part.sha256.map { .string($0.hex) })
    }
    object.append("path", path.map { .string($0) })
    // The packed file is that of the chosen variant, which the importing library compares with the
    // first one.
    let chosen = part.variant
    let variants = [chosen].compactMap { $0 } + part.variants.filter { $0 != chosen }
    let described = variants.map { variant($0, isConverted: part.original != nil) }
    if !described.isEmpty { object.append("variants", .array(described.map { .object($0) })) }
    return object
  }

  /// - Parameter isConverted: whether the packed file was converted, so that the published size and
  ///   digest describe other bytes.
  private static func variant(_ variant: Variant, isConverted: Bool) -> JSONObject {
    var variant = variant
    if isConverted { (variant.size, variant.sha256) = (nil, nil) }
    var object = JSONObject()
    object.append(variantFields, variant.json(of: variantFields))
    object.append("sources", .array(variant.sources.map { .string($0.url) }))
    return object
  }
}

extension Episode {
  /// The identity keys in a bundle: sorted, with that of the video's digest, so that an importing
  /// library exports the same ones.
  fileprivate var bundledIdentity: [IdentityKey] {
    let video = parts.first { $0.role == .video && $0.state == .ready }?.sha256
    let keys = identity + [video.map { IdentityKey.digest($0.hex) }].compactMap { $0 }
    return Set(keys).sorted { $0.key < $1.key }
  }
}

extension JSONObject {
  /// Appends the values of fields under their keys, without those that are nil.
  fileprivate mutating func append<Field: RecordField>(_ fields: [Field], _ values: [JSONValue?]) {
    for (field, value) in zip(fields, values) { append(field.rawValue, value) }
  }
}

extension BundleRecord {
  /// The keys of a record that an importing library reads as a description.
  static let keys = ["id"] + fields.map(\.rawValue) + ["parts"]

  /// The most identity keys and parts of a record: a bundle of many episodes must not be in one.
  static let mostKeys = 1000

  /// Returns the paths in the bag of the files of an episode.
  static func paths(in record: JSONObject) -> [String] { files(in: record).map(\.path) }

  /// Returns the path in the bag of the video of an episode.
  static func video(in record: JSONObject) -> String? {
    let parts = (record["parts"]?.array ?? []).compactMap(\.object)
    return parts.first { $0["role"]?.string == PartRole.video.rawValue }?["path"]?.string
  }

  /// Returns the paths in the bag of the files of an episode, with the digests of those that are parts.
  static func files(in record: JSONObject) -> [(path: String, sha256: String?)] {
    let parts = (record["parts"]?.array ?? []).compactMap(\.object)
    let files = parts.map { ($0["path"]?.string, $0["sha256"]?.string) }
    return (files + [(record["nfo"]?.string, nil)])
      .compactMap { path, sha256 in path.map { ($0, sha256) } }
  }
}

/// The lines of the episodes in the records of a bundle. Each is parsed again when it is asked for: as values all of
/// them take several times the memory of their text.
struct BundleRecords: Sequence {
  /// The most bytes of a line.
  private static let longest = 1 << 20
  private static let kind = "episode"
  private static let mostKinds = 100
  /// The most shows that are taken from a bundle.
  private static let mostShows = 10_000

  private let text: SpooledText
  private var lines: [Range<Int>] = []
  /// The shows and favourites that it tells of.
  private(set) var shows: [BundledShow] = []
  /// How many lines there are of each kind that is not taken from a bundle, or of shows that are
  /// malformed.
  private(set) var others: [String: Int] = [:]
  private let parser = JSONParser()

  /// Parses the file of records; without bytes it has none.
  ///
  /// - Throws: as for a text.
  init(_ bytes: [UInt8] = []) throws { try self.init(SpooledText(bytes)) }

  /// Parses the file of records.
  ///
  /// - Throws: `bundle-invalid` for a line that is not a JSON object, errors of reading.
  init(_ text: SpooledText) throws {
    self.text = text
    var number = 0
    try text.forEachLine { line in
      number += 1
      guard line.count <= Self.longest, let record = object(in: line) else {
        throw Failure(
          .bundleInvalid,
          "line \(number) of '\(BundleRecord.fileName)' is not a JSON object of at most 1 MiB")
      }
      if let show = BundledShow(record), shows.count < Self.mostShows {
        shows.append(show)
      } else if let kind = record["kind"]?.string, kind != Self.kind {
        others[others.count < Self.mostKinds ? kind : "…", default: 0] += 1
      } else {
        lines.append(line)
      }
    }
  }

  func makeIterator() -> LazyMapSequence<[Range<Int>], JSONObject>.Iterator {
    lines.lazy.map { object(in: $0) ?? JSONObject() }.makeIterator()
  }

  /// The record with this number, from 0.
  subscript(number: Int) -> JSONObject { object(in: lines[number]) ?? JSONObject() }

  private func object(in line: Range<Int>) -> JSONObject? {
    do {
      return try parser.parse(text.bytes(line)).object
    } catch {
      // A text that cannot be read is no record either, and fails as one.
      return nil
    }
  }
}

/// An episode of a bundle that is to be taken in.
struct BundledEpisode {
  /// A part of it with its file in the bundle.
  struct File {
    /// The name of the part.
    let part: String
    /// The path in the bag.
    let path: String
    /// The digest that the record names; nil for a bag without records.
    let sha256: Digest?
  }

  /// The description, without what only counts in the library that wrote it.
  var description: EpisodeDescription
  /// The keys that identify it.
  var identity: [IdentityKey]
  /// The packed parts.
  var files: [File]
  /// The digest of the video; nil if the bundle does not have it.
  var video: Digest? { files.first { $0.part == PartRole.video.rawValue }?.sha256 }

  /// An episode as a bundle tells of it.
  struct Read {
    /// The id, to report it by.
    let id: EpisodeID
    /// The episode, or the failure of its record.
    let episode: Result<BundledEpisode, Failure>
  }

  /// Creates an episode.
  init(description: EpisodeDescription, identity: [IdentityKey], files: [File]) {
    self.description = description
    self.identity = identity
    self.files = files
  }

  /// The id in a line of the records; `-/-` if it has none.
  static func id(of record: JSONObject) -> EpisodeID {
    record["id"]?.string.flatMap { EpisodeID(valid: $0) } ?? .unknown
  }

  /// Decodes a line of the records.
  ///
  /// - Throws: `bad-line` for a line of another kind or with invalid fields, `bad-url`,
  ///   `source-unsupported`.
  init(_ record: JSONObject) throws(Failure) {
    guard record["kind"]?.string == "episode" else {
      throw Failure(.badLine, "not a record of an episode")
    }
    // A later version adds fields to this schema; another one means something else by them.
    guard record["schema"] == nil || record["schema"]?.integer == 1 else {
      throw Failure(.badLine, "a record of a later version of vmx", hint: "update vmx")
    }
    for key in ["identity", "parts"] where record[key]?.array?.count ?? 0 > BundleRecord.mostKeys {
      throw Failure(.badLine, "a record has more than \(BundleRecord.mostKeys) of '\(key)'")
    }
    var allowed = JSONObject()
    for key in BundleRecord.keys { allowed.append(key, record[key]) }
    description = try EpisodeDescription(allowed)
    guard description.id != nil else { throw Failure(.badLine, "a record has no id") }
    let keys = FieldReader(record, of: "\(description.proposedID)", code: .badLine)
    identity = try keys.strings("identity").map { key throws(Failure) in
      guard IdentityKey.isKey(key) else {
        throw Failure(.badLine, "not an identity key: '\(key)'")
      }
      return .key(key)
    }
    files = []
    for object in try keys.objects("parts") {
      let fields = FieldReader(object, of: "\(description.proposedID) parts", code: .badLine)
      guard let path = try fields.string("path") else { continue }
      var part = Part(
        role: try fields.value("role") ?? .video, language: try fields.language("lang"),
        variants: [])
      part.isForced = try fields.bool("forced") ?? false
      part.isSDH = try fields.bool("sdh") ?? false
      files.append(File(part: part.name, path: path, sha256: try fields.sha256("sha256")))
    }
    // A writer may leave out this key; without it the same again would be another episode.
    if let key = video.map({ IdentityKey.digest($0.hex).key }),
      !identity.contains(where: { $0.key == key })
    {
      identity.append(.key(key))
    }
  }
}
