import VmxMarkup
import VmxModel

/// A record of one download in the store of an app: a property list or a row of Core Data.
///
/// Apps use different names for the same field. Names are compared without case, `_`, `-` and the
/// prefix of Core Data.
struct DownloadRecord {
  /// The state of a download.
  enum State: Equatable {
    case queued, paused, finished, failed, removed
  }

  /// A subtitle file of the download.
  struct Subtitle: NamedPart, Equatable {
    var fileName: String?
    var url: String?
    var partName = PartName(role: .subtitle)
  }

  private let fields: [String: PropertyList]

  /// Creates a record from named values; nil if it has no URL, file name or title.
  init?(_ named: [PropertyList.Field], prefix: String = "") {
    var fields: [String: PropertyList] = [:]
    for field in named { fields[Self.normalised(field.key, prefix)] = field.value }
    self.fields = fields
    guard url != nil || fileName != nil || title != nil else { return nil }
  }

  /// Whether fields with these names are a record of a download.
  static func isDownload(_ names: [String], prefix: String = "") -> Bool {
    let names = Set(names.map { normalised($0, prefix) })
    return !names.isDisjoint(with: urls) && !names.isDisjoint(with: states + fileNames + titles)
  }

  private static func normalised(_ name: String, _ prefix: String) -> String {
    let name = name.lowercased()
    return (name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : name[...])
      .filter { $0 != "_" && $0 != "-" }
  }

  // MARK: Names

  private static let urls = [
    "remoteurl", "downloadurl", "sourceurl", "mediaurl", "videourl", "url",
  ]
  private static let states = ["state", "status", "downloadstate"]
  private static let fileNames = [
    "filename", "localfilename", "localfile", "localpath", "filepath", "localurl", "file", "path",
  ]
  private static let titles = ["title", "episodetitle", "episodename", "name"]

  /// Returns the value of the first of these names that has one; nil if none has.
  private func value(_ names: [String]) -> PropertyList? {
    names.lazy.compactMap { fields[$0] }.first
  }

  private func text(_ names: [String]) -> String? {
    let text = names.lazy.compactMap { fields[$0] }.compactMap { Self.text(of: $0) }
      .first { !$0.allSatisfy(\.isWhitespace) }
    return text
  }

  private static func text(of value: PropertyList) -> String? {
    value.string ?? value.integer.map(String.init)
  }

  private func natural(_ names: [String]) -> Int64? {
    let number = value(names).flatMap { $0.integer ?? $0.string.flatMap { Int64($0) } }
    return number.flatMap { $0 >= 0 ? $0 : nil }
  }

  private func isTrue(_ names: [String]) -> Bool? {
    switch value(names) {
    case .bool(let isTrue): isTrue
    case .integer(let number): number != 0
    default: nil
    }
  }

  // MARK: Fields

  /// The app's own id.
  var id: String? { text(["episodeid", "downloadid", "identifier", "id", "uuid", "guid"]) }
  var title: String? { text(Self.titles) }
  var showTitle: String? {
    text(["showtitle", "seriestitle", "showname", "seriesname", "podcasttitle", "show", "series"])
  }
  var season: Int64? { natural(["season", "seasonnumber"]) }
  var number: Int64? { natural(["number", "episodenumber", "episode"]) }
  var summary: String? { text(["summary", "overview", "synopsis", "plot", "description"]) }
  var url: String? { text(Self.urls) }
  var language: String? { text(["language", "lang"]).flatMap(Self.language) }
  var isFavourite: Bool { isTrue(["favourite", "favorite", "isfavourite", "isfavorite"]) ?? false }
  var isWatched: Bool? { isTrue(["watched", "iswatched", "played", "isplayed"]) }
  var resumeData: [UInt8]? { value(["resumedata"])?.data.flatMap { $0.isEmpty ? nil : $0 } }
  var errorCode: String? {
    text(["errorcode", "lasterror", "error"]).flatMap { $0 == "0" ? nil : $0 }
  }

