import VmxJSON
import VmxMarkup
import VmxModel
import VmxNaming

/// The metadata of a programme of get_iplayer, from a line of its history or a file next to the
/// video.
struct ProgrammeMetadata {
  private static let maxBytes: Int64 = 1 << 20
  private static let root = "program_meta_data"

  private let values: [String: String]

  init(_ values: [String: String]) {
    self.values = values
  }

  /// Reads a file of metadata in XML or JSON; nil for a file of another program.
  ///
  /// - Throws: `record-unreadable`, `resources-short`.
  init?(_ file: LegacyFolder.File) throws(Failure) {
    let isJSON = LegacyName(file.name).fileExtension == "json"
    let bytes = try file.record(upTo: Self.maxBytes)
    let fields = isJSON ? try Self.fields(ofJSON: bytes, file) : try Self.fields(ofXML: bytes, file)
    guard let fields, !(fields["pid"] ?? "").isEmpty else { return nil }
    values = fields
  }

  /// Whether the first bytes of a file are those of metadata in XML.
  static func isMetadata(_ first: [UInt8]) -> Bool {
    String(decoding: first, as: UTF8.self).contains("<\(root)")
  }

  private static func fields(
    ofXML bytes: [UInt8], _ file: LegacyFolder.File
  ) throws(Failure) -> [String: String]? {
    guard let document = try MarkupFields(bytes) else {
      guard LegacyName(file.name).fileExtension == "xml" else { return nil }
      throw Failure(.recordUnreadable, "'\(file.path)' is no XML document")
    }
    guard document.root == root else { return nil }
    guard document.isWellFormed else {
      throw Failure(.recordUnreadable, "'\(file.path)' is damaged")
    }
    return document.values
  }

  private static func fields(
    ofJSON bytes: [UInt8], _ file: LegacyFolder.File
  ) throws(Failure) -> [String: String]? {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONParser().parse(bytes)
    } catch {
      throw Failure(.recordUnreadable, "'\(file.path)' is not JSON: \(error.reason)")
    }
    guard let object = value.object?[root]?.object ?? value.object else { return nil }
    var fields: [String: String] = [:]
    for (key, value) in object.fields {
      fields[key] = value.string ?? value.integer.map { String($0) }
    }
    return fields
  }

  var pid: String { text("pid") ?? "" }
  var isRadio: Bool { text("type") == "radio" }

  /// The description of the episode: titles, numbers and date, without parts.
  var description: EpisodeDescription {
    var description = EpisodeDescription()
    let show = text("nameshort") ?? text("name").map { Self.withoutSeries($0) }
    description.showTitle = show
    // A single programme has no episode title.
    let title = text("episodeshort") ?? text("episode").map { Self.withoutNumber($0) }
    description.title = title ?? show
    let reading = text("senum").map { EpisodeFileName($0) }
    description.season = number("seriesnum") ?? reading?.season.flatMap { $0 > 0 ? $0 : nil }
    description.number = number("episodenum") ?? reading?.number.flatMap { $0 > 0 ? $0 : nil }
    let day = text("firstbcastdate") ?? text("firstbcast")
    description.date = day.flatMap { CalendarDay(ofProgram: $0) }
    description.isDaily = false
    // The episodes of daily programmes are named by their days.
    if let day = title.flatMap({ Self.day($0) }) {
      description.date = day
      description.isDaily = description.number == nil
      description.title = day.description
    }
    description.duration = number("duration").flatMap { $0 < 1_000_000 ? $0 * 1000 : nil }
    description.summary = text("desc") ?? text("desclong") ?? text("descshort")
    if !pid.isEmpty { description.identity = [Self.key(pid)] }
    return description
  }

  /// The key of a programme.
  static func key(_ pid: String) -> IdentityKey { .outside(catalogue: "bbc", id: pid) }

  /// Returns a field; nil if it is blank or `-`, which means no value.
  private func text(_ field: String) -> String? {
    let text = (values[field] ?? "").trimmingSpaces
    return text.isEmpty || text == "-" || text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// Returns a number above 0; nil for any other value.
  private func number(_ field: String) -> Int64? {
    text(field).flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Removes `: Series N` from the end of a name.
  static func withoutSeries(_ name: String) -> String {
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count > 2, words[words.count - 2] == "Series", Int64(words[words.count - 1]) != nil,
      words[words.count - 3].last == ":"
    else { return name }
    return String(words.dropLast(2).joined(separator: " ").dropLast())
  }

  /// Returns the day that is the whole title of an episode: `14/05/2024`.
  private static func day(_ title: String) -> CalendarDay? {
    let parts = title.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [2, 2, 4] else { return nil }
    return CalendarDay(parts.reversed().joined(separator: "-"))
  }

  /// Removes `NN. ` from the beginning of a title.
  static func withoutNumber(_ title: String) -> String {
    let digits = title.utf8.prefix(while: \.isASCIIDigit)
    let rest = title.utf8.dropFirst(digits.count)
    guard !digits.isEmpty, rest.starts(with: ". ".utf8), rest.count > 2 else { return title }
    return String(Substring(rest.dropFirst(2)))
  }
}
