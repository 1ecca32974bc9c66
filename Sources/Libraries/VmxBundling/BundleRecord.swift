import VmxJSON
import VmxMarkup
import VmxModel
import VmxSystem

// A bundle describes an episode only by fields that are valid on every machine: identity, titles,
// numbers, dates and parts with their digests. It has no wants, states, revisions, trails, roots,
// local times and references to secrets. The fields are those of the store (`Episode.Field`,
// `Part.Field`). To export a new field of an episode, add it to the lists below. `vmx import` reads
// them as `vmx add` reads a row.

/// Encodes the record of an episode in a bundle, a line of `vmx-records.jsonl` (vmx-bundle(5)).
enum BundleRecord {
  /// The name of the records file, in the folder of the bag.
  static let fileName = "vmx-records.jsonl"

  private static let fields: [Episode.Field] = [
    .title, .showTitle, .season, .number, .date, .duration, .language, .summary, .rating,
    .ageRating, .chapters, .chaptersURL, .pageURL, .tvmaze, .keep, .watched, .expires,
  ]
  private static let partFields = Part.nameFields + [.required]
  private static let variantFields: [Variant.Field] = [
    .height, .bitrate, .type, .size, .sha256, .duration,
  ]

  /// Returns the record of an episode.
  ///
  /// - Parameters:
  ///   - paths: the path of each packed part in the bag, by the name of the part.
  ///   - nfo: the path of its NFO file.
  ///   - withSecrets: whether addresses keep the credentials in their queries.
  static func object(
    of episode: Episode, paths: [String: String], nfo: String?, withSecrets: Bool = false
  ) -> JSONObject {
    let episode = withSecrets ? episode : episode.withoutSecrets
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
    // The chosen variant, to which the packed file belongs, comes first: the importing library
    // compares the file with the first variant.
    let chosen = part.variant
    let variants = [chosen].compactMap { $0 } + part.variants.filter { $0 != chosen }
    let described = variants.map { variant($0, isConverted: part.original != nil) }
    if !described.isEmpty { object.append("variants", .array(described.map { .object($0) })) }
    return object
  }

  /// - Parameter isConverted: whether the packed file was converted. The published size and digest
  ///   then describe other bytes, and are omitted.
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
  /// The episode without credentials in the queries of its addresses (`SecretQuery`).
  fileprivate var withoutSecrets: Episode {
    var episode = self
    episode.pageURL = text.pageURL.map { SecretQuery.removed(from: $0) }
    episode.chaptersURL = text.chaptersURL.map { SecretQuery.removed(from: $0) }
    for part in episode.parts.indices {
      // A choice identifies a variant by one of its sources.
      episode.parts[part].chosen = parts[part].chosen.map { SecretQuery.removed(from: $0) }
      for variant in episode.parts[part].variants.indices {
        for source in episode.parts[part].variants[variant].sources.indices {
          let url = parts[part].variants[variant].sources[source].url
          episode.parts[part].variants[variant].sources[source].url = SecretQuery.removed(from: url)
        }
      }
    }
    return episode
  }

  /// The identity keys in a bundle, including that of the video's digest. They are sorted, so that
  /// a library that imports them exports the same keys.
  fileprivate var bundledIdentity: [IdentityKey] {
    let video = readyVideo?.sha256
    let keys = identity + [video.map { IdentityKey.digest($0.hex) }].compactMap { $0 }
    return Set(keys.filter { !$0.isOfRecord }).sorted { $0.key < $1.key }
  }
}

extension JSONObject {
  /// Appends the values of fields under their keys, and skips nil values.
  fileprivate mutating func append<Field: RecordField>(_ fields: [Field], _ values: [JSONValue?]) {
    for (field, value) in zip(fields, values) { append(field.rawValue, value) }
  }
}

extension BundleRecord {
  /// The keys of a record that an importing library reads as a description.
  static let keys = ["id"] + fields.map(\.rawValue) + ["parts"]