  /// The date of the first broadcast.
  var date: CalendarDay? {
    switch value(["airdate", "aired", "firstaired", "releasedate", "publishedat", "pubdate"]) {
    case .date(let time): CalendarDay(ofProgram: time.text)
    case .string(let text): CalendarDay(ofProgram: text)
    default: nil
    }
  }

  /// The playing time in milliseconds.
  var duration: Int64? {
    guard let seconds = value(["duration", "durationseconds"])?.number,
      (0.001..<1e9).contains(seconds)
    else { return nil }
    return Int64(seconds * 1000)
  }

  /// The base name of its file.
  var fileName: String? {
    text(Self.fileNames).map { LegacyName($0).last }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The size of the complete file; never 0.
  var size: ByteCount? {
    natural(["sizebytes", "filesize", "totalbytes", "expectedbytes", "size"])
      .flatMap { $0 > 0 ? ByteCount(ofFile: $0) : nil }
  }

  /// The bytes of the licence key.
  var key: [UInt8]? {
    let value = value(["drmkey", "licensekey", "licencekey", "contentkey"])
    let bytes = value?.data ?? value?.string.map { Array($0.utf8) }
    return bytes.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The time at which the licence expires.
  var expires: Timestamp? {
    let value = value([
      "licenseexpires", "licenceexpires", "licenseexpiry", "expirationdate", "expiresat", "expires",
    ])
    return value?.date ?? value?.string.flatMap { Timestamp($0) }
  }

  /// The state; nil if it is not known.
  var state: State? {
    switch value(Self.states) {
    case .integer(let number): Self.numbers[number]
    case .string(let word): Self.stateNames[word.lowercased().filter { $0.isLetter }]
    default: nil
    }
  }

  private static let numbers: [Int64: State] = [
    0: .queued, 1: .queued, 2: .paused, 3: .finished, 4: .failed,
  ]
  private static let stateNames: [String: State] = [
    "finished": .finished, "complete": .finished, "completed": .finished, "downloaded": .finished,
    "done": .finished, "ready": .finished, "succeeded": .finished, "paused": .paused,
    "suspended": .paused, "stopped": .paused, "interrupted": .paused, "failed": .failed,
    "error": .failed, "queued": .queued, "waiting": .queued, "pending": .queued,
    "running": .queued, "active": .queued, "downloading": .queued, "inprogress": .queued,
    "removed": .removed, "deleted": .removed,
  ]

  /// The subtitles, from dictionaries or file names.
  var subtitles: [Subtitle] {
    (value(["subtitles", "captions"])?.array ?? []).compactMap { entry in
      var subtitle = Subtitle()
      if let name = entry.string {
        subtitle.fileName = LegacyName(name).last
      } else if let fields = entry.fields, let record = DownloadRecord(fields) {
        subtitle.fileName = record.fileName
        subtitle.url = record.url
        subtitle.language = record.language
        subtitle.isForced = record.isTrue(["forced", "isforced"]) ?? false
        subtitle.isSDH = record.isTrue(["sdh", "issdh", "cc"]) ?? false
      }
      return subtitle.fileName == nil && subtitle.url == nil ? nil : subtitle
    }
  }

  /// The base names of its pictures, a thumbnail first.
  var images: [String] {
    let value = value(["images", "artwork", "thumbnail", "thumb", "image"])
    let named = (value?.fields ?? []).sorted { left, right in
      (left.key == "thumb" ? 0 : 1, left.key) < (right.key == "thumb" ? 0 : 1, right.key)
    }
    let values = named.map(\.value) + (value?.array ?? []) + [value].compactMap { $0 }
    return values.compactMap(\.string).map { LegacyName($0).last }.filter { !$0.isEmpty }
  }

  private static func language(_ word: String) -> String? {
    LanguageName.tag(of: word) ?? LanguageTag.normalised(word)
  }
}