  /// The maximum number of identity keys, and of parts, in a record. It prevents one record from
  /// holding a bundle of many episodes.
  static let maxKeys = 1000

  /// Returns the paths in the bag of the files of an episode.
  static func paths(in record: JSONObject) -> [String] { files(in: record).map(\.path) }

  /// Returns the path in the bag of the video of an episode.
  static func video(in record: JSONObject) -> String? {
    let parts = (record["parts"]?.array ?? []).compactMap(\.object)
    return parts.first { $0["role"]?.string == PartRole.video.rawValue }?["path"]?.string
  }

  /// Returns the playlist entry of the video, in the folder of the bag; nil if the bag has none.
  static func playlistEntry(of record: JSONObject) -> PlaylistEntry? {
    func text(_ field: Episode.Field) -> String { record[field.rawValue]?.string ?? "" }
    return video(in: record).map { path in
      PlaylistEntry(
        duration: record[Episode.Field.duration.rawValue]?.integer,
        titles: [text(.showTitle), text(.title)], path: path)
    }
  }

  /// Whether the bag has the file of a part.
  static func hasFile(of part: Part, in record: JSONObject) -> Bool {
    var object = JSONObject()
    object.append(Part.nameFields, part.json(of: Part.nameFields))
    return self.part(object, in: record)?["path"] != nil
  }

  /// Returns the part of a record that has the same name as a part of another one.
  static func part(_ part: JSONObject, in record: JSONObject) -> JSONObject? {
    (record["parts"]?.array ?? []).compactMap(\.object).first { object in
      Part.nameFields.allSatisfy { object[$0.rawValue] == part[$0.rawValue] }
    }
  }

  /// Returns the digest of a part's file.
  static func digest(of part: JSONObject) -> Digest? {
    part["sha256"]?.string.flatMap { Digest(.sha256, hex: $0) }
  }

  /// Returns the paths in the bag of the files of an episode. Parts have their digests and their
  /// sizes in bytes, and the NFO file has none.
  static func files(in record: JSONObject) -> [(path: String, sha256: String?, size: Int64?)] {
    let parts = (record["parts"]?.array ?? []).compactMap(\.object)
    let files = parts.map { ($0["path"]?.string, $0["sha256"]?.string, $0["size"]?.integer) }
    return (files + [(record["nfo"]?.string, nil, nil)])
      .compactMap { path, sha256, size in path.map { ($0, sha256, size) } }
  }
}

/// The lines of the episodes in the records of a bundle. Each is parsed again on every access,
/// since parsed values take several times the memory of their text.
///
/// A line that cannot be read is an error and never an empty record: an update deletes the files
/// that no record names.
struct BundleRecords {
  /// The maximum length of a line in bytes.
  private static let maxLineLength = 1 << 20
  private static let kind = "episode"
  private static let maxKinds = 100
  /// The maximum number of shows imported from a bundle.
  private static let maxShows = 10_000

  private let text: SpooledText
  private var lines: [Range<Int>] = []
  /// The shows and favourites in the records.
  private(set) var shows: [BundledShow] = []
  /// The number of lines of each kind that is not imported, and of malformed shows.
  private(set) var skippedLines: [String: Int] = [:]
  private let parser = JSONParser()

  /// Parses the text of a records file.
  ///
  /// - Throws: `bundle-invalid` for a line that is not a JSON object, errors of reading.
  init(_ text: SpooledText) throws {
    self.text = text
    var number = 0
    try text.forEachLine { line in
      number += 1
      guard line.count <= Self.maxLineLength, let record = try object(in: line) else {
        throw Failure(
          .bundleInvalid,
          "line \(number) of '\(BundleRecord.fileName)' is not a JSON object of at most 1 MiB")
      }
      if let show = BundledShow(record), shows.count < Self.maxShows {
        shows.append(show)
      } else if let kind = record["kind"]?.string, kind != Self.kind {
        skippedLines[skippedLines.count < Self.maxKinds ? kind : "…", default: 0] += 1
      } else {
        lines.append(line)
      }
    }
  }

  /// The number of records.
  var count: Int { lines.count }

  /// Returns the record at this index, from 0.
  ///
  /// - Throws: errors of reading; `bundle-invalid` if the text has changed since it was parsed.
  func record(_ number: Int) throws -> JSONObject {
    guard let record = try object(in: lines[number]) else {
      throw Failure(.bundleInvalid, "'\(BundleRecord.fileName)' changed while it was read")
    }
    return record
  }

  /// Calls the closure with the index and the record of each episode.
  ///
  /// - Throws: as `record`, errors of the closure.
  func forEach(_ body: (Int, JSONObject) throws -> Void) throws {
    for number in lines.indices { try body(number, record(number)) }
  }

  /// Returns the object of a line; nil if it is not one.
  ///
  /// - Throws: errors of reading.
  private func object(in line: Range<Int>) throws(FileError) -> JSONObject? {
    let bytes = try text.bytes(line)
    do throws(JSONSyntaxError) {
      return try parser.parse(bytes).object
    } catch {
      return nil
    }
  }
}

/// An episode of a bundle that is to be imported.
struct BundledEpisode {
  /// A part of the episode with its file in the bundle.
  struct File {
    /// The name of the part.
    let part: String
    /// The path in the bag.
    let path: String
    /// The digest that the record names; nil for a bag without records.
    let sha256: Digest?

    /// The role of the part.
    var role: PartRole { PartName(part)?.role ?? .video }
  }

  /// The description, without fields that are local to the library that wrote it.
  var description: EpisodeDescription
  /// The identity keys.
  var identity: [IdentityKey]
  /// The packed parts.
  var files: [File]
  /// The paths of files beside the video whose part has another file already: the second of two
  /// pictures, or of two subtitles in one language. They are not imported.
  var surplus: [String] = []
  /// The digest of the video; nil if the bundle does not have it.
  var video: Digest? { files.first { $0.part == PartRole.video.rawValue }?.sha256 }

  /// The result of decoding an episode of a bundle.
  struct Read {
    /// The id for reports.
    let id: EpisodeID
    /// The episode, or the failure to decode its record.
    let episode: Result<BundledEpisode, Failure>

    /// Creates a result.
    init(id: EpisodeID, episode: Result<BundledEpisode, Failure>) {
      self.id = id
      self.episode = episode
    }

    /// Reads and decodes the record at an index.
    init(_ number: Int, of records: BundleRecords) {
      do {
        let record = try records.record(number)
        id = BundledEpisode.id(of: record)
        episode = Result { () throws(Failure) in try BundledEpisode(record) }
          .mapError { Failure($0.code, $0.summary, hint: BundleImporter.hint(ofRecord: $0)) }
      } catch {
        (id, episode) = (.unknown, .failure(Failure(error)))
      }
    }
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
    // Later versions may add fields under schema 1. Another schema number gives fields another
    // meaning.
    guard record["schema"] == nil || record["schema"]?.integer == 1 else {
      throw Failure(.badLine, "a record of a later version of vmx", hint: "update vmx")
    }
    for key in ["identity", "parts"] where record[key]?.array?.count ?? 0 > BundleRecord.maxKeys {
      throw Failure(.badLine, "a record has more than \(BundleRecord.maxKeys) of '\(key)'")
    }
    var allowed = JSONObject()
    for key in BundleRecord.keys { allowed.append(key, record[key]) }
    description = try EpisodeDescription(allowed)
    description.origin = .program
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
      let part = try PartName(fields).text
      files.append(File(part: part, path: path, sha256: try fields.sha256("sha256")))
    }
    // A writer may omit this key. Without it a second import would create a duplicate episode.
    if let key = video.map({ IdentityKey.digest($0.hex).key }),
      !identity.contains(where: { $0.key == key })
    {
      identity.append(.key(key))
    }
  }
}
